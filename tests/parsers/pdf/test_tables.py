from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pdfplumber
import pymupdf as _untyped
import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    TableStyle,
)
from reportlab.platypus import Table as Flow

from parsers.model import BoundingBox
from parsers.normalise import count_characters
from parsers.pdf.tables import PdfTable, has_table_evidence, join_continued, page_tables
from parsers.pdf.text_layer import read_page
from parsers.tables.reading import read_grid

pymupdf: Any = _untyped
_GRID = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]


def _flow(*flowables: Any) -> bytes:
    data = io.BytesIO()
    SimpleDocTemplate(data, pagesize=A4).build(list(flowables))
    return data.getvalue()


def _drawn(draw: Callable[[Any], None]) -> bytes:
    data = io.BytesIO()
    canvas = Canvas(data, pagesize=A4)
    draw(canvas)
    canvas.save()
    return data.getvalue()


def _tables(data: bytes) -> list[PdfTable]:
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        heights = {n: float(page.height) for n, page in enumerate(pdf.pages, start=1)}
        return join_continued([t for n in heights for t in page_tables(pdf, n)], heights)


def _lines(table: PdfTable) -> list[str]:
    return [line.text for line in read_grid(table.grid).lines]


def _evidence(data: bytes) -> list[bool]:
    with pymupdf.open(stream=data) as document:
        return [has_table_evidence(read_page(page, 1)) for page in document]


def _columns(canvas: Any, rows: Sequence[Sequence[str]], xs: Sequence[int], top: int) -> None:
    for i, row in enumerate(rows):
        for x, text in zip(xs, row, strict=True):
            canvas.drawString(x, top - 14 * i, text)


ROWS = [["Code", "Part", "Price"], ["B-1", "Bell", "9.80"], ["L-4", "Lamp, front", "32.90"]]
SENTENCES = ["Code: B-1, Part: Bell, Price: 9.80.", "Code: L-4, Part: Lamp, front, Price: 32.90."]


def test_a_ruled_table_is_read_with_its_place() -> None:
    data = _flow(Paragraph("Before."), Spacer(1, 20), Flow(ROWS, style=TableStyle(_GRID)))
    (table,) = _tables(data)
    assert _lines(table) == SENTENCES
    assert _evidence(data) == [True]
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        page = pdf.pages[0].within_bbox(
            (table.bbox.x0 - 1, table.bbox.top - 1, table.bbox.x1 + 1, table.bbox.bottom + 1)
        )
        inside = count_characters(page.extract_text())
    assert inside == sum(count_characters(c.text) for c in table.grid.cells)


def test_spans_of_header_and_body_come_from_the_rules() -> None:
    rows = [
        ["Region", "Revenue", "", "Staff"], ["", "Q3", "Q4", ""],
        ["North", "5", "6", "11"], ["", "7", "8", "12"],
    ]  # fmt: skip
    spans = [("SPAN", (0, 0), (0, 1)), ("SPAN", (1, 0), (2, 0)), ("SPAN", (3, 0), (3, 1)),
             ("SPAN", (0, 2), (0, 3))]  # fmt: skip
    (table,) = _tables(_flow(Flow(rows, style=TableStyle([*_GRID, *spans]))))
    assert _lines(table) == [
        "Region: North, Revenue / Q3: 5, Revenue / Q4: 6, Staff: 11.",
        "Region: North, Revenue / Q3: 7, Revenue / Q4: 8, Staff: 12.",
    ]


def test_rules_every_few_rows_do_not_merge_rows_of_numbers() -> None:
    commands = [("BOX", 0, -1), ("LINEBEFORE", 0, -1), ("LINEBELOW", 0, 0), ("LINEBELOW", 3, 3)]
    style = [(name, (0, a), (-1, b), 0.5, colors.black) for name, a, b in commands]
    body = [[f"State {n}", f"{n}1", f"{n}2", f"{n}3"] for n in range(1, 7)]
    (table,) = _tables(_flow(Flow([["State", "A", "B", "C"], *body], style=TableStyle(style))))
    assert _lines(table)[4] == "State: State 5, A: 51, B: 52, C: 53."
    assert len(_lines(table)) == 6


