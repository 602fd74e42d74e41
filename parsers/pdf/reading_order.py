"""The order in which a page's runs are read: bands, columns, sidebars. Standard library only.

A gutter is a strip with text on both sides of it, line after line. Runs that cross it are bands
(titles, wide figures and tables); between two bands the columns are read one after the other.
Each part is looked at again, so three columns, or two below three, come out by the same rule.
What looks like a table, a list with labels or a table of contents is read row by row.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from parsers.model import BoundingBox
from parsers.pdf.layout import Line, Run, Zone, ZoneKind, is_rtl, line_of, overlap, rows_of

FIGURE = -1
"""``Run.table`` of an obstacle that is a figure, not a table."""
_MIN_ROWS = 3
"""Rows with text on both sides that make a strip a gutter (a guess; two are a coincidence)."""
_MIN_GUTTER = 0.75
"""Width of a gutter in em; a wide word space of justified text is below it (a guess)."""
_LABEL_CHARS = 12
"""Mean characters per line below which a side is numbers or labels, not prose (a guess)."""
_RAGGED_CHARS = 25
"""Mean characters per line below which aligned ragged lines are a table's cells (a guess)."""
_RAGGED_FILL = 0.6
"""Mean width of a side's lines over its widest below which the side is ragged (a guess)."""
_SIDEBAR_TEXT = 0.35
"""Share of the other side's text below which a narrow column is a sidebar (a guess)."""
_SIDEBAR_WIDTH = 0.55
"""Share of the other side's width below which a column can be a sidebar (a guess)."""
_TALL = 0.7
"""Share of the page's height above which an image is a background, not a figure (a guess)."""
_LABELLED = 200
"""Characters printed on an image above which it is a background (a guess: diagrams have fewer)."""
_FULL_LINE = 0.8
"""Share of its column that a line of prose fills, the last of a paragraph apart (a guess)."""
_DIGIT = re.compile(r"\d")
_ALNUM = re.compile(r"[^\W_]")
_LEADER = re.compile(r"(\.\s?){4,}|…{2,}|_{4,}")
_SENTENCE = re.compile(r"\w\W+\w.*[.!?。:;]['\"”’»)]*$")


@dataclass(frozen=True, slots=True)
class _Part:
    kind: ZoneKind
    runs: list[Run]


def read_order(runs: Sequence[Run], page: int, height: float) -> list[Zone]:
    """Return the zones of a page in the order in which they are read; sidebars come last.

    Args:
        runs: Text, and obstacles (``table`` is set) that stand for tables and figures.
        page: 1-based number, put on each line.
        height: Of the page as it is read, points.
    """
    usable = [r for r in runs if r.table != FIGURE or not _is_background(r, runs, height)]
    zones: list[Zone] = []
    for part in _split(_Part(ZoneKind.BODY, usable)):
        lines = [line_of(row, page) for row in rows_of(part.runs) if row[0].table != FIGURE]
        if lines:
            box = [line.box for line in lines if line.table is None] or [lines[0].box]
            left, right = min(b.x0 for b in box), max(b.x1 for b in box)
            zones.append(Zone(part.kind, tuple(lines), left, right))
    return sorted(zones, key=lambda z: z.kind is ZoneKind.SIDEBAR)


def mixes_columns(area: BoundingBox, runs: Sequence[Run]) -> bool:
    """Tell whether an area takes in lines of prose of one column and what stands in another.

    Args:
        area: What is taken for a table.
        runs: Of the whole page.
    """
    gutter = _best_gutter([r for r in runs if r.table is None])
    if gutter is None or not area.x0 < gutter < area.x1:
        return False
    for side in (
        [r for r in runs if _middle(r) <= gutter and not _crosses(r, gutter)],
        [r for r in runs if _middle(r) > gutter and not _crosses(r, gutter)],
    ):
        inside = [r for r in side if _holds(area, r.box)]
        full = sum(r.box.x1 - r.box.x0 > _FULL_LINE * _width(side) for r in inside)
        if full >= _MIN_ROWS and 2 * full > len(inside):
            return True
    return False


def _is_background(figure: Run, runs: Sequence[Run], height: float) -> bool:
    """Tell whether an image divides nothing: it fills the page or text is printed on it."""
    box = figure.box
    on_it = sum(len(r.text) for r in runs if r.table is None and _holds(box, r.box))
    return box.bottom - box.top > _TALL * height or on_it > _LABELLED


def _holds(area: BoundingBox, box: BoundingBox) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.top + box.bottom) / 2
    return area.x0 <= x <= area.x1 and area.top <= y <= area.bottom


def _split(part: _Part) -> list[_Part]:
    """Split a part at its best gutter, and each piece again, until none has a gutter."""
    gutter = _best_gutter([r for r in part.runs if r.table is None])
    if gutter is None:
        return [part]
    pieces: list[_Part] = []
    across: list[Run] = []
    for runs, is_band in _zones(part.runs, gutter):
        left = [r for r in runs if _middle(r) <= gutter]
        right = [r for r in runs if _middle(r) > gutter]
        if is_band or not left or not right or _holds_cells(_side(left), _side(right)):
            across += runs
            continue
        if across:
            pieces.append(_Part(part.kind, across))
            across = []
        pieces += _columns(left, right, part.kind)
    if across:
        pieces.append(_Part(part.kind, across))
    if len(pieces) == 1:
        return [part]
    return [final for piece in pieces for final in _split(piece)]


