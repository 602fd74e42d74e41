"""The default choice: cells in order of evidence, then whole parents while budget remains."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tasks.retrieval.budget import MISFITS, Duplicates, Selection, by_evidence
from tasks.retrieval.corpus import Corpus


def choose_fused(
    corpus: Corpus,
    evidence: NDArray[np.float64],
    budget: int | None,
    passages: int | None,
    trade_up: float,
) -> tuple[Selection, Duplicates]:
    """Choose cells by evidence until the next does not fit, complete parents, fill what is left.

    A parent (a structural unit first: an article, a slide, a table's row) is completed when at
    least ``trade_up`` of its tokens were chosen for their own evidence and the rest fits. Cells
    that came by completing another parent do not count, or one cell would pull in the whole
    document, doubling by doubling. Without a budget nothing is completed. With ``passages`` the
    choice by evidence ends as soon as there are so many.

    Args:
        corpus: The cells.
        evidence: Per cell; minus infinity where a cell takes no part.
        budget: Most tokens, or None.
        passages: Most passages, or None.
        trade_up: Share in [0, 1].

    Returns:
        The selection, and the repeats that were left out of it.
    """
    selection = Selection(corpus, budget)
    duplicates = Duplicates(corpus)
    order = by_evidence(evidence)
    misfits = 0
    for cell in order:
        if selection.passages == passages or misfits > MISFITS or selection.full:
            break
        if duplicates.repeats(cell, cell + 1) or selection.chosen[cell]:
            continue
        if selection.add(cell, cell + 1):
            duplicates.keep(cell, cell + 1)
            continue
        if misfits == 0:
            complete_parents(corpus, selection, trade_up)
        misfits += 1
    if misfits == 0 and budget is not None:  # the passages or the cells ran out first
        complete_parents(corpus, selection, trade_up)
    return selection, duplicates


def complete_parents(corpus: Corpus, selection: Selection, trade_up: float) -> None:
    """Choose the rest of parents that are chosen for the most part, where it fits.

    Order: structural units, then chunks of the levels; the fullest first; the cheapest first among
    equals; then by level and place.
    """
    own = selection.chosen.copy()
    candidates = []
    for rank, first, end in _parents(corpus, np.flatnonzero(own)):
        tokens = np.maximum(corpus.n_tokens[first:end], 1)
        share = float(tokens[own[first:end]].sum() / tokens.sum())
        if trade_up <= share and not own[first:end].all():
            candidates.append((rank > 0, -share, selection.cost(first, end), rank, first, end))
    for _, _, _, _, first, end in sorted(candidates):
        selection.add(first, end)


def _parents(corpus: Corpus, cells: NDArray[np.int64]) -> Iterator[tuple[int, int, int]]:
    """Yield (rank, first cell, end) of the units (rank 0) and chunks (their level) of cells."""
    units = zip(corpus.unit_first[cells].tolist(), corpus.unit_end[cells].tolist(), strict=True)
    for first, end in dict.fromkeys(units):
        yield 0, first, end
    for rank, level in enumerate(corpus.levels[1:], start=1):
        for chunk in np.unique(np.searchsorted(level.first, cells, "right") - 1).tolist():
            end = int(level.first[chunk + 1]) if chunk + 1 < len(level) else len(corpus)
            yield rank, int(level.first[chunk]), end
