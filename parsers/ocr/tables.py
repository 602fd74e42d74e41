"""Grids from recognised words: cells between rulings, and columns that only stand in line."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from parsers.model import BoundingBox
from parsers.ocr.page import OcrLine, OcrWord, RuledCell, RuledTable, around
from parsers.tables.grid import Grid, GridCell

_FIGURE = re.compile(r"^[^A-Za-z]*\d[^A-Za-z]*[A-Za-z%]{0,3}$")
_GAP = 1.2
"""Word heights that part two columns; a space is a quarter of one (a guess)."""
_LEAST_ROWS = 3
_MOST_WORDS = 5.0
"""Mean words a cell below which columns are a table's, not a newspaper's (a guess)."""
_LEAST_FIGURES = 0.3
"""Share of figures among the cells behind the first column (a guess)."""


def ruled_grid(table: RuledTable) -> Grid:
    """Return the grid of a ruled table.

    A body row whose cells all hold the same number of lines, level with each other, is as many
    rows: many tables rule only under groups of rows.
    """
    shares = {row: _lines_per_cell(table.cells, row) for row in {c.row for c in table.cells} - {0}}
    offsets: dict[int, int] = {}
    total = 0
    for row in range(max(c.row + c.row_span for c in table.cells) + 1):
        offsets[row] = total
        total += shares.get(row, 1)
    cells: list[GridCell] = []
    for cell in table.cells:
        first, span = offsets[cell.row], offsets[cell.row + cell.row_span] - offsets[cell.row]
        if span == shares.get(cell.row, 1) == len(cell.lines) and cell.row_span == 1:
            cells += [
                GridCell(first + i, cell.col, line.text, col_span=cell.col_span)
                for i, line in enumerate(_downwards(cell.lines))
            ]
        else:
            text = " ".join(line.text for line in _downwards(cell.lines))
            cells.append(GridCell(first, cell.col, text, span, cell.col_span))
    return Grid(tuple(cells))


def _lines_per_cell(cells: Sequence[RuledCell], row: int) -> int:
    """Return into how many rows a ruled row falls, 1 when it is one."""
    inked = [c for c in cells if c.row == row and c.row_span == 1 and c.lines]
    counts = {len(c.lines) for c in inked}
    if len(inked) < 2 or len(counts) != 1:
        return 1
    count = counts.pop()
    columns = [_downwards(c.lines) for c in inked]
    figures = any(all(_FIGURE.match(line.text) for line in column) for column in columns)
    level = all(
        abs(_middle(line) - _middle(columns[0][i])) <= 0.6 * _height(line)
        for column in columns
        for i, line in enumerate(column)
    )
    return count if level and (figures or count > 2) else 1


@dataclass(frozen=True, slots=True)
class AlignedTable:
    """A table without rulings, and the words it is made of."""

    grid: Grid
    bbox: BoundingBox
    words: frozenset[OcrWord]


_Cell = list[OcrWord]


def aligned_tables(lines: Sequence[OcrLine]) -> list[AlignedTable]:
    """Return the tables that stand in columns without rulings.

    At least three rows in a run with the same number of cells, three or more (two when the second
    is a figure), in columns that do not overlap, short cells, a good part of them figures.
    """
    rows = [_cells(row) for row in _visual_rows([w for line in lines for w in line.words])]
    found: list[AlignedTable] = []
    run: list[list[_Cell]] = []
    for row in [*rows, []]:
        if _table_like(row) and (not run or _near(run[-1], row)):
            run.append(row)
            continue
        if len(run) >= _LEAST_ROWS and (table := _aligned(run)) is not None:
            found.append(table)
        run = [row] if _table_like(row) else []
    return found


def _visual_rows(words: Sequence[OcrWord]) -> list[list[OcrWord]]:
    """Return words of one height on the page together, rows from the top, words from the left."""
    rows: list[list[OcrWord]] = []
    for word in sorted(words, key=lambda w: w.bbox.top + w.bbox.bottom):
        if rows:
            last = rows[-1][len(rows[-1]) // 2].bbox
            shared = min(last.bottom, word.bbox.bottom) - max(last.top, word.bbox.top)
            if shared > 0.5 * min(last.bottom - last.top, word.bbox.bottom - word.bbox.top):
                rows[-1].append(word)
                continue
        rows.append([word])
    return [sorted(row, key=lambda w: w.bbox.x0) for row in rows]


def _cells(row: Sequence[OcrWord]) -> list[_Cell]:
    heights = sorted(w.bbox.bottom - w.bbox.top for w in row)
    gap = _GAP * heights[len(heights) // 2]
    cells: list[_Cell] = []
    for word in row:
        if cells and word.bbox.x0 - cells[-1][-1].bbox.x1 < gap:
            cells[-1].append(word)
        else:
            cells.append([word])
    return cells


def _table_like(row: Sequence[_Cell]) -> bool:
    return len(row) >= 3 or (len(row) == 2 and bool(_FIGURE.match(_text(row[1]))))


def _near(above: Sequence[_Cell], below: Sequence[_Cell]) -> bool:
    """Return whether two rows are less than two empty lines apart."""
    upper = around([w.bbox for cell in above for w in cell])
    lower = around([w.bbox for cell in below for w in cell])
    return lower.top - upper.bottom < 3.0 * max(upper.bottom - upper.top, 1.0)


def _aligned(rows: Sequence[Sequence[_Cell]]) -> AlignedTable | None:
    counts = [len(row) for row in rows]
    width = max(set(counts), key=lambda n: (counts.count(n), n))
    full = [row for row in rows if len(row) == width]
    columns = [
        (min(row[i][0].bbox.x0 for row in full), max(row[i][-1].bbox.x1 for row in full))
        for i in range(width)
    ]
    apart = all(a[1] < b[0] for a, b in itertools.pairwise(columns))
    texts = [_text(cell) for row in full for cell in row]
    values = [_text(cell) for row in full for cell in row[1:]]
    figures = sum(bool(_FIGURE.match(value)) for value in values)
    short = sum(len(text.split()) for text in texts) <= _MOST_WORDS * len(texts)
    if len(full) < _LEAST_ROWS or not apart or not short or figures < _LEAST_FIGURES * len(values):
        return None
    cells: list[GridCell] = []
    for r, row in enumerate(rows):
        held: dict[int, list[OcrWord]] = {}
        for cell in row:
            box = around([w.bbox for w in cell])
            nearest = max(
                range(width),
                key=lambda i: min(box.x1, columns[i][1]) - max(box.x0, columns[i][0]),
            )
            held.setdefault(nearest, []).extend(cell)
        cells += [GridCell(r, c, _text(words)) for c, words in sorted(held.items())]
    words = frozenset(w for row in rows for cell in row for w in cell)
    return AlignedTable(Grid(tuple(cells)), around([w.bbox for w in words]), words)


def _text(words: Sequence[OcrWord]) -> str:
    return " ".join(word.text for word in words)


def _downwards(lines: Sequence[OcrLine]) -> list[OcrLine]:
    return sorted(lines, key=_middle)


def _middle(line: OcrLine) -> float:
    return (line.bbox.top + line.bbox.bottom) / 2


def _height(line: OcrLine) -> float:
    return line.bbox.bottom - line.bbox.top
