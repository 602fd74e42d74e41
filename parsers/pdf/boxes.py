"""Boxed text beside the body: tinted or framed insets that a reader comes to afterwards.

A box is a sidebar where prose stands beside it and its strip of the page holds no column of its
own: a margin, or a place that the lines of the body make way for. A box with nothing beside it,
or in the middle of a column, stays where it is. Standard library only.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from parsers.model import BoundingBox
from parsers.pdf.gutters import MIN_ROWS, holds_cells, side_of
from parsers.pdf.layout import Run, rows_of

_MIN_WIDTH, _MIN_HEIGHT = 50.0, 24.0
"""Points: smaller shapes hold a word or two (a guess)."""
_MAX_BOXES = 60
"""Boxes above which a page is a drawing or a table (a guess)."""
_MOST = 0.5
"""Share of the page's text in a box above which it is the body (a guess)."""
_PROSE = 15
"""Mean characters of a line from which it is prose (a guess: narrow margins hold 20)."""
_EDGE = 3.0
"""Points by which text may stick out of its box."""


def take_sidebars(
    runs: Sequence[Run], boxes: Sequence[BoundingBox]
) -> tuple[list[Run], list[list[Run]]]:
    """Return the runs outside sidebars, and those of each sidebar.

    Args:
        runs: Of a page, obstacles included.
        boxes: Shapes drawn on it, in the space of the runs.
    """
    rest, found = list(runs), list[list[Run]]()
    texts = [r for r in runs if r.table is None]
    large = [
        b
        for b in dict.fromkeys(boxes)  # a shape is filled and then outlined
        if b.x1 - b.x0 >= _MIN_WIDTH and b.bottom - b.top >= _MIN_HEIGHT
    ]
    if not texts or len(large) > _MAX_BOXES:
        return rest, found
    insets = [b for b in large if _is_inset(b, texts)]
    boxed = {id(r) for r in texts if any(_holds(b, r.box) for b in insets)}
    body = [r for r in texts if id(r) not in boxed]
    for box in sorted(large, key=_area, reverse=True):
        inside = [r for r in rest if _holds(box, r.box)]
        if inside and _is_sidebar(box, [r for r in inside if r.table is None], body):
            found.append(inside)
            taken = {id(r) for r in inside}
            rest = [r for r in rest if id(r) not in taken]
    return rest, sorted(found, key=lambda group: min(r.box.top for r in group))


def _area(box: BoundingBox) -> float:
    return (box.x1 - box.x0) * (box.bottom - box.top)


def _holds(area: BoundingBox, box: BoundingBox) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.top + box.bottom) / 2
    return area.x0 <= x <= area.x1 and area.top <= y <= area.bottom


def _level(a: BoundingBox, b: BoundingBox) -> bool:
    """Tell whether the middle of ``b`` is at a height of ``a``."""
    return a.top <= (b.top + b.bottom) / 2 <= a.bottom


def _is_inset(box: BoundingBox, texts: Sequence[Run]) -> bool:
    """Tell whether a box holds lines of text, not most of it, and no line runs out of it."""
    inside = [r for r in texts if _holds(box, r.box)]
    if len(inside) < 2:
        return False
    characters = sum(len(r.text) for r in inside)
    if characters < _PROSE * len(inside):
        return False
    if characters > _MOST * sum(len(r.text) for r in texts) or len(rows_of(inside)) < 2:
        return False
    return not any(
        r.box.x0 < edge - _EDGE and r.box.x1 > edge + _EDGE
        for r in texts
        if _level(box, r.box)
        for edge in (box.x0, box.x1)
    )


def _is_sidebar(box: BoundingBox, inside: Sequence[Run], body: Sequence[Run]) -> bool:
    if not _is_inset(box, [*inside, *body]):
        return False
    beside = [r for r in body if _level(box, r.box)]
    if len(rows_of(beside)) < MIN_ROWS or fmean(len(r.text) for r in beside) < _PROSE:
        return False
    if holds_cells(side_of(inside), side_of(beside)):
        return False
    own = across = 0
    for run in body:
        if _level(box, run.box):
            continue
        shared = min(run.box.x1, box.x1) - max(run.box.x0, box.x0)
        if shared > 0.7 * (run.box.x1 - run.box.x0):
            own += 1
        elif shared > 0.5 * (box.x1 - box.x0):
            across += 1
    return own < 2 or own < across