def _middle(run: Run) -> float:
    return (run.box.x0 + run.box.x1) / 2


def _crosses(run: Run, gutter: float) -> bool:
    tolerance = 1.5  # points a glyph may stick out into the gutter (a guess)
    return run.box.x0 < gutter - tolerance and run.box.x1 > gutter + tolerance


def _zones(runs: Sequence[Run], gutter: float) -> Iterator[tuple[list[Run], bool]]:
    """Yield what lies between bands, and the bands, from top to bottom."""
    bands = [r for r in runs if _crosses(r, gutter)]
    current: list[Run] = []
    current_is_band = False
    for run in sorted(runs, key=lambda r: (r.box.top + r.box.bottom) / 2):
        # what stands beside a crossing line (its last word, its number) belongs to the band
        is_band = _crosses(run, gutter) or any(
            overlap(run.box, b.box) > 0.5 and b.table is None for b in bands
        )
        if current and is_band != current_is_band:
            yield current, current_is_band
            current = []
        current.append(run)
        current_is_band = is_band
    if current:
        yield current, current_is_band


def _columns(left: list[Run], right: list[Run], kind: ZoneKind) -> list[_Part]:
    """Order two sides: a sidebar after the other, else as the language reads."""
    for side, other in ((left, right), (right, left)):
        if _is_sidebar(side, other):
            return [_Part(kind, other), _Part(ZoneKind.SIDEBAR, side)]
    first, second = (
        (right, left) if is_rtl("".join(r.text for r in left + right)) else (left, right)
    )
    return [_Part(kind, first), _Part(kind, second)]


def _is_sidebar(side: list[Run], other: list[Run]) -> bool:
    if any(r.table is not None for r in side):
        return False
    characters, others = (sum(len(r.text) for r in runs) for runs in (side, other))
    return (
        characters < _SIDEBAR_TEXT * others
        and _width(side) < _SIDEBAR_WIDTH * _width(other)
        and _best_gutter([r for r in other if r.table is None]) is None
    )


def _width(runs: Sequence[Run]) -> float:
    return max(r.box.x1 for r in runs) - min(r.box.x0 for r in runs)


def _best_gutter(runs: Sequence[Run]) -> float | None:
    """Return x of the strip with most rows of prose on both sides, None where there is none."""
    gaps = list(_gaps(runs))
    for _ in range(6):  # more false candidates than that: not a page of prose
        if len(gaps) < _MIN_ROWS:
            return None
        x, votes = _busiest(gaps)
        if votes < _MIN_ROWS:
            return None
        left = [r for r in runs if not _crosses(r, x) and _middle(r) <= x]
        right = [r for r in runs if not _crosses(r, x) and _middle(r) > x]
        if not _reads_across(left, right, crossing=len(runs) - len(left) - len(right)):
            return x
        gaps = [(a, b) for a, b in gaps if not a <= x <= b]
    return None


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
class _Side:
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
        return len(_DIGIT.findall(text)) / max(1, len(_ALNUM.findall(text)))

    @property
    def sentences(self) -> float:
        """Share of lines that end as sentences do."""
        return fmean(bool(_SENTENCE.search(line.text)) for line in self.lines)


def _side(runs: Sequence[Run]) -> _Side:
    texts = [r for r in runs if r.table is None]
    lines = [line_of(row, 0) for row in rows_of(texts)]
    return _Side(lines, [len(r.text.strip()) for r in texts])


def _aligned(few: _Side, many: _Side) -> float:
    """Return the share of the lines of ``few`` on the baseline of one of ``many``."""
    bottoms = sorted(line.box.bottom for line in many.lines)
    hits = 0
    for line in few.lines:
        slack = 0.2 * line.size
        at = bisect_left(bottoms, line.box.bottom - slack)
        hits += at < len(bottoms) and bottoms[at] <= line.box.bottom + slack
    return hits / len(few.lines)


def _reads_across(left: list[Run], right: list[Run], crossing: int) -> bool:
    """Tell whether the two sides of a strip are parts of the same rows, not columns."""
    sides = _side(left), _side(right)
    few, many = sorted(sides, key=lambda s: len(s.lines))
    if len(few.lines) < _MIN_ROWS:
        return True
    if crossing > 6 * len(few.lines):  # a strip through running text, by chance (a guess)
        return True
    if fmean(bool(_LEADER.search(line.text)) for line in sides[0].lines) > 0.3:
        return True
    aligned = _aligned(few, many)
    if _holds_cells(*sides):
        return aligned >= 0.6
    if aligned < 0.8 or min(s.sentences for s in sides) >= 0.5:
        return False
    if len(few.lines) < 0.6 * len(many.lines) and few.characters < _RAGGED_CHARS:
        return True  # terms on the left, explanations on the right
    return any(s.characters < _RAGGED_CHARS and s.fill < _RAGGED_FILL for s in sides)


def _holds_cells(*sides: _Side) -> bool:
    """Tell whether one side is labels or numbers, line for line."""
    if min(len(s.lines) for s in sides) < _MIN_ROWS:
        return False
    if min(s.sentences for s in sides) >= 0.5:
        return False
    return (
        min(median(len(line.text) for line in s.lines) for s in sides) < _LABEL_CHARS
        or min(s.typical_piece for s in sides) < _LABEL_CHARS
        or any(s.characters < _LABEL_CHARS for s in sides)
        or max(s.digits for s in sides) > 0.5
    )
