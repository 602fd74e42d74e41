"""The default cut: cells snapped to sentence ends, bigger chunks packed from whole cells.

Cells are sentences packed up to the finest size. No cell runs over a change of context, a heading,
a slide or into notes; a block that must stay whole (a table row, a point, a paragraph of a law) is
cut only when it alone exceeds the size; a heading starts the cell of what follows. Bigger chunks
pack whole chunks of the next finer level and end where a heading, an article or a slide ends as
long as that costs less than the room it leaves: see the prices in ``layout.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from configs.settings import SlicingSettings
from parsers.model import Document
from tasks.slicing.boundaries import boundaries
from tasks.slicing.packing import pack
from tasks.slicing.tokens import TokenGrid

VERSION = 1
"""Raise it when the same document gives other cuts."""


def cut_snapped(
    document: Document, settings: SlicingSettings, tokens: TokenGrid
) -> tuple[NDArray[np.int64], ...]:
    """Return the cuts of each level, finest first."""
    row = boundaries(document, settings.sizes[0], tokens)
    levels = []
    for level, size in enumerate(settings.sizes):
        forced = row.forced if level == 0 else np.zeros(len(row.offsets), dtype=np.bool_)
        row = row.at(pack(row.before.tolist(), row.prices.tolist(), forced.tolist(), size))
        levels.append(row.offsets)
    return tuple(levels)
