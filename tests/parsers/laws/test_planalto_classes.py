"""Classes of Brazilian laws: parts, tables, quoted articles, rubrics, pages of other sites."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.detect import HTML
from parsers.laws.detect import law_markup
from parsers.model import BlockKind, Document

Parse = Callable[..., Document]
Units = Callable[[Document], dict[str, str]]


def _page(*paragraphs: str) -> str:
    body = "".join(p if p.startswith("<") else f"<p>{p}</p>" for p in paragraphs)
    return f"<html><body><p>Presidência da República</p>{body}</body></html>"


def _articles(act: Document) -> list[str]:
    return [b.locator for b in act.blocks if b.kind is BlockKind.ARTICLE]


CONSOLIDATION = _page(
    "DECRETO-LEI Nº 5.452, DE 1º DE MAIO DE 1943", "Art. 1º Fica aprovada a Consolidação.",
    "Art. 2º Este decreto-lei entra em vigor.", "Rio de Janeiro, 1 de maio de 1943.",
    "Este texto não substitui o publicado no DOU", "Art. 99. Nota de rodapé.",
    "CONSOLIDAÇÃO DAS LEIS DO TRABALHO", "TÍTULO I", "INTRODUÇÃO", "Art. 1º - Esta estatui.",
    "Art. 2º - Considera-se:", "§ 1º - Equiparam-se:", "a) um;", "b) dois.",
    "Seção I", "Das Disposições Gerais", "Homicídio simples", "Art. 3º Matar alguém:",
    "Pena - reclusão.",
)  # fmt: skip


def test_articles_that_begin_again_are_a_part_of_their_own(parse_law: Parse, units: Units) -> None:
    act = parse_law(CONSOLIDATION)
    assert _articles(act) == ["art_1", "art_2", "anx_1/art_1", "anx_1/art_2", "anx_1/art_3"]
    found = units(act)
    assert found["anx_1"] == "CONSOLIDAÇÃO DAS LEIS DO TRABALHO"
    assert found["anx_1/ttl_1"] == "TÍTULO I INTRODUÇÃO"
    assert found["anx_1/art_2/par_1/pnt_b"] == "b) dois."
    assert act.text.count("CONSOLIDAÇÃO DAS LEIS") == 1
    assert act.ledger[0].unaccounted == 0
    assert act.date == "1943-05-01"


def test_a_rubric_is_the_title_of_the_article_below_it(parse_law: Parse, units: Units) -> None:
    found = units(parse_law(CONSOLIDATION))
    assert found["anx_1/art_3"] == "Art. 3º Homicídio simples"
    assert found["anx_1/ttl_1/sct_1"] == "Seção I Das Disposições Gerais"


def test_an_article_behind_the_signatures_is_a_note(parse_law: Parse) -> None:
    assert "art_99" not in _articles(parse_law(CONSOLIDATION))


def test_quoted_articles_and_divisions_are_text_until_the_law_s_own_number_follows(
    parse_law: Parse,
) -> None:
    act = parse_law(
        _page(
            "Art. 7º O Código passa a vigorar:", "“CAPÍTULO III", "Da Tomada", "Seção I",
            "Art. 337-E. Admitir.", "Art. 337-F. Pena - reclusão.” (NR)", "Art. 8º Fim.",
        )
    )  # fmt: skip
    assert _articles(act) == ["art_7", "art_8"]
    assert not [b for b in act.blocks if b.kind is BlockKind.HEADING]


def test_a_table_of_an_annex_becomes_rows_without_what_is_struck_out(parse_law: Parse) -> None:
    act = parse_law(
        _page(
            "Art. 1º Ficam criados.", "Art. 2º Vigência.", "Brasília, 2 de junho de 1992.",
            "ANEXO I", "QUADRO DE CARGOS",
            "<table><tr><td><p>CARGO</p></td><td><p>VALOR</p></td></tr><tr><td><p>Juiz</p></td>"
            "<td><p><strike>100</strike> 200</p></td></tr></table>",
            "ANEXO", "REGULAMENTO", "Art. 1º Objeto.", "Art. 2º Fim.",
        )
    )  # fmt: skip
    assert [row.cells for row in act.tables[0].rows] == [(("CARGO", "Juiz"), ("VALOR", "200"))]
    assert _articles(act) == ["art_1", "art_2", "anx_2/art_1", "anx_2/art_2"]
    assert act.ledger[0].dropped["superseded"] == 3
    assert act.ledger[0].unaccounted == 0


@pytest.mark.parametrize(
    ("printed", "key"),
    [
        ("Art.\n6º Novo", "6"), ("Art. <font>5</font> <font>7</font>. x", "57"),
        ("Art. 22A. Grudado", "22a"), ("Arts. 1.620 a 1.629. (Revogados)", "1620"),
        ("ARTIGO 3º Antigo", "3"), ("Art 4º Sem ponto", "4"), ("Art. 2o-B. Letra", "2b"),
    ],
)  # fmt: skip
def test_the_number_of_an_article_however_it_is_printed(
    parse_law: Parse, printed: str, key: str
) -> None:
    act = parse_law(_page("Art. 1º Um.", "Art. 1º-A. Um.", printed))
    assert _articles(act)[2] == f"art_{key}"


def test_a_law_on_any_site_is_told_from_news_about_laws(parse_law: Parse, units: Units) -> None:
    law = (
        "<html><body><nav><a>Início</a></nav><h1>Lei Municipal nº 1.234, de 5 de março de 2020</h1>"
        "<p><b>Art. 1º</b> Fica.</p><p>I - um:</p><p>a) x;</p><p>1. z;</p><p>II - dois.</p>"
        "<p>Art. 2º Dois.</p><p>Parágrafo único. P.</p><p>Art. 3º Fim.</p></body></html>"
    )
    assert law_markup(law.encode(), HTML) == "planalto"
    news = "<p>A Lei nº 1.234 muda tudo.</p><p>Art. 5º foi vetado.</p><p>Art. 9º também.</p>"
    assert law_markup(news.encode(), HTML) is None
    act = parse_law(law)
    assert units(act)["art_1/pnt_1/spt_a/spt_1"] == "1. z;"
    assert units(act)["art_2/par_1"] == "Parágrafo único. P."
    assert "Início" not in act.text
    assert act.ledger[0].unaccounted == 0
