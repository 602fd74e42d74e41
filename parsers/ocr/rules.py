"""Find tables by the lines ruled around their cells, in pixels, and take the lines out.

A ruling is found by contrast with what lies just above and below (or left and right) of it, so it
stands out from a shaded header as well as from paper, while letters are too short.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from parsers.model import BoundingBox
from parsers.ocr.page import RuledCell, RuledTable

_SIDE = 2000
"""Longest side in pixels of the copy searched: A4 at 170 dpi, thin lines survive its minimum."""
_REACH = 5
"""A ruling is thinner than this many pixels of the copy: 2 points on A4 (a guess)."""
_CONTRAST = 35
"""Grey levels by which a ruling is darker than what lies beside it (a guess)."""
_SHORTEST = 36
"""Pixels of the copy: 15 points on A4, longer than strokes of ordinary letters (a guess)."""
_NEAR = 6
"""Pixels of the copy within which line ends meet and positions are one."""
_RULING_SHARE = 0.3
"""Share of a row of pixels that must be dark for the row to belong to a ruling (a guess)."""
_DARK_GROUND = 100
"""Grey level of a cell's ground below which its text is light (a guess)."""
_CLOSED = 0.6
"""Share of a cell's side that must be ruled to part it from its neighbour (a guess)."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A straight line: its ``position`` across, its ``start`` and ``end`` along, its thickness."""

    position: float
    start: float
    end: float
    thickness: float


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table and the rulings that make it, in pixels of the image searched."""

    table: RuledTable
    across: tuple[Ruling, ...]
    down: tuple[Ruling, ...]


def find_tables(image: Image.Image) -> tuple[FoundTable, ...]:
    """Return the ruled tables of a level grey image, top to bottom.

    A table has at least two rows and two columns between its rulings. Axes and grid lines of a
    chart have one column and are none; neither are boxes around text.
    """
    step = max(1, -(-max(image.size) // _SIDE))
    small = _darkest(np.asarray(image), step)
    across = _rulings(small)
    if len(across) < 2:
        return ()
    down = _rulings(small.T)
    found = []
    for rows, columns in _touching(across, down):
        group = _anchored(rows, columns), _anchored(columns, rows)
        table = _table(*group)
        if table is not None:
            found.append(_enlarged(table, group, float(step)))
    return tuple(sorted(found, key=lambda f: (f.table.bbox.top, f.table.bbox.x0)))


def erase_rules(image: Image.Image, tables: Sequence[FoundTable]) -> Image.Image:
    """Return a copy of ``image`` without the tables' rulings and with every cell on white."""
    if not tables:
        return image
    values = np.array(image)
    for found in tables:
        for ruling in found.across:
            _erase(values, ruling)
        for ruling in found.down:
            _erase(values.T, ruling)
        for cell in found.table.cells:
            _whiten(values, cell.bbox, int(_thickness(found) / 2) + 3)
    return Image.fromarray(values)


def without_tables(image: Image.Image, tables: Sequence[FoundTable]) -> Image.Image:
    """Return a copy of ``image`` with white where the tables stand."""
    if not tables:
        return image
    bare = image.copy()
    for found in tables:
        half = _thickness(found) / 2 + 3
        b = found.table.bbox
        left, top, right, bottom = b.x0 - half, b.top - half, b.x1 + half, b.bottom + half
        bare.paste(255, (max(0, int(left)), max(0, int(top)), int(right) + 1, int(bottom) + 1))
    return bare


def _erase(values: NDArray[np.uint8], ruling: Ruling) -> None:
    """Paint a horizontal ruling over, in place, with the lighter of the rows on its two sides.

    Only rows that are dark along a good part of it are the ruling: a comma may touch it.
    """
    half = ruling.thickness / 2 + 2
    first = max(0, int(ruling.position - half))
    last = min(len(values) - 1, int(ruling.position + half) + 1)
    span = slice(max(0, int(ruling.start) - 2), int(ruling.end) + 3)
    above, below = max(0, first - 1), min(len(values) - 1, last + 1)
    beside = np.maximum(values[above, span], values[below, span])
    for row in range(first, last + 1):
        if np.mean(values[row, span] + 20.0 < beside) >= _RULING_SHARE:
            values[row, span] = np.maximum(values[row, span], beside)


def _thickness(found: FoundTable) -> float:
    return max(ruling.thickness for ruling in (*found.across, *found.down))


def _whiten(values: NDArray[np.uint8], box: BoundingBox, margin: int) -> None:
    """Spread a cell's greys, in place, so that its ground is white; a dark ground is inverted.

    The ``margin`` pixels at the sides of a dark cell held rulings and are white already.
    """
    field = values[int(box.top) : int(box.bottom) + 1, int(box.x0) : int(box.x1) + 1]
    if not field.size:
        return
    if (ground := float(np.median(field))) < _DARK_GROUND:
        inside = field[margin:-margin, margin:-margin].copy()
        field[:] = 255
        field[margin:-margin, margin:-margin] = 255 - inside
        ground = 255 - ground
    if ground < 250:
        field[:] = np.minimum(255.0, field * (255.0 / ground)).astype(np.uint8)


