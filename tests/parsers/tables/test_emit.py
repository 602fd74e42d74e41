from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from parsers.builder import DocumentBuilder
from parsers.model import BlockKind, Document, Source
from parsers.normalise import one_line
from parsers.tables.emit import emit_table
from parsers.tables.grid import Correction, Grid, GridCell, grid_of_rows

Emit = Callable[[Grid], Document]

_texts = st.one_of(st.just(""), st.text(max_size=8), st.sampled_from(["12", "3.5", "2020", "-"]))


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Grids of any text with merged cells that do not overlap, over one page or two."""
    n_rows, n_cols = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    free = {(r, c) for r in range(n_rows) for c in range(n_cols)}
    cells = []
    for row in range(n_rows):
        for col in range(n_cols):
            if (row, col) not in free:
                continue
            down, across = draw(st.integers(1, 3)), draw(st.integers(1, 3))
            area = {(r, c) for r in range(row, row + down) for c in range(col, col + across)}
            if not area <= free:
                down = across = 1
                area = {(row, col)}
            free -= area
            header = draw(st.booleans()) if row < 2 else False
            cells.append(GridCell(row, col, draw(_texts), down, across, header))
    pages: tuple[int | None, ...] = ()
    if draw(st.booleans()):
        turn = draw(st.integers(0, n_rows))
        pages = tuple(1 if r < turn else 2 for r in range(n_rows))
    rows = draw(st.none() | st.integers(0, n_rows))
    return Grid(tuple(cells), rows, draw(_texts), pages)


@given(grids())
def test_every_cell_is_in_the_text_and_every_unit_balances(emit: Emit, grid: Grid) -> None:
    document = emit(grid)
    for cell in grid.cells:
        assert cell.text in document.text
    assert [(row.unit, row.unaccounted) for row in document.ledger if row.unaccounted] == []


@given(grids())
def test_a_row_states_its_values_verbatim(emit: Emit, grid: Grid) -> None:
    document = emit(grid)
    for table in document.tables:
        for row in table.rows:
            sentence = document.text[row.start : row.end]
            assert sentence == sentence.strip()
            assert "\n" not in sentence
            for header, value in row.cells:
                assert value in sentence
                assert header in sentence


@given(
    st.lists(st.lists(st.sampled_from(["", "x", "7", "a b"]), min_size=3, max_size=3), min_size=1),
)
def test_no_value_shifts_and_none_is_lost(emit: Emit, body: list[list[str]]) -> None:
    headers = ["Name", "Unit", "Price"]
    document = emit(grid_of_rows([headers, *body], header_rows=1))
    wanted = [
        tuple((h, v) for h, v in zip(headers, row, strict=True) if v) for row in body if any(row)
    ]
    if wanted:
        assert [row.cells for row in document.tables[0].rows] == wanted


def test_rows_below_each_other_are_sentences_with_addresses(emit: Emit) -> None:
    document = emit(grid_of_rows([["Part", "Price"], ["Bell", "9.80"], ["Lock", "27.50"]]))
    assert document.text == "Part: Bell, Price: 9.80.\nPart: Lock, Price: 27.50.\n\n"
    assert [b.locator for b in document.blocks] == ["table_1/row_1", "table_1/row_2"]
    assert {b.kind for b in document.blocks} == {BlockKind.TABLE_ROW}


def test_the_caption_is_written_once_and_is_context_of_each_row(emit: Emit) -> None:
    grid = grid_of_rows([["Part", "Price"], ["Bell", "9.80"], ["Lock", "27.50"]], caption="Prices")
    document = emit(grid)
    assert document.text.count("Prices") == 1
    assert document.blocks[0].kind is BlockKind.CAPTION
    assert [b.context for b in document.blocks[1:]] == [("Prices",), ("Prices",)]
    assert document.tables[0].caption == "Prices"


def test_context_keeps_the_headings_above_the_table() -> None:
    builder = DocumentBuilder(Source("file:///t", "text/plain", 0, "0" * 64), "test", 1)
    builder.add_block(BlockKind.HEADING, "Chapter 2", level=1)
    emit_table(builder, grid_of_rows([["a", "b"], ["1", "2"]], caption="Prices"))
    assert builder.build(language="en").blocks[-1].context == ("Chapter 2", "Prices")


def test_a_label_in_the_middle_is_context_of_the_rows_below_it(emit: Emit) -> None:
    grid = Grid(
        (
            GridCell(0, 0, "Plan"), GridCell(0, 1, "Members"),
            GridCell(1, 0, "North", col_span=2),
            GridCell(2, 0, "Basic"), GridCell(2, 1, "10"),
            GridCell(3, 0, "South", col_span=2),
            GridCell(4, 0, "Basic"), GridCell(4, 1, "20"),
        )
    )  # fmt: skip
    document = emit(grid)
    contexts = {document.text[b.start : b.end].strip(): b.context for b in document.blocks}
    assert contexts["Plan: Basic, Members: 10."] == ("North",)
    assert contexts["Plan: Basic, Members: 20."] == ("South",)
    assert document.text.count("North") == 1


def test_merged_cells_speak_for_each_row_and_are_counted_as_inherited(emit: Emit) -> None:
    grid = Grid(
        (
            GridCell(0, 0, "County", is_header=True), GridCell(0, 1, "Plan", is_header=True),
            GridCell(1, 0, "Marin", row_span=2), GridCell(1, 1, "A"), GridCell(2, 1, "B"),
        )
    )  # fmt: skip
    document = emit(grid)
    assert [row.cells for row in document.tables[0].rows] == [
        (("County", "Marin"), ("Plan", "A")),
        (("County", "Marin"), ("Plan", "B")),
    ]
    (ledger,) = document.ledger
    assert ledger.generated["inherited cell"] == len("Marin")
    assert ledger.generated["repeated header"] == len("County") + len("Plan")


def test_overlapping_cells_are_listed_and_flagged(emit: Emit) -> None:
    grid = Grid((GridCell(0, 0, "a", col_span=2), GridCell(0, 1, "b"), GridCell(1, 0, "c")))
    document = emit(grid)
    assert document.text == "a, b.\nc.\n\n"
    assert document.tables[0].irregular


def test_rows_of_two_pages_balance_on_each(emit: Emit) -> None:
    grid = Grid(
        (
            GridCell(0, 0, "Part"), GridCell(0, 1, "Price"),
            GridCell(1, 0, "Bell"), GridCell(1, 1, "9.80"),
            GridCell(2, 0, "Lock"), GridCell(2, 1, "27.50"),
        ),
        row_pages=(1, 1, 2),
    )  # fmt: skip
    document = emit(grid)
    assert [(row.unit, row.unaccounted) for row in document.ledger] == [
        ("page_1", 0),
        ("page_2", 0),
    ]
    assert document.ledger[1].generated["repeated header"] == len("PartPrice")
    assert [row.page for row in document.tables[0].rows] == [1, 2]


def test_corrections_reach_the_ledger() -> None:
    builder = DocumentBuilder(Source("file:///t", "text/plain", 0, "0" * 64), "test", 1)
    builder.count_source(len("over-flow"))
    grid = Grid((GridCell(0, 0, "overflow"),), corrections=(Correction("hyphen", dropped=1),))
    emit_table(builder, grid)
    (ledger,) = builder.build(language="en").ledger
    assert ledger.unaccounted == 0
    assert ledger.dropped == {"hyphen": 1}


@given(st.text())
def test_a_cell_is_on_one_line(text: str) -> None:
    assert GridCell(0, 0, text).text == one_line(text)
