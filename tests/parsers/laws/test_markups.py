"""Small acts in every mark-up: the classes of fault that real publishers' pages brought up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.base import DamagedFileError, EmptyFileError
from parsers.model import BlockKind, Document

Parse = Callable[..., Document]
Units = Callable[[Document], dict[str, str]]

_ROW = (
    '<table width="100%" border="0"><col width="4%"/><col width="96%"/><tbody><tr>'
    '<td valign="top"><p class="{p}">{label}</p></td>'
    '<td valign="top"><p class="{p}">{text}</p>{more}</td></tr></tbody></table>'
)


def _row(label: str, text: str, p: str = "oj-normal", more: str = "") -> str:
    return _ROW.format(p=p, label=label, text=text, more=more)


OJ = f"""<html lang="en"><body><div class="eli-container">
<div id="cpt_II"><p class="oj-ti-section-1">CHAPTER II</p>
<div class="eli-title"><p class="oj-ti-section-2">Rules</p></div>
<div class="eli-subdivision" id="art_5"><p class="oj-ti-art">Article 5</p>
<div class="eli-title" id="art_5.tit_1"><p class="oj-sti-art">Duties</p></div>
<div id="005.001"><p class="oj-normal">1.&#160;&#160;The keeper shall:</p>
{_row("(a)", "feed <i>each</i> animal <i>daily</i>, and")}
{_row("(b)", "clean:", more=_row("(i)", "the cage;") + _row("(ii)", "the yard."))}
<p class="oj-normal">Point (a) shall not apply on feast days.</p></div>
<div id="005.002"><p class="oj-normal">2.&#160;&#160;The keeper shall keep a book.</p></div>
</div></div></div></body></html>"""

OLD = f"""<html lang="en"><body>
<p class="ti-section-1">CHAPTER II</p><p class="ti-section-2">Rules</p>
<p class="ti-art">Article 5</p><p class="sti-art">Duties</p>
<p class="normal">1. The keeper shall:</p>
{_row("(a)", "feed <i>each</i> animal <i>daily</i>, and", "normal")}
{
    _row(
        "(b)",
        "clean:",
        "normal",
        _row("(i)", "the cage;", "normal") + _row("(ii)", "the yard.", "normal"),
    )
}
<p class="normal">Point (a) shall not apply on feast days.</p>
<p class="normal">2. The keeper shall keep a book.</p>
</body></html>"""


def _grid(label: str, inside: str) -> str:
    return (
        '<div class="grid-container grid-list"><div class="list grid-list-column-1">'
        f'<span>{label} </span></div><div class="grid-list-column-2">{inside}</div></div>'
    )


CONSOLIDATED = f"""<html lang="en"><body><div class="eli-container"><div id="cpt_II">
<p class="title-division-1">CHAPTER II</p><p class="title-division-2">Rules</p>
<div class="eli-subdivision" id="art_5"><p class="title-article-norm">Article 5</p>
<div class="eli-title"><p class="stitle-article-norm"><a>►M2</a> Duties<b> ◄ </b></p></div>
<p class="modref"><a href="#">▼M2</a></p>
<div class="norm"><span class="no-parag">1. </span><div class="norm inline-element">
<p class="norm inline-element">The keeper shall:</p>
{_grid("(a)", '<p class="norm">feed <i>each</i> animal <i>daily</i>, and</p>')}
{
    _grid(
        "(b)",
        '<p class="norm">clean:</p>'
        + _grid("(i)", '<div class="list">the cage;</div>')
        + _grid("(ii)", '<div class="list">the yard.</div>'),
    )
}
</div></div>
<p class="norm">Point (a) shall not apply on feast days.</p>
<div class="norm"><span class="no-parag">2. </span>
<div class="norm inline-element">The keeper shall keep a book.</div></div>
</div></div></div></body></html>"""

FORMEX = """<?xml version="1.0" encoding="UTF-8"?>
<ACT xmlns:fmx="http://opoce"><BIB.INSTANCE><LG.DOC>EN</LG.DOC></BIB.INSTANCE>
<TITLE><TI><P><HT TYPE="UC">Regulation</HT> 1</P></TI></TITLE><ENACTING.TERMS>
<DIVISION><TITLE><TI><P>CHAPTER II</P></TI><STI><P>Rules</P></STI></TITLE>
<ARTICLE IDENTIFIER="005"><TI.ART>Article 5</TI.ART><STI.ART>Duties</STI.ART>
<PARAG IDENTIFIER="005.001"><NO.PARAG>1.</NO.PARAG><ALINEA><P>The keeper shall:</P>
<LIST TYPE="alpha"><ITEM><NP><NO.P>(a)</NO.P>
<TXT>feed <HT TYPE="ITALIC">each</HT> animal <HT TYPE="ITALIC">daily</HT>, and</TXT></NP></ITEM>
<ITEM><NP><NO.P>(b)</NO.P><TXT>clean:</TXT><P><LIST TYPE="roman">
<ITEM><NP><NO.P>(i)</NO.P><TXT>the cage;</TXT></NP></ITEM>
<ITEM><NP><NO.P>(ii)</NO.P><TXT>the yard.</TXT></NP></ITEM></LIST></P></NP></ITEM></LIST></ALINEA>
<ALINEA>Point (a) shall not apply on feast days.</ALINEA></PARAG>
<PARAG IDENTIFIER="005.002"><NO.PARAG>2.</NO.PARAG>
<ALINEA>The keeper shall keep a <?PAGE NO="2"?>book.</ALINEA></PARAG>
</ARTICLE></DIVISION></ENACTING.TERMS></ACT>"""

EXPECTED = {
    "cpt_2": "CHAPTER II Rules",
    "art_5": "Article 5 Duties",
    "art_5/par_1": "1. The keeper shall:",
    "art_5/par_1/pnt_a": "(a) feed each animal daily, and",
    "art_5/par_1/pnt_b": "(b) clean:",
    "art_5/par_1/pnt_b/spt_i": "(i) the cage;",
    "art_5/par_1/pnt_b/spt_ii": "(ii) the yard.",
    "art_5/par_1/sub_2": "Point (a) shall not apply on feast days.",
    "art_5/par_2": "2. The keeper shall keep a book.",
}


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        (OJ, "oj.html"), (OLD, "old.html"), (CONSOLIDATED, "clg.html"), (FORMEX, "act.xml"),
    ],
)  # fmt: skip
def test_one_article_gives_one_tree_in_every_mark_up(
    parse_law: Parse, units: Units, markup: str, name: str
) -> None:
    act = parse_law(markup, name)
    assert units(act) == EXPECTED
    assert act.ledger[0].unaccounted == 0
    assert not act.tables


def test_a_sub_point_carries_every_lead_in_above_it(parse_law: Parse) -> None:
    point = next(b for b in parse_law(OJ).blocks if b.locator == "art_5/par_1/pnt_b/spt_ii")
    assert point.kind is BlockKind.POINT
    assert point.level == 2
    assert point.context == ("Article 5 Duties", "The keeper shall:", "clean:")
    assert point.heading_path == ("CHAPTER II Rules", "Article 5 Duties")


def test_a_consolidated_paragraph_without_a_list_is_not_lost(
    parse_law: Parse, units: Units
) -> None:
    act = parse_law(
        '<html><body><div id="art_24"><p class="title-article-norm">Article 24</p>'
        '<div class="norm"><span class="no-parag">1. </span>'
        '<div class="norm inline-element">Bare text.</div></div></div></body></html>'
    )
    assert units(act)["art_24/par_1"] == "1. Bare text."


def test_the_words_of_a_language_are_not_needed(parse_law: Parse, units: Units) -> None:
    act = parse_law(
        '<html lang="bg"><body><p class="oj-ti-art">Член 7</p><p class="oj-sti-art">Обхват</p>'
        f'<p class="oj-normal">1. Настоящият регламент:</p>{_row("а)", "се прилага;")}'
        '<p class="oj-ti-art">Artigo 8.<span class="oj-super">o</span>-A</p>'
        '<p class="oj-normal">Texto.</p></body></html>'
    )
    found = units(act)
    assert found["art_7/par_1/pnt_а"] == "а) се прилага;"
    assert found["art_8a"] == "Artigo 8.o-A"
    assert act.language == "bg"


def test_a_table_of_data_in_an_annex_becomes_rows(parse_law: Parse) -> None:
    cell = '<td><p class="oj-tbl-txt">{}</p></td>'
    rows = [("Gas", "Limit"), ("CO", "10"), ("NO", "25")]
    table = "".join(f"<tr>{''.join(cell.format(c) for c in row)}</tr>" for row in rows)
    act = parse_law(
        '<html><body><p class="oj-ti-art">Article 1</p><p class="oj-normal">Limits apply.</p>'
        '<div class="eli-container" id="anx_IV"><p class="oj-doc-ti">ANNEX IV</p>'
        f'<p class="oj-doc-ti">Limits</p><table class="oj-table">{table}</table></div>'
        "</body></html>"
    )
    assert [row.cells for row in act.tables[0].rows] == [
        (("Gas", "CO"), ("Limit", "10")), (("Gas", "NO"), ("Limit", "25")),
    ]  # fmt: skip
    rows_at = [b.locator for b in act.blocks if b.kind is BlockKind.TABLE_ROW]
    assert rows_at == ["anx_4/table_1/row_1", "anx_4/table_1/row_2"]
    assert act.ledger[0].unaccounted == 0


def test_a_formex_note_and_quotation_marks_are_printed_and_counted(
    parse_law: Parse, units: Units
) -> None:
    act = parse_law(
        '<?xml version="1.0"?><ACT><BIB.INSTANCE><LG.DOC>PT</LG.DOC></BIB.INSTANCE>'
        '<ARTICLE IDENTIFIER="014A"><TI.ART>Artigo 14.<HT TYPE="SUP">o</HT>-A</TI.ART>'
        '<ALINEA><QUOT.START CODE="00AB"/>Dados<QUOT.END CODE="00BB"/>'
        "<NOTE><P>Ver JO L 1.</P></NOTE>, qualquer informação.</ALINEA></ARTICLE></ACT>",
        "act.xml",
    )
    assert units(act)["art_14a/sub_1"] == "«Dados»(1), qualquer informação."
    note = next(b for b in act.blocks if b.kind is BlockKind.FOOTNOTE)
    assert act.text[note.start : note.end].strip() == "(1) Ver JO L 1."
    assert act.ledger[0].unaccounted == 0
    assert act.ledger[0].generated == {"quotation mark": 2, "footnote mark": 6}
    assert act.language == "pt"


BRAZILIAN = """<html><head><title>L1</title></head><body>
<p><a href="http://www.planalto.gov.br">Presidência da República</a></p>
<p>LEI Nº 1, DE 2 DE JANEIRO DE 2018</p>
<p>TÍTULO I<br>DO ANIMAL</p><p>CAPÍTULO II</p><p>DOS DEVERES</p>
<p>Art. 1º O tratador deverá:</p><p>I - alimentar;</p><p>II - limpar:</p>
<p>a) a jaula; e</p><p>b) o pátio.</p>
<p><strike>Parágrafo único. Texto antigo.</strike></p>
<p>§ 1º O tratador terá um livro. <a>(Incluído pela Lei nº 2, de 2019)</a></p>
<p><span style="text-decoration:line-through">Art. 2º Texto velho.</span></p>
<p>Art. 2º Texto novo.</p>
<p><s>Art. 2º-A. Outro texto.</s> <a>(Revogado pela Lei nº 3, de 2020)</a></p>
<p>Art. 1.003. A Lei nº 9 passa a vigorar com a seguinte redação:</p>
<p>“Art. 7º Outra lei.</p><p>I - de outra lei.” (NR)</p>
<p>Brasília, 2 de janeiro de 2018.</p><p>FULANO</p></body></html>"""


def test_a_brazilian_law_gives_articles_paragraphs_incisos_and_alineas(
    parse_law: Parse, units: Units
) -> None:
    law = parse_law(BRAZILIAN.encode("cp1252"), "lei.htm")
    assert units(law) == {
        "ttl_1": "TÍTULO I DO ANIMAL",
        "ttl_1/cpt_2": "CAPÍTULO II DOS DEVERES",
        "art_1": "Art. 1º",
        "art_1/sub_1": "O tratador deverá:",
        "art_1/pnt_1": "I - alimentar;",
        "art_1/pnt_2": "II - limpar:",
        "art_1/pnt_2/spt_a": "a) a jaula; e",
        "art_1/pnt_2/spt_b": "b) o pátio.",
        "art_1/par_1": "§ 1º O tratador terá um livro. (Incluído pela Lei nº 2, de 2019)",
        "art_2": "Art. 2º",
        "art_2/sub_1": "Texto novo.",
        "art_2a": "Art. 2º-A.",
        "art_2a/sub_1": "(Revogado pela Lei nº 3, de 2020)",
        "art_1003": "Art. 1.003.",
        "art_1003/sub_1": "A Lei nº 9 passa a vigorar com a seguinte redação:",
        "art_1003/sub_2": "“Art. 7º Outra lei.",
        "art_1003/sub_3": "I - de outra lei.” (NR)",
    }
    assert law.title == "LEI Nº 1, DE 2 DE JANEIRO DE 2018"
    assert law.ledger[0].unaccounted == 0
    assert law.ledger[0].dropped["superseded"] > 0
    assert "velho" not in law.text


def test_a_paragraph_of_several_lines_and_a_strike_around_paragraphs_are_read(
    parse_law: Parse, units: Units
) -> None:
    law = parse_law(
        "<html><body><p>www.planalto.gov.br</p><div>Art. 1o Fica criado:<br>I - o livro;<br>"
        "de capa dura;<br>II - a pena.</div>"
        "<strike><p>Art. 2o Velho.</p><p>§ 1o Velho.</p></strike>"
        "<p>Art. 3o Novo.</p></body></html>"
    )
    assert units(law) == {
        "art_1": "Art. 1o",
        "art_1/sub_1": "Fica criado:",
        "art_1/pnt_1": "I - o livro; de capa dura;",
        "art_1/pnt_2": "II - a pena.",
        "art_3": "Art. 3o",
        "art_3/sub_1": "Novo.",
    }
    assert law.ledger[0].unaccounted == 0


GERMAN = """<html><body><div id="nav"><a href="#">Startseite</a></div>
<div class="jnheader"><h1>Tierhaltungsgesetz (THG)</h1></div>
<div class="jnnorm" title="Gliederung"><div class="jnheader"><h2><span class="jnenbez">Teil 1</span>
<span class="jnentitel">Pflichten</span></h2></div></div>
<div class="jnnorm" title="Einzelnorm"><div class="jnheader"><h3><span class="jnenbez">§ 5a</span>
&#160;<span class="jnentitel">Halter</span></h3></div><div><div class="jnhtml"><div>
<div class="jurAbsatz">(1) Der Halter muss<dl><dt>1.</dt><dd><div>füttern und</div></dd>
<dt>2.</dt><dd><div>reinigen:
<dl><dt>a)</dt><dd><div>den Käfig,</div></dd></dl></div></dd></dl></div>
<div class="jurAbsatz">(2) Der Halter führt ein Buch.</div></div></div></div></div>
</body></html>"""


def test_a_german_law_gives_sections_paragraphs_and_numbers(parse_law: Parse, units: Units) -> None:
    law = parse_law(GERMAN, "thg.html")
    assert units(law) == {
        "prt_1": "Teil 1 Pflichten",
        "art_5a": "§ 5a Halter",
        "art_5a/par_1": "(1) Der Halter muss",
        "art_5a/par_1/pnt_1": "1. füttern und",
        "art_5a/par_1/pnt_2": "2. reinigen:",
        "art_5a/par_1/pnt_2/spt_a": "a) den Käfig,",
        "art_5a/par_2": "(2) Der Halter führt ein Buch.",
    }
    assert law.title == "Tierhaltungsgesetz (THG)"
    assert law.language == "de"
    assert law.ledger[0].dropped == {"navigation": 10}
    assert law.ledger[0].unaccounted == 0


def test_a_consolidated_annex_is_one_annex(parse_law: Parse, units: Units) -> None:
    act = parse_law(
        '<html><body><div class="eli-container"><div class="eli-subdivision" id="art_1">'
        '<p class="title-article-norm">Article 1</p><p class="norm">See the Annexes.</p></div>'
        '</div><div class="eli-container" id="anx_IV"><p class="title-annex-1">ANNEX IV</p>'
        '<p class="title-annex-2">Limits</p><p class="norm">None.</p></div></body></html>'
    )
    found = units(act)
    assert found["anx_4"] == "ANNEX IV Limits"
    assert [a for a in found if a.startswith("anx_")] == ["anx_4", "anx_4/sub_1"]


def test_an_article_written_into_another_act_is_text_of_this_one(
    parse_law: Parse, units: Units
) -> None:
    act = parse_law(
        '<html><body><div class="eli-container"><div class="eli-subdivision" id="art_1">'
        '<p class="oj-ti-art">Article 1</p><p class="oj-normal">The following is inserted:</p>'
        '<div><p class="oj-ti-art">‘Article 12a</p><p class="oj-sti-art">New duties</p>'
        '<p class="oj-normal">Keepers shall whistle.’</p></div></div>'
        '<div class="eli-subdivision" id="art_2"><p class="oj-ti-art">Article 2</p>'
        '<p class="oj-normal">It enters into force.</p></div></div></body></html>'
    )
    found = units(act)
    assert [a for a in found if "/" not in a] == ["art_1", "art_2"]
    assert found["art_1/sub_2"] == "‘Article 12a"
    assert found["art_1/sub_4"] == "Keepers shall whistle.’"


def test_an_annex_published_as_a_formex_file_of_its_own_is_read(
    parse_law: Parse, units: Units
) -> None:
    act = parse_law(
        '<?xml version="1.0"?><ANNEX><BIB.INSTANCE><LG.DOC>EN</LG.DOC></BIB.INSTANCE>'
        "<TITLE><TI><P>ANNEX II</P></TI><STI><P>Limits</P></STI></TITLE><CONTENTS>"
        "<GR.SEQ><TITLE><TI><P>Part A</P></TI></TITLE><NP><NO.P>1.</NO.P><TXT>Gas</TXT></NP>"
        '</GR.SEQ><TBL><CORPUS><ROW TYPE="HEADER"><CELL COL="1">Gas</CELL>'
        '<CELL COL="2">Limit</CELL></ROW><ROW><CELL COL="1">CO</CELL><CELL COL="2">10</CELL></ROW>'
        "</CORPUS></TBL></CONTENTS></ANNEX>",
        "annex.xml",
    )
    assert units(act)["anx_2/sct_1/pnt_1"] == "1. Gas"
    assert act.title == "ANNEX II Limits"
    assert act.tables[0].rows[0].cells == (("Gas", "CO"), ("Limit", "10"))
    assert act.ledger[0].unaccounted == 0


def test_a_law_whose_class_names_changed_is_an_error_not_an_empty_document(
    parse_law: Parse,
) -> None:
    renamed = OJ.replace("oj-", "new-")
    with pytest.raises(DamagedFileError, match="no article"):
        parse_law(renamed)


def test_an_empty_law_is_an_error(parse_law: Parse) -> None:
    with pytest.raises((EmptyFileError, DamagedFileError)):
        parse_law(b"")


def test_formex_that_breaks_off_is_an_error(parse_law: Parse) -> None:
    with pytest.raises(DamagedFileError):
        parse_law(FORMEX[: len(FORMEX) // 2], "act.xml")


def test_entities_that_multiply_are_refused_at_once(parse_law: Parse) -> None:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<?xml version="1.0"?><!DOCTYPE ACT [<!ENTITY l0 "lol">{levels}]>'
    with pytest.raises(DamagedFileError, match="entities"):
        parse_law(f"{bomb}<ACT><BIB.INSTANCE/><ARTICLE>&l11;</ARTICLE></ACT>", "act.xml")
