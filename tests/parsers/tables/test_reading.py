from __future__ import annotations

import pytest

from parsers.tables.grid import Grid, GridCell, grid_of_rows
from parsers.tables.reading import LineKind, read_grid


def _lines(grid: Grid) -> list[str]:
    return [line.text for line in read_grid(grid).lines]


def _two_levels() -> tuple[GridCell, ...]:
    return (
        GridCell(0, 0, "Region", row_span=2), GridCell(0, 1, "Revenue", col_span=2),
        GridCell(1, 1, "Q3"), GridCell(1, 2, "Q4"),
    )  # fmt: skip


def test_levels_of_a_header_are_joined_from_the_top() -> None:
    body = (GridCell(2, 0, "North"), GridCell(2, 1, "5"), GridCell(2, 2, "6"))
    reading = read_grid(Grid((*_two_levels(), *body)))
    assert reading.header_rows == 2
    assert reading.lines[0].text == "Region: North, Revenue / Q3: 5, Revenue / Q4: 6."


def test_equal_levels_are_named_once() -> None:
    rows = [["Total", "Name"], ["Total", "First"], ["1", "Ana"]]
    assert _lines(grid_of_rows(rows, header_rows=2)) == ["Total: 1, Name / First: Ana."]


def test_a_table_of_numbers_has_no_header() -> None:
    grid = grid_of_rows([["200.01", "1"], ["400.01", "3"], ["600.01", "5"]])
    assert _lines(grid) == ["200.01, 1.", "400.01, 3.", "600.01, 5."]
    assert read_grid(grid).header_rows == 0


def test_years_over_amounts_are_names() -> None:
    grid = grid_of_rows([["State", "1951-1961", "2001"], ["Kerala", "24.76", "4.86"],
                         ["Bihar", "19.79", "28.62"]])  # fmt: skip
    assert _lines(grid)[0] == "State: Kerala, 1951-1961: 24.76, 2001: 4.86."


def test_years_over_years_are_values() -> None:
    grid = grid_of_rows([["1990", "1991"], ["1992", "1993"], ["1994", "1995"]])
    assert read_grid(grid).header_rows == 0


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        ([["a", "b", "c"]], ["a, b, c."]),
        ([["a"], ["b"], ["c"]], ["a.", "b.", "c."]),
        ([["old text", "new text"], ["x is y", "x is z"], ["so", "thus"]],
         ["old text: x is y, new text: x is z.", "old text: so, new text: thus."]),
        ([["Name:", "Ana"], ["Age:", "30"], ["City:", "Rio"]],
         ["Name: Ana.", "Age: 30.", "City: Rio."]),
    ],
    ids=["one row", "one column", "two columns of text", "key and value"],
)  # fmt: skip
def test_small_tables_give_a_line_a_row(rows: list[list[str]], lines: list[str]) -> None:
    assert _lines(grid_of_rows(rows)) == lines


def test_a_table_of_names_only_gives_one_row_of_them() -> None:
    grid = Grid((GridCell(0, 0, "Claim", is_header=True), GridCell(0, 1, "Date", is_header=True)))
    (line,) = read_grid(grid).lines
    assert (line.kind, line.text) == (LineKind.ROW, "Claim, Date.")


def test_names_without_values_are_said_once() -> None:
    grid = grid_of_rows([["Code", "PO number", "Price"], ["x1", "", "5"], ["x2", "", "6"]])
    assert _lines(grid) == ["PO number.", "Code: x1, Price: 5.", "Code: x2, Price: 6."]


def test_flagged_row_names_lead_each_value() -> None:
    cells = (
        GridCell(0, 0, "Height", is_header=True), GridCell(0, 1, "12 m"),
        GridCell(1, 0, "Weight", is_header=True), GridCell(1, 1, "3 t"),
    )  # fmt: skip
    assert _lines(Grid(cells)) == ["Height: 12 m.", "Weight: 3 t."]


def test_a_full_width_row_on_top_is_the_caption() -> None:
    cells = (
        GridCell(0, 0, "All scenarios", col_span=2),
        GridCell(1, 0, "Class"), GridCell(1, 1, "2007"),
        GridCell(2, 0, "High-end"), GridCell(2, 1, "76,295"),
        GridCell(3, 0, "Mid-range"), GridCell(3, 1, "4,921"),
    )  # fmt: skip
    first, *rows = read_grid(Grid(cells)).lines
    assert (first.kind, first.text) == (LineKind.CAPTION, "All scenarios")
    assert rows[0].text == "Class: High-end, 2007: 76,295."


def test_a_header_printed_again_under_a_label_names_the_rows_below_it() -> None:
    def part(row: int, label: str, first: str, value: str) -> list[GridCell]:
        return [
            GridCell(row, 0, label, col_span=3),
            GridCell(row + 1, 0, first), GridCell(row + 1, 1, "2007"), GridCell(row + 1, 2, "2008"),
            GridCell(row + 2, 0, "Rooms"), GridCell(row + 2, 1, value), GridCell(row + 2, 2, "7,5"),
        ]  # fmt: skip

    cells = [*part(0, "Best practice", "Servers in:", "1,5"), *part(3, "All", "Class", "4,9")]
    reading = read_grid(Grid(tuple(cells)))
    rows = [(x.text, x.group) for x in reading.lines if x.kind is LineKind.ROW]
    assert rows == [
        ("Servers in: Rooms, 2007: 1,5, 2008: 7,5.", "Best practice"),
        ("Class: Rooms, 2007: 4,9, 2008: 7,5.", "All"),
    ]


def test_numbered_columns_are_part_of_the_header() -> None:
    header = [["Year", "Deaths", "Rate"], ["(1)", "(2)", "(3)"]]
    grid = grid_of_rows([*header, ["1967", "126762", "25.4"], ["1968", "126232", "24.7"]])
    assert _lines(grid)[0] == "Year / (1): 1967, Deaths / (2): 126762, Rate / (3): 25.4."


def test_a_value_over_columns_of_one_name_is_said_once() -> None:
    cells = (GridCell(0, 0, "1"), GridCell(0, 1, "wide", col_span=2), GridCell(1, 0, "2"),
             GridCell(1, 1, "3"), GridCell(1, 2, "4"))  # fmt: skip
    assert _lines(Grid(cells, header_rows=0)) == ["1, wide.", "2, 3, 4."]


def test_a_title_of_a_plain_file_stands_over_the_header() -> None:
    rows = [
        ["Report 2024", "", ""],
        ["name", "age", "city"],
        ["Ana", "3", "Rio"],
        ["Bo", "4", "Ulm"],
    ]
    lines = read_grid(grid_of_rows(rows)).lines
    assert [(x.kind, x.text) for x in lines[:2]] == [
        (LineKind.CAPTION, "Report 2024"),
        (LineKind.ROW, "name: Ana, age: 3, city: Rio."),
    ]


def test_impossible_cells_are_refused() -> None:
    with pytest.raises(ValueError, match="impossible"):
        GridCell(0, -1, "x")
    with pytest.raises(ValueError, match="impossible"):
        GridCell(0, 0, "x", row_span=0)
