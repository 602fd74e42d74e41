"""Gutters: strips with text on both sides of them, line after line. Standard library only.

A strip is found by votes: every gap between a run and its neighbour on the right is one. What
looks like a table, a list with labels or a table of contents has strips too, but is read across.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from parsers.pdf.layout import Line, Run, line_of, overlap, rows_of

MIN_ROWS = 3
"""Rows with text on both sides that make a strip a gutter (a guess; two are a coincidence)."""
_MIN_GUTTER = 0.75
"""Width of a gutter in em; a wide word space of justified text is below it (a guess)."""
_LABEL_CHARS = 12
"""Mean characters per line below which a side is numbers or labels, not prose (a guess)."""
_RAGGED_CHARS = 25
"""Mean characters per line below which aligned ragged lines are a table's cells (a guess)."""
_RAGGED_FILL = 0.6
"""Mean width of a side's lines over its widest below which the side is ragged (a guess)."""
_STICKS_OUT = 1.5
"""Points that a glyph may stick out into the gutter (a guess)."""
_CANDIDATES = 6
"""Strips looked at; more false ones than that: not a page of prose (a guess)."""
_DIGITS = re.compile(r"\d+")
_ALNUMS = re.compile(r"[^\W_]+")
_LEADER = re.compile(r"(\.\s?){4,}|…{2,}|_{4,}")
_STOPS, _CLOSING = (".", "!", "?", "。", ":", ";"), "'\"”’»)"
_SENTENCE = re.compile(f"\\w\\W+\\w.*[{''.join(_STOPS)}][{_CLOSING}]*$")


def middle(run: Run) -> float:
    """Return the x of a run's centre."""
    return (run.box.x0 + run.box.x1) / 2


def crosses(run: Run, gutter: float) -> bool:
    """Tell whether a run stands on both sides of a gutter.

    A figure must reach over it by a quarter: its white or its shadow may stick out.
    """
    tolerance = _STICKS_OUT
    if run.table is not None:
        tolerance = max(tolerance, 0.25 * (run.box.x1 - run.box.x0))
    return run.box.x0 < gutter - tolerance and run.box.x1 > gutter + tolerance


def sides_of(runs: Sequence[Run], gutter: float) -> tuple[list[Run], list[Run]]:
    """Return what stands left and right of a gutter; what crosses it is in neither."""
    free = [r for r in runs if not crosses(r, gutter)]
    return [r for r in free if middle(r) <= gutter], [r for r in free if middle(r) > gutter]


def gutters_of(runs: Sequence[Run]) -> Iterator[float]:
    """Yield x of the strips that divide columns of prose, that with most rows beside it first.

    Args:
        runs: Text alone.
    """
    gaps = list(_gaps(runs))
    for _ in range(_CANDIDATES):
        if len(gaps) < MIN_ROWS:
            return
        x, votes = _busiest(gaps)
        if votes < MIN_ROWS:
            return
        left, right = sides_of(runs, x)
        if not reads_across(left, right, crossing=len(runs) - len(left) - len(right)):
            yield x
        gaps = [(a, b) for a, b in gaps if not a <= x <= b]


def _gaps(runs: Sequence[Run]) -> Iterator[tuple[float, float]]:
    """Yield the empty strip between each run and its nearest neighbour on the right."""
    ordered = sorted(runs, key=lambda r: r.box.top)
    nearest: dict[int, tuple[float, float]] = {}
    for i, one in enumerate(ordered):
        for j in range(i + 1, len(ordered)):
            other = ordered[j]
            if other.box.top >= one.box.bottom:
                break
            if overlap(one.box, other.box) < 0.3:
                continue
            first, second = (i, j) if one.box.x0 <= other.box.x0 else (j, i)
            gap = (ordered[first].box.x1, ordered[second].box.x0)
            if first not in nearest or gap[1] < nearest[first][1]:
                nearest[first] = gap
    for first, (start, end) in nearest.items():
        if end - start >= _MIN_GUTTER * ordered[first].size:
            yield start, end


