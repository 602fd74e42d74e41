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


def stroke_cells(image: Image.Image) -> NDArray[np.bool_]:
    """Return which cells of ``CELL`` pixels look like a piece of text, dark or light, level or not.

    Args:
        image: A grey picture at ``PREVIEW_DPI``.

    Returns:
        Rows by columns; cells cut off at the right and the bottom are left out.
    """
    values = np.asarray(image, dtype=np.int16)
    level = _strokes(values) | _strokes(255 - values)
    upright = _strokes(values.T).T | _strokes(255 - values.T).T
    return level if level.sum() >= upright.sum() else upright


def line_cells(strokes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return those of :func:`stroke_cells` that stand in lines of several, level or upright."""
    level, upright = _runs(strokes), _runs(strokes.T).T
    return level if level.sum() >= upright.sum() else upright


def paper_share(values: NDArray[np.uint8]) -> float:
    """Return the share of pixels near the commonest shade: high on paper, low in photographs."""
    counts = np.bincount(values.ravel(), minlength=256)
    if not values.size:
        return 1.0
    common = int(np.convolve(counts, np.ones(5), "same").argmax())
    return float(counts[max(0, common - _EVEN) : common + _EVEN + 1].sum() / values.size)


def _strokes(values: NDArray[np.int16]) -> NDArray[np.bool_]:
    rows, columns = values.shape[0] // CELL, values.shape[1] // CELL
    if not rows or not columns:
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
    return np.asarray(even & (ink >= _LEAST_INK) & (ink <= _MOST_INK) & busy & clear)


def _runs(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the cells that have enough neighbours in their row."""
    if cells.shape[1] < _RUN:
        return np.zeros_like(cells)
    starts = np.logical_and.reduce(
        [cells[:, i : cells.shape[1] - _RUN + 1 + i] for i in range(_RUN)]
    )
    kept = np.zeros_like(cells)
    for i in range(_RUN):
        kept[:, i : cells.shape[1] - _RUN + 1 + i] |= starts
    return kept
