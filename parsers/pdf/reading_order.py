"""The order in which a page's runs are read: bands, columns, sidebars. Standard library only.

The longest stretch of a page with a gutter and nothing across it is found first; what stands
above and below it is looked at again, and so are its columns, so three columns, or two below
three, come out by the same rule. Runs that cross a gutter are bands (titles, wide figures and
tables); between two bands the columns are read one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from parsers.model import BoundingBox
from parsers.pdf.boxes import take_sidebars
from parsers.pdf.gutters import (
    MIN_ROWS,
    crosses,
    gutters_of,
    holds_cells,
    middle,
    side_of,
    sides_of,
)
from parsers.pdf.initials import join_initials
from parsers.pdf.layout import Run, Zone, ZoneKind, is_rtl, line_of, overlap, rows_of
from parsers.pdf.margins import take_margins

FIGURE = -1
"""``Run.table`` of an obstacle that is a figure, not a table."""
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
_TITLE = 1.18
"""Size over the median from which a short line may head all columns (a guess: LaTeX's \\large)."""
_CLEARANCE = 0.3
"""Em of white above and below a line that heads all columns, in every column (a guess)."""
_NEXT_LINE = 0.6
"""Em of white between two lines of a paragraph, at most (a guess: one-and-a-half spacing)."""


@dataclass(frozen=True, slots=True)
class _Part:
    kind: ZoneKind
    runs: list[Run]


def read_order(
    runs: Sequence[Run], page: int, height: float, boxes: Sequence[BoundingBox] = ()
) -> list[Zone]:
    """Return the zones of a page in the order in which they are read; sidebars come last.

    Args:
        runs: Text, and obstacles (``table`` is set) that stand for tables and figures.
        page: 1-based number, put on each line.
        height: Of the page as it is read, points.
        boxes: Shapes drawn on it that may frame a sidebar.
    """
    usable = [r for r in runs if r.table != FIGURE or not _is_background(r, runs, height)]
    head, inner, foot = take_margins(usable, height)
    body, asides = take_sidebars(join_initials(inner), boxes)
    parts = [
        _Part(ZoneKind.MARGIN, head),
        *_split(_Part(ZoneKind.BODY, body)),
        _Part(ZoneKind.MARGIN, foot),
    ]
    for aside in asides:
        parts += _split(_Part(ZoneKind.SIDEBAR, aside))
    zones: list[Zone] = []
    for part in parts:
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
    texts = _texts(runs)
    gutter = next(gutters_of(texts), None)
    if gutter is None or not area.x0 < gutter < area.x1:
        return False
    for side in sides_of(texts, gutter):
        inside = [r for r in side if _holds(area, r.box)]
        full = sum(r.box.x1 - r.box.x0 > _FULL_LINE * _width(side) for r in inside)
        if full >= MIN_ROWS and 2 * full > len(inside):
            return True
    return False


def _texts(runs: Sequence[Run]) -> list[Run]:
    return [r for r in runs if r.table is None]


def _is_background(figure: Run, runs: Sequence[Run], height: float) -> bool:
    """Tell whether an image divides nothing: it fills the page or text is printed on it."""
    box = figure.box
    on_it = sum(len(r.text) for r in runs if r.table is None and _holds(box, r.box))
    return box.bottom - box.top > _TALL * height or on_it > _LABELLED


def _holds(area: BoundingBox, box: BoundingBox) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.top + box.bottom) / 2
    return area.x0 <= x <= area.x1 and area.top <= y <= area.bottom


def _split(part: _Part, known: tuple[float, ...] = ()) -> list[_Part]:
    """Split a part at its best gutter, and each piece again, until none has a gutter.

    Args:
        part: Not yet divided.
        known: Gutters of what stands above or below: they hold here too where nothing else does.
    """
    own = {g: list(_zones(part.runs, g)) for g in gutters_of(_texts(part.runs))}
    best: tuple[int, list[_Zone]] | None = None
    most = MIN_ROWS - 1
    for zones in own.values():
        for i, zone in enumerate(zones):
            rows = zone.rows_if_more(most)
            if rows > most:
                best, most = (i, zones), rows
    if best is not None:
        at, zones = best
        known = (*known, zones[at].gutter)
        above = [r for zone in zones[:at] for r in zone.runs]
        below = [r for zone in zones[at + 1 :] for r in zone.runs]
        pieces = [
            *([_Part(part.kind, above)] if above else []),
            *_columns(zones[at].left, zones[at].right, part.kind),
            *([_Part(part.kind, below)] if below else []),
        ]
        return [final for piece in pieces for final in _split(piece, known)]
    for gutter in (*own, *reversed(known)):
        pieces = _at(part.kind, own.get(gutter) or _zones(part.runs, gutter))
        if len(pieces) > 1:
            return [final for piece in pieces for final in _split(piece, known)]
    return [part]


