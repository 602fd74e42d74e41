"""Lay a table's cells one below the other, so that Tesseract reads each as a line of its own.

On the page itself Tesseract passes over a single figure in a wide cell and reads across columns
(measured on a six-column table: 12 of 16 single figures lost; none on the sheet).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from parsers.model import BoundingBox
from parsers.ocr.page import OcrLine, OcrWord, RuledCell, around

_INK = 128
"""Grey level below which a pixel of a whitened cell is ink."""
_TEXT_HEIGHT = 32
"""Pixels that lines of text are scaled to: Tesseract's models were trained near it."""
_LEAST_INK = 3
"""Pixels of ink in a row or column that are more than a speck."""
_MARGIN = 30
_SHEET_HEIGHT = 6000
"""Pixels: a longer table goes onto several sheets (a guess)."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the ink of a cell lies: ``cell`` is its number, ``left`` and ``top`` on the page."""

    cell: int
    left: float
    top: float
    sheet_top: float
    sheet_bottom: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """Cells one below the other; a pixel of the sheet is ``1 / factor`` pixels of the page."""

    image: Image.Image
    factor: float
    placements: tuple[Placement, ...]


def sheets_of(image: Image.Image, boxes: Sequence[BoundingBox]) -> list[Sheet]:
    """Return sheets with the inked ones of ``boxes`` (pixels of a grey, rule-free ``image``)."""
    values = np.asarray(image)
    crops: list[tuple[int, int, int, NDArray[np.uint8]]] = []
    heights: list[int] = []
    for number, box in enumerate(boxes):
        left, top = int(box.x0), int(box.top)
        field = values[top : int(box.bottom) + 1, left : int(box.x1) + 1]
        ink = field < _INK
        rows = np.flatnonzero(ink.sum(axis=1) >= 1)
        columns = np.flatnonzero(ink.sum(axis=0) >= 1)
        if ink.sum() < _LEAST_INK**2:
            continue
        heights += _line_heights(ink)
        y0, x0 = int(rows[0]), int(columns[0])
        crops.append((number, left + x0, top + y0, field[y0 : rows[-1] + 1, x0 : columns[-1] + 1]))
    if not crops:
        return []
    factor = min(4.0, _TEXT_HEIGHT / max(1.0, float(np.median(heights or [_TEXT_HEIGHT]))))
    sheets: list[Sheet] = []
    pending: list[tuple[Placement, Image.Image]] = []
    cursor = _MARGIN
    for number, left, top, field in crops:
        size = (max(1, round(field.shape[1] * factor)), max(1, round(field.shape[0] * factor)))
        picture = Image.fromarray(field).resize(size, Image.Resampling.BICUBIC)
        if pending and cursor + size[1] > _SHEET_HEIGHT:
            sheets.append(_sheet(pending, factor))
            pending, cursor = [], _MARGIN
        place = Placement(number, left, top, cursor, cursor + size[1])
        pending.append((place, picture))
        cursor += size[1] + _MARGIN
    return [*sheets, _sheet(pending, factor)]


def cells_with_lines(
    cells: Sequence[RuledCell], sheet: Sheet, lines: Sequence[OcrLine]
) -> list[RuledCell]:
    """Return ``cells`` with the sheet's lines put back where they came from, in page pixels."""
    gathered: dict[int, list[OcrLine]] = defaultdict(list)
    for line in lines:
        words: dict[int, list[OcrWord]] = defaultdict(list)
        for word in line.words:
            middle = (word.bbox.top + word.bbox.bottom) / 2
            place = min(
                sheet.placements,
                key=lambda p: max(p.sheet_top - middle, middle - p.sheet_bottom, 0.0),
            )
            words[place.cell].append(replace(word, bbox=_on_page(word.bbox, place, sheet.factor)))
        for number, own in words.items():
            gathered[number].append(
                replace(
                    line, text=" ".join(w.text for w in own), words=tuple(own),
                    bbox=around([w.bbox for w in own]),
                )
            )  # fmt: skip
    return [
        replace(cell, lines=(*cell.lines, *gathered.get(i, ()))) for i, cell in enumerate(cells)
    ]


def _on_page(box: BoundingBox, place: Placement, factor: float) -> BoundingBox:
    def x(value: float) -> float:
        return place.left + (value - _MARGIN) / factor

    def y(value: float) -> float:
        return place.top + (value - place.sheet_top) / factor

    return BoundingBox(x(box.x0), y(box.top), x(box.x1), y(box.bottom))


def _line_heights(ink: NDArray[np.bool_]) -> list[int]:
    """Return the heights of the runs of inked rows, dots and dashes left out."""
    inked = np.concatenate(([False], ink.any(axis=1), [False])).astype(np.int8)
    steps = np.diff(inked)
    runs = np.flatnonzero(steps == -1) - np.flatnonzero(steps == 1)
    return [int(run) for run in runs if run > 2 * _LEAST_INK]


def _sheet(placed: Sequence[tuple[Placement, Image.Image]], factor: float) -> Sheet:
    width = max(picture.width for _, picture in placed) + 2 * _MARGIN
    height = int(placed[-1][0].sheet_bottom) + _MARGIN
    image = Image.new("L", (width, height), 255)
    for place, picture in placed:
        image.paste(picture, (_MARGIN, int(place.sheet_top)))
    return Sheet(image, factor, tuple(place for place, _ in placed))
