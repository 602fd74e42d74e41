"""Cut what has no sentences that fit: giant sentences, scripts without spaces, one endless line."""

from __future__ import annotations

import math
import re

from tasks.slicing.graphemes import cluster_at
from tasks.slicing.tokens import TokenGrid

_CLAUSE = re.compile(r"[;:,–—)\]]\s+|[、，；：।]\s*|\n\s*")
_SPACE = re.compile(r"\s+")
_CLAUSE_REACH = 0.4
"""Share of a full piece given up, at most, to end at a clause (a guess)."""
_SPACE_REACH = 0.5
"""The same to end at white space: else a word is cut (a guess)."""
_EVEN = 1.15
"""How much more than its even share a piece may take, to find a clause (a guess)."""


def hard_cuts(
    text: str, tokens: TokenGrid, start: int, end: int, size: int, room: int
) -> list[int]:
    """Return the cuts inside ``[start, end)`` that leave no piece above ``size`` tokens.

    Args:
        text: The whole text.
        tokens: Its token starts.
        start: A grapheme boundary.
        end: A grapheme boundary.
        size: Most tokens of a piece. One grapheme above it is a piece of its own.
        room: Most tokens of the first piece.
    """
    cuts: list[int] = []
    while (left := tokens.count(start, end)) > room:
        if room == size:  # even pieces, no stub at the end
            even = left / math.ceil(left / size)
            limit = grapheme_limit(text, tokens, start, min(size, int(_EVEN * even) + 1))
        else:
            limit = grapheme_limit(text, tokens, start, room)
        if limit >= end:
            break
        start = _preferred(text, start, limit)
        cuts.append(start)
        room = size
    return cuts


def grapheme_limit(text: str, tokens: TokenGrid, start: int, room: int) -> int:
    """Return the furthest end of a chunk from ``start`` with at most ``room`` tokens.

    It cuts no grapheme, and lies behind the first grapheme even where that alone is too big.
    """
    limit = tokens.offset_after(start, room)
    if limit <= start:
        limit = start + 1
    left, right = cluster_at(text, limit, start)
    return left if left > start else right


def _preferred(text: str, start: int, limit: int) -> int:
    """Return the best end of a piece in ``(start, limit]``: clause, white space, then token."""
    for pattern, reach in ((_CLAUSE, _CLAUSE_REACH), (_SPACE, _SPACE_REACH)):
        best = start
        for match in pattern.finditer(text, limit - int(reach * (limit - start)), limit):
            best = match.end()
        if best > start and cluster_at(text, best, start)[0] == best:
            return best
    return limit
