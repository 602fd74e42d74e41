"""What a page shows beside its text: images, painted shapes, how much of the text is hidden."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from parsers.model import BoundingBox
from parsers.pdf.layout import turned
from parsers.pdf.stext import Quad, Stext

_RULE = 1.0
"""Points: a path no thicker is a rule (a guess; the strokes of small print are taller)."""
_FRAME = 24.0
"""Points: a path no lower or narrower may frame two lines of text (a guess)."""
_GRID = 50
"""Cells per side of the raster that measures how much of a page images cover."""
_PICTURE = 0.02
"""Share of the page below which images are logos: text under them is not a scan's (a guess)."""


@dataclass(slots=True)
class Drawings:
    """What a page shows beside its text, in the page as it is read.

    Attributes:
        image_ratio: Share of the page's area that images cover, 0 to 1.
        figures: Boxes of images.
        boxes: Boxes of painted shapes that may frame text.
        pieces: Boxes of rules and rectangles.
        n_paths: Paths painted, rules apart.
        hidden_ratio: Share of the text painted invisibly, 0 to 1; 0 on a page without pictures.
    """

    image_ratio: float = 0.0
    figures: list[BoundingBox] = field(default_factory=list)
    boxes: list[BoundingBox] = field(default_factory=list)
    pieces: list[Quad] = field(default_factory=list)
    n_paths: int = 0
    hidden_ratio: float = 0.0


def read_drawings(
    page: Any, printed: Stext, turn: int, unturned: tuple[float, float], size: tuple[float, float]
) -> Drawings:
    """Return what is drawn on a page.

    Args:
        page: The PyMuPDF page.
        printed: What MuPDF printed of it before it was turned.
        turn: Quarter turns back to the page as it is read.
        unturned: Width and height before turning, points.
        size: Width and height of the page as it is read, points.
    """
    found = Drawings()
    for x0, top, x1, bottom in _within(printed.paths, turn, unturned, size):
        # a rule is no letter turned into an outline: it says nothing about a scan
        thickness = min(x1 - x0, bottom - top)
        found.n_paths += thickness >= _RULE
        if thickness >= _FRAME:
            found.boxes.append(BoundingBox(x0, top, x1, bottom))
    found.pieces = list(_within(printed.pieces, turn, unturned, size))
    _add_images(found, _within(printed.images or (), turn, unturned, size), size)
    if printed.images is None or found.image_ratio >= _PICTURE:
        images, shades, found.hidden_ratio = _logged(page)
        if shades or printed.images is None:  # MuPDF prints a shade as an image
            found.n_paths += shades
            _add_images(found, _within(images, turn, unturned, size), size)
    return found


def _add_images(found: Drawings, images: Iterable[Quad], size: tuple[float, float]) -> None:
    covered: set[tuple[int, int]] = set()
    found.figures = [BoundingBox(*i) for i in images if i[2] > i[0] and i[3] > i[1]]
    for box in found.figures:
        covered.update(
            (column, row)
            for column in _cells(box.x0, box.x1, size[0])
            for row in _cells(box.top, box.bottom, size[1])
        )
    found.image_ratio = len(covered) / _GRID**2


def _within(
    quads: Iterable[Quad], turn: int, unturned: tuple[float, float], size: tuple[float, float]
) -> Iterator[Quad]:
    """Yield the boxes as read, cut to the page; those outside are gone."""
    width, height = size
    for quad in quads:
        x0, top, x1, bottom = turned(quad, turn, *unturned) if turn else quad
        x0, x1 = max(0.0, x0), min(width, x1)
        top, bottom = max(0.0, top), min(height, bottom)
        if x1 >= x0 and bottom >= top:
            yield x0, top, x1, bottom


def _logged(page: Any) -> tuple[list[Quad], int, float]:
    """Return the boxes of the images, the number of shades and the share of text that is hidden.

    Boxes are of the page before it is turned; the share is by the width of pieces of text.
    """
    images: list[Quad] = []
    shades = 0
    shown = hidden = 0.0
    for kind, (x0, top, x1, bottom) in page.get_bboxlog():
        if kind in ("fill-image", "fill-imgmask"):
            images.append((min(x0, x1), min(top, bottom), max(x0, x1), max(top, bottom)))
        elif kind == "fill-shade":
            shades += 1
        elif kind == "ignore-text":
            hidden += abs(x1 - x0)
        elif kind.endswith("-text"):
            shown += abs(x1 - x0)
    return images, shades, hidden / (hidden + shown) if hidden else 0.0


def _cells(low: float, high: float, whole: float) -> range:
    """Return the raster cells whose centre lies between ``low`` and ``high``."""
    step = max(whole, 1.0) / _GRID
    return range(max(0, math.ceil(low / step - 0.5)), min(_GRID, math.ceil(high / step - 0.5)))
