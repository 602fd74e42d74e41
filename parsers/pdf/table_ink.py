"""What a page shows of its tables: glyphs and rules, turned the way the page is read.

Reads pdfplumber's page; everything behind it works on these plain shapes. Coordinates are points
of the page as it is read: /Rotate and the direction of most of the text are both undone, the
origin is the top left of the crop box.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from parsers.model import BoundingBox
from parsers.pdf.layout import MAX_SKEW
from parsers.pdf.table_edges import edges_of

SNAP = 2.0
"""Points between two parallel rules that are one (the two sides of a thin box). A guess; the
narrowest real column gap seen is 6 points."""
JOIN = 3.0
"""Points between two pieces of one rule (dashes, dots). pdfplumber's default."""
_MIN_RULE = 6.0
"""A shorter joined rule is a tick or an underline of a letter, in points. A guess."""
_WORD_GAP = 0.2
"""Gap between letters, in font sizes, that parts two words. Fonts' spaces are 0.22 to 0.3 wide."""
_LETTER_GAP = 0.4
"""The same in a line that has spaces of its own: letters may be set apart there. A guess."""
_LINE_SHIFT = 0.4
"""Vertical distance of centres, in font sizes, within one line; a superscript is 0.3 off."""
_SMALL = 0.75
"""Size of a superscript, in that of its line; typesetters take 0.58 to 0.7."""
_SCRIPT_SHIFT = 0.6
"""Vertical distance of centres, in font sizes, from a line to a superscript that stands higher
than its text's middle. Lines stand 1.0 apart or more."""

