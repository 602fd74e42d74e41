from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.settings import ParsingSettings
from parsers import markdown_text
from parsers.base import DamagedFileError
from parsers.model import BlockKind, Document, Source
from parsers.normalise import canonical


def _parse(data: bytes | str) -> Document:
    data = data.encode() if isinstance(data, str) else data
    source = Source("/a.md", "text/markdown", len(data), hashlib.sha256(data).hexdigest())
    return markdown_text.parse(data, source, ParsingSettings())


def _blocks(document: Document) -> list[tuple[str, str]]:
    return [(b.kind.value, document.text[b.start : b.end]) for b in document.blocks]


def test_front_matter_gives_title_type_and_language() -> None:
    document = _parse("---\ntitle: The plan\ntype: Policy\nlang: pt_BR\n---\n\n# Other\n\ntext\n")
    assert (document.title, document.doc_type, document.language) == (
        "The plan",
        "policy",
        "pt-BR",
    )
    assert _blocks(document)[0][0] == "front_matter"


def test_front_matter_that_is_no_yaml_is_understood_by_lines() -> None:
    assert _parse("---\ntitle: GDPR: a guide\n---\ntext").title == "GDPR: a guide"


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    document = _parse("---\n\nJust text.\n\n---\n\nmore")
    assert "front_matter" not in {kind for kind, _ in _blocks(document)}
    assert document.doc_type == "unknown"


def test_the_first_heading_of_level_one_is_the_title() -> None:
    assert _parse("## Sub\n\n# The *real* [title](http://x.y) #\n").title == "The real title"


def test_headings_of_both_kinds_make_the_path() -> None:
    document = _parse("Top\n===\n\n## `Sub` ##\n\ntext\n\nNext\n---\n\nmore\n\n# New\n\nend\n")
    headings = [(b.level, b.heading_path) for b in document.blocks if b.kind is BlockKind.HEADING]
    assert headings == [(1, ()), (2, ("Top",)), (2, ("Top",)), (1, ())]
    paths = [b.heading_path for b in document.blocks if b.kind is BlockKind.PARAGRAPH]
    assert paths == [("Top", "Sub"), ("Top", "Next"), ("New",)]


def test_a_hash_in_fenced_code_is_no_heading_and_the_code_stays_whole() -> None:
    document = _parse("# A\n\n```py\n# comment\n\nx = 1\n```\n\nafter\n")
    assert _blocks(document)[1] == ("code", "```py\n# comment\n\nx = 1\n```\n\n")
    assert document.blocks[2].heading_path == ("A",)


def test_list_items_are_blocks_with_their_depth() -> None:
    document = _parse("- one\n  goes on\n  - deep\n- two\n\n1. three\n")
    items = [(b.level, document.text[b.start : b.end]) for b in document.blocks]
    assert items == [
        (1, "- one\n  goes on\n"),
        (2, "  - deep\n"),
        (1, "- two\n\n"),
        (1, "1. three\n"),
    ]


def test_each_row_of_a_table_is_a_block_that_knows_its_header() -> None:
    text = "# Prices\n\n| Item | **Price** |\n|---|--:|\n| tea | 2 |\n| milk | |\n\nafter\n"
    document = _parse(text)
    assert document.text == text
    rows = [b for b in document.blocks if b.kind is BlockKind.TABLE_ROW]
    assert [document.text[b.start : b.end] for b in rows] == ["| tea | 2 |\n", "| milk | |\n\n"]
    assert rows[0].context == ("Prices", "Item | Price")
    assert rows[1].locator == "table_1/row_2"
    (table,) = document.tables
    assert [r.cells for r in table.rows] == [
        (("Item", "tea"), ("Price", "2")),
        (("Item", "milk"),),
    ]
    assert [text[r.start : r.end] for r in table.rows] == ["| tea | 2 |", "| milk | |"]


def test_a_link_definition_between_blocks_is_a_block() -> None:
    document = _parse("```\ncode\n```\n[x]: http://a.b\n\nText [x].\n")
    assert [text for _, text in _blocks(document)] == [
        "```\ncode\n```\n",
        "[x]: http://a.b\n\n",
        "Text [x].\n",
    ]


def test_binary_data_is_no_markdown() -> None:
    with pytest.raises(DamagedFileError):
        _parse(bytes(range(256)) * 8)


_lines = st.lists(
    st.sampled_from(
        ["# A", "## B", "text", "", "- item", "  - deep", "| a | b |", "|---|---|", "```", "---",
         "> quote", "    code", "===", "<div>", "[x]: y", "1. one", "  | a |", "title: x", "\t"]
    ),
    min_size=1,
).map("\n".join)  # fmt: skip
_texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00\x1b"), min_size=1).filter(
    lambda t: (
        sum(c < " " and c not in "\t\n\r\x0b\x0c" for c in t) <= 8 and not t.startswith("\ufeff")
    )
)


@given(_lines | _texts)
def test_any_text_comes_out_canonical_and_tiled(text: str) -> None:
    if not text:
        return
    document = _parse(text)
    assert document.text == canonical(text)
    assert "".join(piece for _, piece in _blocks(document)) == document.text
    assert all(row.unaccounted == 0 for row in document.ledger)
    for table in document.tables:
        for row in table.rows:
            assert document.text[row.start : row.end].strip() == document.text[row.start : row.end]
