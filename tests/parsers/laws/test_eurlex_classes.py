"""Classes of EUR-Lex pages beside the plain act: amending acts, annexes, languages, plain text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.model import BlockKind, Document

Parse = Callable[..., Document]
Units = Callable[[Document], dict[str, str]]


def _p(text: str, name: str = "oj-normal") -> str:
    return f'<p class="{name}">{text}</p>'


def _row(label: str, inside: str) -> str:
    return (
        '<table width="100%"><col width="4%"/><col width="96%"/><tbody><tr>'
        f'<td valign="top">{_p(label)}</td><td valign="top">{inside}</td></tr></tbody></table>'
    )


def _act(body: str, lang: str = "en", annex: str = "") -> str:
    act = f'<div class="eli-container">{body}</div>'
    return f'<html lang="{lang}"><body>{act}{annex}</body></html>'


def _article(number: str, inside: str, word: str = "Article") -> str:
    return (
        f'<div class="eli-subdivision" id="art_{number}">{_p(f"{word} {number}", "oj-ti-art")}'
        f"{inside}</div>"
    )


GERMAN = _act(
    _article(
        "1",
        f'<div id="001.001">{_p("(1)&#160;&#160;Diese Verordnung:")}{_row("a)", _p("eins;"))}</div>'
        f'<div id="001.002">{_p("(2)&#160;Zwei.")}</div>',
        "Artikel",
    )
    + _article("4", _p("Im Sinne dieser Verordnung:") + _row("1.", _p("„Daten“ alle")), "Artikel"),
    "de",
)


def _without_ids(markup: str) -> str:
    for number in ("art_1", "art_4", "001.001", "001.002"):
        markup = markup.replace(f' id="{number}"', "")
    return markup.replace("oj-", "")


@pytest.mark.parametrize("markup", [GERMAN, _without_ids(GERMAN)], ids=["new", "old"])
def test_paragraphs_in_brackets_are_paragraphs_and_definitions_are_points(
    parse_law: Parse, units: Units, markup: str
) -> None:
    assert units(parse_law(markup)) == {
        "art_1": "Artikel 1",
        "art_1/par_1": "(1) Diese Verordnung:",
        "art_1/par_1/pnt_a": "a) eins;",
        "art_1/par_2": "(2) Zwei.",
        "art_4": "Artikel 4",
        "art_4/sub_1": "Im Sinne dieser Verordnung:",
        "art_4/pnt_1": "1. „Daten“ alle",
    }


def test_articles_written_into_another_act_are_text_of_the_point_that_brings_them(
    parse_law: Parse, units: Units
) -> None:
    new = (
        _p("the following Articles are inserted:")
        + _p("‘Article 9a", "oj-ti-art") + _p("New", "oj-sti-art") + _p("1. New text.")
        + _p("Article 9b", "oj-ti-art") + _p("Text 9b.’;")
        + _p("(*3) Regulation 7.", "oj-note")
    )  # fmt: skip
    body = _article("3", _p("It is amended:") + _row("(1)", new) + _row("(2)", _p("Deleted.")))
    for markup in (_act(body), _without_ids(_act(body)).replace(' id="art_3"', "")):
        act = parse_law(markup)
        assert [b.locator for b in act.blocks if b.kind is BlockKind.ARTICLE] == ["art_3"]
        found = units(act)
        assert found["art_3/pnt_1"] == "(1) the following Articles are inserted:"
        assert found["art_3/pnt_2"] == "(2) Deleted."
        assert "Text 9b.’;" in act.text
        assert act.ledger[0].unaccounted == 0


def test_an_article_container_inside_another_is_quoted(parse_law: Parse) -> None:
    inner = _article("18", _p("In full.")).replace("Article 18", "‘Article 18")
    second = _article("19", _p("More.’."))
    act = parse_law(_act(_article("3", _p("Replaced by:") + inner + second) + _article("4", "x")))
    articles = [b.locator for b in act.blocks if b.kind is BlockKind.ARTICLE]
    assert articles == ["art_3", "art_4"]


def test_a_recital_is_known_by_its_printed_number_not_by_an_id_that_is_one_off(
    parse_law: Parse, units: Units
) -> None:
    act = parse_law(
        _act(
            f'<div class="eli-subdivision" id="rct_1">{_p("Whereas:")}</div>'
            f'<div class="eli-subdivision" id="rct_2">{_row("(1)", _p("One.") + _p("More."))}</div>'
            f'<div class="eli-subdivision" id="rct_3">{_row("(2)", _p("Two."))}</div>'
            + _article("1", _p("Text."))
        )
    )
    found = units(act)
    assert (found["rct_1"], found["rct_2"]) == ("(1) One.", "(2) Two.")
    assert "rct_3" not in found


def test_an_annex_has_articles_of_its_own_and_lists_that_begin_a_line(
    parse_law: Parse, units: Units
) -> None:
    spaced = (
        '<div class="oj-enumeration-spacing"><p style="display: inline;">7.   </p>'
        f"<span>Trading in:</span>{_row('(a)', _p('money;'))}</div>"
    )
    act = parse_law(
        _act(
            _article("1", _p("Text.")),
            annex=f'<div class="eli-container" id="anx_ I">{_p("ANNEX I", "oj-doc-ti")}{spaced}'
            f"{_p('Article 1', 'oj-ti-art')}{_p('Statute.')}"
            f"{_p('Article 2', 'oj-ti-art')}{_p('Seat.')}</div>",
        )
    )
    found = units(act)
    assert found["anx_1/pnt_7"] == "7. Trading in:"
    assert found["anx_1/pnt_7/spt_a"] == "(a) money;"
    assert found["anx_1/art_1/sub_1"] == "Statute."
    assert found["anx_1/art_2/sub_1"] == "Seat."


def test_marks_notes_and_header_classes_do_not_break_a_table_of_data(parse_law: Parse) -> None:
    act = parse_law(
        _act(
            _article("1", _p("Text.")),
            annex='<div class="eli-container" id="anx_II"><p class="oj-doc-ti">ANNEX II</p>'
            '<table class="oj-table"><tr><td><p class="modref">▼M2</p>'
            '<p class="oj-tbl-hdr">Gas</p></td><td><p class="oj-tbl-hdr">2030</p></td>'
            '</tr><tr><td><p class="oj-tbl-txt">CO</p></td>'
            '<td><p class="modref">▼M3</p><p class="oj-tbl-txt">10</p></td></tr>'
            '<tr><td colspan="2"><p class="oj-note">(1) Estimated.</p></td></tr></table></div>',
        )
    )
    assert [row.cells for row in act.tables[0].rows] == [(("Gas", "CO"), ("2030", "10"))]
    assert "(1) Estimated." in act.text
    assert act.ledger[0].unaccounted == 0
    assert act.ledger[0].dropped["modification mark"] == 6


PLAIN = """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><html lang="EN"><head>
<title>EUR-Lex - 31973L0001 - EN</title></head><body><div id="banner"><p class="bglang"><b>Avis
juridique important</b></p></div><h1>31973L0001</h1><p><strong>Council Directive 73/1/EEC</strong>
<br><em><br>Official Journal L 228 , 16/08/1973 P. 0003<br></em></p><div id="TexteOnly"><p><TXT_TE>
<p>COUNCIL DIRECTIVE  of 24 July 1973  on keeping</p><p>THE COUNCIL, </p>
<p>Having regard to the opinion (1),</p><p>(1) OJ No C 130, 1.6.1981, p. 1.</p>
<p> Whereas keepers keep; </p><p>(2) Whereas others do not;</p><p> HAS ADOPTED THIS DIRECTIVE:</p>
<p>   Title I - General provisions</p><p>   Article 1 </p><p> It concerns keeping. </p><p></p>
<p> Article 2</p><p> It does not apply to:    1. The following:      (a) Life, </p>
<p>      (b) Annuities; </p><p> </p><p>      2. Operations. </p><p> Article 3</p><p> Duties </p>
<p> 1. The keeper shall:    - feed, </p><p> - clean. </p><p> 2. Not otherwise. </p><p> Too. </p>
<p>Done at Brussels, 24 July 1973. </p><p>ANNEX</p><p>    A. Classes      1. Accident </p>
</TXT_TE></p></div></body></html>"""


def test_an_act_without_mark_up_is_read_by_the_form_of_its_lines(
    parse_law: Parse, units: Units
) -> None:
    act = parse_law(PLAIN)
    assert units(act) == {
        "rct_1": "Whereas keepers keep;",
        "rct_2": "(2) Whereas others do not;",
        "ttl_1": "Title I - General provisions",
        "art_1": "Article 1",
        "art_1/sub_1": "It concerns keeping.",
        "art_2": "Article 2",
        "art_2/sub_1": "It does not apply to:",
        "art_2/pnt_1": "1. The following:",
        "art_2/pnt_1/spt_a": "(a) Life,",
        "art_2/pnt_1/spt_b": "(b) Annuities;",
        "art_2/pnt_2": "2. Operations.",
        "art_3": "Article 3 Duties",
        "art_3/par_1": "1. The keeper shall:",
        "art_3/par_1/ind_1": "- feed,",
        "art_3/par_1/ind_2": "- clean.",
        "art_3/par_2": "2. Not otherwise.",
        "art_3/par_2/sub_2": "Too.",
        "anx_1": "ANNEX",
        "anx_1/pnt_a": "A. Classes",
        "anx_1/pnt_a/spt_1": "1. Accident",
    }
    assert act.date == "1973-07-24"
    assert "Official Journal L 228" in act.text
    assert "Avis" not in act.text
    assert act.ledger[0].unaccounted == 0


@pytest.mark.parametrize(
    ("heading", "division"),
    [
        ("Artikel 3", "KAPITEL II"), ("Artículo 3", "CAPÍTULO II"), ("Άρθρο 3", "ΚΕΦΑΛΑΙΟ II"),
        ("3 artikla", "II LUKU"), ("3. cikk", "II. FEJEZET"), ("3 straipsnis", "II SKYRIUS"),
        ("3. pants", "II NODAĻA"), ("Член 3", "ГЛАВА II"), ("Artikolu 3", "KAPITOLU II"),
        ("Airteagal 3", "CAIBIDIL II"), ("Článek 3", "KAPITOLA II"),
        ("Articolul 3", "CAPITOLUL II"),
    ],
)  # fmt: skip
def test_plain_acts_are_read_in_any_language_of_the_union(
    parse_law: Parse, heading: str, division: str
) -> None:
    act = parse_law(
        f'<html><body><div id="TexteOnly"><p>{division}</p><p>{heading}</p><p>1. X y z.</p>'
        "</div></body></html>"
    )
    assert [b.locator for b in act.blocks if b.locator] == ["cpt_2", "art_3", "art_3/par_1"]


def test_a_treaty_s_preamble_without_an_article_is_no_error(parse_law: Parse) -> None:
    act = parse_law(
        '<html lang="EN"><body><div id="TexteOnly"><p>++++</p><p>HIS MAJESTY ,</p>'
        "<p>HAVE AGREED AS FOLLOWS :</p></div></body></html>"
    )
    assert "HAVE AGREED" in act.text
    assert act.ledger[0].unaccounted == 0