def _busiest(gaps: Sequence[tuple[float, float]]) -> tuple[float, int]:
    """Return the middle of the strip that most gaps share, and how many share it."""
    edges = sorted([(a, 1) for a, _ in gaps] + [(b, -1) for _, b in gaps])
    best, best_x, depth = 0, 0.0, 0
    for i, (x, step) in enumerate(edges):
        depth += step
        if depth > best:
            end = next((b for b, s in edges[i + 1 :] if s < 0), x)
            best, best_x = depth, (x + end) / 2
    return best_x, best


@dataclass(frozen=True, slots=True)
class Side:
    """Measures of the lines on one side of a gutter."""

    lines: list[Line]
    pieces: list[int]
    """Length of each run, that is, of what stands between wide gaps."""

    @property
    def typical_piece(self) -> int:
        """Length of a run of which, and of longer ones, half the text is made."""
        reached, total = 0, sum(self.pieces)
        for length in sorted(self.pieces):
            reached += length
            if 2 * reached >= total:
                return length
        return 0

    @property
    def characters(self) -> float:
        """Mean length of a line."""
        return fmean(len(line.text) for line in self.lines)

    @property
    def fill(self) -> float:
        """Mean width of a line over the widest."""
        widths = [line.box.x1 - line.box.x0 for line in self.lines]
        return fmean(widths) / max(1.0, *widths)

    @property
    def digits(self) -> float:
        """Share of digits among letters and digits."""
        text = "".join(line.text for line in self.lines)
        digits, alnums = (sum(map(len, p.findall(text))) for p in (_DIGITS, _ALNUMS))
        return digits / max(1, alnums)

    @property
    def sentences(self) -> float:
        """Share of lines that end as sentences do."""
        return fmean(
            line.text.rstrip(_CLOSING).endswith(_STOPS) and bool(_SENTENCE.search(line.text))
            for line in self.lines
        )


def side_of(runs: Sequence[Run]) -> Side:
    """Return the measures of the text among ``runs``."""
    texts = [r for r in runs if r.table is None]
    lines = [line_of(row, 0) for row in rows_of(texts)]
    return Side(lines, [len(r.text.strip()) for r in texts])


def _aligned(few: Side, many: Side) -> float:
    """Return the share of the lines of ``few`` on the baseline of one of ``many``."""
    bottoms = sorted(line.box.bottom for line in many.lines)
    hits = 0
    for line in few.lines:
        slack = 0.2 * line.size
        at = bisect_left(bottoms, line.box.bottom - slack)
        hits += at < len(bottoms) and bottoms[at] <= line.box.bottom + slack
    return hits / len(few.lines)


def reads_across(left: list[Run], right: list[Run], crossing: int) -> bool:
    """Tell whether the two sides of a strip are parts of the same rows, not columns."""
    sides = side_of(left), side_of(right)
    few, many = sorted(sides, key=lambda s: len(s.lines))
    if len(few.lines) < MIN_ROWS:
        return True
    if crossing > 6 * len(few.lines):  # a strip through running text, by chance (a guess)
        return True
    if fmean(bool(_LEADER.search(line.text)) for line in sides[0].lines) > 0.3:
        return True
    aligned = _aligned(few, many)
    if holds_cells(*sides):
        return aligned >= 0.6
    if aligned < 0.8 or min(s.sentences for s in sides) >= 0.5:
        return False
    if len(few.lines) < 0.6 * len(many.lines) and few.characters < _RAGGED_CHARS:
        return True  # terms on the left, explanations on the right
    return any(s.characters < _RAGGED_CHARS and s.fill < _RAGGED_FILL for s in sides)


def holds_cells(*sides: Side) -> bool:
    """Tell whether one side is labels or numbers, line for line."""
    if min(len(s.lines) for s in sides) < MIN_ROWS:
        return False
    if min(s.sentences for s in sides) >= 0.5:
        return False
    return (
        min(median(len(line.text) for line in s.lines) for s in sides) < _LABEL_CHARS
        or min(s.typical_piece for s in sides) < _LABEL_CHARS
        or any(s.characters < _LABEL_CHARS for s in sides)
        or max(s.digits for s in sides) > 0.5
    )