def test_a_table_with_row_rules_only_has_columns() -> None:
    style = [("LINEABOVE", (0, 0), (-1, -1), 0.5, colors.black),
             ("LINEBELOW", (0, -1), (-1, -1), 0.5, colors.black)]  # fmt: skip
    data = _flow(Flow(ROWS, [80, 120, 80], style=TableStyle(style)))
    (table,) = _tables(data)
    assert _lines(table) == SENTENCES
    assert _evidence(data) == [True]


def test_columns_without_any_rule_are_a_table_when_they_hold_figures() -> None:
    rows = [["State", "1961", "1971", "Change"], *(
        [name, f"{n}.5", f"{n + 9}.7", "" if n == 3 else f"-{n}.1"]
        for n, name in enumerate(["Kerala", "West Bengal", "Goa", "Tamil Nadu", "Bihar"], start=1)
    )]  # fmt: skip
    data = _drawn(lambda c: _columns(c, rows, [80, 220, 300, 380], 700))
    (table,) = _tables(data)
    assert _lines(table)[1] == "State: West Bengal, 1961: 2.5, 1971: 11.7, Change: -2.1."
    assert _lines(table)[2] == "State: Goa, 1961: 3.5, 1971: 12.7."
    assert _evidence(data) == [True]


def test_a_name_over_several_columns_without_rules_names_them_all() -> None:
    def draw(canvas: Any) -> None:
        canvas.drawCentredString(345, 714, "Percent savings")
        rows = [["Cycle", "Speed", "Idle"], *([f"c{n}", f"{n}.5", f"{n}.7"] for n in range(1, 6))]
        _columns(canvas, rows, [80, 300, 370], 700)
        canvas.drawString(80, 714, "Drive")

    (table,) = _tables(_drawn(draw))
    cells = next(line.pairs for line in read_grid(table.grid).lines)
    assert [pair.name.text for pair in cells[1:]] == [
        "Percent savings / Speed",
        "Percent savings / Idle",
    ]


def test_turned_header_cells_are_read_in_their_own_direction() -> None:
    def draw(canvas: Any) -> None:
        xs, ys = [80, 180, 230, 280], [700, 620, 600, 580, 560]
        for x in xs:
            canvas.line(x, ys[0], x, ys[-1])
        for y in ys:
            canvas.line(xs[0], y, xs[-1], y)
        canvas.drawString(85, 650, "District")
        for x, text in ((210, "Kharif crop"), (260, "Rabi crop")):
            canvas.saveState()
            canvas.translate(x, 625)
            canvas.rotate(90)
            canvas.drawString(0, 0, text)
            canvas.restoreState()
        for n, name in enumerate(["Angul", "Puri", "Boudh"]):
            _columns(canvas, [[name, f"{n}.1", f"{n}.2"]], [85, 185, 235], 605 - 20 * n)

    (table,) = _tables(_drawn(draw))
    assert _lines(table)[1] == "District: Puri, Kharif crop: 1.1, Rabi crop: 1.2."


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("turned", [False, True], ids=["content", "page"])
def test_a_page_turned_any_way_gives_the_same_table(rotation: int, turned: bool) -> None:
    data = _flow(Flow(ROWS, style=TableStyle(_GRID)))
    document = pymupdf.open(stream=data)
    if turned:
        document[0].set_rotation(rotation)
    else:
        sideways = pymupdf.open()
        size = (842, 595) if rotation % 180 else (595, 842)
        page = sideways.new_page(width=size[0], height=size[1])
        page.show_pdf_page(page.rect, document, 0, rotate=rotation)
        document = sideways
    (table,) = _tables(document.tobytes())
    (straight,) = _tables(data)
    assert _lines(table) == SENTENCES
    assert (table.bbox.x0, table.bbox.top) == pytest.approx(
        (straight.bbox.x0, straight.bbox.top), abs=2
    )


