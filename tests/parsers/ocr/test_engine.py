from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytesseract
import pytest
from PIL import Image

from configs.settings import ParsingSettings
from parsers.base import MissingToolError
from parsers.ocr import engine
from parsers.ocr.engine import OcrTimeoutError, recognise
from parsers.ocr.tables import ruled_grid

Render = Callable[..., Image.Image]
pytestmark = [pytest.mark.ocr, pytest.mark.usefixtures("tesseract")]
SETTINGS = ParsingSettings(ocr_languages=("eng", "por"))


def edits(a: str, b: str) -> int:
    """Return the Levenshtein distance."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


@pytest.fixture(scope="session")
def needs_portuguese(tesseract: str) -> None:
    if engine.missing_languages(["por"]):
        pytest.skip("Tesseract has no Portuguese")


@pytest.mark.usefixtures("needs_portuguese")
@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_portuguese_page_reads_the_same_however_it_lies(
    render: Render, portuguese: str, degrees: int
) -> None:
    lying = render(portuguese, dpi=150).rotate(degrees, expand=True)  # anticlockwise
    page = recognise(lying, SETTINGS, points_per_pixel=72 / 150)
    text = " ".join(page.text.split())
    assert edits(text, portuguese) <= 0.02 * len(portuguese)
    assert page.rotation == degrees
    assert page.confidence > 0.85


@pytest.mark.usefixtures("needs_portuguese")
@pytest.mark.parametrize("degrees", [3, -3])
def test_a_page_that_lies_askew_reads_the_same(
    render: Render, portuguese: str, degrees: int
) -> None:
    askew = render(portuguese, dpi=200).rotate(
        degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=255
    )
    page = recognise(askew, SETTINGS, points_per_pixel=72 / 200)
    text = " ".join(page.text.split())
    assert edits(text, portuguese) <= 0.02 * len(portuguese)
    assert page.rotation == 0


def test_boxes_are_in_points_from_the_top_left(render: Render) -> None:
    page = recognise(render("Margin", size=24, dpi=200), SETTINGS, points_per_pixel=72 / 200)
    (word,) = page.words
    assert word.text == "Margin"
    assert word.bbox.x0 == pytest.approx(40, abs=4)
    assert 40 <= word.bbox.top <= word.bbox.bottom <= 72


def test_small_letters_are_read_on_an_enlarged_copy(render: Render) -> None:
    text = "The keeper of the shed writes every number down."
    page = recognise(render(text, size=9, dpi=72), SETTINGS, points_per_pixel=1.0)
    assert edits(" ".join(page.text.split()), text) <= 2
    assert page.words[0].bbox.x0 == pytest.approx(40, abs=4)


def test_a_blank_page_is_empty_and_no_failure() -> None:
    page = recognise(Image.new("RGB", (800, 1000), "white"), SETTINGS)
    assert (page.text, page.confidence, page.lines) == ("", 0.0, ())


def test_a_missing_language_is_named_and_the_rest_reads_on(render: Render) -> None:
    settings = ParsingSettings(ocr_languages=("eng", "xyz"))
    page = recognise(render("Still read with English", size=20), settings)
    assert page.missing_languages == ("xyz",)
    assert "Still read with English" in page.text


def test_no_language_at_all_says_what_to_install(render: Render) -> None:
    with pytest.raises(MissingToolError, match="xyz") as caught:
        recognise(render("Text"), ParsingSettings(ocr_languages=("xyz",)))
    assert "tesseract-ocr-xyz" in caught.value.remedy
    assert caught.value.transient


def test_a_page_over_its_time_is_stopped(render: Render, portuguese: str) -> None:
    page = render(" ".join([portuguese] * 4), size=7, dpi=300)
    began = time.monotonic()
    with pytest.raises(OcrTimeoutError) as caught:
        recognise(page, ParsingSettings(ocr_timeout_s=0.2))
    assert time.monotonic() - began < 5
    assert caught.value.transient
    assert "0.2 s" in str(caught.value)


def test_every_process_may_use_one_thread_only(
    render: Render, tesseract: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    witness = tmp_path / "limits"
    script = tmp_path / "tesseract"
    script.write_text(f'#!/bin/sh\necho "$OMP_THREAD_LIMIT" >> {witness}\nexec {tesseract} "$@"\n')
    script.chmod(0o755)
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", str(script))
    before = os.environ.get("OMP_THREAD_LIMIT")
    assert "One thread" in recognise(render("One thread", size=24), SETTINGS).text
    assert set(witness.read_text().split()) == {"1"}
    assert os.environ.get("OMP_THREAD_LIMIT") == before


def test_single_figures_in_a_ruled_table_with_a_shaded_header_are_read() -> None:
    rows = [["Shed", "Racks", "Broken"], ["North", "5", "0"], ["South", "8", "3"]]
    xs, ys = [40, 170, 260, 360], [40, 75, 110, 145]
    with pymupdf.open() as document:  # type: ignore[no-untyped-call]
        drawn = document.new_page(width=400, height=200)
        drawn.draw_rect((xs[0], ys[0], xs[-1], ys[1]), color=None, fill=(0.6, 0.7, 0.9))
        for x in xs:
            drawn.draw_line((x, ys[0]), (x, ys[-1]), width=1)
        for y in ys:
            drawn.draw_line((xs[0], y), (xs[-1], y), width=1)
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                drawn.insert_text((xs[c] + 12, ys[r] + 22), text, fontsize=12)
        pixmap = drawn.get_pixmap(dpi=300, colorspace=pymupdf.csRGB, alpha=False)
        picture = Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)
    (table,) = recognise(picture, SETTINGS).tables
    found = {(c.row, c.col): c.text for c in ruled_grid(table).cells}
    assert [[found[r, c] for c in range(3)] for r in range(3)] == rows
