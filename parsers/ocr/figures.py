"""Points and commas in the figures of a recognised table: one column writes them one way. Pure.

At small sizes Tesseract takes a comma for a point (seen in tables of 96 dots an inch). It is put
right only where the other figures of the column leave no doubt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from parsers.tables.grid import Grid, GridCell

_GROUPED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:[.,]\d{3})+(?:[.,]\d{1,2})?(?![\d.,]\d|\d)")
_LEAST_WITNESSES = 2
"""Figures of a column that agree before another is changed, and no one may disagree (a guess)."""


def with_one_notation(grid: Grid) -> Grid:
    """Return the grid with misread separators of thousands and decimals put right.

    A figure whose separators contradict each other (``231.760.16``, ``1.015,877.17``), and one with
    a single separator before three digits (``16.046``), is written as the unmistakable figures of
    its column are (``228,940.46``, ``32,051``).
    """
    columns: dict[int, list[GridCell]] = {}
    for cell in grid.cells:
        columns.setdefault(cell.col, []).append(cell)
    separators = {column: _thousands(cells) for column, cells in columns.items()}
    cells = tuple(_corrected(cell, separators[cell.col]) for cell in grid.cells)
    return replace(grid, cells=cells)


def _corrected(cell: GridCell, mark: str) -> GridCell:
    if not mark:
        return cell
    return replace(cell, text=_GROUPED.sub(lambda found: _written(found[0], mark), cell.text))


def _thousands(cells: Sequence[GridCell]) -> str:
    """Return the separator of thousands that a column's figures agree on, "" without one."""
    figures = [m[0] for cell in cells for m in _GROUPED.finditer(cell.text)]
    sure = [mark for figure in figures if (mark := _own_mark(figure))]
    single = [figure[-4] for figure in figures if _is_single(figure)]
    mark = max((",", "."), key=lambda m: (sure.count(m), single.count(m)))
    other = "." if mark == "," else ","
    if sure.count(mark) >= _LEAST_WITNESSES and sure.count(other) == 0:
        return mark
    # without decimals: all figures but one agree
    if not sure and single.count(other) <= 1 and single.count(mark) > _LEAST_WITNESSES:
        return mark
    return ""


def _is_single(figure: str) -> bool:
    return len(re.findall(r"[.,]", figure)) == 1


def _own_mark(figure: str) -> str:
    """Return the separator of thousands where a figure itself leaves no doubt, else ""."""
    marks = re.findall(r"[.,]", figure)
    grouped = len(figure) > 4 and figure[-4] in ".,"
    if grouped:
        return marks[0] if len(marks) > 1 and len(set(marks)) == 1 else ""
    thousands, decimal = set(marks[:-1]), marks[-1]
    return thousands.pop() if len(thousands) == 1 and decimal not in thousands else ""


def _written(figure: str, thousands: str) -> str:
    decimal = "." if thousands == "," else ","
    parts = re.split(r"[.,]", figure)
    if len(parts[-1]) == 3:
        return thousands.join(parts)
    return thousands.join(parts[:-1]) + decimal + parts[-1]
