"""Cuts along the document's own units: a point in its paragraph in its article in its chapter.

=====  ==================  ==================  =====================  ==================
level  law                 prose               slides                 table
=====  ==================  ==================  =====================  ==================
0      point, paragraph    paragraph, list     body, notes            row
1      numbered paragraph  deepest section     slide                  table
2      article, recital    section             slides that fit        the section around
3      chapter, annex      part                slides that fit        the part around
=====  ==================  ==================  =====================  ==================

A unit above its level's size is packed from the chunks of the next finer level, and one that is
above the finest size from its sentences, so that no chunk exceeds its size. Small units are left
small: what they lack stands in their context.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from configs.settings import SlicingSettings
from parsers.model import Block, BlockKind, Document
from tasks.slicing.boundaries import boundaries
from tasks.slicing.layout import leads_on
from tasks.slicing.packing import pack
from tasks.slicing.tokens import TokenGrid

VERSION = 1
"""Raise it when the same document gives other cuts."""

_UNIT, _PARAGRAPH, _ARTICLE, _PART = range(4)
"""Rank of a boundary: the highest level whose chunks end at it."""
_INSIDE = -1
"""No unit ends here."""


def cut_structure(
    document: Document, settings: SlicingSettings, tokens: TokenGrid
) -> tuple[NDArray[np.int64], ...]:
    """Return the cuts of each level, finest first."""
    row = boundaries(document, settings.sizes[0], tokens)
    starts = np.array([block.start for block in document.blocks], dtype=np.int64)
    ranks = np.full(len(row.offsets), _INSIDE)
    at = np.searchsorted(row.offsets, starts)
    found = row.offsets[np.minimum(at, len(row.offsets) - 1)] == starts
    ranks[at[found]] = np.array(unit_ranks(document), dtype=np.int64)[found]
    forced = (ranks >= _UNIT) | row.forced  # the latter part blocks too big for a cell
    levels = []
    for level, size in enumerate(settings.sizes):
        chosen = pack(row.before.tolist(), row.prices.tolist(), forced.tolist(), size)
        row, ranks = row.at(chosen), ranks[chosen]
        forced = ranks > level
        levels.append(row.offsets)
    return tuple(levels)


def unit_ranks(document: Document) -> list[int]:
    """Return the rank of the boundary before each block, -1 where a unit goes on.

    A heading begins what it heads, so nothing ends between it and what follows.
    """
    blocks = document.blocks
    depths = [b.level or 2 for b in blocks if b.kind is BlockKind.HEADING]
    top = min(depths, default=1)
    law, slides = document.doc_type == "law", document.doc_type == "slides"
    ranks = [_PART] * min(1, len(blocks))
    for i in range(1, len(blocks)):
        before, block = blocks[i - 1], blocks[i]
        if slides and block.page != before.page:
            ranks.append(_PARAGRAPH)
        elif leads_on(blocks, i - 1):
            ranks.append(_INSIDE)
        elif leads_on(blocks, i):
            ranks.append(_of_lead(block, top, law))
        elif law:
            ranks.append(_of_law_unit(before, block))
        else:
            ranks.append(_of_prose_unit(before, block))
    return ranks


def _of_lead(block: Block, top: int, law: bool) -> int:
    if block.kind is BlockKind.CAPTION:
        return _PARAGRAPH
    if block.kind is BlockKind.ARTICLE:
        return _ARTICLE
    if law or block.kind is BlockKind.TITLE:
        return _PART
    return max(_PARAGRAPH, _PART - ((block.level or 2) - top))


def _of_law_unit(before: Block, block: Block) -> int:
    """Return the rank by the first part in which the locators differ: art_6/par_1/pnt_a."""
    if before.locator == block.locator:
        return _INSIDE if block.locator else _UNIT
    one, other = before.locator.split("/"), block.locator.split("/")
    if one[0] != other[0]:
        return _ARTICLE
    return _PARAGRAPH if one[1:2] != other[1:2] else _UNIT


def _of_prose_unit(before: Block, block: Block) -> int:
    rows = [b.kind is BlockKind.TABLE_ROW for b in (before, block)]
    if any(rows):
        table = [b.locator.rpartition("/")[0] for b in (before, block)]
        return _UNIT if all(rows) and table[0] == table[1] else _PARAGRAPH
    return _INSIDE if block.kind is BlockKind.LIST_ITEM else _UNIT
