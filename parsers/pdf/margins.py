"""Single running heads and feet: they stay in the text but interrupt no sentence.

What repeats over pages is furniture and is left out. One page alone does not show that a line at
its edge is a head or a foot, so the line is kept, before or after everything else of its page.
Standard library only.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from statistics import median

from parsers.pdf.layout import Run, rows_of

_FOOT = 0.9
"""Share of the page's height below which a foot stands (a guess)."""
_HEAD = 0.1
"""Share of the page's height above which a running head stands (a guess)."""
_APART = 1.5
"""Distance to the next row over the usual one from which a row stands apart (a guess)."""
_LONGEST = 120
"""Characters of the longest head or foot (a guess)."""
_SIZE = 1.08
"""Size over the median up to which a head is no title, unless it bears a page number (a guess)."""
_NUMBER = re.compile(r"^\s*(\d{1,4}|[ivxlc]{1,6})\s*$")


def take_margins(runs: Sequence[Run], height: float) -> tuple[list[Run], list[Run], list[Run]]:
    """Return (head, rest, foot) of a page's runs; head and foot are a row each, or empty.

    Args:
        runs: Of a page, obstacles included.
        height: Of the page as it is read, points.
    """
    rows = rows_of([r for r in runs if r.table is None])
    if len(rows) < 6:  # too little to tell what is usual
        return [], list(runs), []
    gaps = [b[0].box.bottom - a[0].box.bottom for a, b in itertools.pairwise(rows)]
    usual = max(1.0, median(g for g in gaps if g > 0) if any(g > 0 for g in gaps) else 1.0)
    size = median(r.size for row in rows for r in row)
    head: list[Run] = []
    foot: list[Run] = []
    if (
        rows[-1][0].box.top > _FOOT * height
        and _stands_apart(rows[-1], rows[-2], usual, size)
        and _is_short(rows[-1])
    ):
        foot = rows[-1]
    if (
        rows[0][0].box.bottom < _HEAD * height
        and _stands_apart(rows[1], rows[0], usual, size)
        and _is_short(rows[0])
        and (_has_number(rows[0]) or _is_plain(rows[0], size))
    ):
        head = rows[0]
    gone = {id(r) for r in (*head, *foot)}
    return head, [r for r in runs if id(r) not in gone], foot


def _stands_apart(lower: Sequence[Run], upper: Sequence[Run], usual: float, size: float) -> bool:
    gap = min(r.box.top for r in lower) - max(r.box.bottom for r in upper)
    step = min(r.box.bottom for r in lower) - max(r.box.bottom for r in upper)
    return gap >= 0.9 * size and step >= _APART * usual


def _is_short(row: Sequence[Run]) -> bool:
    return sum(len(r.text) for r in row) <= _LONGEST


def _has_number(row: Sequence[Run]) -> bool:
    """Tell whether a number stands at an end of the row, apart from its words."""
    ordered = sorted(row, key=lambda r: r.box.x0)
    return any(_NUMBER.match(ordered[at].text) for at in (0, -1))


def _is_plain(row: Sequence[Run], size: float) -> bool:
    return max(r.size for r in row) <= _SIZE * size and not any(r.bold for r in row)
