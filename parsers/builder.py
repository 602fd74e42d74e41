"""Assemble a :class:`Document` so that its invariants hold by construction.

Blocks tile the text, pages tile the text, heading paths follow from the headings added, the text
side of the ledger is counted here, and the parser only says what it read, dropped and generated.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from parsers.language import detect_language
from parsers.model import (
    Block,
    BlockKind,
    BoundingBox,
    Document,
    Failure,
    LedgerRow,
    Page,
    ParserInfo,
    Source,
    Table,
    TextSource,
)
from parsers.normalise import canonical, count_characters

FILE_UNIT = "file"
"""Ledger unit of a format without pages."""


@dataclass(slots=True)
class _Account:
    source: int = 0
    dropped: dict[str, int] | None = None
    generated: dict[str, int] | None = None


class DocumentBuilder:
    """Collects blocks in reading order and builds the document.

    Args:
        source: What is being read.
        parser: Name of the parser.
        version: Its version.
        unit: Prefix of the ledger's units for numbered pages: ``page`` or ``slide``.
    """

    def __init__(self, source: Source, parser: str, version: int, unit: str = "page") -> None:
        self.source = source
        self._parser = ParserInfo(parser, version)
        self._unit = unit
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._tables: list[Table] = []
        self._pages: dict[int, Page] = {}
        self._marks: list[tuple[int, int]] = []  # (offset, page) in reading order
        self._headings: list[tuple[int, str]] = []
        self._accounts: dict[str, _Account] = defaultdict(_Account)
        self._failures: list[Failure] = []

    @property
    def position(self) -> int:
        """Offset at which the next block starts."""
        return self._length

    @property
    def heading_path(self) -> tuple[str, ...]:
        """Headings above the next block, outermost first."""
        return tuple(text for _, text in self._headings)

    def add_page(
        self,
        number: int,
        text_source: TextSource = TextSource.BORN_DIGITAL,
        route_reason: str = "",
        ocr_confidence: float | None = None,
        rotation: int = 0,
    ) -> None:
        """Declare a page, before its blocks; numbers ascend. Its span is worked out at the end."""
        self._pages[number] = Page(
            number, 0, 0, text_source, route_reason, ocr_confidence, rotation
        )
        self._marks.append((self._length, number))

    def add_block(
        self,
        kind: BlockKind,
        text: str,
        *,
        page: int | None = None,
        bbox: BoundingBox | None = None,
        level: int | None = None,
        locator: str = "",
        context: Sequence[str] = (),
        heading_path: Sequence[str] | None = None,
        separator: str = "\n\n",
        page_breaks: Iterable[tuple[int, int]] = (),
    ) -> Block | None:
        """Append a block; return it, or None when ``text`` holds nothing but white space.

        Args:
            kind: What it is. A heading with a ``level`` opens a section for what follows.
            text: Its text, made canonical here (trailing white space goes).
            page: The page on which it starts.
            bbox: Where on that page.
            level: Depth of a heading or list item.
            locator: Language-independent address.
            context: Header lines, outermost first; see :class:`Block`.
            heading_path: Overrides the path that follows from the headings added so far.
            separator: White space put behind the text, inside the block's span.
            page_breaks: (offset in the canonical text, page) where the block runs on to another
                page, ascending.
        """
        text = canonical(text).rstrip()
        if not text.strip():
            return None
        path = self.heading_path if heading_path is None else tuple(heading_path)
        if kind in (BlockKind.HEADING, BlockKind.TITLE) and level is not None:
            above = self._open_section(level, text)
            path = above if heading_path is None else path
        return self._append(
            Block(
                kind, self._length, self._length + len(text) + len(separator), page, bbox, level,
                path, locator, tuple(context),
            ),
            text + separator,
            page_breaks,
        )  # fmt: skip

    def add_verbatim(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int | None = None,
        locator: str = "",
        heading: str = "",
        context: Sequence[str] = (),
    ) -> Block | None:
        """Append ``text`` exactly as it is: for formats whose canonical text is the file's own.

        Args:
            kind: What it is. A heading with a ``level`` opens a section for what follows.
            text: The text, white space behind it included.
            level: Depth of a heading or list item.
            locator: Language-independent address.
            heading: A heading's words without its mark-up, for the path of what follows.
            context: Header lines, outermost first; see :class:`Block`.

        Raises:
            ValueError: ``text`` is not canonical already.
        """
        if text != canonical(text):
            raise ValueError("verbatim text must be canonical")
        if not text:
            return None
        if not text.strip() and self._blocks:  # white space joins the block before it
            last = self._blocks[-1]
            self._blocks[-1] = replace(last, end=last.end + len(text))
            self._parts.append(text)
            self._length += len(text)
            return None
        path = self.heading_path
        if kind is BlockKind.HEADING and level is not None:
            path = self._open_section(level, heading or text)
        return self._append(
            Block(
                kind,
                self._length,
                self._length + len(text),
                level=level,
                heading_path=path,
                locator=locator,
                context=tuple(context),
            ),
            text,
            (),
        )

    def _open_section(self, level: int, heading: str) -> tuple[str, ...]:
        """Close the sections that a heading of ``level`` ends, open its own, return those above."""
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        above = self.heading_path
        self._headings.append((level, " ".join(heading.split())))
        return above

    def _append(self, block: Block, text: str, page_breaks: Iterable[tuple[int, int]]) -> Block:
        if block.page is not None and (not self._marks or self._marks[-1][1] != block.page):
            self._marks.append((block.start, block.page))
        self._marks += [(block.start + offset, page) for offset, page in page_breaks]
        self._parts.append(text)
        self._length += len(text)
        self._blocks.append(block)
        return block

    def add_table(self, table: Table) -> None:
        """Register a table whose row sentences were added as blocks."""
        self._tables.append(table)

    def unit_of(self, page: int | None) -> str:
        """Return the ledger's unit for ``page``."""
        return FILE_UNIT if page is None else f"{self._unit}_{page}"

    def count_source(self, characters: int, page: int | None = None) -> None:
        """Record what an independent counter found in a unit (adds up over calls)."""
        self._accounts[self.unit_of(page)].source += characters

    def count_dropped(self, reason: str, what: str | int, page: int | None = None) -> None:
        """Record text of the source (or its count) that is left out on purpose."""
        account = self._accounts[self.unit_of(page)]
        account.dropped = _added(account.dropped, reason, what)

    def count_generated(self, reason: str, what: str | int, page: int | None = None) -> None:
        """Record text (or its count) that is in the document but not in the source's own layer."""
        account = self._accounts[self.unit_of(page)]
        account.generated = _added(account.generated, reason, what)

    def add_failure(self, failure: Failure) -> None:
        """Record a part that could not be read."""
        self._failures.append(failure)

    def build(
        self,
        *,
        title: str = "",
        language: str | None = None,
        doc_type: str = "unknown",
        date: str = "",
    ) -> Document:
        """Return the document. Without ``language`` it is detected from the text.

        ``date`` is ISO 8601, "" where the source states none.
        """
        text = "".join(self._parts)
        pages = self._page_spans(len(text))
        return Document(
            source=self.source,
            title=" ".join(canonical(title).split()),
            language=language or detect_language(text),
            doc_type=doc_type,
            text=text,
            blocks=tuple(self._blocks),
            tables=tuple(self._tables),
            pages=pages,
            parser=self._parser,
            ledger=self._ledger(text, pages),
            failures=tuple(self._failures),
            date=date,
        )

    def _page_spans(self, length: int) -> tuple[Page, ...]:
        """Give each declared page the text from its first mark to the next page's first mark."""
        first: dict[int, int] = {}
        for offset, number in self._marks:
            first.setdefault(number, offset)
        numbers = sorted(self._pages)
        pages: list[Page] = []
        end = length
        for number in reversed(numbers):
            start = min(first.get(number, end), end)
            if number == numbers[0]:
                start = 0
            pages.append(replace(self._pages[number], start=start, end=end))
            end = start
        return tuple(reversed(pages))

    def _ledger(self, text: str, pages: tuple[Page, ...]) -> tuple[LedgerRow, ...]:
        spans = {self.unit_of(p.number): text[p.start : p.end] for p in pages}
        routes = {self.unit_of(p.number): p.text_source.value for p in pages}
        if not pages:
            spans[FILE_UNIT] = text
        units = [*spans, *(u for u in self._accounts if u not in spans)]
        rows = []
        for unit in units:
            account = self._accounts.get(unit, _Account())
            rows.append(
                LedgerRow(
                    unit,
                    account.source,
                    account.dropped or {},
                    account.generated or {},
                    count_characters(spans.get(unit, "")),
                    routes.get(unit, ""),
                )
            )
        return tuple(rows)


def _added(counts: dict[str, int] | None, reason: str, what: str | int) -> dict[str, int]:
    counts = counts or {}
    number = count_characters(what) if isinstance(what, str) else what
    if number:
        counts[reason] = counts.get(reason, 0) + number
    return counts
