"""First reading of every page: text layer, notes, and OCR where routing asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pymupdf as _untyped

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError
from parsers.builder import DocumentBuilder
from parsers.model import BoundingBox
from parsers.normalise import count_characters, one_line
from parsers.ocr.page import OcrPage
from parsers.ocr.pool import PageRecogniser
from parsers.ocr.routing import OcrDecision, route_page
from parsers.pdf.forms import PageNote, read_comments, read_fields
from parsers.pdf.layout import Run
from parsers.pdf.ocr_evidence import page_stats
from parsers.pdf.ocr_pages import PdfRecogniser, languages_of
from parsers.pdf.tables import has_table_evidence
from parsers.pdf.text_layer import PageLayer, read_page

pymupdf: Any = _untyped  # it has no annotations


@dataclass(slots=True)
class ReadPage:
    """A page after its first reading.

    Attributes:
        layer: Its text layer.
        decision: Whether it needed OCR, and why.
        ocr: What OCR read, None where the native text stands alone.
        keep_native: The native text goes into the document.
        notes: Form fields and comments.
        may_hold_table: It shows evidence of a table.
    """

    layer: PageLayer
    decision: OcrDecision
    ocr: OcrPage | None = None
    keep_native: bool = True
    notes: list[PageNote] = field(default_factory=list)
    may_hold_table: bool = False

    def take(self, ocr: OcrPage, keep_native: bool) -> None:
        """Put recognised text in the place of the page's own, or beside it."""
        self.ocr, self.keep_native = ocr, keep_native

    @property
    def number(self) -> int:
        """1-based number of the page."""
        return self.layer.number


def read_pages(pdf: Any, builder: DocumentBuilder, settings: ParsingSettings) -> list[ReadPage]:
    """Return the pages of an open PyMuPDF document; one that cannot be read becomes a failure."""
    with PageRecogniser(settings) as pool:
        recogniser = PdfRecogniser(builder, settings, pool, languages_of(pdf, settings))
        pages = list(_read_layers(pdf, builder, settings, recogniser))
        recogniser.finish()
    return pages


def _read_layers(
    pdf: Any, builder: DocumentBuilder, settings: ParsingSettings, recogniser: PdfRecogniser
) -> Iterator[ReadPage]:
    """Yield the pages with their layers, their OCR under way."""
    for index in range(pdf.page_count):
        number = index + 1
        try:
            page = pdf.load_page(index)
            shown = page.rotation
            layer = read_page(page, number)
            stats = page_stats(page, layer, settings)
        except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
            failure = DamagedFileError(f"page {number} cannot be read: {error}", page=number)
            builder.add_failure(failure.as_failure(builder.source.uri))
            continue
        read = ReadPage(layer, route_page(stats, settings))
        read.notes = [*read_fields(page), *read_comments(page, layer.text)]
        _drop_shown_values(layer, read.notes)
        if settings.tables and layer.runs and layer.upright:
            read.may_hold_table = has_table_evidence(layer)
        if read.decision.needed:
            recogniser.start(page, shown, layer, read.take)
        yield read


def _drop_shown_values(layer: PageLayer, notes: Sequence[PageNote]) -> None:
    """Leave out what a form field shows where the field itself says the same."""
    fields = [n for n in notes if n.is_field]
    if not fields:
        return
    kept: list[Run] = []
    for run in layer.runs:
        text = one_line(run.text)
        if any(text in n.value and _stands_in(run.place, n.bbox) for n in fields):
            layer.dropped["form_field"] += count_characters(text)
        else:
            kept.append(run)
    layer.runs = kept


def _stands_in(box: BoundingBox, area: BoundingBox) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.top + box.bottom) / 2
    return area.x0 <= x <= area.x1 and area.top <= y <= area.bottom
