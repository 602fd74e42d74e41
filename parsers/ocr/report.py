"""What must be told about a recognised page: a language that was missing, a doubtful reading."""

from __future__ import annotations

from parsers.base import MissingToolError, ParserError
from parsers.builder import DocumentBuilder
from parsers.ocr.page import OcrPage

DOUBTFUL = 0.60
"""Mean confidence of a page below which its text is reported (measured on the corpus: legible pages
0.83 to 0.97, pages that lie wrong 0.15 to 0.60)."""


class DoubtfulTextError(ParserError):
    """A page was recognised with little confidence: its text is kept and may be wrong."""

    default_remedy = (
        "Compare the page with its text; scan it again with more dots per inch, or name its "
        "language in parsing.ocr_languages."
    )


class OcrReport:
    """Writes the failure rows of one document's recognised pages.

    Args:
        builder: Receives the rows.
    """

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._told: set[tuple[str, ...]] = set()

    def page(self, ocr: OcrPage, number: int, *, kept: bool) -> None:
        """Note what a reader of a page's text must know; missing languages once a document.

        Args:
            ocr: What was read.
            number: 1-based page.
            kept: The text went into the document, or would have but for being noise.
        """
        from parsers.ocr.engine import language_remedy

        codes = ocr.missing_languages
        if codes and codes not in self._told:
            self._told.add(codes)
            missing = MissingToolError(
                f"Tesseract has no language data for {', '.join(codes)}; pages were read without",
                language_remedy(codes),
            )
            self._builder.add_failure(missing.as_failure(self._builder.source.uri))
        if kept and ocr.confidence < DOUBTFUL:
            noise = f"; {ocr.n_noise} words were left out as noise" if ocr.n_noise else ""
            doubtful = DoubtfulTextError(
                f"OCR read page {number} with a mean confidence of {ocr.confidence:.2f}{noise}",
                page=number,
            )
            self._builder.add_failure(doubtful.as_failure(self._builder.source.uri))
