"""The plain cut: a fixed number of tokens, counted from the document's start or from each unit's.

Where a cut would fall inside a grapheme it moves back to the grapheme's start, and counting goes
on from there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from configs.settings import SlicingSettings
from parsers.model import BlockKind, Document
from tasks.slicing.graphemes import keep_boundaries
from tasks.slicing.hard import grapheme_limit
from tasks.slicing.packing import fill
from tasks.slicing.tokens import TokenGrid

VERSION = 1
"""Raise it when the same document gives other cuts."""

_SECTION_STARTS = frozenset(
    {BlockKind.TITLE, BlockKind.HEADING, BlockKind.ARTICLE, BlockKind.SLIDE_TITLE}
)


def cut_grid(
    document: Document, settings: SlicingSettings, tokens: TokenGrid
) -> tuple[NDArray[np.int64], ...]:
    """Return the cuts of each level, finest first.

    Every level starts again at each origin. A ``shift`` puts a stub of that many tokens before the
    document's first chunk, at every level.
    """
    origins = _origins(document, settings, tokens)
    ends = np.append(origins[1:], len(document.text))
    cells = [0]
    for start, end in zip(origins.tolist(), ends.tolist(), strict=True):
        at = start
        while tokens.count(at, end) > settings.sizes[0]:
            at = min(grapheme_limit(document.text, tokens, at, settings.sizes[0]), end)
            if at < end:
                cells.append(at)
        if end > cells[-1]:
            cells.append(end)
    row = np.array(cells, dtype=np.int64)
    levels = [row]
    for size in settings.sizes[1:]:
        forced = np.isin(row, origins).tolist()
        row = row[fill(tokens.before(row).tolist(), forced, size)]
        levels.append(row)
    return tuple(levels)


def _origins(document: Document, settings: SlicingSettings, tokens: TokenGrid) -> NDArray[np.int64]:
    """Return where counting starts: 0 and every unit's start, at grapheme boundaries, ascending."""
    starts = [0]
    if settings.origin == "page":
        starts += [page.start for page in document.pages]
    elif settings.origin in ("section", "article"):
        units = _SECTION_STARTS
        if settings.origin == "article":
            units |= {BlockKind.RECITAL}
        kinds = [None, *(block.kind for block in document.blocks)]
        starts += [
            block.start
            for block, kind_before in zip(document.blocks, kinds, strict=False)
            if block.kind in units and kind_before not in _SECTION_STARTS
        ]
    if settings.shift:
        starts.append(tokens.offset_after(0, settings.shift))
    offsets = np.unique(np.array(starts, dtype=np.int64))
    return keep_boundaries(document.text, offsets[offsets < max(1, len(document.text))])
