"""What MuPDF's printers tell of a page is what its slower dict tells."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pymupdf as _untyped
import pytest
from PIL import Image
from reportlab.lib import colors
from reportlab.pdfgen.canvas import Canvas

from parsers.pdf.layout import Run
from parsers.pdf.stext import read_stext
from parsers.pdf.text_layer import PageLayer, read_page

pymupdf: Any = _untyped


def _page(draw: Callable[[Canvas], None]) -> Any:
    data = io.BytesIO()
    canvas = Canvas(data, pagesize=(400, 400))
    draw(canvas)
    canvas.save()
    return pymupdf.open(stream=data.getvalue())[0]


def _words(canvas: Canvas, *parts: tuple[str, float, str], x: float = 50, y: float = 300) -> None:
    text = canvas.beginText(x, y)
    for font, size, words in parts:
        text.setFont(font, size)
        text.textOut(words)
    canvas.drawText(text)


def _from_dict(page: Any) -> PageLayer:
    """Read a page the slow way: any area makes the reader ask for glyphs."""
    from parsers.model import BoundingBox

    return read_page(page, 1, [BoundingBox(-9, -9, -8, -8)])


def _shape(run: Run) -> tuple[object, ...]:
    edges = (run.box.x0, run.box.top, run.box.x1, run.box.bottom)
    return (run.text, *(round(v, 1) for v in edges), round(run.size, 1), run.bold, run.mono)


MIXED = [("Helvetica", 10.0, "plain "), ("Helvetica-Bold", 14.0, "bold "), ("Courier", 9.0, "code")]


@pytest.mark.parametrize("parts", [MIXED, MIXED[:1], MIXED[1:2], MIXED[2:], MIXED[1:]])
def test_lines_have_the_text_place_and_fonts_of_the_dict(
    parts: list[tuple[str, float, str]],
) -> None:
    page = _page(lambda canvas: _words(canvas, *parts))
    assert read_stext(page).upright
    fast, slow = read_page(page, 1), _from_dict(page)
    assert [_shape(r) for r in fast.runs] == [_shape(r) for r in slow.runs]
    assert fast.source == slow.source > 0


def test_marks_of_html_and_json_in_the_text_stay_text() -> None:
    words = '</span><b> "q" \\u0041 \\ & <span style="font-family:x;font-size:99pt">'
    page = _page(lambda canvas: _words(canvas, ("Helvetica", 6, words), ("Courier", 5, " x")))
    (run,) = read_page(page, 1).runs
    assert (run.text.strip(), round(run.size, 1), run.bold) == (f"{words} x", 6.0, False)


def test_neither_a_rule_nor_a_picture_between_two_words_breaks_their_line() -> None:
    def draw(canvas: Canvas) -> None:
        _words(canvas, ("Helvetica", 10, "before "))
        canvas.line(50, 298, 90, 298)
        canvas.drawInlineImage(Image.new("RGB", (9, 9), "red"), 200, 100, 9, 9)
        _words(canvas, ("Helvetica", 10, "after"), x=82)

    layer = read_page(_page(draw), 1)
    assert [r.text.split() for r in layer.runs] == [["before", "after"]]
    assert [(round(b.x0), round(b.top)) for b in layer.drawings.figures] == [(200, 291)]
    assert [tuple(map(round, p)) for p in layer.drawings.pieces] == [(50, 102, 90, 102)]


@pytest.mark.parametrize(("turn", "direction"), [(90, 270), (180, 180), (270, 90)])
def test_turned_lines_are_left_to_the_dict(turn: int, direction: int) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.translate(200, 200)
        canvas.rotate(turn)
        canvas.drawString(0, 0, "turned words")

    page = _page(draw)
    assert not read_stext(page).upright
    layer = read_page(page, 1)
    assert [r.text for r in layer.runs] == ["turned words"]
    assert layer.rotation == (360 - direction) % 360


def test_a_shade_is_a_drawing_and_no_picture() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.linearGradient(0, 0, 400, 400, (colors.red, colors.blue))

    found = read_page(_page(draw), 1).drawings
    assert (found.n_paths, found.figures, found.image_ratio) == (1, [], 0.0)


def test_rules_of_one_path_are_one_shape_and_white_areas_no_rules() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFillColor(colors.white)
        canvas.rect(10, 10, 100, 100, stroke=0, fill=1)
        canvas.grid([200, 250, 300], [50, 100, 150])

    found = read_page(_page(draw), 1).drawings
    assert len(found.pieces) == 6
    assert [(round(b.x0), round(b.x1)) for b in found.boxes] == [(10, 110), (200, 300)]


def test_figures_of_a_turned_page_stand_where_they_are_seen() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(90)
        canvas.rotate(90)
        canvas.drawString(50, -50, "read along the long side")
        canvas.drawInlineImage(Image.new("RGB", (9, 9), "red"), 300, -100, 40, 20)

    (figure,) = read_page(_page(draw), 1).drawings.figures
    assert [round(v) for v in (figure.x0, figure.top, figure.x1, figure.bottom)] == [
        300, 80, 340, 100,
    ]  # fmt: skip


def test_text_that_the_dict_leaves_out_is_in_the_layer() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(50, 300, "upright")
        text = canvas.beginText(50, 200)
        text.setTextTransform(0.0001, 0, 0, 1, 50, 200)
        text.textOut("squeezed ")
        text.setFont("Courier", 9)
        text.textOut("to nothing")
        canvas.drawText(text)

    layer = read_page(_page(draw), 1)
    text = "".join("".join(r.text.split()) for group in (layer.runs, *layer.aside) for r in group)
    assert len(text) + sum(layer.dropped.values()) == layer.source
