"""Writes a document's pages into the builder: blocks, tables, notes, and the page's account."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from configs.settings import ParsingSettings
from parsers.builder import DocumentBuilder
from parsers.model import BlockKind, TextSource
from parsers.normalise import count_characters
from parsers.pdf.forms import PageNote
from parsers.pdf.intake import ReadPage
from parsers.pdf.pages import Item, PageItems, box_of
from parsers.pdf.tables import PdfTable
from parsers.tables.emit import emit_table


class PageWriter:
    """Appends pages in order.

    Args:
        builder: Receives everything.
        pages: What was read, by page number.
        tables: Tables by the index that items carry.
    """

    def __init__(
        self,
        builder: DocumentBuilder,
        pages: Mapping[int, ReadPage],
        tables: Sequence[PdfTable],
        settings: ParsingSettings,
    ) -> None:
        self._builder = builder
        self._pages = pages
        self._tables = tables
        self._settings = settings
        self._numbered: dict[int, int] = {}

    def write(self, page: PageItems) -> None:
        """Append a page, and the pages whose text is the end of its last item."""
        self._declare(page.number)
        for item in page.items:
            if item.table is None:
                self._add_text(item)
            else:
                self._add_table(self._tables[item.table])
        read = self._pages[page.number]
        if read.ocr is not None:
            from parsers.ocr.emit import emit_ocr_page

            emit_ocr_page(self._builder, read.ocr, page=page.number, settings=self._settings)
        for note in page.notes:
            self._add_note(note, page.number)
        for absorbed in page.absorbed:
            self._declare(absorbed.number)

    def _declare(self, number: int) -> None:
        read = self._pages[number]
        layer = read.layer
        if read.ocr is not None:
            source = TextSource.MIXED if read.keep_native and layer.runs else TextSource.OCR
        elif layer.runs or layer.aside or read.notes:
            source = TextSource.BORN_DIGITAL
        else:
            source = TextSource.NONE
        self._builder.add_page(
            number,
            source,
            read.decision.reason,
            None if read.ocr is None else read.ocr.confidence,
            layer.rotation if read.keep_native or read.ocr is None else read.ocr.rotation,
        )

    def _add_text(self, item: Item) -> None:
        paragraph = item.paragraph
        self._builder.add_block(
            item.kind,
            paragraph.text,
            page=paragraph.page,
            bbox=box_of(item),
            level=item.level,
            page_breaks=paragraph.breaks,
        )
        for page, hyphens in paragraph.hyphens.items():
            self._builder.count_dropped("line_hyphen", hyphens, page)
        for line in paragraph.lines:  # a stroke and the sign under it may have met on the line
            if line.text.isascii():
                continue
            inked = sum(map(len, line.text.split()))
            self._builder.count_dropped(
                "joined_accent", inked - count_characters(line.text), line.page
            )

    def _add_table(self, table: PdfTable) -> None:
        self._numbered[table.page] = self._numbered.get(table.page, 0) + 1
        locator = f"page_{table.page}/table_{self._numbered[table.page]}"
        emit_table(self._builder, table.grid, page=table.page, locator=locator)

    def _add_note(self, note: PageNote, page: int) -> None:
        kind = BlockKind.FORM_FIELD if note.is_field else BlockKind.ANNOTATION
        self._builder.add_block(kind, note.text, page=page, bbox=note.bbox)
        reason = "form_field" if note.is_field else "annotation"
        self._builder.count_generated(reason, note.text, page)
