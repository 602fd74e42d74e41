"""Pages that are pictures, between pages that are text: routing is per page."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

import pymupdf as _untyped
import pytest

from parsers.model import Document, TextSource

pymupdf: Any = _untyped
Build = Callable[..., bytes]
Parse = Callable[..., Document]

pytestmark = [
    pytest.mark.ocr,
    pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed"),
]
PROSE = ["The text of this page is set in type and needs no machine to be read."] * 12


def add_scan(pdf: Any, page: Any, lines: list[str], where: Any = None) -> None:
    """Draw ``lines`` on a page of their own and put its picture on ``page``."""
    source = pymupdf.open()
    paper = source.new_page(width=600, height=800)
    for i, line in enumerate(lines):
        paper.insert_text((60, 100 + 24 * i), line, fontsize=16)
    picture = paper.get_pixmap(dpi=150)
    page.insert_image(where or page.rect, pixmap=picture)


def typed(page: int) -> list[tuple[float, float, str]]:
    return [(50, 100 + 14 * i, line) for i, line in enumerate([f"Page{page}.", *PROSE])]


def test_the_scan_between_two_text_pages_is_read_and_labelled(build: Build, parse: Parse) -> None:
    def scan(pdf: Any) -> None:
        add_scan(pdf, pdf[1], ["Zanzibar is the word on", "this page of pictures."])

    document = parse(build([typed(1), [], typed(3)], edit=scan), ocr=True, ocr_languages=("eng",))
    sources = [page.text_source for page in document.pages]
    assert sources == [TextSource.BORN_DIGITAL, TextSource.OCR, TextSource.BORN_DIGITAL]
    page = document.pages[1]
    assert "Zanzibar" in document.text[page.start : page.end]
    assert page.ocr_confidence is not None
    assert page.ocr_confidence > 0.8
    assert page.route_reason
    assert [row.unaccounted for row in document.ledger] == [0, 0, 0]


def test_a_photo_beside_good_text_is_not_read(build: Build, parse: Parse) -> None:
    def photo(pdf: Any) -> None:
        add_scan(pdf, pdf[0], ["picture"], pymupdf.Rect(50, 400, 550, 780))

    document = parse(build([typed(1)], edit=photo), ocr=True, ocr_languages=("eng",))
    assert document.pages[0].text_source is TextSource.BORN_DIGITAL
    assert document.pages[0].ocr_confidence is None


def test_a_page_of_numbers_is_not_read(build: Build, parse: Parse) -> None:
    numbers = [[(50.0, 100 + 14 * i, f"{i} {i * 3.5} {i * 7.25}") for i in range(8)]]
    document = parse(build(numbers), ocr=True, ocr_languages=("eng",))
    assert document.pages[0].text_source is TextSource.BORN_DIGITAL


def test_failed_ocr_is_a_row_with_the_page_and_the_rest_stands(build: Build, parse: Parse) -> None:
    def scan(pdf: Any) -> None:
        add_scan(pdf, pdf[1], ["Nobody reads this."])

    document = parse(build([typed(1), []], edit=scan), ocr=True, ocr_languages=("xyz",))
    assert [(f.page, f.error) for f in document.failures] == [(2, "MissingToolError")]
    assert "xyz" in document.failures[0].message
    assert "Page1." in document.text
    assert len(document.pages) == 2
