"""Visual order: top to bottom by bands of shapes, left to right inside a band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from parsers.model import BoundingBox
from parsers.slides.shapes import Shape

_SLACK = 0.15
"""Share of a shape's side by which neighbours may overlap and still count as apart (a guess:
hand-placed boxes touch and overlap a little)."""


def visual_order(shapes: Sequence[Shape]) -> list[Shape]:
    """Return sibling shapes in reading order; those without a position come last, as in the file.

    White space across the whole width parts bands; inside a band, white space across its height
    parts columns, each read in the same way. Where nothing can be parted, a shape around all
    others goes first, else rows are formed by overlap.
    """
    placed = [s for s in shapes if s.box is not None]
    return _bands(placed) + [s for s in shapes if s.box is None]


def _bands(shapes: list[Shape]) -> list[Shape]:
    if len(shapes) < 2:
        return shapes
    bands = _split(shapes, "top", "bottom")
    if len(bands) > 1:
        return [shape for band in bands for shape in _columns(band)]
    return _columns(shapes)


def _columns(shapes: list[Shape]) -> list[Shape]:
    columns = _split(shapes, "x0", "x1")
    if len(columns) > 1:
        return [shape for column in columns for shape in _bands(column)]
    if len(shapes) < 2:
        return shapes
    frame = max(shapes, key=lambda s: _area(_box(s)))
    others = [s for s in shapes if s is not frame]
    if all(_covers(_box(frame), _box(s)) for s in others):
        return [frame, *_bands(others)]
    return _rows(shapes)


def _rows(shapes: list[Shape]) -> list[Shape]:
    """Sort overlapping shapes into rows: a shape joins a row when its middle lies above its end."""
    rows: list[list[Shape]] = []
    for shape in sorted(shapes, key=lambda s: (_box(s).top, _box(s).x0)):
        box = _box(shape)
        if rows and (box.top + box.bottom) / 2 < _box(rows[-1][0]).bottom:
            rows[-1].append(shape)
        else:
            rows.append([shape])
    return [s for row in rows for s in sorted(row, key=lambda s: (_box(s).x0, _box(s).top))]


def _split(
    shapes: list[Shape], low: Literal["top", "x0"], high: Literal["bottom", "x1"]
) -> list[list[Shape]]:
    def span(shape: Shape) -> tuple[float, float]:
        start, end = getattr(_box(shape), low), getattr(_box(shape), high)
        slack = (end - start) * _SLACK
        return start + slack, end - slack

    parts: list[list[Shape]] = []
    reach = 0.0
    for shape in sorted(shapes, key=span):
        start, end = span(shape)
        if not parts or start >= reach:
            parts.append([])
            reach = end
        parts[-1].append(shape)
        reach = max(reach, end)
    return parts


def _box(shape: Shape) -> BoundingBox:
    assert shape.box is not None  # only placed shapes are ordered
    return shape.box


def _area(box: BoundingBox) -> float:
    return (box.x1 - box.x0) * (box.bottom - box.top)


def _covers(outer: BoundingBox, inner: BoundingBox) -> bool:
    x, y = (inner.x0 + inner.x1) / 2, (inner.top + inner.bottom) / 2
    return outer.x0 <= x <= outer.x1 and outer.top <= y <= outer.bottom
