"""The gate: real acts in every mark-up give the units they have, and nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from parsers.model import BlockKind, Document

pytestmark = pytest.mark.shared

Shared = Callable[[str], Document]
GDPR_OJ = "gdpr_32016R0679_en_cellar.xhtml"
GDPR_SAVED = "gdpr_32016R0679_en_eurlex.html"
GDPR_FORMEX = "gdpr_32016R0679_en_formex.xml"
GDPR_FORMEX_PT = "gdpr_32016R0679_pt_formex.xml"
GDPR_PT = "gdpr_32016R0679_pt_derived_from_formex.html"
GDPR_CONSOLIDATED = "gdpr_consolidated_en_eurlex.xhtml"
WITH_RECITALS = (GDPR_OJ, GDPR_SAVED, GDPR_FORMEX, GDPR_FORMEX_PT, GDPR_PT)
AI_ACT = "ai_act_32024R1689_en_cellar.xhtml"
CSDR = "csdr_32014R0909_en_eurlex.html"
FINALITY = "dir_31998L0026_en_eurlex_page_oldclasses.html"
EPRIVACY = "eprivacy_consolidated_en_eurlex.html"
LGPD = "lgpd_13709_pt_planalto.html"
ALL = (*WITH_RECITALS, GDPR_CONSOLIDATED, AI_ACT, CSDR, FINALITY, EPRIVACY, LGPD)


def _addresses(document: Document, pattern: str) -> list[str]:
    found = (b.locator for b in document.blocks)
    return [address for address in found if re.fullmatch(pattern, address)]


def _compact(document: Document, first: str) -> str:
    """The text of all units under one address, without white space."""
    parts = [
        document.text[b.start : b.end] for b in document.blocks if b.locator.split("/")[0] == first
    ]
    return "".join("".join(parts).split())


@pytest.mark.parametrize("name", [*WITH_RECITALS, GDPR_CONSOLIDATED])
def test_the_gdpr_has_its_units_in_every_mark_up_and_language(
    shared_law: Shared, name: str
) -> None:
    gdpr = shared_law(name)
    articles = _addresses(gdpr, r"art_\d+")
    paragraphs = _addresses(gdpr, r"art_\d+/par_\d+")
    without = set(articles) - {p.split("/")[0] for p in paragraphs}
    assert articles == [f"art_{n}" for n in range(1, 100)]
    assert len(paragraphs) == 372
    assert sorted(int(a[4:]) for a in without) == [
        4, 10, 16, 19, 29, 31, 44, 48, 50, 59, 63, 67, 86, 87, 95, 96, 98
    ]  # fmt: skip
    assert sum(b.kind is BlockKind.LAW_PARAGRAPH for b in gdpr.blocks) == 389
    assert _addresses(gdpr, r"cpt_\d+") == [f"cpt_{n}" for n in range(1, 12)]
    assert len(_addresses(gdpr, r"cpt_\d+/sct_\d+")) == 15
    assert _addresses(gdpr, r"art_4/pnt_\d+") == [f"art_4/pnt_{n}" for n in range(1, 27)]
    assert len(_addresses(gdpr, r"rct_\d+")) == (0 if name == GDPR_CONSOLIDATED else 173)
    assert gdpr.doc_type == "law"


def test_the_gdpr_has_one_tree_in_two_languages_and_four_mark_ups(shared_law: Shared) -> None:
    trees = {n: [b.locator for b in shared_law(n).blocks if b.locator] for n in WITH_RECITALS}
    assert all(tree == trees[GDPR_OJ] for tree in trees.values())
    consolidated = [b.locator for b in shared_law(GDPR_CONSOLIDATED).blocks if b.locator]
    assert consolidated == [a for a in trees[GDPR_OJ] if not a.startswith("rct_")]


@pytest.mark.parametrize("name", [GDPR_SAVED, GDPR_FORMEX])
def test_articles_and_recitals_read_alike_in_html_and_formex(shared_law: Shared, name: str) -> None:
    printed, other = shared_law(GDPR_OJ), shared_law(name)
    for first in [f"art_{n}" for n in range(1, 100)] + [f"rct_{n}" for n in range(1, 174)]:
        assert _compact(printed, first) == _compact(other, first)


@pytest.mark.parametrize("name", ALL)
def test_every_character_of_the_file_is_accounted_for(shared_law: Shared, name: str) -> None:
    assert [row.unaccounted for row in shared_law(name).ledger] == [0]


@pytest.mark.parametrize("name", ALL)
def test_addresses_are_unique_and_no_unit_is_empty(shared_law: Shared, name: str) -> None:
    law = shared_law(name)
    addresses = [b.locator for b in law.blocks if b.locator]
    assert len(addresses) == len(set(addresses))
    assert all(law.text[b.start : b.end].strip() for b in law.blocks)
    articles = [b.locator for b in law.blocks if b.kind is BlockKind.ARTICLE]
    for article in articles:
        assert any(a.startswith(f"{article}/") for a in addresses), f"{article} has no text"


@pytest.mark.parametrize(
    ("name", "language", "title"),
    [
        (GDPR_FORMEX_PT, "pt", "REGULAMENTO (UE) 2016/679"),
        (GDPR_OJ, "en", "REGULATION (EU) 2016/679"),
        (FINALITY, "en", "DIRECTIVE 98/26/EC"),
        (LGPD, "pt", "LEI Nº 13.709, DE 14 DE AGOSTO DE 2018"),
    ],
)
def test_the_act_names_its_title_and_language(
    shared_law: Shared, name: str, language: str, title: str
) -> None:
    law = shared_law(name)
    assert law.language == language
    assert law.title.startswith(title)


def test_a_point_knows_its_article_and_its_lead_in(shared_law: Shared) -> None:
    point = next(b for b in shared_law(GDPR_OJ).blocks if b.locator == "art_33/par_3/pnt_a")
    article = "Article 33 Notification of a personal data breach to the supervisory authority"
    assert point.context == (article, "The notification referred to in paragraph 1 shall at least:")
    assert point.heading_path == (
        "CHAPTER IV Controller and processor", "Section 2 Security of personal data", article,
    )  # fmt: skip


def test_the_ai_act_keeps_recitals_articles_and_annexes_apart(shared_law: Shared) -> None:
    act = shared_law(AI_ACT)
    assert len(_addresses(act, r"art_\d+")) == 113
    assert len(_addresses(act, r"rct_\d+")) == 180
    assert _addresses(act, r"anx_\d+") == [f"anx_{n}" for n in range(1, 14)]
    assert "anx_3/pnt_1/spt_a" in _addresses(act, r"anx_3/.*")
    assert not act.tables, "layout tables of points are not data"


def test_a_paragraph_quoted_for_another_act_is_no_paragraph_of_this_one(
    shared_law: Shared,
) -> None:
    addresses = _addresses(shared_law(AI_ACT), r"art_107/.*")
    assert addresses == ["art_107/sub_1", "art_107/sub_2"]


def test_titles_chapters_and_sections_nest(shared_law: Shared) -> None:
    csdr = shared_law(CSDR)
    assert len(_addresses(csdr, r"art_\d+")) == 76
    assert "ttl_3/cpt_2/sct_4" in _addresses(csdr, r"ttl_3/.*")


def test_the_page_around_an_act_is_left_out(shared_law: Shared) -> None:
    act = shared_law(FINALITY)
    assert _addresses(act, r"art_\d+") == [f"art_{n}" for n in range(1, 15)]
    for chrome in ("Do you want to help improving EUR-Lex", "Language", "My EUR-Lex", "Site map"):
        assert chrome not in act.text
    assert act.ledger[0].dropped["navigation"] > 4000


def test_inserted_articles_stand_between_their_neighbours(shared_law: Shared) -> None:
    act = shared_law(EPRIVACY)
    articles = _addresses(act, r"art_\d+[a-z]?")
    assert len(articles) == 23
    assert articles[articles.index("art_14") :][:4] == ["art_14", "art_14a", "art_15", "art_15a"]
    assert not set("►▼◄") & set(act.text)
    assert len(_addresses(act, r"art_\w+/par_\w+")) == 58


def test_superseded_wording_of_the_lgpd_is_dropped(shared_law: Shared) -> None:
    law = shared_law(LGPD)
    expected = [f"art_{n}" for n in range(1, 56)] + [f"art_55{c}" for c in "abcdefghijklm"]
    expected += ["art_56", "art_57", "art_58", "art_58a", "art_58b"]
    expected += [f"art_{n}" for n in range(59, 66)]
    assert _addresses(law, r"art_\w+") == expected
    assert "a revisão de decisões tomadas unicamente com base" in law.text
    assert "revisão, por pessoa natural, de decisões" not in law.text
    assert "�" not in law.text
    assert "art_48/par_1/pnt_2" in _addresses(law, r"art_48/.*")
    assert "art_11/pnt_2/spt_a" in _addresses(law, r"art_11/.*")
