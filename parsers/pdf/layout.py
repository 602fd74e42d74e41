"""The pieces of a page's layout: runs, lines and zones, as plain values. Standard library only.

Coordinates are points, origin at the top left of the page as it is read: text runs to the right
and lines follow downwards, whatever the file says about rotation.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from parsers.model import BoundingBox

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LEADING_STOP = re.compile(
    "^(\\s*)([.,:;!?،؛؟]+)(\\s*)(?=[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])(.*?)(\\s*)$",
    re.DOTALL,
)
"""A stop before the first right-to-left letter: it was drawn left of the word that it ends."""


MAX_SKEW = 0.15
"""Quarter turns by which a glyph of a table may be off the level; beyond, it is of a watermark (a
guess: those of the wild files are 0.3 to 0.6 off, scanned pages put straight under 0.05)."""


@dataclass(frozen=True, slots=True)
class Run:
    """Characters on one baseline without a wide gap between them.

    Attributes:
        text: As in the file, spaces at the ends included; "" for an obstacle (a table, a figure).
        box: Where, in the space in which it is read.
        size: Font size in points (the largest of the run).
        bold: Every letter is bold.
        place: Where, on the page as it is read; differs from ``box`` for text turned sideways.
        table: Index of the table an obstacle stands for, -1 for a figure, None for text.
        mono: Every letter is of a fixed-width font.
        glyphs: (character, x and y of its centre on the page as read), where they were asked for.
    """

    text: str
    box: BoundingBox
    size: float
    bold: bool
    place: BoundingBox
    table: int | None = None
    mono: bool = False
    glyphs: tuple[tuple[str, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """Runs joined on one baseline inside one column."""

    text: str
    box: BoundingBox
    size: float
    bold: bool
    place: BoundingBox
    page: int
    table: int | None = None
    mono: bool = False


class ZoneKind(StrEnum):
    """What part of a page a zone is."""

    BODY = "body"
    MARGIN = "margin"
    SIDEBAR = "sidebar"


@dataclass(frozen=True, slots=True)
class Zone:
    """Lines that are read one after another inside one column or band.

    Attributes:
        kind: See :class:`ZoneKind`.
        lines: From top to bottom.
        x0: Left edge of its text, points.
        x1: Right edge of its text, points.
    """

    kind: ZoneKind
    lines: tuple[Line, ...]
    x0: float
    x1: float


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark: its depth (1 the highest), its words and the 1-based page it leads to."""

    level: int
    title: str
    page: int


def overlap(a: BoundingBox, b: BoundingBox) -> float:
    """Return the share of the lower box's height that lies beside the other, 0 to 1."""
    top, bottom = a.top, a.bottom
    low, high = b.top, b.bottom  # compared by hand: the most frequent question of all
    shared = (bottom if bottom < high else high) - (top if top > low else low)
    if shared <= 0:
        return 0.0
    return shared / max(0.1, min(bottom - top, high - low))


def turned(
    quad: tuple[float, float, float, float], turn: int, width: float, height: float
) -> tuple[float, float, float, float]:
    """Turn a box back by ``turn`` clockwise quarter turns of a page of the given size."""
    x0, top, x1, bottom = quad
    if turn == 1:
        return top, width - x1, bottom, width - x0
    if turn == 2:
        return width - x1, height - bottom, width - x0, height - top
    if turn == 3:
        return height - bottom, x0, height - top, x1
    return quad


def union(boxes: Iterable[BoundingBox]) -> BoundingBox:
    """Return the smallest box around ``boxes`` (at least one)."""
    several = list(boxes)
    return BoundingBox(
        min(b.x0 for b in several),
        min(b.top for b in several),
        max(b.x1 for b in several),
        max(b.bottom for b in several),
    )


def rows_of(runs: Sequence[Run]) -> list[list[Run]]:
    """Group runs into rows: boxes that share at least half of the lower one's height."""
    rows: list[list[Run]] = []
    anchor: Run | None = None  # the largest of the last row; none where that is an obstacle
    for run in sorted(runs, key=lambda r: ((r.box.top + r.box.bottom) / 2, r.box.x0)):
        # an obstacle is tall: it is a row of its own
        if run.table is not None:
            rows.append([run])
            anchor = None
        elif anchor is not None and overlap(anchor.box, run.box) >= 0.5:
            rows[-1].append(run)
            if run.size > anchor.size:
                anchor = run
        else:
            rows.append([run])
            anchor = run
    return rows


def is_rtl(text: str) -> bool:
    """Tell whether most letters of ``text`` run from right to left."""
    if text.isascii() or not _RIGHT_TO_LEFT.search(text):
        return False
    kinds = [unicodedata.bidirectional(c) for c in text if not c.isspace()]
    right = sum(k in ("R", "AL") for k in kinds)
    return right > sum(k == "L" for k in kinds)


def line_of(row: Sequence[Run], page: int) -> Line:
    """Join the runs of a row: left to right, or right to left where the letters run so."""
    if len(row) == 1:
        only = row[0]
        text = " ".join(_stopped(only.text).split())
        return Line(text, only.box, only.size, only.bold, only.place, page, only.table, only.mono)
    rtl = is_rtl("".join(r.text for r in row))
    ordered = sorted(row, key=lambda r: -r.box.x1 if rtl else r.box.x0)
    text = ""
    before: Run | None = None
    for run in ordered:
        apart = before is None
        if before is not None:
            gap = before.box.x0 - run.box.x1 if rtl else run.box.x0 - before.box.x1
            # 0.12 em: below any space of a text font, above kerning (a guess)
            apart = gap > 0.12 * max(before.size, run.size)
            text += " " if apart else ""
        text += _stopped(run.text) if apart else run.text
        before = run
    size = max(ordered, key=lambda r: len(r.text.strip())).size
    return Line(
        " ".join(text.split()),
        union(r.box for r in row),
        size,
        all(r.bold for r in row if r.text.strip()),
        union(r.place for r in row),
        page,
        mono=all(r.mono for r in row if r.text.strip()),
    )


def _stopped(text: str) -> str:
    """Return a run with the stop that its file has first, being drawn at the left, at the end.

    That is how writers do that put down right-to-left text as it looks.
    """
    match = None if text.isascii() else _LEADING_STOP.match(text)
    if match is None:
        return text
    before, stop, space, rest, after = match.groups()
    return f"{before}{space}{rest}{stop}{after}"
