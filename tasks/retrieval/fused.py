"""The default choice: cells in order of evidence, then whole parents while budget remains."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tasks.retrieval.budget import MISFITS, Duplicates, Selection, by_evidence
from tasks.retrieval.corpus import Corpus
from tasks.retrieval.tradeup import trade_up


def choose_fused(
    corpus: Corpus,
    evidence: NDArray[np.float64],
    budget: int | None,
    passages: int | None,
    least: float,
) -> tuple[Selection, Duplicates]:
    """Choose cells by evidence until the next does not fit, complete parents, fill what is left.

    Trade-up comes when the first cell does not fit, so that it gets what is left over; then shorter
    cells fill what it left. Cells that it brought do not count as chosen for their own evidence,
    or one cell would pull in the whole document, doubling by doubling. With ``passages`` the choice
    by evidence ends as soon as there are so many.

    Args:
        corpus: The cells.
        evidence: Per cell; minus infinity where a cell takes no part.
        budget: Most tokens, or None.
        passages: Most passages, or None.
        least: Share of a parent that must be chosen for trade-up to complete it, in [0, 1].

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
            trade_up(corpus, selection, least)
        misfits += 1
    if misfits == 0:  # the passages or the cells ran out first
        trade_up(corpus, selection, least)
    return selection, duplicates
