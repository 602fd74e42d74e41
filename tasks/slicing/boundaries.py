"""Every place where a cell may end, with the price of ending there: what strategies choose from.

Natural ends are blocks and sentences; inside a sentence only where it does not fit a cell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parsers.model import Document
from tasks.slicing.graphemes import keep_boundaries
from tasks.slicing.hard import hard_cuts
from tasks.slicing.layout import AFTER_LEAD, Layout, lay_out
from tasks.slicing.sentences import sentence_ends
from tasks.slicing.tokens import TokenGrid

_INSIDE_SENTENCE = 0.3
"""Price of a chunk that ends inside a sentence (a guess)."""
_PAGE = -0.15
"""Price of a chunk that ends with a page: a weak wish, sentences run on over pages (a guess)."""
_LEAD_SHARE = 0.75
"""Share of a cell that headings may take and still pull the beginning of a sentence that does not
fit into their cell (a guess)."""


@dataclass(frozen=True, slots=True, eq=False)
class Boundaries:
    """Where cells may end: offsets, tokens before, price of a break, and whether it is forced."""

    offsets: NDArray[np.int64]
    before: NDArray[np.int64]
    prices: NDArray[np.float64]
    forced: NDArray[np.bool_]

    def at(self, chosen: list[int]) -> Boundaries:
        """Return the chosen ones."""
        return Boundaries(
            self.offsets[chosen], self.before[chosen], self.prices[chosen], self.forced[chosen]
        )


def boundaries(document: Document, size: int, tokens: TokenGrid) -> Boundaries:
    """Return every place where a cell may end; what lies between two of them fits a cell."""
    text = document.text
    layout = lay_out(document)
    sentences = sentence_ends(text, document.language)
    whole = _fits_whole(layout, tokens, size)
    if len(layout.starts):
        sentences = sentences[~whole[_block_of(layout, sentences)]]
    ends = np.array([0, len(text)], dtype=np.int64)
    natural = keep_boundaries(text, np.unique(np.concatenate([ends, layout.starts, sentences])))
    extra = _hard(text, tokens, layout, whole, natural, size)
    offsets = np.union1d(natural, np.array(extra, dtype=np.int64))
    prices = np.zeros(len(offsets))
    prices[np.searchsorted(offsets, extra)] = _INSIDE_SENTENCE
    pages = np.array([p.start for p in document.pages if 0 < p.start < len(text)], dtype=np.int64)
    prices[np.isin(offsets, pages)] = _PAGE
    forced = np.zeros(len(offsets), dtype=np.bool_)
    if len(layout.starts):
        at = np.searchsorted(offsets, layout.starts)
        kept = offsets[np.minimum(at, len(offsets) - 1)] == layout.starts
        prices[at[kept]] = np.where(
            layout.prices == AFTER_LEAD, AFTER_LEAD, np.minimum(layout.prices, prices[at])
        )[kept]
        forced[at[kept]] = (layout.breaks | _around_giants(layout, whole))[kept]
    return Boundaries(offsets, tokens.before(offsets), prices, forced)


def _block_of(layout: Layout, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the ordinal of the block in which each offset lies."""
    return np.searchsorted(layout.starts, offsets, side="right") - 1


def _fits_whole(layout: Layout, tokens: TokenGrid, size: int) -> NDArray[np.bool_]:
    """Return which blocks must stay whole and fit a cell."""
    ends = np.append(layout.starts[1:], tokens.text_length)
    counts = tokens.before(ends) - tokens.before(layout.starts)
    return layout.whole & (counts <= size)


def _around_giants(layout: Layout, fits: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return before which blocks a cell must end because a whole block too big for one adjoins."""
    giant = layout.whole & ~fits
    after_giant, after_lead = np.zeros_like(giant), np.zeros_like(giant)
    after_giant[1:] = giant[:-1]
    after_lead[1:] = layout.leads[:-1]
    around: NDArray[np.bool_] = (giant & ~after_lead) | after_giant
    return around


def _hard(
    text: str,
    tokens: TokenGrid,
    layout: Layout,
    whole: NDArray[np.bool_],
    natural: NDArray[np.int64],
    size: int,
) -> list[int]:
    """Return the cuts inside sentences: where one is too big, or too big beside its heading."""
    before = tokens.before(natural)
    counts = np.diff(before)
    rooms = np.full(len(counts), size)
    for first, last in _lead_runs(layout):
        at = int(np.searchsorted(natural, layout.starts[last]))
        if at >= len(counts) or natural[at] != layout.starts[last] or whole[last]:
            continue
        taken = int(before[at]) - tokens.count(0, int(layout.starts[first]))
        if taken <= _LEAD_SHARE * size:
            rooms[at] = size - taken
    cuts: list[int] = []
    for i in np.flatnonzero(counts > rooms).tolist():
        cuts += hard_cuts(text, tokens, int(natural[i]), int(natural[i + 1]), size, int(rooms[i]))
    return cuts


def _lead_runs(layout: Layout) -> list[tuple[int, int]]:
    """Return (first lead, first block after the leads) of each run of leads before a body."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], layout.leads, [0]]).astype(np.int8)))
    pairs = edges.reshape(-1, 2).tolist()
    return [(first, last) for first, last in pairs if last < len(layout.starts)]
