"""What a PDF page shows that speaks for OCR or against it: measured here, judged in the routing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pymupdf as _untyped
from PIL import Image

from configs.settings import ParsingSettings
from parsers.model import BoundingBox
from parsers.ocr.outlines import outlined_letters
from parsers.ocr.pictures import CELL, PREVIEW_DPI, line_cells, paper_share, stroke_cells
from parsers.ocr.routing import SMALL_PICTURE, PageStats, PictureLooks, garbled_ratio
from parsers.pdf.layout import Run
from parsers.pdf.text_layer import PageLayer

pymupdf: Any = _untyped  # it has no annotations
_WORD = re.compile(r"\w+")
_MOST_PREVIEW_PIXELS = 4_000_000
"""Pixels of the small copy of a page: A3 at the preview's resolution has 1.8 million."""
_TALLEST = 3.0
"""Heights over the font size above which a run's box does not say where its letters are (a
watermark across the page)."""


def page_stats(page: Any, layer: PageLayer, settings: ParsingSettings) -> PageStats:
    """Return what routing looks at; pictures and paths are measured only where they matter.

    Args:
        page: The PyMuPDF page, turned the way ``layer`` is read.
        layer: Its text layer.
        settings: ``ocr`` off spares the measuring of pictures.
    """
    text = layer.text
    n_words = sum(1 for _ in _WORD.finditer(text))
    few = n_words < settings.ocr_min_words
    letters = outlined_letters(page.get_cdrawings()) if layer.drawings.n_paths and few else 0
    looks = PictureLooks()
    if settings.ocr and n_words and layer.drawings.image_ratio >= SMALL_PICTURE:
        looks = _look_at_pictures(page, layer)
    return PageStats(
        n_words=n_words,
        n_chars=sum(map(len, text.split())),
        garbled_ratio=garbled_ratio(text),
        image_area_ratio=layer.drawings.image_ratio,
        n_drawings=layer.drawings.n_paths,
        text_outside_images_ratio=layer.outside_images,
        hidden_ratio=layer.drawings.hidden_ratio,
        n_outlines=letters,
        pictures=looks,
    )


def _look_at_pictures(page: Any, layer: PageLayer) -> PictureLooks:
    """Return how the pictures look outside the words of the layer."""
    area = max(1.0, layer.width * layer.height)
    scale = min(PREVIEW_DPI / 72, (_MOST_PREVIEW_PIXELS / area) ** 0.5)
    matrix = pymupdf.Matrix(scale, scale)
    pixmap = page.get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY, alpha=False)
    image = Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)
    strokes = stroke_cells(image)
    pictures = np.zeros_like(strokes)
    for box in layer.drawings.figures:
        pictures[_rows(box, scale), _columns(box, scale)] = True
    for box in word_boxes(layer):
        pictures[_rows(box, scale, CELL / 2), _columns(box, scale, CELL / 2)] = False
    strokes &= pictures
    pixels = np.asarray(image)[: strokes.shape[0] * CELL, : strokes.shape[1] * CELL]
    inside = np.kron(pictures, np.ones((CELL, CELL), np.bool_))
    return PictureLooks(
        int(pictures.sum()), int(strokes.sum()), int(line_cells(strokes).sum()),
        paper_share(pixels[inside]),
    )  # fmt: skip


def word_boxes(layer: PageLayer) -> list[BoundingBox]:
    """Return where the words of a layer stand, on the page as it is read."""
    runs: Iterable[Run] = (run for group in (layer.runs, *layer.aside) for run in group)
    return [
        run.place
        for run in runs
        if min(run.place.bottom - run.place.top, run.place.x1 - run.place.x0)
        <= _TALLEST * max(run.size, 1.0)
    ]


def _rows(box: BoundingBox, scale: float, margin: float = 0.0) -> slice:
    return _slice(box.top, box.bottom, scale, margin)


def _columns(box: BoundingBox, scale: float, margin: float = 0.0) -> slice:
    return _slice(box.x0, box.x1, scale, margin)


def _slice(low: float, high: float, scale: float, margin: float) -> slice:
    first = int(max(0.0, low * scale - margin) // CELL)
    return slice(first, max(first, -int(-max(0.0, high * scale + margin) // CELL)))
