"""Which painted shapes of a page can be rules of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

_STRAIGHT = 1.0
"""Points by which the ends of a line may differ in the other direction. A guess."""
_THIN = 3.0
"""Points: a filled shape no thicker is a rule. A guess."""
_NEAR = 2.0
"""Points between the side of a shape and a rule on which it lies. A guess."""
_MAX_PAIRS = 4_000_000
"""Shapes times rules beyond which a page is a drawing and nothing is looked for."""


def edges_of(page: Any) -> Iterator[dict[str, Any]]:
    """Yield the edges (pdfplumber's) of lines, boxes and curves that are painted visibly.

    A fill within a ruled cell that touches neither of the cell's sides marks its words (a
    highlighter, inline code) and parts nothing.
    """
    from pdfplumber.utils.geometry import obj_to_edges

    firm: list[dict[str, Any]] = []
    fills: list[dict[str, Any]] = []
    straight = (x for x in page.lines if min(x["width"], x["height"]) <= _STRAIGHT)
    for shape in (*straight, *page.rects, *page.curves):
        if shape["stroke"] or min(shape["width"], shape["height"]) <= _THIN:
            if shape["stroke"] or _is_visible(shape):
                firm += _long_sides(shape, obj_to_edges(shape))
        elif _is_visible(shape):
            fills.append(shape)
    yield from firm
    for shape, is_mark in zip(fills, _are_marks(fills, firm), strict=True):
        if not is_mark:
            yield from obj_to_edges(shape)


def _long_sides(shape: dict[str, Any], edges: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the edges of a shape but the ends of a thin one: a dash is no rule across itself."""
    width, height = shape["width"], shape["height"]
    if min(width, height) > _THIN or max(width, height) < 1.5 * min(width, height):
        return edges
    return [e for e in edges if e["orientation"] == ("h" if width > height else "v")]


def _is_visible(shape: dict[str, Any]) -> bool:
    return bool(shape["fill"]) and not _is_white(shape["non_stroking_color"])


def _is_white(colour: Any) -> bool:
    values = colour if isinstance(colour, (tuple, list)) else (colour,)
    numbers = [v for v in values if isinstance(v, (int, float))]
    if len(numbers) == 4:
        return sum(numbers) == 0
    return len(numbers) in (1, 3) and min(numbers) >= 1


def _are_marks(fills: Sequence[dict[str, Any]], edges: Sequence[dict[str, Any]]) -> list[bool]:
    """Tell for each fill whether rules enclose it on all sides and its sides lie on none."""
    across = _spans(edges, "h", "top", "x0", "x1")
    down = _spans(edges, "v", "x0", "top", "bottom")
    if not len(across) or not len(down) or len(fills) * len(edges) > _MAX_PAIRS:
        return [False] * len(fills)
    return [_is_mark(f, across, down) for f in fills]


def _spans(edges: Sequence[dict[str, Any]], kind: str, *keys: str) -> np.ndarray:
    found = [[float(e[k]) for k in keys] for e in edges if e["orientation"] == kind]
    return np.array(found).reshape(-1, 3)


def _is_mark(fill: dict[str, Any], across: np.ndarray, down: np.ndarray) -> bool:
    x0, x1 = float(fill["x0"]), float(fill["x1"])
    top, bottom = float(fill["top"]), float(fill["bottom"])
    x, y = (x0 + x1) / 2, (top + bottom) / 2
    beside = down[(down[:, 1] <= y) & (down[:, 2] >= y), 0]
    level = across[(across[:, 1] <= x) & (across[:, 2] >= x), 0]
    if np.any(np.abs(beside - x0) <= _NEAR) or np.any(np.abs(beside - x1) <= _NEAR):
        return False
    held = np.any(beside < x0) and np.any(beside > x1)
    return bool(held and np.any(level < top + _NEAR) and np.any(level > bottom - _NEAR))
