from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.settings import ParsingSettings
from parsers.ocr.routing import OcrDecision, PageStats, PictureLooks, keep_better, route_page

SETTINGS = ParsingSettings()


@pytest.mark.parametrize(
    ("stats", "needed", "reason"),
    [
        pytest.param(PageStats(400, 2400, 0.0, 0.0, 0), False, "enough words", id="native"),
        pytest.param(PageStats(0, 0, 0.0, 1.0, 0), True, "image covers the page", id="scan"),
        pytest.param(
            PageStats(0, 0, 0.0, 0.09, 1), True, "no words, an image", id="small picture of a table"
        ),
        pytest.param(
            PageStats(9, 64, 0.0, 1.0, 0), True, "image covers the page", id="stamp on a scan"
        ),
        pytest.param(
            PageStats(60, 380, 0.0, 0.9, 0, 1.0, pictures=PictureLooks(900, 420, 400, 0.9)),
            True, "image covers the page", id="long footer"
        ),
        pytest.param(
            PageStats(400, 2100, 0.02, 1.0, 0, 0.0, 1.0), False, "enough words", id="hidden layer"
        ),
        pytest.param(
            PageStats(12, 70, 0.0, 1.0, 0, 0.0, 1.0),
            False, "hidden text layer is sound", id="title page with a hidden layer",
        ),
        pytest.param(
            PageStats(1, 6, 0.0, 1.0, 0, 0.0, 1.0),
            True, "image covers the page", id="one hidden word is no layer",
        ),
        pytest.param(
            PageStats(180, 1000, 0.0, 0.6, 0, 0.9), False, "enough words", id="text beside a photo"
        ),
        pytest.param(
            PageStats(20, 110, 0.0, 0.4, 0), True, "few words, an image", id="caption of a figure"
        ),
        pytest.param(
            PageStats(20, 110, 0.0, 0.01, 0),
            False, "few words, only rules or a small picture", id="logo on a short letter",
        ),
        pytest.param(
            PageStats(16, 63, 0.0, 0.0, 2),
            False, "few words, only rules or a small picture", id="numeric table",
        ),
        pytest.param(
            PageStats(36, 180, 0.0, 0.0, 120),
            False, "few words, only rules or a small picture", id="table with many borders",
        ),
        pytest.param(
            PageStats(3, 20, 0.0, 0.0, 900, n_outlines=900),
            True, "few words, drawn outlines", id="letters as outlines, a page number as text",
        ),
        pytest.param(
            PageStats(0, 0, 0.0, 0.0, 1, n_outlines=40), True, "no words, drawings",
            id="outlines only",
        ),
        pytest.param(
            PageStats(0, 0, 0.0, 0.0, 7), False, "no words, only shapes", id="a frame and bars"
        ),
        pytest.param(
            PageStats(90, 520, 0.0, 0.4, 0, pictures=PictureLooks(500, 210, 200, 0.9)),
            True, "text in a picture", id="half type, half scan",
        ),
        pytest.param(
            PageStats(90, 520, 0.0, 0.4, 0, pictures=PictureLooks(500, 30, 20, 0.5)),
            False, "enough words", id="half type, half photograph",
        ),
        pytest.param(
            PageStats(90, 520, 0.0, 1.0, 0, 0.0, 1.0, pictures=PictureLooks(500, 130, 120, 0.9)),
            False, "enough words", id="hidden words a little off",
        ),
        pytest.param(
            PageStats(9, 50, 0.0, 0.6, 0, pictures=PictureLooks(500, 0, 0, 0.5)),
            False, "few words, a photograph", id="cover with a photograph",
        ),
        pytest.param(
            PageStats(9, 50, 0.0, 0.6, 0, pictures=PictureLooks(500, 0, 0, 0.9)),
            True, "few words, an image", id="cover with a banner",
        ),
        pytest.param(
            PageStats(500, 3000, 0.9, 0.0, 0), True, "garbled text layer", id="bad font map"
        ),
        pytest.param(PageStats(0, 0, 0.0, 0.0, 0), False, "empty page", id="empty"),
        pytest.param(
            PageStats(7, 44, 0.0, 0.0, 0), False, "few words, nothing drawn", id="nearly empty"
        ),
    ],
)  # fmt: skip
def test_each_kind_of_page_is_routed_with_its_reason(
    stats: PageStats, needed: bool, reason: str
) -> None:
    assert route_page(stats, SETTINGS) == OcrDecision(needed, reason)


def test_no_page_goes_to_ocr_when_it_is_switched_off() -> None:
    off = ParsingSettings(ocr=False)
    assert route_page(PageStats(0, 0, 0.0, 1.0, 0), off) == OcrDecision(
        False, "ocr is switched off"
    )


def test_the_word_limit_is_the_one_of_the_settings() -> None:
    stats = PageStats(30, 180, 0.0, 0.5, 0)
    assert route_page(stats, SETTINGS).needed
    assert not route_page(stats, ParsingSettings(ocr_min_words=30)).needed


@given(st.integers(0, 49), st.floats(0, 0.29), st.floats(0, 1))
def test_a_page_with_nothing_drawn_never_goes_to_ocr(
    words: int, garbled: float, outside: float
) -> None:
    stats = PageStats(words, 6 * words, garbled, 0.0, 0, outside)
    assert not route_page(stats, SETTINGS).needed


@pytest.mark.parametrize(
    ("native", "recognised", "confidence", "kept"),
    [
        pytest.param("", "Read from the scan", 0.9, "ocr", id="no layer"),
        pytest.param("Visible heading and a hidden line", "Visible heading", 0.95, "native",
                     id="OCR sees less"),
        pytest.param("A sound sentence.", "", 0.0, "native", id="OCR sees nothing"),
        pytest.param("Page 3", "Page 3 The whole letter stands in the scan only", 0.9, "ocr",
                     id="the layer is part of the scan"),
        pytest.param("RECEIVED 2026-03-01 by the registry", "The whole letter stands here", 0.9,
                     "both", id="each holds what the other lacks"),
        pytest.param("A sound sentence of the layer.", "X~ sQund ;; sfff ll", 0.3, "native",
                     id="poor OCR"),
        pytest.param("Uif rvjdl cspxo gpy kvnqt pwfs uif mbaz eph", "The quick brown fox", 0.9,
                     "ocr", id="garbled layer"),
    ],
)  # fmt: skip
def test_the_better_text_is_kept(
    native: str, recognised: str, confidence: float, kept: str
) -> None:
    assert keep_better(native, recognised, confidence) == kept


@given(st.text(), st.floats(0, 1))
def test_the_same_text_twice_is_never_kept_twice(text: str, confidence: float) -> None:
    assert keep_better(text, text, confidence) in ("native", "ocr")