def test_coordinates_are_those_of_the_crop_box() -> None:
    document = pymupdf.open(stream=_flow(Flow(ROWS, style=TableStyle(_GRID))))
    (whole,) = _tables(document.tobytes())
    document[0].set_cropbox(pymupdf.Rect(50, 40, 545, 800))
    (cropped,) = _tables(document.tobytes())
    assert cropped.bbox.x0 == pytest.approx(whole.bbox.x0 - 50, abs=0.1)
    assert cropped.bbox.top == pytest.approx(whole.bbox.top - 40, abs=0.1)


def test_side_by_side_tables_stay_apart() -> None:
    left, right = ([[f"{side}{r}{c}" for c in range(2)] for r in range(4)] for side in "LR")
    inner = [Flow(rows, style=TableStyle(_GRID)) for rows in (left, right)]
    tables = _tables(_flow(Flow([inner], [200, 200])))
    assert len(tables) == 2
    assert all(c.text.startswith("L") for c in tables[0].grid.cells)
    assert all(c.text.startswith("R") for c in tables[1].grid.cells)


@pytest.mark.parametrize("repeated", [0, 1], ids=["without a header", "with its header again"])
def test_a_table_that_runs_on_is_one_table_under_its_first_header(repeated: int) -> None:
    body = [[f"P-{n}", f"Part {n % 3}", f"{n}.50"] for n in range(60)]
    bold = ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold")
    flow = Flow([ROWS[0], *body], style=TableStyle([*_GRID, bold]), repeatRows=repeated)
    (table,) = _tables(_flow(flow))
    rows = read_grid(table.grid).lines
    assert [page for page, _ in table.covers] == [1, 2]
    assert [line.text for line in rows] == [
        f"Code: P-{n}, Part: Part {n % 3}, Price: {n}.50." for n in range(60)
    ]
    assert {table.grid.page_of(rows[0].row), table.grid.page_of(rows[-1].row)} == {1, 2}


def test_a_row_broken_over_the_page_is_made_whole() -> None:
    def part(page: int, top: float, rows: Sequence[Sequence[str]]) -> PdfTable:
        from parsers.tables.grid import Grid, GridCell

        cells = tuple(
            GridCell(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row) if text
        )
        box = BoundingBox(50, top, 400, top + 20 * len(rows))
        columns = ((50.0, 150.0), (150.0, 300.0), (300.0, 400.0))
        styles = ("bold/9", *["plain/9"] * len(rows)) if page == 1 else ("plain/9",) * len(rows)
        grid = Grid(cells, row_pages=(page,) * len(rows))
        return PdfTable(page, box, grid, ((page, box),), columns, styles[: len(rows)])

    first = part(1, 700, [["Code", "Place", "State"], ["A 1", "by the sea", "good"],
                          ["A 2", "next to the old", "good"]])  # fmt: skip
    second = part(2, 60, [["", "harbour", ""], ["A 3", "in town", "bad"]])
    (table,) = join_continued([first, second], {1: 842.0, 2: 842.0})
    assert _lines(table) == [
        "Code: A 1, Place: by the sea, State: good.",
        "Code: A 2, Place: next to the old harbour, State: good.",
        "Code: A 3, Place: in town, State: bad.",
    ]
    moved = [
        (c.page, c.dropped, c.generated) for c in table.grid.corrections if c.dropped or c.generated
    ]
    assert moved == [(2, len("harbour"), 0), (1, 0, len("harbour"))]


def test_tables_of_their_own_are_not_joined() -> None:
    first = _flow(Spacer(1, 500), Flow(ROWS, [80, 120, 80], style=TableStyle(_GRID)))
    other = [["Name", "Age", "City"], ["Ana", "30", "Rio"], ["Bo", "4", "Ulm"]]
    second = _flow(Flow(other, [80, 120, 80], style=TableStyle(_GRID)))
    document = pymupdf.open(stream=first)
    document.insert_pdf(pymupdf.open(stream=second))
    assert [t.page for t in _tables(document.tobytes())] == [1, 2]


def test_the_title_above_becomes_the_caption_and_is_covered() -> None:
    data = _flow(
        Paragraph("Some text before the table that is not about it at all."), Spacer(1, 20),
        Paragraph("Table 3: Spare parts and their prices"), Spacer(1, 6),
        Flow(ROWS, style=TableStyle(_GRID)),
    )  # fmt: skip
    (table,) = _tables(data)
    assert table.grid.caption == "Table 3: Spare parts and their prices"
    assert len(table.covers) == 2


