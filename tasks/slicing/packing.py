"""Pack a row of atoms into chunks the way TeX breaks a paragraph into lines.

The breaks chosen are those of least total cost, found by dynamic programming from the end: each
chunk costs 1, each break its own price (negative where a text wants to end: a heading, a slide),
and a chunk pays a little for the room it leaves. A choice depends only on what follows it, so
after an edit the old breaks come back within a few chunks.
"""

from __future__ import annotations

from collections.abc import Sequence

_SLACK = 0.1
"""Price of an empty chunk; grows with the square of the room left, so that chunks even out. A
guess: small against every price of a break."""


def pack(
    before: Sequence[int], price: Sequence[float], forced: Sequence[bool], size: int
) -> list[int]:
    """Return the boundaries at which chunks end, the first (0) and the last included.

    Args:
        before: Tokens before each boundary, one more than there are atoms, non-decreasing.
        price: Price of a break at each boundary, above -1.
        forced: Boundaries that no chunk may span.
        size: Most tokens of a chunk. An atom above it stands alone.

    Returns:
        Ordinals of boundaries, ascending.
    """
    last = len(before) - 1
    best = [0.0] * (last + 1)
    after = [0] * (last + 1)
    scale = _SLACK / (size * size)
    for i in range(last - 1, -1, -1):
        limit = before[i] + size
        j = i + 1
        room = limit - before[j]
        cost = 1.0 + price[j] + best[j] + (scale * room * room if room > 0 else 0.0)
        chosen = j
        while not forced[j] and j < last:
            j += 1
            room = limit - before[j]
            if room < 0:
                break
            other = 1.0 + price[j] + best[j] + scale * room * room
            if other <= cost:  # equal: the fuller one
                cost = other
                chosen = j
        best[i] = cost
        after[i] = chosen
    ends = [0]
    while ends[-1] < last:
        ends.append(after[ends[-1]])
    return ends


def fill(before: Sequence[int], forced: Sequence[bool], size: int) -> list[int]:
    """Return the boundaries of chunks that each take all that fits; see :func:`pack`."""
    ends = [0]
    for j in range(1, len(before)):
        if j - 1 > ends[-1] and (forced[j - 1] or before[j] - before[ends[-1]] > size):
            ends.append(j - 1)
    if len(before) > 1:
        ends.append(len(before) - 1)
    return ends
