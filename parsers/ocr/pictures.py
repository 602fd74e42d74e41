"""Does a picture hold lines of text? Told from its pixels, without recognising anything.

Text is ink on even paper, many strokes side by side, and clear strips between the lines. Measured
at 96 dots an inch: pages of scans hold 80 to 800 such cells, 8 % to 50 % of the page; 20 photos
held 0 to 20, at most 5.6 % of the picture (foliage, brick).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

PREVIEW_DPI = 96
"""Dots an inch at which the measures of this module were taken."""
CELL = 24
"""Pixels of a cell's side: a line of print and the strip below it."""
_EVEN, _EVEN_SHARE = 20, 0.45
"""Grey levels within which paper is even, and the share of a cell that must be."""
_INK, _STROKE = 60, 40
"""Grey levels below paper of ink, and of a stroke blurred by the small copy."""
_LEAST_INK, _MOST_INK = 0.02, 0.45
_EDGES = 4
"""Changes between paper and stroke along a row of pixels: two strokes."""
_BUSY_ROWS, _CLEAR_ROWS = 4, 2
_RUN = 3
"""Cells side by side that are a piece of a line: some ten letters."""


def text_cells(image: Image.Image) -> NDArray[np.bool_]:
    """Return which cells of ``CELL`` pixels look like lines of text, dark or light, level or not.

    Args:
        image: A grey picture at ``PREVIEW_DPI``.

    Returns:
        Rows by columns; cells cut off at the right and the bottom are left out.
    """
    values = np.asarray(image, dtype=np.int16)
    level = _lines(values) | _lines(255 - values)
    upright = (_lines(values.T) | _lines(255 - values.T)).T
    return level if level.sum() >= upright.sum() else upright


def plain_cells(image: Image.Image) -> NDArray[np.bool_]:
    """Return which cells hold one shade: many in a drawing or a banner, few in a photograph."""
    values = np.asarray(image)
    rows, columns = values.shape[0] // CELL, values.shape[1] // CELL
    cells = values[: rows * CELL, : columns * CELL].reshape(rows, CELL, columns, CELL)
    return np.asarray(cells.max(axis=(1, 3)) - cells.min(axis=(1, 3)) < _EVEN)


def _lines(values: NDArray[np.int16]) -> NDArray[np.bool_]:
    rows, columns = values.shape[0] // CELL, values.shape[1] // CELL
    if not rows or columns < _RUN:
        return np.zeros((rows, columns), np.bool_)
    cells = values[: rows * CELL, : columns * CELL].reshape(rows, CELL, columns, CELL)
    cells = cells.transpose(0, 2, 1, 3)
    flat = np.ascontiguousarray(cells).reshape(rows, columns, CELL * CELL)
    place = 3 * CELL * CELL // 4
    paper = np.partition(flat, place, axis=2)[:, :, place, None, None]
    depth = paper - cells
    even = (np.abs(depth) < _EVEN).mean(axis=(2, 3)) >= _EVEN_SHARE
    ink = (depth > _INK).mean(axis=(2, 3))
    stroke = depth > _STROKE
    edges = (stroke[..., 1:] != stroke[..., :-1]).sum(axis=3)
    busy = (edges >= _EDGES).sum(axis=2) >= _BUSY_ROWS
    clear = (~stroke.any(axis=3)).sum(axis=2) >= _CLEAR_ROWS
    return _runs(even & (ink >= _LEAST_INK) & (ink <= _MOST_INK) & busy & clear)


def _runs(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the cells that have enough neighbours in their row."""
    starts = np.logical_and.reduce(
        [cells[:, i : cells.shape[1] - _RUN + 1 + i] for i in range(_RUN)]
    )
    kept = np.zeros_like(cells)
    for i in range(_RUN):
        kept[:, i : cells.shape[1] - _RUN + 1 + i] |= starts
    return kept
