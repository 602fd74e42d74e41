"""What a document asks of a model: its irregular tables, its flagged pictures."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from configs.settings import EnrichmentSettings
from parsers.model import Block, BlockKind, Document, Table
from tasks.enrichment.answers import request_key
from tasks.enrichment.pictures import SlidePicture
from tasks.enrichment.prompts import PROMPT_VERSION, instructions, picture_body, table_body

_BESIDE = frozenset({BlockKind.NOTES, BlockKind.ANNOTATION})
"""Blocks of a slide before which a description stands: what hangs on it, not what it shows."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model, and the place its answer goes to.

    Attributes:
        kind: ``SUMMARY`` or ``DESCRIPTION``.
        body: The JSON to send.
        key: Of the cache.
        characters: Characters of text sent.
        pictures: Pictures sent.
        told: The instructions.
        source: What of the document the answer may repeat numbers of.
        offset: Where the block goes: at the edge of two blocks.
        page: 1-based page of the block, None where the format has none.
        locator: Address of the block.
        heading_path: Of the block.
        context: Of the block.
        label: What the block says of itself, such as ``Summary of rows 1-80``.
        fault: Why it cannot be asked, or "".
    """

    kind: BlockKind
    body: dict[str, Any]
    key: bytes
    characters: int
    pictures: int
    told: str
    source: str
    offset: int
    page: int | None
    locator: str
    heading_path: tuple[str, ...]
    context: tuple[str, ...]
    label: str
    fault: str = ""

    @property
    def model(self) -> str:
        """Name of the model asked."""
        return str(self.body["model"])


def table_requests(document: Document, settings: EnrichmentSettings) -> Iterator[ModelRequest]:
    """Yield the requests for the irregular tables, a long table in parts of whole rows."""
    if not settings.table_model:
        return
    ends = _Blocks(document)
    for number, table in enumerate(document.tables, 1):
        if table.irregular and table.rows:
            yield from _of_table(document, table, number, ends, settings)


def _of_table(
    document: Document, table: Table, number: int, blocks: _Blocks, settings: EnrichmentSettings
) -> Iterator[ModelRequest]:
    first, last = blocks.holding(table.rows[0].start), blocks.holding(table.rows[-1].end - 1)
    base = first.locator.rpartition("/row_")[0] or f"table_{number}"
    lines = [document.text[row.start : row.end] for row in table.rows]
    parts = list(_parts(lines, settings.max_input_characters - len(table.caption)))
    for count, (begin, end) in enumerate(parts, 1):
        rows = lines[begin:end]
        size = sum(map(len, rows)) + len(table.caption)
        body = table_body(table.caption, rows, document.language, settings)
        whole = len(parts) == 1
        yield ModelRequest(
            kind=BlockKind.SUMMARY,
            body=body,
            key=request_key(body, PROMPT_VERSION),
            characters=size,
            pictures=0,
            told=instructions(False, document.language),
            source="\n".join([table.caption, *rows]),
            offset=last.end,
            page=last.page,
            locator=f"{base}/summary" if whole else f"{base}/summary_{count}",
            heading_path=first.heading_path,
            context=first.context,
            label="Summary" if whole else f"Summary of rows {begin + 1}–{end}",
            fault="one row alone is longer than enrichment.max_input_characters"
            if size > settings.max_input_characters
            else "",
        )


def _parts(lines: Sequence[str], limit: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of lines, each within ``limit`` characters where one line is not more."""
    begin = size = 0
    for i, line in enumerate(lines):
        if i > begin and size + len(line) > limit:
            yield begin, i
            begin, size = i, 0
        size += len(line)
    yield begin, len(lines)


def picture_requests(
    document: Document, pictures: Sequence[SlidePicture], settings: EnrichmentSettings
) -> Iterator[ModelRequest]:
    """Yield a request for each picture of a flagged page."""
    if not settings.picture_model:
        return
    pages = {page.number: page for page in document.pages}
    blocks = _Blocks(document)
    counts: dict[int, int] = {}
    for picture in pictures:
        page = pages[picture.page]
        counts[page.number] = counts.get(page.number, 0) + 1
        before = blocks.of_page(page.number)
        shown = [block for block in before if block.kind not in _BESIDE]
        above = shown[-1] if shown else None
        keyed = picture_body(picture.sha256, document.language, settings)
        yield ModelRequest(
            kind=BlockKind.DESCRIPTION,
            body=picture_body(picture.address, document.language, settings),
            key=request_key(keyed, PROMPT_VERSION),
            characters=0,
            pictures=1,
            told=instructions(True, document.language),
            source=document.text[page.start : page.end],
            offset=above.end if above else page.start,
            page=page.number,
            locator=f"slide_{page.number}/description_{counts[page.number]}",
            heading_path=above.heading_path if above else (),
            context=above.context if above else (),
            label="Description of a picture",
            fault=picture.fault,
        )


class _Blocks:
    """Finds blocks by offset and by page."""

    def __init__(self, document: Document) -> None:
        self._blocks = document.blocks
        self._pages: dict[int | None, list[Block]] = {}
        for block in document.blocks:
            self._pages.setdefault(block.page, []).append(block)

    def holding(self, offset: int) -> Block:
        """Return the block that holds a code point."""
        return self._blocks[bisect_right(self._blocks, offset, key=lambda b: b.start) - 1]

    def of_page(self, number: int) -> list[Block]:
        """Return the blocks of a page, in order."""
        return self._pages.get(number, [])
