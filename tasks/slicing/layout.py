"""What the blocks of a document say about cutting: what leads, what stays whole, what is apart.

Everything here is per block and known before any sentence or token is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parsers.model import Block, BlockKind, Document

_LEADS = frozenset({BlockKind.HEADING, BlockKind.TITLE, BlockKind.ARTICLE, BlockKind.SLIDE_TITLE})
_WHOLE = frozenset(
    {
        BlockKind.TABLE_ROW,
        BlockKind.POINT,
        BlockKind.LAW_PARAGRAPH,
        BlockKind.RECITAL,
        BlockKind.CODE,
        BlockKind.NOTES,
    }
)
_APART = frozenset(
    {BlockKind.NOTES, BlockKind.FRONT_MATTER, BlockKind.SUMMARY, BlockKind.DESCRIPTION}
)
"""Kinds that share no cell with any other kind."""

AFTER_LEAD = 0.9
"""Price of a chunk that ends with a heading. Prices are in chunks: -0.8 means that ending here is
worth four fifths of a chunk more. All are guesses in the right order: on the public benchmark,
which has hardly any headings, halving them or leaving them out made no difference that could be
told from chance (benchmarks/slicing.md)."""
_HEADING = -0.85
_HEADING_STEP = 0.05
"""Each level deeper pulls less."""
_DEEPEST = 5
_SLIDE = -0.8
_CONTEXT = -0.3
"""Another table, another list of points, notes."""
_BLOCK = -0.1


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """One entry per block, in reading order; arrays of shape (n_blocks,).

    Attributes:
        starts: First code point of each block.
        leads: The block introduces what follows it (a heading, the caption of a table).
        whole: The block must stay whole where it fits.
        breaks: No cell runs over the start of the block.
        prices: Price of ending a chunk at the start of the block, in (-1, 1).
    """

    starts: NDArray[np.int64]
    leads: NDArray[np.bool_]
    whole: NDArray[np.bool_]
    breaks: NDArray[np.bool_]
    prices: NDArray[np.float64]


def lay_out(document: Document) -> Layout:
    """Return what the document's blocks say about cutting."""
    blocks = document.blocks
    n = len(blocks)
    leads = [leads_on(blocks, i) for i in range(n)]
    breaks = [False] * n
    prices = [0.0] * n
    slides = document.doc_type == "slides"
    unit: tuple[object, ...] | None = None  # of the last block that is no lead
    page: int | None = None
    for i, block in enumerate(blocks):
        own = None if leads[i] else _unit(block)
        turned = slides and i > 0 and block.page != page
        page = block.page
        price = _BLOCK if i else 0.0
        if i and leads[i - 1] and not turned:
            price = AFTER_LEAD
        elif leads[i]:
            breaks[i] = True
            price = _heading_price(block)
        elif own != unit and unit is not None:
            breaks[i] = True
            price = _CONTEXT
        if turned:
            breaks[i] = True
            price = min(price, _SLIDE)
        if own is not None:
            unit = own
        prices[i] = price
    return Layout(
        np.array([b.start for b in blocks], dtype=np.int64),
        np.array(leads, dtype=np.bool_),
        np.array([b.kind in _WHOLE for b in blocks], dtype=np.bool_),
        np.array(breaks, dtype=np.bool_),
        np.array(prices, dtype=np.float64),
    )


def leads_on(blocks: tuple[Block, ...], i: int) -> bool:
    """Whether block ``i`` introduces what follows it."""
    if blocks[i].kind is BlockKind.CAPTION:  # above its table; under a figure it follows
        return i + 1 < len(blocks) and blocks[i + 1].kind is BlockKind.TABLE_ROW
    return blocks[i].kind in _LEADS


def _unit(block: Block) -> tuple[object, ...]:
    """Return what two blocks must share to share a cell."""
    context = block.context or block.heading_path
    if block.kind in _APART:
        return (context, block.kind, block.page)
    if block.kind in (BlockKind.TABLE_ROW, BlockKind.POINT):
        return (context, block.kind, block.locator.rpartition("/")[0])
    return (context,)


def _heading_price(block: Block) -> float:
    if block.kind is BlockKind.SLIDE_TITLE:
        return _SLIDE
    if block.kind is BlockKind.CAPTION:
        return _CONTEXT
    depth = _DEEPEST if block.kind is BlockKind.ARTICLE else max(1, block.level or 2)
    return _HEADING + _HEADING_STEP * (min(depth, _DEEPEST) - 1)
