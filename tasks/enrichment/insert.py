"""Put generated blocks into a parsed document so that everything it promises still holds.

Blocks and pages tile the new text, the rows of tables keep their words, no character of the old
text changes, and the ledger counts what came in as generated.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from parsers.builder import FILE_UNIT
from parsers.model import Block, Document, LedgerRow, Page
from parsers.normalise import canonical, count_characters

_SEPARATOR = "\n\n"


@dataclass(frozen=True, slots=True)
class Insertion:
    """A block to put in.

    Attributes:
        block: Kind, page, context and locator; its span is worked out.
        text: Its words, canonical.
        offset: Where, in the old text: at the edge of two blocks, or of the text.
        reason: Of the ledger.
        remark: Added to the route of its page, or "".
    """

    block: Block
    text: str
    offset: int
    reason: str
    remark: str = ""


def insert_blocks(document: Document, insertions: Sequence[Insertion]) -> Document:
    """Return ``document`` with the blocks in it; those of one offset in the order given.

    Raises:
        ValueError: An offset is inside a block, or a text is not canonical or empty.
    """
    ordered = sorted(insertions, key=lambda insertion: insertion.offset)
    edges = {0, len(document.text), *(block.start for block in document.blocks)}
    for insertion in ordered:
        if insertion.offset not in edges:
            raise ValueError(f"no block begins or ends at {insertion.offset}")
        if not insertion.text.strip() or insertion.text != canonical(insertion.text).strip():
            raise ValueError("generated text must be canonical, trimmed and not empty")
    texts = [_padded(document.text, insertion) for insertion in ordered]
    shift = _Shift([i.offset for i in ordered], [len(text) for text in texts])
    pages = _pages(document.pages, ordered, texts)
    return replace(
        document,
        text=_text(document.text, ordered, texts),
        blocks=_blocks(document.blocks, ordered, texts, shift),
        pages=pages,
        tables=tuple(
            replace(
                table,
                rows=tuple(
                    replace(row, start=shift.start(row.start), end=shift.end(row.end))
                    for row in table.rows
                ),
            )
            for table in document.tables
        ),
        ledger=_ledger(document, ordered),
    )


class _Shift:
    """Old offsets to new ones."""

    def __init__(self, offsets: list[int], lengths: list[int]) -> None:
        self._offsets = offsets
        self._sums = [0, *accumulate(lengths)]

    def start(self, offset: int) -> int:
        """Where what starts at ``offset`` starts now: behind what goes in there."""
        return offset + self._sums[bisect_right(self._offsets, offset)]

    def end(self, offset: int) -> int:
        """Where what ends at ``offset`` (and is not empty) ends now: before what goes in there."""
        return offset + self._sums[bisect_right(self._offsets, offset - 1)]


def _padded(text: str, insertion: Insertion) -> str:
    """Return the text with white space around it, so that it joins nothing."""
    joined = insertion.offset > 0 and not text[insertion.offset - 1].isspace()
    return f"{_SEPARATOR if joined else ''}{insertion.text}{_SEPARATOR}"


def _text(old: str, insertions: Sequence[Insertion], texts: Sequence[str]) -> str:
    pieces: list[str] = []
    at = 0
    for insertion, text in zip(insertions, texts, strict=True):
        pieces += [old[at : insertion.offset], text]
        at = insertion.offset
    return "".join([*pieces, old[at:]])


def _blocks(
    old: Sequence[Block], insertions: Sequence[Insertion], texts: Sequence[str], shift: _Shift
) -> tuple[Block, ...]:
    blocks = [replace(b, start=shift.start(b.start), end=shift.end(b.end)) for b in old]
    gone = 0
    for insertion, text in zip(insertions, texts, strict=True):
        start = insertion.offset + gone
        gone += len(text)
        blocks.append(replace(insertion.block, start=start, end=start + len(text)))
    return tuple(sorted(blocks, key=lambda block: block.start))


def _pages(
    old: Sequence[Page], insertions: Sequence[Insertion], texts: Sequence[str]
) -> tuple[Page, ...]:
    """Lengthen the page of each block and move what follows it."""
    pages: list[Page] = []
    gone = 0
    for page in old:
        own = [
            (insertion, text)
            for insertion, text in zip(insertions, texts, strict=True)
            if _page_of(insertion, old) == page.number
        ]
        length = sum(len(text) for _, text in own)
        remarks = dict.fromkeys(i.remark for i, _ in own if i.remark)
        pages.append(
            replace(
                page,
                start=page.start + gone,
                end=page.end + gone + length,
                route_reason="; ".join(filter(None, [page.route_reason, *remarks])),
            )
        )
        gone += length
    return tuple(pages)


def _page_of(insertion: Insertion, pages: Sequence[Page]) -> int | None:
    """Return the page that a block lengthens: its own where that is there, else the one before it.

    A block's page is where it begins, and its end may lie on a later one.
    """
    offset = insertion.offset
    for page in pages:
        if page.number == insertion.block.page and page.start <= offset <= page.end:
            return page.number
    holding = [page for page in pages if page.start < offset <= page.end]
    return holding[0].number if holding else (pages[0].number if pages else None)


def _ledger(document: Document, insertions: Sequence[Insertion]) -> tuple[LedgerRow, ...]:
    rows = list(document.ledger)
    for insertion in insertions:
        unit = _unit(rows, _page_of(insertion, document.pages))
        size = count_characters(insertion.text)
        for i, row in enumerate(rows):
            if row.unit == unit:
                generated = dict(row.generated)
                generated[insertion.reason] = generated.get(insertion.reason, 0) + size
                rows[i] = replace(row, generated=generated, text=row.text + size)
    return tuple(rows)


def _unit(rows: Sequence[LedgerRow], page: int | None) -> str:
    """Return the ledger's name for a page: ``page_3``, ``slide_3`` or ``file``."""
    if page is None:
        return FILE_UNIT
    return next(row.unit for row in rows if row.unit.rpartition("_")[2] == str(page))