def _darkest(values: NDArray[np.uint8], step: int) -> NDArray[np.int16]:
    """Return ``values`` reduced by ``step``, each pixel the darkest of its square."""
    height, width = values.shape
    padded = np.pad(values, ((0, -height % step), (0, -width % step)), mode="edge")
    squares = padded.reshape(padded.shape[0] // step, step, padded.shape[1] // step, step)
    reduced: NDArray[np.int16] = squares.min(axis=(1, 3)).astype(np.int16)
    return reduced


def _rulings(values: NDArray[np.int16]) -> list[Ruling]:
    """Return the horizontal rulings of ``values`` (give its transpose for the vertical ones)."""
    height, width = values.shape
    if height <= 2 * _REACH or width <= _SHORTEST:
        return []
    framed = np.pad(values, ((_REACH, _REACH), (0, 0)), constant_values=255)
    beside = np.minimum(framed[: -2 * _REACH], framed[2 * _REACH :])
    thin = values < beside - _CONTRAST
    grown, darkest = thin.copy(), values.copy()  # a line that drifts by a row stays one run
    grown[1:] |= thin[:-1]
    grown[:-1] |= thin[1:]
    darkest[1:] = np.minimum(darkest[1:], values[:-1])
    darkest[:-1] = np.minimum(darkest[:-1], values[1:])
    return _joined(_runs(grown, darkest))


def _runs(mask: NDArray[np.bool_], values: NDArray[np.int16]) -> list[tuple[int, int, int]]:
    """Return (row, first, past the last) of each run of at least ``_SHORTEST`` set pixels.

    Where another line crosses, a ruling does not stand out from what lies beside it: runs are
    joined over a short gap that is as dark as they are.
    """
    framed = np.pad(mask, ((0, 0), (1, 1))).astype(np.int8)
    steps = np.diff(framed, axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    if not len(rows):
        return []
    gap = starts[1:] - ends[:-1]
    joined = (rows[1:] == rows[:-1]) & (gap <= 2 * _REACH + 4)
    limit = values[rows[:-1], ends[:-1] - 1] + _CONTRAST
    for column in (ends[:-1], (ends[:-1] + starts[1:]) // 2, starts[1:] - 1):
        joined &= values[rows[:-1], np.minimum(column, mask.shape[1] - 1)] <= limit
    first = np.flatnonzero(np.concatenate(([True], ~joined)))
    last = np.concatenate((first[1:] - 1, [len(rows) - 1]))
    rows, starts, ends = rows[first], starts[first], ends[last]
    long = ends - starts >= _SHORTEST
    return list(zip(rows[long].tolist(), starts[long].tolist(), ends[long].tolist(), strict=True))


def _joined(runs: Iterable[tuple[int, int, int]]) -> list[Ruling]:
    """Join runs of neighbouring rows, then pieces of one line."""
    pieces: list[list[int]] = []  # first row, last row, start, end
    open_pieces: list[list[int]] = []
    for row, start, end in runs:
        open_pieces = [p for p in open_pieces if row - p[1] <= 2]
        for piece in open_pieces:
            if start <= piece[3] + _NEAR and end >= piece[2] - _NEAR:
                piece[1], piece[2], piece[3] = row, min(start, piece[2]), max(end, piece[3])
                break
        else:
            piece = [row, row, start, end]
            pieces.append(piece)
            open_pieces.append(piece)
    lines: list[Ruling] = []
    for first, last, start, end in sorted(pieces, key=lambda p: p[2]):
        thickness = max(1, last - first - 1)  # the mask was grown by one on each side
        if thickness > 2 * _REACH:
            continue
        position = (first + last) / 2
        for i, line in enumerate(lines):
            if abs(line.position - position) <= 3 and start - line.end <= 2 * _NEAR:
                lines[i] = Ruling(
                    line.position, line.start, max(line.end, end), max(line.thickness, thickness)
                )
                break
        else:
            lines.append(Ruling(position, start, end, thickness))
    return lines


_Group = tuple[list[Ruling], list[Ruling]]


def _touching(across: Sequence[Ruling], down: Sequence[Ruling]) -> list[_Group]:
    """Return groups of rulings that cross or meet."""
    left = list(range(len(down)))
    groups: list[_Group] = []
    unused = list(across)
    while unused:
        rows, columns = [unused.pop()], []
        grew = True
        while grew:
            meet = [i for i in left if any(_meet(row, down[i]) for row in rows)]
            left = [i for i in left if i not in meet]
            columns += [down[i] for i in meet]
            more = [row for row in unused if any(_meet(row, column) for column in columns)]
            unused = [row for row in unused if row not in more]
            rows += more
            grew = bool(meet or more)
        groups.append((rows, columns))
    return groups


def _meet(row: Ruling, column: Ruling) -> bool:
    return (
        row.start - _NEAR <= column.position <= row.end + _NEAR
        and column.start - _NEAR <= row.position <= column.end + _NEAR
    )


def _table(rows: Sequence[Ruling], columns: Sequence[Ruling]) -> RuledTable | None:
    if len(rows) < 2 or not columns:
        return None
    ys = _positions([r.position for r in rows], [e for c in columns for e in (c.start, c.end)])
    xs = _positions([c.position for c in columns], [e for r in rows for e in (r.start, r.end)])
    if len(ys) < 3 or len(xs) < 3:
        return None
    cells = _cells(xs, ys, rows, columns)
    if len(cells) < 4:
        return None
    return RuledTable(BoundingBox(xs[0], ys[0], xs[-1], ys[-1]), tuple(cells))


def _anchored(lines: Sequence[Ruling], crossing: Sequence[Ruling]) -> list[Ruling]:
    """Return the lines that run from one crossing line to another, or half the table's length.

    The others are strokes of blurred letters that stand one above the other.
    """
    if not lines:
        return []
    extent = max(line.end for line in lines) - min(line.start for line in lines)

    def anchored(end: float) -> bool:
        return any(abs(other.position - end) <= 2 * _NEAR for other in crossing)

    return [
        line
        for line in lines
        if line.end - line.start >= extent / 2 or (anchored(line.start) and anchored(line.end))
    ]


def _positions(lines: Sequence[float], ends: Sequence[float]) -> list[float]:
    """Return the distinct positions of lines, and the outermost ends where no line stands."""
    distinct: list[float] = []
    for value in sorted(lines):
        if not distinct or value - distinct[-1] > _NEAR:
            distinct.append(value)
    if min(ends) < distinct[0] - 2 * _NEAR:
        distinct.insert(0, min(ends))
    if max(ends) > distinct[-1] + 2 * _NEAR:
        distinct.append(max(ends))
    return distinct


def _cells(
    xs: Sequence[float], ys: Sequence[float], rows: Sequence[Ruling], columns: Sequence[Ruling]
) -> list[RuledCell]:
    """Return the cells: fields of the lattice, joined where no ruling parts them."""
    height, width = len(ys) - 1, len(xs) - 1
    owner = np.arange(height * width).reshape(height, width)

    def join(a: tuple[int, int], b: tuple[int, int]) -> None:
        owner[owner == owner[b]] = owner[a]

    for r in range(height):
        for c in range(width):
            if c + 1 < width and not _ruled(columns, xs[c + 1], ys[r], ys[r + 1]):
                join((r, c), (r, c + 1))
            if r + 1 < height and not _ruled(rows, ys[r + 1], xs[c], xs[c + 1]):
                join((r, c), (r + 1, c))
    while True:  # a cell is a rectangle: what lies in one's frame belongs to it
        before = owner.copy()
        for label in np.unique(owner):
            top, bottom, first, last = _frame(owner == label)
            for other in np.unique(owner[top : bottom + 1, first : last + 1]):
                owner[owner == other] = label
        if (owner == before).all():
            break
    cells = []
    for label in np.unique(owner):
        top, bottom, first, last = _frame(owner == label)
        box = BoundingBox(xs[first], ys[top], xs[last + 1], ys[bottom + 1])
        cells.append(RuledCell(top, first, bottom - top + 1, last - first + 1, box))
    return sorted(cells, key=lambda cell: (cell.row, cell.col))


def _frame(fields: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    """Return the first and last row, the first and last column of the set fields (or of none)."""
    rows, columns = np.nonzero(fields)
    if not len(rows):
        return 0, -1, 0, -1
    return int(rows.min()), int(rows.max()), int(columns.min()), int(columns.max())


def _ruled(lines: Sequence[Ruling], position: float, start: float, end: float) -> bool:
    covered = sum(
        max(0.0, min(end, line.end) - max(start, line.start))
        for line in lines
        if abs(line.position - position) <= _NEAR
    )
    return covered >= _CLOSED * (end - start)


def _enlarged(table: RuledTable, group: _Group, step: float) -> FoundTable:
    def box(b: BoundingBox) -> BoundingBox:
        return BoundingBox(b.x0 * step, b.top * step, b.x1 * step, b.bottom * step)

    def rulings(lines: Sequence[Ruling]) -> tuple[Ruling, ...]:
        return tuple(
            Ruling((r.position + 0.5) * step, r.start * step, r.end * step, r.thickness * step)
            for r in lines
        )

    cells = tuple(RuledCell(c.row, c.col, c.row_span, c.col_span, box(c.bbox)) for c in table.cells)
    return FoundTable(RuledTable(box(table.bbox), cells), rulings(group[0]), rulings(group[1]))
