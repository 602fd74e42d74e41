"""What is on a page beside the cells: watermarks, highlighters, dashes, leaders, small print."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pdfplumber
import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from configs.settings import ParsingSettings
from parsers.model import Document, Source
from parsers.pdf import parser
from parsers.pdf.tables import page_tables
from parsers.tables.reading import read_grid

Draw = Callable[[Any], None]


def _pdf(*draws: Draw) -> bytes:
    data = io.BytesIO()
    canvas = Canvas(data, pagesize=A4)
    for draw in draws:
        draw(canvas)
    canvas.save()
    return data.getvalue()


def _lines(*draws: Draw) -> list[list[str]]:
    with pdfplumber.open(io.BytesIO(_pdf(*draws))) as pdf:
        found = page_tables(pdf, 1)
    return [[line.text for line in read_grid(t.grid).lines] for t in found]


def _document(*draws: Draw) -> Document:
    data = _pdf(*draws)
    settings = ParsingSettings(ocr=False)
    return parser.parse(data, Source("a.pdf", "application/pdf", len(data), "0" * 64), settings)


def _rows(canvas: Any, rows: list[list[str]], xs: list[float], top: float = 700) -> None:
    for i, row in enumerate(rows):
        for x, text in zip(xs, row, strict=True):
            canvas.drawString(x, top - 20 * i, text)


_XS = [64.0, 204.0, 344.0]
_ROWS = [["City", "Trade", "Staff"], ["Riga", "amber", "310"], ["Cork", "butter", "95"]]
_READ = ["City: Riga, Trade: amber, Staff: 310.", "City: Cork, Trade: butter, Staff: 95."]


def _grid(canvas: Any) -> None:
    canvas.grid([60, 200, 340, 480], [654, 674, 694, 714])
    _rows(canvas, _ROWS, _XS)


def _watermark(canvas: Any) -> None:
    canvas.saveState()
    canvas.setFont("Helvetica", 40)
    canvas.translate(120, 640)
    canvas.rotate(35)
    canvas.drawString(0, 0, "SPECIMEN")
    canvas.restoreState()


def _marks(canvas: Any) -> None:
    canvas.setFillColor(colors.yellow)
    for y in (696, 676, 656):
        canvas.rect(203, y, 40, 14, stroke=0, fill=1)
    canvas.setFillColor(colors.black)


def test_a_watermark_across_a_table_is_text_of_the_page() -> None:
    assert _lines(_grid, _watermark) == [_READ]
    document = _document(_grid, _watermark)
    assert "SPECIMEN" in document.text
    assert [entry.unaccounted for entry in document.ledger] == [0]


def test_a_highlighter_is_no_cell() -> None:
    assert _lines(_marks, _grid) == [_READ]


def test_dashes_of_filled_dots_are_rules() -> None:
    def dotted(canvas: Any) -> None:
        for y in (654, 674, 694, 714):
            for i in range(140):
                canvas.rect(60 + 3 * i, y, 1.5, 0.5, stroke=0, fill=1)
        for x in (60, 200, 340, 480):
            for i in range(20):
                canvas.rect(x, 654 + 3 * i, 0.5, 1.5, stroke=0, fill=1)
        _rows(canvas, _ROWS, _XS)

    assert _lines(dotted) == [_READ]


def test_leaders_are_left_out_of_cells_and_counted() -> None:
    rows = [[f"{name} . . . . . . . .", *rest] for name, *rest in _ROWS[1:]]

    def led(canvas: Any) -> None:
        canvas.grid([60, 200, 340, 480], [654, 674, 694, 714])
        _rows(canvas, [_ROWS[0], *rows], _XS)

    assert _lines(led) == [_READ]
    (entry,) = _document(led).ledger
    assert entry.dropped["leader"] == 16
    assert entry.unaccounted == 0


def test_lines_of_a_cell_in_chinese_are_joined_without_a_space() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))

    def wrapped(canvas: Any) -> None:
        canvas.grid([60, 200, 340], [650, 694, 714])
        canvas.setFont("STSong-Light", 12)
        canvas.drawString(64, 700, "\u5e74\u4efd")
        canvas.drawString(204, 700, "\u8bc4\u7ea7")
        canvas.drawString(64, 680, "2023")
        canvas.drawString(204, 680, "\u4e3b\u4f53\u4fe1\u7528")
        canvas.drawString(204, 660, "\u5f88\u5f3a")

    ((line,),) = _lines(wrapped)
    assert "\u4e3b\u4f53\u4fe1\u7528\u5f88\u5f3a" in line


def test_a_superscript_stays_with_its_word() -> None:
    def marked(canvas: Any) -> None:
        _grid(canvas)
        canvas.setFont("Helvetica", 6)
        canvas.drawString(204 + canvas.stringWidth("Trade", "Helvetica", 12), 706, "(1)")

    (lines,) = _lines(marked)
    assert lines[0] == "City: Riga, Trade(1): amber, Staff: 310."


@pytest.mark.parametrize("gap", [4, 9])
def test_a_head_in_a_box_of_its_own_names_the_columns_below(gap: int) -> None:
    def apart(canvas: Any) -> None:
        canvas.grid([60, 200, 340, 480], [694 + gap, 714 + gap])
        canvas.grid([60, 200, 340, 480], [654, 674, 694])
        _rows(canvas, _ROWS[:1], _XS, 700 + gap)
        _rows(canvas, _ROWS[1:], _XS, 680)

    assert _lines(apart) == [_READ]


def test_parts_set_apart_by_white_are_one_table_under_one_head() -> None:
    def parts(canvas: Any) -> None:
        _grid(canvas)
        canvas.grid([60, 200, 340, 480], [594, 614, 634])
        _rows(canvas, [["Faro", "salt", "12"], ["Kiel", "ships", "77"]], _XS, 620)

    more = ["City: Faro, Trade: salt, Staff: 12.", "City: Kiel, Trade: ships, Staff: 77."]
    assert _lines(parts) == [[*_READ, *more]]