def test_a_hyphen_that_breaks_a_word_is_left_out_and_counted() -> None:
    rows = [["Preva-\nlence", "Price"], ["1", "2"], ["3", "4"]]
    (table,) = _tables(_flow(Flow(rows, style=TableStyle(_GRID))))
    assert _lines(table)[0] == "Prevalence: 1, Price: 2."
    assert [(c.reason, c.dropped) for c in table.grid.corrections] == [("joined_hyphen", 1)]


_PROSE = (
    "The council met on Tuesday and heard what the committee had found about the bridge, "
    "which was closed in March after cracks were seen in two of its nine piers. "
)


def _two_columns(canvas: Any) -> None:
    for x in (60, 310):
        words, y = (_PROSE * 4).split(), 760
        while words:
            line = ""
            while words and canvas.stringWidth(f"{line} {words[0]}") < 220:
                line = f"{line} {words.pop(0)}".strip()
            canvas.drawString(x, y, line)
            y -= 14


def _contents(canvas: Any) -> None:
    for n in range(12):
        canvas.drawString(60, 760 - 14 * n, f"Chapter {n} about a thing")
        canvas.drawRightString(500, 760 - 14 * n, str(3 + 4 * n))


def _list(canvas: Any) -> None:
    for n in range(9):
        canvas.drawString(60, 760 - 14 * n, f"{n}.")
        canvas.drawString(90, 760 - 14 * n, f"Tighten bolt {n} with 20 Nm, then check it")


def _plot(canvas: Any) -> None:
    for n in range(6):
        canvas.line(100, 500 + 30 * n, 400, 500 + 30 * n)
        canvas.drawRightString(95, 497 + 30 * n, str(10 * n))
        canvas.rect(120 + 50 * n, 500, 20, 25 * n + 7)
    canvas.line(100, 500, 100, 660)


def _framed(canvas: Any) -> None:
    canvas.rect(60, 600, 300, 80)
    canvas.drawString(80, 650, "APPROVED FOR PROCESSING")
    canvas.drawString(80, 630, "Auditor: James Wilson")


def _addresses(canvas: Any) -> None:
    rows = [["Ana Silva", "Bo Holm", "Cy Young"], ["Harbour Office", "City Hall", "Old Mill"],
            ["ana@port.example", "bo@hall.example", "cy@mill.example"]]  # fmt: skip
    _columns(canvas, rows, [60, 220, 380], 700)


@pytest.mark.parametrize("draw", [_two_columns, _contents, _list, _plot, _framed, _addresses])
def test_what_only_lines_up_is_no_table(draw: Callable[[Any], None]) -> None:
    assert _tables(_drawn(draw)) == []


@pytest.mark.parametrize("draw", [_framed, _two_columns])
def test_pages_of_prose_and_frames_do_not_open_the_slow_reader(draw: Callable[[Any], None]) -> None:
    assert _evidence(_drawn(draw)) == [False]


_CORPUS_TABLES = {
    "nics-background-checks-2015-11.pdf": (25, 56),
    "nics-background-checks-2015-11-rotated.pdf": (25, 56),
    "anticlockwise_table_1.pdf": (10, 11),
    "agstat.pdf": (11, 31),
    "all-number-table.pdf": (2, 8),
    "population_growth.pdf": (7, 36),
    "stream_inner_outer_columns.pdf": (6, 4),
    "balneabilidade-26-2010_pt.pdf": (3, 60),
}
"""Columns and body rows, counted on the rendered pages."""


@pytest.mark.shared
@pytest.mark.parametrize("name", _CORPUS_TABLES)
def test_tables_of_the_corpus_have_all_their_rows(shared: Path, name: str) -> None:
    (table,) = _tables((shared / "corpus" / "pdf_tables" / name).read_bytes())
    rows = [line for line in read_grid(table.grid).lines if line.kind.value == "row"]
    assert (table.grid.n_cols, len(rows)) == _CORPUS_TABLES[name]
