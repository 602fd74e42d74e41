from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image

from parsers.ocr.prepare import grey, is_blank, skew_degrees, straightened, turned

Render = Callable[..., Image.Image]


@pytest.mark.parametrize("angle", [-3.0, -1.5, 1.0, 2.5])
def test_the_skew_of_a_page_is_measured(render: Render, portuguese: str, angle: float) -> None:
    page = render(portuguese, width=420, height=200)
    skewed = page.rotate(-angle, Image.Resampling.BICUBIC, fillcolor=255)
    assert skew_degrees(skewed) == pytest.approx(angle, abs=0.3)
    assert abs(skew_degrees(straightened(skewed))) < 0.5


def test_a_level_page_is_left_as_it_is(render: Render, portuguese: str) -> None:
    page = render(portuguese)
    assert straightened(page) is page


def test_blank_paper_is_blank_and_one_small_word_is_not(render: Render) -> None:
    noise = np.random.default_rng(1).normal(245, 3, (900, 700)).clip(0, 255).astype(np.uint8)
    assert is_blank(Image.new("L", (600, 800), 250))
    assert is_blank(Image.fromarray(noise))
    assert not is_blank(render("pdf", size=9, width=595, height=842))


def test_transparency_counts_as_white(render: Render) -> None:
    page = render("Black letters, transparent paper")
    clear = Image.new("RGBA", page.size, (0, 0, 0, 0))
    clear.putalpha(page.point(lambda v: 255 - v))
    assert np.abs(np.asarray(grey(clear), float) - np.asarray(page, float)).mean() < 2


@pytest.mark.parametrize("mode", ["1", "P", "RGB", "CMYK", "I;16", "LAB"])
def test_every_mode_becomes_dark_on_light_grey(render: Render, mode: str) -> None:
    page = render("Some letters on a page", size=20)
    if mode == "I;16":
        image = Image.fromarray(np.asarray(page).astype(np.uint16) * 257)
    elif mode == "LAB":
        image = Image.merge("LAB", (page, *[Image.new("L", page.size, 128)] * 2))
    else:
        image = page.convert("RGB").convert(mode)
    ready = np.asarray(grey(image))
    assert grey(image).mode == "L"
    assert np.median(ready) > 200
    assert ready.min() < 100


def test_light_letters_on_a_dark_ground_are_inverted(render: Render) -> None:
    page = render("Light on dark", size=20)
    assert np.median(np.asarray(grey(page.point(lambda v: 255 - v)))) > 200


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_turning_is_clockwise_and_loses_nothing(degrees: int) -> None:
    corner = Image.new("L", (40, 20), 255)
    corner.putpixel((0, 0), 0)
    there = turned(corner, degrees)
    expected = {0: (0, 0), 90: (19, 0), 180: (39, 19), 270: (0, 39)}
    assert there.getpixel(expected[degrees]) == 0
    assert turned(there, -degrees % 360).tobytes() == corner.tobytes()
