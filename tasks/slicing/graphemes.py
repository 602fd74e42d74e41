r"""Where one may cut without breaking what a reader sees as one character (a grapheme cluster).

Only the surroundings of a candidate are looked at: segmenting a whole text with ``\X`` would cost
more than everything else in slicing. Rules: Unicode Standard Annex 29, as ``regex`` knows them.
"""

from __future__ import annotations

import numpy as np
import regex
from numpy.typing import NDArray

_CLUSTER = regex.compile(r"\X")
_CARRIES_ON = regex.compile(r"[\p{M}\p{Grapheme_Extend}\u200d]")
"""Marks and joiners: whether one breaks before what follows depends on what stood before it."""
_FIRST_COMBINING = "\u0300"
"""No code point below it joins a neighbour, CR LF apart."""


def _surely_breaks(text: str, at: int) -> bool:
    """Whether a boundary stands before ``text[at]`` whatever stands to the left of the pair.

    Left of a pair only three rules look: flags (pairs of regional indicators: the pair alone
    joins), emoji joined by U+200D, and Indic conjuncts (both carry on over a mark).
    """
    pair = text[at - 1 : at + 1]
    if pair[0] < _FIRST_COMBINING and pair[1] < _FIRST_COMBINING:
        return pair != "\r\n"
    return len(_CLUSTER.match(pair)[0]) == 1 and not _CARRIES_ON.match(pair[0])


def cluster_at(text: str, at: int, floor: int = 0) -> tuple[int, int]:
    """Return the span of the grapheme that ``at`` would cut, or ``(at, at)`` when it cuts none.

    Args:
        text: The text.
        at: A candidate offset.
        floor: A grapheme boundary at or before ``at``; the search to the left ends there.
    """
    if at <= floor or at >= len(text) or _surely_breaks(text, at):
        return at, at
    left = at - 1
    while left > floor and not _surely_breaks(text, left):
        left -= 1
    for match in _CLUSTER.finditer(text, left):
        if match.end() >= at:
            return (at, at) if match.end() == at else match.span()
    return at, at


def keep_boundaries(text: str, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return those of the sorted ``offsets`` at which no grapheme is cut."""
    if text.isascii() and "\r" not in text:
        return offsets
    whole = [at for at in offsets.tolist() if cluster_at(text, at)[0] == at]
    return np.array(whole, dtype=np.int64)
