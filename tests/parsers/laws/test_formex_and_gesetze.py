"""Formex beside the plain act, and German law in both forms of its publisher."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.base import DamagedFileError
from parsers.model import BlockKind, Document

Parse = Callable[..., Document]
Units = Callable[[Document], dict[str, str]]

_FORMEX = 'xmlns:x="x" SCHEMA="http://formex.publications.europa.eu/schema/formex-05.56"'

CORRIGENDUM = f"""<?xml version="1.0"?><CORR {_FORMEX}><BIB.INSTANCE><LG.DOC>EN</LG.DOC>
</BIB.INSTANCE><TITLE><TI><P>Corrigendum to Regulation of <DATE ISO="20160427">27 April 2016</DATE>
</P></TI></TITLE><CONTENTS.CORR><CORRECTION><DESCRIPTION>On page 58, Article 41(3):</DESCRIPTION>
<OLD.CORR><P>for:</P><QUOT.S><PARAG IDENTIFIER="041.003"><NO.PARAG><QUOT.START CODE="2018"/>3.
</NO.PARAG><ALINEA>The criteria.<QUOT.END CODE="2019"/>,</ALINEA></PARAG></QUOT.S></OLD.CORR>
<NEW.CORR><P>read:</P><QUOT.S><LIST><ITEM><NP><NO.P>(c)</NO.P><TXT>The core.</TXT></NP></ITEM>
</LIST></QUOT.S></NEW.CORR></CORRECTION></CONTENTS.CORR></CORR>"""

COMBINED = f"""<?xml version="1.0"?><COMBINED.FMX {_FORMEX}><PUBLICATION><OJ><BIB.OJ><COLL>L</COLL>
</BIB.OJ></OJ></PUBLICATION><ACT><BIB.INSTANCE><LG.DOC>HU</LG.DOC></BIB.INSTANCE><TITLE><TI><P>R</P>
<P>(<DATE ISO="20160427">2016. április 27.</DATE>)</P></TI></TITLE><PREAMBLE><GR.CONSID><CONSID><NP>
<NO.P>(1)</NO.P><TXT>Cél<NOTE><P>HL L 1.</P></NOTE>.</TXT></NP></CONSID></GR.CONSID></PREAMBLE>
<ENACTING.TERMS><ARTICLE IDENTIFIER="004"><TI.ART>4. cikk</TI.ART><ALINEA><P>E rendelet:</P>
<DLIST SEPARATOR=":"><DLIST.ITEM><PREFIX>1.</PREFIX><TERM>
<QUOT.START CODE="201E"/>adat<QUOT.END CODE="201D"/></TERM>
<DEFINITION>bármely információ;</DEFINITION></DLIST.ITEM></DLIST>
</ALINEA></ARTICLE><ARTICLE IDENTIFIER="005"><TI.ART>5. cikk</TI.ART><ALINEA><P>Az alábbi:</P>
<QUOT.S><ARTICLE IDENTIFIER="09A"><TI.ART>„9a. cikk</TI.ART><STI.ART>Új</STI.ART>
<PARAG><NO.PARAG>(1)</NO.PARAG><ALINEA>Szöveg.”</ALINEA></PARAG></ARTICLE></QUOT.S></ALINEA></ARTICLE></ENACTING.TERMS>
</ACT><ANNEX><BIB.INSTANCE/><TITLE><TI><NP><NO.P>I.</NO.P><TXT>MELLÉKLET</TXT></NP></TI></TITLE>
<CONTENTS><TBL><GR.NOTES><NOTE><P>jegyzet</P></NOTE></GR.NOTES><CORPUS><ROW TYPE="HEADER">
<CELL COL="1">A</CELL><CELL COL="2">B</CELL></ROW><BLK><TI.BLK><P>Csoport</P></TI.BLK><ROW>
<CELL COL="1">x</CELL><CELL COL="2">2</CELL></ROW></BLK></CORPUS></TBL></CONTENTS></ANNEX>
</COMBINED.FMX>"""


def test_a_corrigendum_has_no_article_and_keeps_what_it_quotes(parse_law: Parse) -> None:
    act = parse_law(CORRIGENDUM, "corr.xml")
    assert not [b for b in act.blocks if b.kind is BlockKind.ARTICLE]
    assert "‘3. The criteria.’," in act.text
    assert "(c) The core." in act.text
    assert act.date == "2016-04-27"
    assert act.ledger[0].unaccounted == 0


def test_definitions_quotations_and_annexes_of_a_combined_file(
    parse_law: Parse, units: Units
) -> None:
    act = parse_law(COMBINED, "act.xml")
    found = units(act)
    assert found["art_4/pnt_1"] == "1. „adat”: bármely információ;"
    assert found["anx_1"] == "I. MELLÉKLET"
    assert [b.locator for b in act.blocks if b.kind is BlockKind.ARTICLE] == ["art_4", "art_5"]
    assert "(1) Szöveg.”" in act.text
    assert [row.cells for row in act.tables[0].rows] == [(("A", "x"), ("B", "2"))]
    for text in ("Csoport", "jegyzet", "HL L 1."):
        assert act.text.count(text) == 1
    assert act.language == "hu"
    assert act.ledger[0].unaccounted == 0


def test_the_note_of_a_recital_stands_in_front_of_the_annex(parse_law: Parse) -> None:
    act = parse_law(COMBINED, "act.xml")
    assert act.text.index("HL L 1.") < act.text.index("MELLÉKLET")


def test_formex_that_is_not_well_formed_is_an_error(parse_law: Parse) -> None:
    with pytest.raises(DamagedFileError, match="Formex"):
        parse_law(CORRIGENDUM.replace("</CORR>", ""), "corr.xml")


def _norm(number: str, title: str, inside: str) -> str:
    return (
        '<div class="jnnorm"><div class="jnheader"><a href="i">Nichtamtliches Inhaltsverzeichnis'
        f'</a><h3><span class="jnenbez">{number}</span>&nbsp;<span class="jnentitel">{title}</span>'
        "</h3>"
        f'</div><div class="jnhtml">{inside}</div></div>'
    )


PAGE = (
    '<html lang="de"><head><title>TestG</title></head><body><div class="jnnorm">'
    '<div class="jnheader"><h1><span class="jnlangue">Testgesetz</span></h1>'
    '<a href="i">Nichtamtliches Inhaltsverzeichnis</a>'
    "<p>TestG</p><p>Ausfertigungsdatum: 20.07.1995</p></div></div>"
    + _norm("Eingangsformel", "", '<div class="jurAbsatz">Der Bundestag hat beschlossen:</div>')
    + '<div class="jnnorm"><div class="jnheader"><h2>Abschnitt 1<br>Allgemeines</h2></div></div>'
    + _norm(
        "§ 1",
        "Zweck",
        '<div class="jurAbsatz">(1) Es gilt:<dl><dt>1.</dt><dd><div>eins<dl><dt>a)</dt><dd><div>aa'
        '</div></dd></dl></div></dd></dl>Ende.</div><div class="jurAbsatz">(1a) Zwei.</div>',
    )
    + _norm("§ 2", "(weggefallen)", '<div class="jurAbsatz">-</div>')
    + _norm("Anlage 1", "Liste", "<table><tr><th>Jahr</th><th>Wert</th></tr>"
            "<tr><td>2024</td><td>7</td></tr></table>")
    + "</body></html>"
)  # fmt: skip

XML = """<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE dokumente SYSTEM
"http://www.gesetze-im-internet.de/dtd/1.01/gii-norm.dtd"><dokumente doknr="B"><norm doknr="B">
<metadaten><jurabk>TestG</jurabk><amtabk>TestG</amtabk>
<ausfertigung-datum manuell="ja">1995-07-20</ausfertigung-datum>
<langue>Testgesetz</langue></metadaten></norm><norm><metadaten><jurabk>TestG</jurabk><enbez>Inhaltsübersicht</enbez></metadaten><textdaten>
<text><TOC><P>§ 1 Zweck</P></TOC></text></textdaten></norm><norm><metadaten><jurabk>TestG</jurabk>
<enbez>Eingangsformel</enbez></metadaten><textdaten><text><Content><P>Der Bundestag hat
beschlossen:</P></Content></text></textdaten></norm><norm><metadaten><jurabk>TestG</jurabk>
<gliederungseinheit><gliederungskennzahl>010</gliederungskennzahl><gliederungsbez>Abschnitt
1</gliederungsbez><gliederungstitel>Allgemeines</gliederungstitel></gliederungseinheit></metadaten>
</norm><norm><metadaten><jurabk>TestG</jurabk><gliederungseinheit>
<gliederungskennzahl>010</gliederungskennzahl><gliederungsbez>Abschnitt 1</gliederungsbez>
</gliederungseinheit><enbez>§ 1</enbez><titel>Zweck</titel></metadaten><textdaten><text><Content>
<P>(1) Es gilt:<DL Type="arabic"><DT>1.</DT><DD><LA>eins<DL><DT>a)</DT><DD><LA>aa</LA></DD></DL>
</LA></DD></DL>Ende.</P><P>(1a) Zwei.</P></Content></text></textdaten></norm><norm><metadaten>
<jurabk>TestG</jurabk><enbez>§ 2</enbez><titel>(weggefallen)</titel></metadaten><textdaten><text>
<Content><P>-</P></Content></text></textdaten></norm><norm><metadaten><jurabk>TestG</jurabk>
<enbez>Anlage 1</enbez><titel>Liste</titel></metadaten><textdaten><text><Content><P><table>
<tgroup cols="2"><thead><row><entry>Jahr</entry><entry>Wert</entry></row></thead><tbody><row>
<entry>2024</entry><entry>7</entry></row></tbody></tgroup></table></P></Content></text></textdaten>
</norm></dokumente>"""

GERMAN = {
    "sct_1": "Abschnitt 1 Allgemeines",
    "art_1": "§ 1 Zweck",
    "art_1/par_1": "(1) Es gilt:",
    "art_1/par_1/pnt_1": "1. eins",
    "art_1/par_1/pnt_1/spt_a": "a) aa",
    "art_1/par_1/sub_2": "Ende.",
    "art_1/par_1a": "(1a) Zwei.",
    "art_2": "§ 2 (weggefallen)",
    "art_2/sub_1": "-",
    "anx_1": "Anlage 1 Liste",
    "anx_1/table_1/row_1": "Jahr: 2024, Wert: 7.",
}


@pytest.mark.parametrize(("markup", "name"), [(PAGE, "g.html"), (XML, "g.xml")])
def test_german_law_has_one_tree_as_page_and_as_xml(
    parse_law: Parse, units: Units, markup: str, name: str
) -> None:
    act = parse_law(markup, name)
    assert units(act) == GERMAN
    assert act.title == "Testgesetz"
    assert act.date == "1995-07-20"
    assert "Der Bundestag hat beschlossen:" in act.text
    assert "Nichtamtliches" not in act.text
    assert act.ledger[0].unaccounted == 0
