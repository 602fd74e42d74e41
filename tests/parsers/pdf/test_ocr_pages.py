"""Pages that are pictures, between pages that are text: routing is per page."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf as _untyped
import pytesseract
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


def test_type_and_scan_on_one_page_are_both_read_and_nothing_twice(
    build: Build, parse: Parse
) -> None:
    letter = [f"Zanzibar line {i} of the letter that was scanned" for i in range(12)]

    def scan(pdf: Any) -> None:
        add_scan(pdf, pdf[0], letter, pymupdf.Rect(50, 300, 550, 790))

    document = parse(build([typed(1)], edit=scan), ocr=True, ocr_languages=("eng",))
    (page,) = document.pages
    assert page.text_source is TextSource.MIXED
    assert page.route_reason == "text in a picture"
    assert document.text.count("Page1.") == 1
    assert document.text.count("needs no machine") == len(PROSE)
    assert document.text.count("Zanzibar line") == len(letter)
    assert document.ledger[0].unaccounted == 0


def test_a_stamp_on_one_scan_sends_every_scan_to_ocr(build: Build, parse: Parse) -> None:
    words = ["Antwerp", "Bergen", "Cadiz"]

    def scan(pdf: Any) -> None:
        for page, word in zip(pdf, words, strict=True):
            add_scan(pdf, page, [f"{word} is named on this page", "and nothing else of note."])

    stamp = [(30.0, 20.0, "RECEIVED 2026-03-01 Registry No. 4711 - file 12/7, sheet 1 of 3")]
    document = parse(build([stamp, [], []], edit=scan), ocr=True, ocr_languages=("eng",))
    assert [w for w in (*words, "4711") if w not in document.text] == [], document.text
    assert [p.text_source for p in document.pages] == [
        TextSource.MIXED, TextSource.OCR, TextSource.OCR
    ]  # fmt: skip


def test_a_layer_of_shifted_letters_is_read_from_the_page(build: Build, parse: Parse) -> None:
    def scan(pdf: Any) -> None:
        add_scan(pdf, pdf[0], ["The harbour master keeps", "the register of every mooring."])
        text = "Uif ibscpvs nbtufs lffqt uif sfhjtufs pg fwfsz nppsjoh."
        pdf[0].insert_text((60, 110), text, fontsize=10, render_mode=3)

    document = parse(build([[]], edit=scan), ocr=True, ocr_languages=("eng",))
    assert document.pages[0].route_reason == "garbled text layer"
    assert "keeps the register of every mooring" in " ".join(document.text.split())
    assert "Uif" not in document.text
    assert document.ledger[0].unaccounted == 0


def test_a_crash_on_one_page_costs_that_page(
    build: Build, parse: Parse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def scan(pdf: Any) -> None:
        for page, word in zip(pdf, ("Antwerp", "Bergen", "Cadiz"), strict=True):
            add_scan(pdf, page, [f"{word} is named on this page."])

    count, script = tmp_path / "count", tmp_path / "tesseract"
    script.write_text(
        f"#!/bin/sh\nn=$(cat {count} 2>/dev/null || echo 0)\necho $((n + 1)) > {count}\n"
        f'[ "$n" = 1 ] && kill -SEGV $$\nexec {shutil.which("tesseract")} "$@"\n'
    )
    script.chmod(0o755)
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", str(script))
    built = build([[], [], []], edit=scan)
    document = parse(built, ocr=True, ocr_languages=("eng",), ocr_workers=1)
    assert [f.page for f in document.failures] == [2]
    assert "Antwerp" in document.text
    assert "Cadiz" in document.text
    assert [p.number for p in document.pages] == [1, 2, 3]
