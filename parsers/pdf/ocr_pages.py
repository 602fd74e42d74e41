"""OCR of a PDF's pages: drawn one by one, read side by side, and judged against their layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pymupdf as _untyped

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError, ParserError
from parsers.builder import DocumentBuilder
from parsers.ocr.emit import GENERATED
from parsers.ocr.languages import tesseract_code
from parsers.ocr.page import OcrPage
from parsers.ocr.pool import PageRecogniser
from parsers.ocr.report import OcrReport
from parsers.ocr.routing import GARBLED, garbled_ratio, keep_better
from parsers.ocr.running import without_running_lines
from parsers.pdf.document import render
from parsers.pdf.ocr_evidence import word_boxes
from parsers.pdf.text_layer import PageLayer

if TYPE_CHECKING:
    from PIL import Image

pymupdf: Any = _untyped  # it has no annotations

Keep = Callable[[OcrPage, bool], None]
"""Called with what OCR read and whether the native text stays beside it."""


@dataclass(slots=True)
class _Pending:
    layer: PageLayer
    masked: bool
    keep: Keep
    future: Future[OcrPage]


@dataclass(slots=True)
class PdfRecogniser:
    """Takes pages to OCR as they are read, and settles all of them at the end.

    Args:
        builder: Receives a failure for every page that could not be recognised.
        settings: Of parsing.
        pool: Where the pages are recognised.
        languages: Tesseract codes, the likeliest first.
    """

    builder: DocumentBuilder
    settings: ParsingSettings
    pool: PageRecogniser
    languages: Sequence[str] = ()
    _pending: list[_Pending] = field(default_factory=list)

    def start(self, page: Any, shown: int, layer: PageLayer, keep: Keep) -> None:
        """Draw a page and start its OCR; a failure is noted and leaves the native text.

        Words of a sound layer are painted over before, so that a page of both kinds is read
        without saying anything twice.

        Args:
            page: The PyMuPDF page; left turned as it was.
            shown: Its /Rotate entry.
            layer: Its text layer.
            keep: Called by :meth:`finish` when recognised text belongs in the document.
        """
        text = layer.text
        masked = bool(text.strip()) and garbled_ratio(text) < GARBLED
        turned = page.rotation

        def draw() -> tuple[Image.Image, float]:
            # a reader sees it as /Rotate says; where there are words, they say how it is read
            page.set_rotation(layer.rotation if masked else shown)
            try:
                image, points = render(page, self.settings.ocr_dpi)
            finally:
                page.set_rotation(turned)
            if masked:
                _paint_over(image, layer, 1 / points)
            return image, points

        try:
            future = self.pool.submit(draw, self.languages)
        except ParserError as error:
            self._fail(error, layer.number)
        except (RuntimeError, ValueError, MemoryError, pymupdf.mupdf.FzErrorBase) as error:
            problem = f"page {layer.number} cannot be drawn for OCR: {error}"
            self._fail(DamagedFileError(problem), layer.number)
        else:
            self._pending.append(_Pending(layer, masked, keep, future))

    def finish(self) -> None:
        """Wait for every page, and hand on what was read, running heads left out."""
        report = OcrReport(self.builder)
        kept: dict[int, tuple[_Pending, OcrPage, bool]] = {}
        for pending in self._pending:
            number = pending.layer.number
            ocr = self._result(pending)
            if ocr is None:
                continue
            choice = keep_better(pending.layer.text, ocr.text, ocr.confidence)
            keep = bool(ocr.text.strip()) and choice != "native"
            noise_alone = ocr.n_noise > 0 and not pending.layer.text.strip()
            report.page(ocr, number, kept=keep or noise_alone)
            if keep:
                kept[number] = pending, ocr, choice == "both"
        stripped = without_running_lines({number: ocr for number, (_, ocr, _) in kept.items()})
        for number, (pending, _, both) in kept.items():
            ocr, running = stripped[number]
            for line in running:
                self.builder.count_generated(GENERATED, line, number)
                self.builder.count_dropped("furniture", line, number)
            pending.keep(ocr, both)
        self._pending.clear()

    def _result(self, pending: _Pending) -> OcrPage | None:
        number = pending.layer.number
        try:
            return pending.future.result()
        except ParserError as error:
            self._fail(error, number)
        except MemoryError:
            self._fail(ParserError(f"page {number} needs more memory for OCR"), number)
        return None

    def _fail(self, error: ParserError, number: int) -> None:
        error.page = error.page or number
        self.builder.add_failure(error.as_failure(self.builder.source.uri))


def languages_of(pdf: Any, settings: ParsingSettings) -> tuple[str, ...]:
    """Return the settings' Tesseract languages, the one that the document names first."""
    named = str(pdf.xref_get_key(pdf.pdf_catalog(), "Lang")[1])
    code = tesseract_code(named.strip("()").replace("_", "-").split("-")[0].lower())
    if code not in settings.ocr_languages:
        return settings.ocr_languages
    return (code, *(other for other in settings.ocr_languages if other != code))


def _paint_over(image: Image.Image, layer: PageLayer, scale: float) -> None:
    """Paint the page's words in the colour of its paper; ``scale`` is in pixels a point."""
    from PIL import ImageDraw

    small = np.asarray(image.resize((200, 200))).reshape(-1, 3)
    red, green, blue = (int(value) for value in np.median(small, axis=0))
    draw = ImageDraw.Draw(image)
    for box in word_boxes(layer):
        draw.rectangle(
            (box.x0 * scale, box.top * scale, box.x1 * scale, box.bottom * scale),
            fill=(red, green, blue),
        )
