"""Columns within a ruled cell: figures in line below each other where no rule parts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from parsers.pdf.table_cells import Filled
from parsers.pdf.table_columns import column_of, find_cuts, signed_lines
from parsers.pdf.table_ink import Word
from parsers.pdf.table_lattice import Area, Lattice
from parsers.pdf.table_split import segments_of
from parsers.tables.shape import is_blank, is_number

_MIN_LINES = 3
"""Lines with several runs of words that show a column. As for tables without rules."""
_VALUES = 0.8
"""Share of the pieces of a column that must be figures. A guess; prose has next to none."""


def with_columns_found(lattice: Lattice, filled: Filled) -> Lattice:
    """Return the lattice with columns cut where their lines hold figures in columns of their own.

    A table may have a rule only beside its names, or only between groups of columns.
    """
    cuts: dict[int, list[float]] = {}
    bodies: set[Area] = set()
    for band in range(len(lattice.xs) - 1):
        lines: list[list[Word]] = []
        tall: list[Area] = []
        for area, glyphs in filled.items():
            if (area.left, area.right) == (band, band + 1):
                rows = signed_lines(g for g in glyphs if not g.turn)
                several = [row for row in rows if len(segments_of(row)) > 1]
                lines += several
                if len(several) * 2 > len(rows):
                    tall.append(area)
        found = find_cuts(lines, at_least=_MIN_LINES) if len(lines) >= _MIN_LINES else []
        if found and _are_figures(lines, found):
            cuts[band] = found
            bodies.update(tall)
    return _cut(lattice, cuts, bodies) if cuts else lattice


def _are_figures(lines: Sequence[Sequence[Word]], cuts: Sequence[float]) -> bool:
    """Tell whether every column but the first is one of figures."""
    pieces: list[list[str]] = [[] for _ in range(len(cuts) + 1)]
    for line in lines:
        words: dict[int, list[str]] = {}
        for word in line:
            words.setdefault(column_of(word.x, cuts), []).append(word.text)
        for col, texts in words.items():
            pieces[col].append(" ".join(texts))
    return all(
        sum(is_number(t) or is_blank(t) for t in texts) >= _VALUES * len(texts) > 0
        for texts in pieces[1:]
    )


def _cut(lattice: Lattice, cuts: dict[int, list[float]], bodies: set[Area]) -> Lattice:
    first: list[int] = []  # new index of each old column
    xs: list[float] = []
    for band, x in enumerate(lattice.xs):
        first.append(len(xs))
        xs += [x, *cuts.get(band, ())]
    areas: list[Area] = []
    for area in lattice.areas:
        left, right = first[area.left], first[area.right]
        if area in bodies and area.left in cuts:
            areas += [replace(area, left=c, right=c + 1) for c in range(left, right)]
        else:
            areas.append(replace(area, left=left, right=right))
    return replace(lattice, xs=tuple(xs), areas=tuple(areas))
