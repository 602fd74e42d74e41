from __future__ import annotations

from parsers.model import BoundingBox
from parsers.ocr.page import OcrLine, OcrWord, RuledCell, RuledTable
from parsers.ocr.tables import aligned_tables, ruled_grid


def line(text: str, x: float, top: float) -> OcrLine:
    """A line of 10 point words 5 points a letter wide; three spaces are a gap of 30 points."""
    words: list[OcrWord] = []
    for part in text.split("   "):
        for word in part.split():
            words.append(OcrWord(word, BoundingBox(x, top, x + 5 * len(word), top + 10), 0.9))
            x += 5 * len(word) + 3
        x += 30
    box = BoundingBox(words[0].bbox.x0, top, words[-1].bbox.x1, top + 10)
    return OcrLine(" ".join(w.text for w in words), box, 0.9, 1, 1, tuple(words))


def column(entries: list[str], x: float, top: float = 100) -> list[OcrLine]:
    return [line(text, x, top + 15 * i) for i, text in enumerate(entries)]


def cell(row: int, col: int, *texts: str, row_span: int = 1, col_span: int = 1) -> RuledCell:
    lines = tuple(line(t, 100.0 * col, 100.0 * row + 15 * i) for i, t in enumerate(texts))
    box = BoundingBox(100.0 * col, 100.0 * row, 100.0 * (col + col_span), 100.0 * (row + row_span))
    return RuledCell(row, col, row_span, col_span, box, lines)


def table(*cells: RuledCell) -> RuledTable:
    return RuledTable(BoundingBox(0, 0, 900, 900), cells)


def texts(grid: object) -> dict[tuple[int, int], str]:
    return {(c.row, c.col): c.text for c in grid.cells}  # type: ignore[attr-defined]


def test_level_lines_in_every_cell_of_a_ruled_row_are_rows_of_their_own() -> None:
    grid = ruled_grid(
        table(
            cell(0, 0, "Base"), cell(0, 1, "chunks"),
            cell(1, 0, "A", "B", "C"), cell(1, 1, "10", "20", "30"),
            cell(2, 0, "All"), cell(2, 1, "60"),
        )
    )  # fmt: skip
    assert texts(grid)[(2, 0)] == "B"
    assert texts(grid)[(2, 1)] == "20"
    assert texts(grid)[(4, 1)] == "60"
    assert grid.n_rows == 5


def test_a_cell_that_wraps_beside_single_lines_stays_one_row() -> None:
    grid = ruled_grid(
        table(
            cell(0, 0, "Name"), cell(0, 1, "Score"),
            cell(1, 0, "Low Vision"), cell(1, 1, "98.3% n=2", "(97.7%, n=3)"),
        )
    )  # fmt: skip
    assert texts(grid)[(1, 1)] == "98.3% n=2 (97.7%, n=3)"
    assert grid.n_rows == 2


def test_a_merged_cell_covers_the_rows_its_neighbours_fall_into() -> None:
    grid = ruled_grid(
        table(
            cell(0, 0, "Base"), cell(0, 1, "n"), cell(0, 2, "m"),
            cell(1, 0, "Group", row_span=2), cell(1, 1, "1", "2"), cell(1, 2, "3", "4"),
            cell(2, 1, "5"), cell(2, 2, "6"),
        )
    )  # fmt: skip
    spans = {c.text: (c.row, c.row_span) for c in grid.cells}
    assert spans["Group"] == (1, 3)
    assert spans["5"] == (3, 1)


def test_columns_in_line_without_rulings_are_a_table() -> None:
    lines = [
        *column(["Item", "Lock", "Stand", "Pump"], 50),
        *column(["Stock", "14", "3", "120"], 150),
        *column(["Price", "12.50", "99.00", "7.25"], 250),
    ]
    (found,) = aligned_tables(lines)
    assert texts(found.grid)[(2, 2)] == "99.00"
    assert len(found.words) == 12


def test_two_columns_of_prose_and_a_list_of_figures_are_no_table() -> None:
    prose = "every bicycle in the shed has its own number"
    two = [*column([prose] * 6, 50), *column([prose] * 6, 400)]
    three = [*column([prose] * 6, 50), *column([prose] * 6, 400), *column([prose] * 6, 700)]
    assert aligned_tables(two) == []
    assert aligned_tables(three) == []
    assert aligned_tables(column(["1", "2", "3", "4"], 50)) == []
