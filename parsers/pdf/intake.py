"""First reading of every page: text layer, notes, and OCR where routing asks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pymupdf as _untyped

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError, ParserError
from parsers.builder import DocumentBuilder
from parsers.model import BoundingBox
from parsers.normalise import count_characters, one_line
from parsers.ocr.page import OcrPage
from parsers.ocr.routing import OcrDecision, PageStats, garbled_ratio, keep_better, route_page
from parsers.pdf.document import render
from parsers.pdf.forms import PageNote, read_comments, read_fields
from parsers.pdf.layout import Run
from parsers.pdf.tables import has_table_evidence
from parsers.pdf.text_layer import PageLayer, read_page

pymupdf: Any = _untyped  # it has no annotations
_WORD = re.compile(r"\w+")


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

    @property
    def number(self) -> int:
        """1-based number of the page."""
        return self.layer.number


def read_pages(pdf: Any, builder: DocumentBuilder, settings: ParsingSettings) -> Iterator[ReadPage]:
    """Yield the pages of an open PyMuPDF document; one that cannot be read becomes a failure."""
    for index in range(pdf.page_count):
        number = index + 1
        try:
            page = pdf.load_page(index)
            shown = page.rotation
            layer = read_page(page, number)
        except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
            failure = DamagedFileError(f"page {number} cannot be read: {error}", page=number)
            builder.add_failure(failure.as_failure(builder.source.uri))
            continue
        text = layer.text
        read = ReadPage(layer, route_page(_stats(page, layer, text, settings), settings))
        read.notes = [*read_fields(page), *read_comments(page, text)]
        _drop_shown_values(layer, read.notes)
        if settings.tables and layer.runs and layer.upright:
            read.may_hold_table = has_table_evidence(page)
        if read.decision.needed:
            _recognise(page, shown, read, builder, settings)
        yield read


def _drop_shown_values(layer: PageLayer, notes: Sequence[PageNote]) -> None:
    """Leave out what a form field shows where the field itself says the same."""
    kept: list[Run] = []
    for run in layer.runs:
        text = one_line(run.text)
        if any(n.is_field and text in n.value and _stands_in(run.place, n.bbox) for n in notes):
            layer.dropped["form_field"] += count_characters(text)
        else:
            kept.append(run)
    layer.runs = kept


def _stands_in(box: BoundingBox, area: BoundingBox) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.top + box.bottom) / 2
    return area.x0 <= x <= area.x1 and area.top <= y <= area.bottom


def _stats(page: Any, layer: PageLayer, text: str, settings: ParsingSettings) -> PageStats:
    n_words = sum(1 for _ in _WORD.finditer(text))
    n_curves = None
    if layer.n_drawings and n_words < settings.ocr_min_words:
        n_curves = sum(item[0] == "c" for path in page.get_cdrawings() for item in path["items"])
    return PageStats(
        n_words=n_words,
        n_chars=sum(not c.isspace() for c in text),
        garbled_ratio=garbled_ratio(text),
        image_area_ratio=layer.image_ratio,
        n_drawings=layer.n_drawings,
        text_outside_images_ratio=layer.outside_images,
        hidden_ratio=layer.hidden_ratio,
        n_curves=n_curves,
    )


def _recognise(
    page: Any, shown: int, read: ReadPage, builder: DocumentBuilder, settings: ParsingSettings
) -> None:
    """Run OCR on a page and choose whose text stays; a failure leaves the native text."""
    from parsers.ocr.engine import language_remedy, recognise

    number = read.number
    native = read.layer.text
    page.set_rotation(shown)  # as a reader sees it; the engine finds what is still turned
    try:
        image, points = render(page, settings.ocr_dpi)
        ocr = recognise(image, settings, points_per_pixel=points)
    except ParserError as error:
        error.page = error.page or number
        builder.add_failure(error.as_failure(builder.source.uri))
        return
    except (RuntimeError, ValueError, MemoryError, pymupdf.mupdf.FzErrorBase) as error:
        failure = DamagedFileError(f"page {number} cannot be drawn for OCR: {error}", page=number)
        builder.add_failure(failure.as_failure(builder.source.uri))
        return
    if ocr.missing_languages:
        from parsers.base import MissingToolError

        codes = ocr.missing_languages
        missing = MissingToolError(
            f"Tesseract lacks the language data {', '.join(codes)}; page {number} was read without",
            language_remedy(codes),
            number,
        )
        builder.add_failure(missing.as_failure(builder.source.uri))
    if not ocr.text.strip():
        return
    choice = keep_better(native, ocr.text, ocr.confidence)
    if choice != "native":
        read.ocr = ocr
        read.keep_native = choice == "both"
