"""Cheap signs of a table on a page, before the slow reader is opened for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from parsers.pdf.layout import Run
from parsers.pdf.stext import Quad
from parsers.pdf.text_layer import PageLayer

_MIN_RULE = 20.0
"""Points: shorter horizontal lines are ticks, underlined words or parts of letters. A guess."""
_THICK = 4.0
"""Points: a path no thicker is one rule, else an area with four sides. A guess."""
_LEVEL = 4
"""Points between two rules that count as one place."""
_GAP = 0.9
"""Gap between two pieces of a line, in heights of its words (1.1 to 1.4 font sizes)."""
_ALIGNED = 2.5
"""Points by which the starts, ends or middles of pieces in one column may differ. A guess."""
_MAX_PAIRS = 4_000_000
"""Pairs of rules beyond which a page is a drawing; its text alone is looked at."""

_STRETCH = re.compile(r"\S+(?:[^\S\t]{1,2}\S+)*")
"""Words with no more than two spaces between them."""
_DIGIT = re.compile(r"\d")

_Piece = tuple[float, float, bool]
"""Start, end, and whether it has a digit."""


def has_table_evidence(layer: PageLayer) -> bool:
    """Tell cheaply whether a page may hold a table.

    True when rules cross so as to make more than one box, when three neighbouring lines of text
    have pieces below each other, with digits or in two columns beside the first, or when such
    lines have any pieces below each other and three horizontal rules of one length are near.

    Errs towards True: a page taken for one costs a tenth of a second or two. Measured on a book of
    117 pages with formulas and drawings and no table, see the tests of this module.
    """
    across, down = _rules(layer.drawings.pieces)
    if _boxes(across, down):
        return True
    extents = Counter((round(x0 / _LEVEL), round(x1 / _LEVEL)) for x0, _, x1, _ in across)
    stacked = max(extents.values(), default=0) > 2
    lines = [_pieces(line) for line in _lines(layer.runs)]
    return any(columns > 1 or figures or stacked for columns, figures in _aligned_columns(lines))


def _rules(pieces: Iterable[Quad]) -> tuple[list[Quad], list[Quad]]:
    """Return the horizontal and the vertical rules among straight pieces of paths."""
    across: list[Quad] = []
    down: list[Quad] = []
    for x0, top, x1, bottom in pieces:
        tops: tuple[float, ...] = ()
        sides: tuple[float, ...] = ()
        wide, high = x1 - x0 >= _MIN_RULE, bottom - top >= _MIN_RULE / 4
        if bottom - top <= _THICK:
            tops = ((top + bottom) / 2,)
        elif x1 - x0 <= _THICK:
            sides = ((x0 + x1) / 2,)
        else:
            tops, sides = (top, bottom), (x0, x1)
        if wide:
            across += [(x0, y, x1, y) for y in tops]
        if high:
            down += [(x, top, x, bottom) for x in sides]
    return across, down


def _boxes(across: Sequence[Quad], down: Sequence[Quad]) -> bool:
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


def _lines(runs: Sequence[Run]) -> list[list[tuple[float, float, float, str]]]:
    """Return (start, end, height, text) of the stretches without a wide gap of each line."""
    lines: list[list[tuple[float, float, float, str]]] = []
    last = float("-inf")
    for run in sorted(runs, key=lambda r: r.box.top + r.box.bottom):
        box, length = run.box, len(run.text)
        height = box.bottom - box.top
        middle = (box.top + box.bottom) / 2
        if middle - last > 0.35 * height:
            lines.append([])
            last = middle
        step = (box.x1 - box.x0) / length
        for found in _STRETCH.finditer(run.text):
            start, end = found.span()
            lines[-1].append((box.x0 + start * step, box.x0 + end * step, height, found[0]))
    return [sorted(line) for line in lines]


def _pieces(line: Sequence[tuple[float, float, float, str]]) -> list[_Piece]:
    pieces: list[_Piece] = []
    for x0, x1, height, text in line:
        digit = _DIGIT.search(text) is not None
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
