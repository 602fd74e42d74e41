"""Ruled areas of a page: which rules belong together, and the cells they enclose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from parsers.model import BoundingBox
from parsers.pdf.table_ink import Rule, rules_of

_TOUCH = 3.0
"""Points by which rules may miss each other and still meet. pdfplumber's default."""
_COVERED = 0.6
"""Share of a cell's side that a rule must cover to part it from its neighbour. A guess between a
rule that is missing and one that stops short."""
_SLIVER = 4.0
"""Points: a narrower band between two rules is one double rule, with no text in it."""
_BOX_GAP = 10.0
"""Points between two boxes that may be one table: less than a line of text. A guess."""
_SHARED = 0.8
"""Share of the borders between columns that two boxes of one table have in common. A guess."""
_ACROSS = 0.95
"""Share of a lattice's width that a rule across it covers."""
_MIN_STACK = 3
"""Rules across a lattice from which they may be those of its rows."""
MAX_RULES = 3000
"""Of one direction on a page: beyond, it is a drawing (a map, a plot), and pairing is too dear."""


@dataclass(frozen=True, slots=True)
class Area:
    """A cell of a draft: the bands it covers (0-based, ends exclusive)."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True, slots=True)
class Lattice:
    """Rules that meet, as bands and the areas between them.

    Attributes:
        xs: Borders of the columns, ascending; n + 1 for n columns.
        ys: Borders of the rows, ascending.
        areas: Tile the bands.
        ragged: Share of the cells that belong to shapes that are no rectangles: in tables next to
            none, in drawings many.
    """

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    areas: tuple[Area, ...]
    ragged: float = 0.0

    @property
    def box(self) -> BoundingBox:
        """The outline."""
        return BoundingBox(self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])

    def area_box(self, area: Area) -> BoundingBox:
        """Return where ``area`` lies."""
        return BoundingBox(
            self.xs[area.left], self.ys[area.top], self.xs[area.right], self.ys[area.bottom]
        )


def find_lattices(rules: Sequence[Rule]) -> list[Lattice]:
    """Return the ruled areas, top to bottom: rules that meet or share their ends.

    Horizontal rules that nothing crosses form one lattice when they lie below each other and begin
    and end together (a table with row rules only, shaded stripes); its only column is left to the
    reader of the text.
    """
    across, down = rules_of(rules, True), rules_of(rules, False)
    if max(len(across), len(down)) > MAX_RULES:
        return []
    found = []
    loose: list[Rule] = []
    for group in _boxes_joined(_groups(across, down)):
        rows, columns = rules_of(group, True), rules_of(group, False)
        boxed = min(len(rows), len(columns)) > 0 and len(rows) + len(columns) > 3
        lattice = _lattice(rows, columns) if boxed else None
        if lattice and len(lattice.xs) > 2:
            found.append(lattice)
        else:
            loose += rows
    found += _stacks(loose)
    return sorted(found, key=lambda x: (x.ys[0], x.xs[0]))


def _groups(across: list[Rule], down: list[Rule]) -> list[list[Rule]]:
    """Return the rules in groups that meet each other."""
    rules = [*across, *down]
    parent = list(range(len(rules)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    if across and down:
        h = np.array([(r.at, r.low, r.high) for r in across])
        v = np.array([(r.at, r.low, r.high) for r in down])
        meets = (
            (h[:, None, 1] - _TOUCH <= v[None, :, 0]) & (v[None, :, 0] <= h[:, None, 2] + _TOUCH)
            & (v[None, :, 1] - _TOUCH <= h[:, None, 0]) & (h[:, None, 0] <= v[None, :, 2] + _TOUCH)
        )  # fmt: skip
        for i, j in np.argwhere(meets).tolist():
            parent[root(i)] = root(len(across) + j)
    groups: dict[int, list[Rule]] = {}
    for i, rule in enumerate(rules):
        groups.setdefault(root(i), []).append(rule)
    return list(groups.values())


def _boxes_joined(groups: list[list[Rule]]) -> list[list[Rule]]:
    """Return the groups, a box right above another with the same columns as one with it.

    A spreadsheet's head, or its sums, may stand in a box of their own.
    """
    boxed = [g for g in groups if len(_column_borders(g)) > 2 and rules_of(g, True)]
    rest = [g for g in groups if not any(g is b for b in boxed)]
    joined: list[list[Rule]] = []
    for group in sorted(boxed, key=lambda g: min(r.at for r in rules_of(g, True))):
        top = min(r.at for r in rules_of(group, True))
        for other in joined:
            bottom = max(r.at for r in rules_of(other, True))
            if 0 < top - bottom <= _BOX_GAP and _same_columns(other, group):
                other += group
                break
        else:
            joined.append(list(group))
    return [*joined, *rest]


def _column_borders(group: Sequence[Rule]) -> tuple[float, ...]:
    return _borders([r.at for r in rules_of(group, False)])


def _same_columns(a: Sequence[Rule], b: Sequence[Rule]) -> bool:
    few, many = sorted((_column_borders(a), _column_borders(b)), key=len)
    shared = sum(any(abs(x - y) <= _TOUCH for y in many) for x in few)
    ends = abs(few[0] - many[0]) <= _TOUCH and abs(few[-1] - many[-1]) <= _TOUCH
    return ends and shared >= _SHARED * len(few)


def _borders(values: Sequence[float]) -> tuple[float, ...]:
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > _SLIVER:
            kept.append(value)
    return tuple(kept)


def _lattice(rows: list[Rule], columns: list[Rule]) -> Lattice | None:
    """Return the cells between rules that meet; the outline is closed where rules stick out."""
    ys = _borders([r.at for r in rows] + [e for c in columns for e in (c.low, c.high)])
    xs = _borders([c.at for c in columns] + [e for r in rows for e in (r.low, r.high)])
    if len(xs) < 2 or len(ys) < 2:
        return None
    n_rows, n_cols = len(ys) - 1, len(xs) - 1
    walls = np.zeros((n_rows, n_cols + 1), bool)  # walls[r, c]: left of column c
    floors = np.zeros((n_rows + 1, n_cols), bool)  # floors[r, c]: above row r
    _mark(walls.T, columns, xs, ys)
    _mark(floors, rows, ys, xs)
    shapes = list(_shapes(walls, floors))
    areas = [area for shape in shapes for area in _rectangles(walls, shape)]
    ragged = sum(len(s) for s in shapes if not _is_rectangle(s)) / (n_rows * n_cols)
    return Lattice(xs, ys, tuple(areas), ragged)


def _mark(
    sides: np.ndarray, rules: list[Rule], borders: Sequence[float], bands: Sequence[float]
) -> None:
    """Set ``sides[border, band]`` where rules on ``border`` cover enough of ``band``."""
    covered = np.zeros(sides.shape)
    for rule in rules:
        border = int(np.argmin([abs(b - rule.at) for b in borders]))
        for band in range(len(bands) - 1):
            shared = min(rule.high, bands[band + 1]) - max(rule.low, bands[band])
            if shared > 0:
                covered[border, band] += shared / (bands[band + 1] - bands[band])
    sides |= covered >= _COVERED


_Shape = set[tuple[int, int]]


def _shapes(walls: np.ndarray, floors: np.ndarray) -> Iterator[_Shape]:
    """Yield the sets of (row, column) that no rule parts."""
    seen: _Shape = set()
    for row in range(walls.shape[0]):
        for col in range(floors.shape[1]):
            if (row, col) not in seen:
                shape = _flood(walls, floors, row, col)
                seen |= shape
                yield shape


def _is_rectangle(shape: _Shape) -> bool:
    return len({r for r, _ in shape}) * len({c for _, c in shape}) == len(shape)


def _rectangles(walls: np.ndarray, shape: _Shape) -> Iterator[Area]:
    """Yield the shape as one area, or as the strips of its rows when it is no rectangle."""
    if not _is_rectangle(shape):
        yield from _strips(walls, shape)
        return
    rows, cols = sorted({r for r, _ in shape}), sorted({c for _, c in shape})
    yield Area(rows[0], cols[0], rows[-1] + 1, cols[-1] + 1)


def _flood(walls: np.ndarray, floors: np.ndarray, row: int, col: int) -> _Shape:
    n_rows, n_cols = walls.shape[0], floors.shape[1]
    shape = {(row, col)}
    todo = [(row, col)]
    while todo:
        r, c = todo.pop()
        steps = (
            (r, c + 1, c + 1 < n_cols and not walls[r, c + 1]),
            (r, c - 1, c > 0 and not walls[r, c]),
            (r + 1, c, r + 1 < n_rows and not floors[r + 1, c]),
            (r - 1, c, r > 0 and not floors[r, c]),
        )
        for y, x, free in steps:
            if free and (y, x) not in shape:
                shape.add((y, x))
                todo.append((y, x))
    return shape


def _strips(walls: np.ndarray, shape: _Shape) -> Iterator[Area]:
    for row in sorted({r for r, _ in shape}):
        cols = sorted(c for r, c in shape if r == row)
        start = cols[0]
        for here, after in zip(cols, [*cols[1:], None], strict=True):
            if after is None or after != here + 1 or walls[row, after]:
                yield Area(row, start, row + 1, here + 1)
                start = after if after is not None else start


def _stacks(rules: Sequence[Rule]) -> Iterator[Lattice]:
    """Yield the stacks of horizontal rules that begin and end together."""
    groups: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda r: r.at):
        for group in groups:
            near = max(_TOUCH, 0.02 * (rule.high - rule.low))
            if abs(group[0].low - rule.low) <= near and abs(group[0].high - rule.high) <= near:
                group.append(rule)
                break
        else:
            groups.append([rule])
    for group in groups:
        ys = _borders([r.at for r in group])
        if len(ys) > 1:
            xs = (min(r.low for r in group), max(r.high for r in group))
            yield Lattice(xs, ys, tuple(Area(i, 0, i + 1, 1) for i in range(len(ys) - 1)))


def stack_within(lattice: Lattice, rules: Sequence[Rule]) -> Lattice | None:
    """Return the rows that rules across the whole of a lattice draw; None when they draw none.

    The way to read a table whose other rules are the sides of shades behind its paragraphs.
    """
    x0, x1 = lattice.xs[0], lattice.xs[-1]
    top, bottom = lattice.ys[0] - _TOUCH, lattice.ys[-1] + _TOUCH
    wide = [
        r.at for r in rules_of(rules, True)
        if top <= r.at <= bottom and min(r.high, x1) - max(r.low, x0) >= _ACROSS * (x1 - x0)
    ]  # fmt: skip
    ys = _borders(wide)
    if len(ys) < _MIN_STACK:
        return None
    return Lattice((x0, x1), ys, tuple(Area(i, 0, i + 1, 1) for i in range(len(ys) - 1)))


def split_rows(lattice: Lattice, cuts: dict[int, Sequence[float]], merged: set[Area]) -> Lattice:
    """Return the lattice with bands cut at further heights.

    Args:
        lattice: The ruled cells.
        cuts: Row band to the heights at which it is cut, ascending.
        merged: Areas of such a band that stay whole and so span the new rows.
    """
    first: list[int] = []  # new index of each old band
    ys: list[float] = []
    for band, y in enumerate(lattice.ys):
        first.append(len(ys))
        ys += [y, *cuts.get(band, ())]
    areas: list[Area] = []
    for area in lattice.areas:
        top, bottom = first[area.top], first[area.bottom]
        if area.bottom - area.top == 1 and area.top in cuts and area not in merged:
            areas += [replace(area, top=r, bottom=r + 1) for r in range(top, bottom)]
        else:
            areas.append(replace(area, top=top, bottom=bottom))
    return replace(lattice, ys=tuple(ys), areas=tuple(areas))
