"""Where the tables of a sheet are: cells parted by empty rows and columns."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from parsers.tables.grid import Grid, GridCell
from parsers.tables.reading import read_grid
from parsers.tables.shape import is_blank, is_number

_WORDS_SHARE = 0.5
"""Of the first column's values that must be words for a block beside another one to be a table of
its own: a column of figures behind a spacer belongs to the labels at its left (a guess)."""


def tables_of(cells: Sequence[GridCell]) -> Iterator[Grid]:
    """Yield the tables of a sheet as grids without the sheet's empty rows and columns.

    Args:
        cells: With text, in order of rows, at positions of the sheet.
    """
    for run in _joined(list(_runs_of_rows(cells))):
        blocks = list(_side_by_side(run))
        if len(blocks) == 1:
            yield _grid(run)
            continue
        for block in blocks:
            yield from tables_of(block)


def _runs_of_rows(cells: Sequence[GridCell]) -> Iterator[list[GridCell]]:
    """Yield cells (in order of rows) in runs that no empty row parts."""
    run: list[GridCell] = []
    end = 0
    for cell in cells:
        if run and cell.row > end:
            yield run
            run = []
        run.append(cell)
        end = max(end, cell.row + cell.row_span)
    if run:
        yield run


def _joined(runs: Sequence[list[GridCell]]) -> Iterator[list[GridCell]]:
    """Yield the runs, one that goes on with the table above it (after a gap) joined to that."""
    table: list[GridCell] = []
    for run in runs:
        if table and _goes_on(table, run):
            table += run
            continue
        if table:
            yield table
        table = run
    if table:
        yield table


def _goes_on(table: Sequence[GridCell], run: Sequence[GridCell]) -> bool:
    columns = {c.col for c in run}
    if len(columns) < 2 or not columns <= {c.col for c in table}:
        return False
    return read_grid(_grid(table)).header_rows > 0 == read_grid(_grid(run)).header_rows


def _side_by_side(run: Sequence[GridCell]) -> Iterator[list[GridCell]]:
    """Yield the blocks of a run that empty columns part, left to right, each in order of rows.

    An empty column alone does not part tables, since many sheets have one as a spacer between
    labels and figures: what stands behind it must have two columns, begin with one of words, and
    not fit the rows of what stands before it.
    """
    block: list[GridCell] = []
    for part in _parts(run):
        if block and _stands_alone(block) and _begins_with_words(part) and _apart(block, part):
            yield block
            block = []
        block = sorted([*block, *part], key=_row_then_column)
    if block:
        yield block


def _parts(run: Sequence[GridCell]) -> Iterator[list[GridCell]]:
    part: list[GridCell] = []
    end = 0
    for cell in sorted(run, key=lambda c: (c.col, c.row)):
        if part and cell.col > end:
            yield sorted(part, key=_row_then_column)
            part = []
        part.append(cell)
        end = max(end, cell.col + cell.col_span)
    if part:
        yield sorted(part, key=_row_then_column)


def _row_then_column(cell: GridCell) -> tuple[int, int]:
    return cell.row, cell.col


def _stands_alone(block: Sequence[GridCell]) -> bool:
    return len({c.col for c in block}) > 1 and len({c.row for c in block}) > 1


def _begins_with_words(part: Sequence[GridCell]) -> bool:
    if not _stands_alone(part):
        return False
    first = min(c.col for c in part)
    column = [c for c in part if c.col == first]
    values = [c.text for c in column[1:] or column if not is_blank(c.text)]
    words = sum(not is_number(text) for text in values)
    return words > _WORDS_SHARE * len(values)


def _apart(left: Sequence[GridCell], right: Sequence[GridCell]) -> bool:
    """Tell whether two blocks are no halves of one table.

    They are two when they begin in different rows, name columns alike, or the right one is made of
    whole tables and ends elsewhere or has gaps between them (a column of remarks has gaps, too).
    """
    tops = [min(c.row for c in block) for block in (left, right)]
    if tops[0] != tops[1]:
        return True
    names = [{c.text for c in block if c.row == tops[0]} for block in (left, right)]
    if names[0] & names[1]:
        return True
    ends = [max(c.row + c.row_span for c in block) for block in (left, right)]
    runs = list(_runs_of_rows(right))
    return (ends[0] != ends[1] or len(runs) > 1) and all(
        _is_filled(run) and (len(runs) == 1 or read_grid(_grid(run)).header_rows) for run in runs
    )


def _is_filled(run: Sequence[GridCell]) -> bool:
    """Tell whether two rows or more have each a value in the first column."""
    first, top = min(c.col for c in run), min(c.row for c in run)
    rows = max(c.row + c.row_span for c in run) - top
    return rows > 1 and sum(c.row_span for c in run if c.col == first) == rows


def _grid(cells: Sequence[GridCell]) -> Grid:
    """Return cells as a grid without the empty rows and columns around and between them."""
    rows = sorted({c.row for c in cells})
    cols = sorted({c.col for c in cells})
    placed = []
    for cell in cells:
        row, col = bisect_left(rows, cell.row), bisect_left(cols, cell.col)
        down = bisect_left(rows, cell.row + cell.row_span) - row
        across = bisect_left(cols, cell.col + cell.col_span) - col
        placed.append(replace(cell, row=row, col=col, row_span=down, col_span=across))
    return Grid(tuple(placed))
