"""Blocks that are put in leave every promise of the document as it was."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.builder import DocumentBuilder
from parsers.model import Block, BlockKind, Document, Source, TextSource
from tasks.enrichment.insert import Insertion, insert_blocks

WORDS = st.text("abc 1", min_size=1, max_size=9).map(lambda s: f"x{s.strip()}")


@st.composite
def documents(draw: st.DrawFn) -> Document:
    digest = hashlib.sha256(b"a").hexdigest()
    builder = DocumentBuilder(Source("/a.pptx", "x", 1, digest), "slides", 1, unit="slide")
    for number, texts in enumerate(draw(st.lists(st.lists(WORDS, max_size=3), max_size=4)), 1):
        builder.add_page(number, TextSource.BORN_DIGITAL, "text")
        for text in texts:
            builder.add_block(BlockKind.PARAGRAPH, text, page=number)
            builder.count_source(sum(not c.isspace() for c in text), number)
    return builder.build(language="en")


@st.composite
def cases(draw: st.DrawFn) -> tuple[Document, list[Insertion]]:
    document = draw(documents())
    insertions = []
    for page in document.pages:
        ends = [b.end for b in document.blocks if b.page == page.number]
        for text in draw(st.lists(WORDS, max_size=2)):
            offset = draw(st.sampled_from([page.start, *ends]))
            block = Block(BlockKind.DESCRIPTION, 0, 0, page=page.number, locator="new")
            insertions.append(Insertion(block, text, offset, "made", "described"))
    return document, insertions


@given(cases())
def test_blocks_and_pages_tile_and_the_ledger_balances(
    case: tuple[Document, list[Insertion]],
) -> None:
    before, insertions = case
    after = insert_blocks(before, insertions)
    for spans in ([*after.blocks], [*after.pages]):
        edges = [0, *(s.end for s in spans)]
        assert [s.start for s in spans] == edges[:-1]
        assert not spans or edges[-1] == len(after.text)
    kept = [b for b in after.blocks if b.locator != "new"]
    old = [before.text[b.start : b.end] for b in before.blocks]
    assert [after.text[b.start : b.end] for b in kept] == old
    made = sorted(after.text[b.start : b.end].strip() for b in after.blocks if b.locator == "new")
    assert made == sorted(i.text for i in insertions)
    for block in after.blocks:
        page = next(p for p in after.pages if p.number == block.page)
        assert page.start <= block.start < block.end <= page.end
    for page in after.pages:
        row = next(r for r in after.ledger if r.unit == f"slide_{page.number}")
        assert row.unaccounted == 0
        assert row.text == sum(not c.isspace() for c in after.text[page.start : page.end])


def test_nothing_is_put_inside_a_block_and_nothing_empty() -> None:
    builder = DocumentBuilder(Source("/a.txt", "text/plain", 1, "0" * 64), "text", 1)
    builder.add_block(BlockKind.PARAGRAPH, "One block.")
    builder.count_source(9)
    document = builder.build(language="en")
    block = Block(BlockKind.SUMMARY, 0, 0)
    with pytest.raises(ValueError, match="no block"):
        insert_blocks(document, [Insertion(block, "new", 3, "made")])
    with pytest.raises(ValueError, match="canonical"):
        insert_blocks(document, [Insertion(block, " ", 0, "made")])