@dataclass(slots=True)
class _Zone:
    """What lies between two bands, or a band."""

    gutter: float
    runs: list[Run]
    is_band: bool

    @property
    def left(self) -> list[Run]:
        """What stands left of the gutter."""
        return [r for r in self.runs if middle(r) <= self.gutter]

    @property
    def right(self) -> list[Run]:
        """What stands right of the gutter."""
        return [r for r in self.runs if middle(r) > self.gutter]

    @property
    def is_divided(self) -> bool:
        """There is text on both sides, and neither is the labels of the other."""
        if self.is_band:
            return False
        left, right = self.left, self.right
        return bool(left and right) and not holds_cells(side_of(left), side_of(right))

    def rows_if_more(self, least: int) -> int:
        """Return the rows of text on the side that has fewer, 0 where they are no more than that.

        It is 0 in a band and in what is no columns, too.
        """
        if self.is_band or len(self.runs) <= 2 * least:
            return 0
        left, right = self.left, self.right
        if min(len(left), len(right)) <= least:
            return 0
        sides = side_of(left), side_of(right)
        rows = min(len(side.lines) for side in sides)
        return rows if rows > least and not holds_cells(*sides) else 0


def _at(kind: ZoneKind, zones: Iterable[_Zone]) -> list[_Part]:
    """Divide all of a part at one gutter, given what lies between its bands."""
    pieces: list[_Part] = []
    across: list[Run] = []
    for zone in zones:
        if not zone.is_divided:
            across += zone.runs
            continue
        if across:
            pieces.append(_Part(kind, across))
            across = []
        pieces += _columns(zone.left, zone.right, kind)
    if across:
        pieces.append(_Part(kind, across))
    return pieces


def _zones(runs: Sequence[Run], gutter: float) -> Iterator[_Zone]:
    """Yield what lies between bands, and the bands, from top to bottom."""
    bands = [r for r in runs if crosses(r, gutter)]
    bands += _headings_of_all(runs, gutter)
    bands += _last_lines(runs, bands, gutter)
    known = {id(r) for r in bands}
    lines = [r.box for r in bands if r.table is None]
    current: _Zone | None = None
    for run in sorted(runs, key=lambda r: (r.box.top + r.box.bottom) / 2):
        # what stands beside a crossing line (its last word, its number) belongs to the band
        is_band = id(run) in known or any(overlap(run.box, line) > 0.5 for line in lines)
        if current is not None and is_band != current.is_band:
            yield current
            current = None
        if current is None:
            current = _Zone(gutter, [], is_band)
        current.runs.append(run)
    if current is not None:
        yield current


def _last_lines(runs: Sequence[Run], bands: Sequence[Run], gutter: float) -> list[Run]:
    """Return the short last lines of paragraphs whose other lines cross the gutter."""
    found: list[Run] = []
    beside = [r for r in runs if r.table is None and not crosses(r, gutter)]
    for band in bands:
        if band.table is not None:
            continue
        em = band.size
        for run in beside:
            if (
                abs(run.size - em) < 0.06 * em
                and -0.3 * em < run.box.top - band.box.bottom < _NEXT_LINE * em
                and min(abs(run.box.x0 - band.box.x0), abs(run.box.x1 - band.box.x1)) < 0.3 * em
                and not any(overlap(run.box, r.box) > 0.2 for r in _other_side(runs, run, gutter))
            ):
                found.append(run)
    return found


def _other_side(runs: Sequence[Run], run: Run, gutter: float) -> list[Run]:
    return [r for r in runs if (middle(r) > gutter) != (middle(run) > gutter)]


def _headings_of_all(runs: Sequence[Run], gutter: float) -> list[Run]:
    """Return the large short lines that head all columns: beside them every column is empty."""
    texts = _texts(runs)
    if not texts:
        return []
    usual = median(r.size for r in texts)
    found: list[Run] = []
    for run in texts:
        if run.size < _TITLE * usual or crosses(run, gutter):
            continue
        others = _other_side(runs, run, gutter)
        top = run.box.top - _CLEARANCE * run.size
        bottom = run.box.bottom + _CLEARANCE * run.size
        if any(r.box.top < bottom and r.box.bottom > top for r in others):
            continue
        above = sum(r.box.bottom <= top for r in others)
        below = sum(r.box.top >= bottom for r in others)
        if min(above, below) >= 2:
            found.append(run)
    return found


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
    if any(r.table is not None for r in side) or len(rows_of(side)) < 2:
        return False
    characters, others = (sum(len(r.text) for r in runs) for runs in (side, other))
    return (
        characters < _SIDEBAR_TEXT * others
        and _width(side) < _SIDEBAR_WIDTH * _width(other)
        and next(gutters_of(_texts(other)), None) is None
    )


def _width(runs: Sequence[Run]) -> float:
    return max(r.box.x1 for r in runs) - min(r.box.x0 for r in runs)