_CID = re.compile(r"\(cid:\d+\)")
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)
_BOLD = re.compile(r"bold|black|heavy|semibold|demi", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character (or an explicit space) on the page.

    ``turn``: clockwise quarter turns that make it upright in the page as it is read.
    """

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    size: float
    font: str = ""
    turn: int = 0

    @property
    def x(self) -> float:
        """Horizontal centre."""
        return (self.x0 + self.x1) / 2

    @property
    def y(self) -> float:
        """Vertical centre."""
        return (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Word:
    """Glyphs of one line without a space between them; also used for runs of words."""

    glyphs: tuple[Glyph, ...]
    x0: float
    top: float
    x1: float
    bottom: float

    @property
    def text(self) -> str:
        """Its characters in logical order."""
        letters = [g.text for g in self.glyphs]
        return "".join(reversed(letters) if self.is_rtl else letters)

    @property
    def is_rtl(self) -> bool:
        """Whether most of it is written from right to left."""
        strong = sum(unicodedata.bidirectional(g.text[0]) in ("R", "AL") for g in self.glyphs)
        return strong * 2 > len(self.glyphs)

    @property
    def size(self) -> float:
        """Font size of its largest glyph, in points."""
        return max(g.size for g in self.glyphs)

    @property
    def bold(self) -> bool:
        """Whether all of it is bold."""
        return all(_BOLD.search(g.font) for g in self.glyphs)

    @property
    def x(self) -> float:
        """Horizontal centre."""
        return (self.x0 + self.x1) / 2

    @property
    def y(self) -> float:
        """Vertical centre."""
        return (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight horizontal or vertical line: at ``at``, from ``low`` to ``high``."""

    horizontal: bool
    at: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Ink:
    """A page's glyphs and rules, with its size as it is read."""

    width: float
    height: float
    glyphs: tuple[Glyph, ...]
    rules: tuple[Rule, ...]


def read_ink(page: Any) -> Ink:
    """Return the ink of a pdfplumber page."""
    left, top, right, bottom = (float(v) for v in page.cropbox)
    width, height = right - left, bottom - top
    glyphs = [g for c in page.chars if (g := _glyph(c, left, top)) is not None]
    glyphs = [g for g in glyphs if g.x1 > 0 and g.x0 < width and g.bottom > 0 and g.top < height]
    turns = Counter(g.turn for g in glyphs if not g.text.isspace())
    turn = turns.most_common(1)[0][0] if turns else 0
    edges = [_edge(e, left, top) for e in edges_of(page)]
    sides = (height, width) if turn % 2 else (width, height)
    return Ink(
        *sides,
        tuple(_once([_turn_glyph(g, turn, width, height) for g in glyphs])),
        tuple(_within(join_rules([_turn_rule(e, turn, width, height) for e in edges]), *sides)),
    )


def _glyph(char: dict[str, Any], left: float, top: float) -> Glyph | None:
    text = _CID.sub("\ufffd", char["text"] or "").translate(_LIGATURES)
    text = text.strip() or text  # some fonts map a leader dot to a space and a dot
    box = [float(char[k]) for k in ("x0", "top", "x1", "bottom")]
    if not text or not all(map(math.isfinite, box)):
        return None
    a, b = char["matrix"][:2]
    turns = math.atan2(b, a) / (math.pi / 2)
    turn = round(turns)
    if abs(turns - turn) > MAX_SKEW:
        return None
    turn %= 4
    return Glyph(
        text, box[0] - left, box[1] - top, box[2] - left, box[3] - top,
        float(char["size"]) or 1.0, str(char["fontname"]), turn,
    )  # fmt: skip


def _once(glyphs: list[Glyph]) -> Iterator[Glyph]:
    """Yield the glyphs without those printed again on the same spot (a poor man's bold)."""
    seen: dict[tuple[str, int, int], list[Glyph]] = {}
    for glyph in glyphs:
        near = max(0.5, 0.12 * glyph.size)
        bucket = (round(glyph.x0 / 4), round(glyph.top / 4))
        twins = (
            other for dx in (-1, 0, 1) for dy in (-1, 0, 1)
            for other in seen.get((glyph.text, bucket[0] + dx, bucket[1] + dy), ())
        )  # fmt: skip
        if any(abs(t.x0 - glyph.x0) <= near and abs(t.top - glyph.top) <= near for t in twins):
            continue
        seen.setdefault((glyph.text, *bucket), []).append(glyph)
        yield glyph


def _edge(edge: dict[str, Any], left: float, top: float) -> Rule:
    x0, x1 = float(edge["x0"]) - left, float(edge["x1"]) - left
    y0, y1 = float(edge["top"]) - top, float(edge["bottom"]) - top
    if edge["orientation"] == "h":
        return Rule(True, (y0 + y1) / 2, x0, x1)
    return Rule(False, (x0 + x1) / 2, y0, y1)


def _turn_box(
    box: tuple[float, float, float, float], turn: int, width: float, height: float
) -> tuple[float, float, float, float]:
    """Turn a box of a ``width`` x ``height`` page clockwise by ``turn`` quarters."""
    x0, top, x1, bottom = box
    if turn == 1:
        return height - bottom, x0, height - top, x1
    if turn == 2:
        return width - x1, height - bottom, width - x0, height - top
    if turn == 3:
        return top, width - x1, bottom, width - x0
    return box


def _turn_glyph(glyph: Glyph, turn: int, width: float, height: float) -> Glyph:
    box = _turn_box((glyph.x0, glyph.top, glyph.x1, glyph.bottom), turn, width, height)
    x0, top, x1, bottom = box
    return replace(glyph, x0=x0, top=top, x1=x1, bottom=bottom, turn=(glyph.turn - turn) % 4)


def _turn_rule(rule: Rule, turn: int, width: float, height: float) -> Rule:
    low, high, at = rule.low, rule.high, rule.at
    box = (low, at, high, at) if rule.horizontal else (at, low, at, high)
    x0, top, x1, bottom = _turn_box(box, turn, width, height)
    if rule.horizontal == (turn % 2 == 0):
        return Rule(True, top, x0, x1)
    return Rule(False, x0, top, bottom)


def join_rules(rules: Sequence[Rule]) -> Iterator[Rule]:
    """Yield the rules with near-parallel ones as one and broken ones whole, short ones gone."""
    for horizontal in (True, False):
        ordered = sorted(rules_of(rules, horizontal), key=lambda r: r.at)
        group: list[Rule] = []
        for rule in [*ordered, Rule(horizontal, math.inf, 0, 0)]:
            apart = group and rule.at - group[-1].at > SNAP
            if apart or (group and rule.at - group[0].at > 3 * SNAP):
                yield from _join(group, horizontal)
                group = []
            group.append(rule)


def _within(rules: Iterable[Rule], width: float, height: float) -> Iterator[Rule]:
    """Yield the rules cut to the page; those outside (crop marks) are gone."""
    for rule in rules:
        across, along = (height, width) if rule.horizontal else (width, height)
        low, high = max(rule.low, 0.0), min(rule.high, along)
        if -SNAP <= rule.at <= across + SNAP and high - low >= _MIN_RULE:
            yield Rule(rule.horizontal, rule.at, low, high)


def rules_of(rules: Iterable[Rule], horizontal: bool) -> list[Rule]:
    """Return the rules of one direction."""
    return [r for r in rules if r.horizontal is horizontal]


def _join(group: Sequence[Rule], horizontal: bool) -> Iterator[Rule]:
    at = median(r.at for r in group)
    low, high = math.nan, -math.inf
    for rule in sorted(group, key=lambda r: r.low):
        if rule.low > high + JOIN:
            if high - low >= _MIN_RULE:
                yield Rule(horizontal, at, low, high)
            low = rule.low
            high = rule.high
        high = max(high, rule.high)
    if high - low >= _MIN_RULE:
        yield Rule(horizontal, at, low, high)


def lines_of(glyphs: Iterable[Glyph]) -> list[list[Word]]:
    """Return upright glyphs as lines of words, top to bottom and left to right."""
    lines: list[list[Glyph]] = []
    ordered = sorted(glyphs, key=lambda g: (g.y, g.x0))
    for glyph in (g for g in ordered if not g.text.isspace()):
        for line in reversed(lines[-3:]):
            biggest = max(line[-1].size, glyph.size)
            if abs(median(g.y for g in line[-5:]) - glyph.y) <= _LINE_SHIFT * biggest:
                line.append(glyph)
                break
        else:
            lines.append([glyph])
    lines = _with_scripts(lines)
    middles = [median(g.y for g in line) for line in lines]
    for space in (g for g in ordered if g.text.isspace()):  # of any font: its box says little
        nearest = min(range(len(lines)), key=lambda i: abs(middles[i] - space.y), default=None)
        if nearest is not None:
            lines[nearest].append(space)
    return [list(_words(line)) for line in lines]


def _with_scripts(lines: list[list[Glyph]]) -> list[list[Glyph]]:
    """Return the lines, those of nothing but superscripts put into the line they belong to."""
    found: list[list[Glyph]] = []
    for line in lines:
        if found and _are_near(found[-1], line):
            found[-1] += line
        else:
            found.append(line)
    return found


def _are_near(a: Sequence[Glyph], b: Sequence[Glyph]) -> bool:
    """Tell whether one of two lines is small, close to the other, and over or under none of it."""
    sizes = sorted((max(g.size for g in a), max(g.size for g in b)))
    apart = abs(median(g.y for g in a) - median(g.y for g in b))
    if sizes[0] >= _SMALL * sizes[1] or apart > _SCRIPT_SHIFT * sizes[1]:
        return False
    scripts, line = (a, b) if max(g.size for g in a) == sizes[0] else (b, a)
    return not any(g.x0 < s.x < g.x1 for s in scripts for g in line)


def _words(line: list[Glyph]) -> Iterator[Word]:
    word: list[Glyph] = []
    end = -math.inf
    ordered = sorted(line, key=lambda g: (g.x0, g.x1))
    inked = [g for g in ordered if not g.text.isspace()]
    spaced = any(g.text.isspace() and inked[0].x1 <= g.x and g.x1 <= inked[-1].x1 for g in ordered)
    least = _LETTER_GAP if spaced else _WORD_GAP
    for glyph in ordered:
        space = glyph.text.isspace()
        if space and glyph.x1 <= end:
            continue  # it hides behind a letter
        if word and (space or glyph.x0 - end > least * glyph.size):
            yield word_of(word)
            word = []
        if not space:
            word.append(glyph)
            end = max(end, glyph.x1)
    if word:
        yield word_of(word)


def word_of(glyphs: Sequence[Glyph]) -> Word:
    """Return glyphs, left to right, as one word."""
    return Word(
        tuple(glyphs), min(g.x0 for g in glyphs), min(g.top for g in glyphs),
        max(g.x1 for g in glyphs), max(g.bottom for g in glyphs),
    )  # fmt: skip


def upright(glyphs: Iterable[Glyph]) -> list[Glyph]:
    """Return the glyphs turned, each direction on its own, so that all can be read as lines.

    A turned header cell ("Kharif" from bottom to top) keeps its order that way; its coordinates
    then only mean something among glyphs of its own direction.
    """
    return [_turn_glyph(g, g.turn, 0, 0) for g in glyphs]


def box_of(shapes: Iterable[Glyph | Word]) -> BoundingBox:
    """Return the smallest box around ``shapes`` (at least one)."""
    shapes = list(shapes)
    return BoundingBox(
        min(s.x0 for s in shapes), min(s.top for s in shapes),
        max(s.x1 for s in shapes), max(s.bottom for s in shapes),
    )  # fmt: skip
