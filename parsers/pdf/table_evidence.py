"""Cheap signs of a table on a PyMuPDF page, before the slow reader is opened for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

_MIN_RULE = 20.0
"""Points: shorter horizontal lines are ticks, underlined words or parts of letters. A guess."""
_LEVEL = 4
"""Points between two rules that count as one place."""
_GAP = 0.9
"""Gap between two pieces of a line, in heights of its words (1.1 to 1.4 font sizes)."""
_ALIGNED = 2.5
"""Points by which the starts, ends or middles of pieces in one column may differ. A guess."""
_MAX_PAIRS = 4_000_000
"""Pairs of rules beyond which a page is a drawing; its text alone is looked at."""

_Box = tuple[float, float, float, float]
_Piece = tuple[float, float, bool]
"""Start, end, and whether it has a digit."""


def has_table_evidence(page: Any) -> bool:
    """Tell cheaply whether a PyMuPDF page may hold a table.

    True when rules cross so as to make more than one box, when three neighbouring lines of text
    have pieces below each other, with digits or in two columns beside the first, or when such
    lines have any pieces below each other and three horizontal rules of one length are near.

    Errs towards True: a page taken for one costs a tenth of a second or two. Measured on a book of
    117 pages with formulas and drawings and no table, see the tests of this module.
    """
    across, down = _rules(page.get_cdrawings())
    if _boxes(across, down):
        return True
    extents = Counter((round(x0 / _LEVEL), round(x1 / _LEVEL)) for x0, _, x1, _ in across)
    stacked = max(extents.values(), default=0) > 2
    lines = [_pieces(line) for line in _lines([w[:5] for w in page.get_text("words")])]
    return any(columns > 1 or figures or stacked for columns, figures in _aligned_columns(lines))


def _rules(paths: Iterable[dict[str, Any]]) -> tuple[list[_Box], list[_Box]]:
    """Return the horizontal and the vertical rules among painted paths."""
    across: list[_Box] = []
    down: list[_Box] = []
    for path in paths:
        for item in path["items"]:
            for x0, y0, x1, y1 in _sides(item):
                if abs(y0 - y1) <= 1 and abs(x0 - x1) >= _MIN_RULE:
                    across.append((min(x0, x1), y0, max(x0, x1), y0))
                elif abs(x0 - x1) <= 1 and abs(y0 - y1) >= _MIN_RULE / 4:
                    down.append((x0, min(y0, y1), x0, max(y0, y1)))
    return across, down


def _sides(item: tuple[Any, ...]) -> Iterator[_Box]:
    if item[0] == "l":
        (x0, y0), (x1, y1) = item[1], item[2]
        yield x0, y0, x1, y1
    elif item[0] == "re":
        x0, y0, x1, y1 = item[1]
        yield from ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1))


def _boxes(across: Sequence[_Box], down: Sequence[_Box]) -> bool:
    """Tell whether rules meet at two heights and two places at least, and at five in all."""
    if not across or not down or len(across) * len(down) > _MAX_PAIRS:
        return False
    import numpy as np

    h, v = np.array(across), np.array(down)
    meets = (
        (h[:, None, 0] - 3 <= v[None, :, 0]) & (v[None, :, 0] <= h[:, None, 2] + 3)
        & (v[None, :, 1] - 3 <= h[:, None, 1]) & (h[:, None, 1] <= v[None, :, 3] + 3)
    )  # fmt: skip
    heights = set(np.round(h[meets.any(axis=1), 1] / _LEVEL).tolist())
    places = set(np.round(v[meets.any(axis=0), 0] / _LEVEL).tolist())
    return min(len(heights), len(places)) > 1 and len(heights) + len(places) > 4


def _lines(words: list[Any]) -> list[list[tuple[float, float, float, str]]]:
    """Return (start, end, height, text) of the words of each line, whichever way the page runs."""
    long = [w for w in words if len(w[4]) > 2]
    upright = sum(w[2] - w[0] > w[3] - w[1] for w in long) * 2 >= len(long)
    boxes = [w if upright else (w[1], w[0], w[3], w[2], w[4]) for w in words]
    lines: list[list[tuple[float, float, float, str]]] = []
    last = float("-inf")
    for x0, y0, x1, y1, text in sorted(boxes, key=lambda w: w[1] + w[3]):
        middle = (y0 + y1) / 2
        if middle - last > 0.35 * (y1 - y0):
            lines.append([])
            last = middle
        lines[-1].append((x0, x1, y1 - y0, text))
    return [sorted(line) for line in lines]


def _pieces(line: Sequence[tuple[float, float, float, str]]) -> list[_Piece]:
    pieces: list[_Piece] = []
    for x0, x1, height, text in line:
        digit = any(c.isdigit() for c in text)
        if pieces and x0 - pieces[-1][1] <= _GAP * height:
            start, _, before = pieces[-1]
            pieces[-1] = (start, x1, before or digit)
        else:
            pieces.append((x0, x1, digit))
    return pieces


def _aligned_columns(lines: Sequence[list[_Piece]]) -> Iterator[tuple[int, bool]]:
    """Yield (aligned columns beside the first, figures in one) of three lines of pieces in a row.

    A line of a single piece may stand between two of them, and any that begin right of the first
    piece above: the rest of a cell.
    """
    lines = list(_without_rests(lines))
    several = [(i, line) for i, line in enumerate(lines) if len(line) > 1]
    for (i, a), (j, b), (k, c) in zip(several, several[1:], several[2:], strict=False):
        if any(after - before > 2 for before, after in pairwise((i, j, k))):
            continue
        columns, figures = 0, False
        for piece in a[1:]:
            below = [x for x in b[1:] if _below(piece, x)]
            more = [x for x in c[1:] if _below(piece, x)]
            if below and more:
                columns += 1
                figures = figures or (piece[2] and below[0][2]) or (below[0][2] and more[0][2])
        if columns:
            yield columns, figures


def _without_rests(lines: Iterable[list[_Piece]]) -> Iterator[list[_Piece]]:
    last: list[_Piece] = []
    for line in lines:
        if len(line) > 1 or not last or line[0][0] <= last[0][1]:
            yield line
        if len(line) > 1:
            last = line


def _below(a: _Piece, b: _Piece) -> bool:
    middles = (a[0] + a[1]) / 2 - (b[0] + b[1]) / 2
    return min(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(middles)) <= _ALIGNED
