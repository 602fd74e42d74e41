"""One page's text layer, read with PyMuPDF: runs in reading space, counts, what is drawn.

Nothing is decided here about order or meaning. MuPDF gives coordinates of the page before its
/Rotate entry; the direction in which most of the text runs says how the page is read, so a page
turned by /Rotate and a page whose content is turned come out alike.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pymupdf

from parsers.model import BoundingBox
from parsers.normalise import canonical, count_characters
from parsers.pdf.glyphs import needs_glyphs, spell
from parsers.pdf.layout import Run, overlap

_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE
"""Ligatures are spelled out; nothing is clipped; unknown glyphs become U+FFFD, not a font's code."""
_BOLD = pymupdf.TEXT_FONT_BOLD
_SOFT_HYPHEN = "\u00ad"
_PRESENTATION = re.compile("[\ufb50-\ufdff\ufe70-\ufefc]")
_GRID = 50
"""Cells per side of the raster that measures how much of a page images cover."""


@dataclass(slots=True)
class PageLayer:
    """What a page holds before anything is decided.

    Attributes:
        number: 1-based.
        width: Points, of the page as it is read.
        height: Points, of the page as it is read.
        rotation: Degrees clockwise by which the page (without /Rotate) is turned to be read.
        runs: Of the main direction of writing.
        aside: Runs of other directions, grouped by direction, each in its own reading space.
        source: Characters of the raw dump of the page.
        dropped: Reason to characters left out already.
        generated: Reason to characters made already.
        image_ratio: Share of the page's area that images cover, 0 to 1.
        figures: Boxes of images, as read.
        n_drawings: Paths painted.
        rules: Boxes of the paths painted, as read.
        hidden_ratio: Share of the text painted invisibly, 0 to 1.
        upright: Text is written in horizontal lines (not vertical Japanese).
    """

    number: int
    width: float
    height: float
    rotation: int = 0
    runs: list[Run] = field(default_factory=list)
    aside: list[list[Run]] = field(default_factory=list)
    source: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    generated: Counter[str] = field(default_factory=Counter)
    image_ratio: float = 0.0
    figures: list[BoundingBox] = field(default_factory=list)
    n_drawings: int = 0
    rules: list[BoundingBox] = field(default_factory=list)
    hidden_ratio: float = 0.0
    upright: bool = True

    @property
    def text(self) -> str:
        """All runs, unordered: for statistics."""
        return "\n".join(r.text for runs in (self.runs, *self.aside) for r in runs)

    @property
    def outside_images(self) -> float:
        """Share of the characters that stand outside every image, 0 to 1."""
        total = outside = 0
        for run in self.runs:
            total += len(run.text)
            if not any(_centre_in(run.box, figure) for figure in self.figures):
                outside += len(run.text)
        return outside / total if total else 1.0


def read_page(page: Any, number: int) -> PageLayer:
    """Read the text layer of a PyMuPDF page; leaves the page turned the way it is read."""
    shown = page.rotation
    page.set_rotation(0)
    width, height = page.rect.width, page.rect.height
    textpage = page.get_textpage(flags=_FLAGS, clip=pymupdf.INFINITE_RECT())
    raw = textpage.extractText()
    content = textpage.extractDICT()
    layer = PageLayer(number, width, height, source=count_characters(raw))
    if needs_glyphs(raw):
        content = textpage.extractRAWDICT()
        layer.dropped["joined_accent"] += spell(content)
    by_turn: dict[int, list[Run]] = {}
    vertical = 0
    for run, turn, wmode in _runs(content, layer, page.rect):
        by_turn.setdefault(turn, []).append(run)
        vertical += wmode
    turn = _main_turn(by_turn, shown)
    layer.upright = vertical * 2 <= sum(len(runs) for runs in by_turn.values())
    layer.rotation = (360 - 90 * turn) % 360 if layer.upright else 0
    page.set_rotation(layer.rotation)
    if layer.rotation in (90, 270):
        layer.width, layer.height = height, width
    page_turn = turn if layer.upright else 0
    for direction, runs in sorted(by_turn.items()):
        turned = [
            Run(
                r.text,
                _turned(r.box, direction, width, height),
                r.size,
                r.bold,
                _turned(r.box, page_turn, width, height),
            )
            for r in runs
        ]
        kept = _without_duplicates(turned, layer.dropped)
        if direction == turn:
            layer.runs = kept
        else:
            layer.aside.append(kept)
    _measure_drawings(page, layer)
    return layer


def _runs(content: dict[str, Any], layer: PageLayer, rect: Any) -> list[tuple[Run, int, int]]:
    """Return the runs in the page's own coordinates, with their quarter turns and writing mode."""
    found: list[tuple[Run, int, int]] = []
    for block in content["blocks"]:
        for line in block.get("lines", ()):
            spans = [s for s in line["spans"] if s["text"]]
            raw = "".join(s["text"] for s in spans)
            text = canonical(raw)
            if not text.strip():
                continue
            x0, top, x1, bottom = line["bbox"]
            box = BoundingBox(min(x0, x1), min(top, bottom), max(x0, x1), max(top, bottom))
            if not math.isfinite(x0 + x1 + top + bottom) or _outside(box, rect):
                layer.dropped["off_page"] += count_characters(text)
                continue
            if _SOFT_HYPHEN in text[:-1]:
                layer.dropped["soft_hyphen"] += text[:-1].count(_SOFT_HYPHEN)
                text = text[:-1].replace(_SOFT_HYPHEN, "") + text[-1]
            if _PRESENTATION.search(text):
                plain = _PRESENTATION.sub(_plain_letters, text)
                layer.generated["ligature"] += count_characters(plain) - count_characters(text)
                text = plain
            inked = [s for s in spans if s["text"].strip()]
            size = max((s["size"] for s in inked), default=0.0)
            bold = bool(inked) and all(_is_bold(s) for s in inked)
            direction = round(math.atan2(line["dir"][1], line["dir"][0]) / (math.pi / 2)) % 4
            found.append((Run(text, box, size, bold, box), direction, int(line["wmode"] == 1)))
    return found


def _plain_letters(match: re.Match[str]) -> str:
    import unicodedata

    return unicodedata.normalize("NFKC", match.group()).replace(" ", "")


def _is_bold(span: dict[str, Any]) -> bool:
    return bool(span["flags"] & _BOLD) or "bold" in str(span["font"]).lower()


def _outside(box: BoundingBox, rect: Any) -> bool:
    return bool(
        box.x1 <= 0 or box.bottom <= 0 or box.x0 >= rect.width or box.top >= rect.height
    )


def _main_turn(by_turn: dict[int, list[Run]], shown: int) -> int:
    """Return the quarter turns of most of the text; of the page as shown when it has none."""
    weights = {turn: sum(len(r.text) for r in runs) for turn, runs in by_turn.items()}
    if not weights:
        return (360 - shown) % 360 // 90
    return max(sorted(weights), key=lambda turn: weights[turn])


def _turned(box: BoundingBox, turn: int, width: float, height: float) -> BoundingBox:
    """Turn a box back by ``turn`` clockwise quarter turns of a page of the given size."""
    if turn == 1:
        return BoundingBox(box.top, width - box.x1, box.bottom, width - box.x0)
    if turn == 2:
        return BoundingBox(width - box.x1, height - box.bottom, width - box.x0, height - box.top)
    if turn == 3:
        return BoundingBox(height - box.bottom, box.x0, height - box.top, box.x1)
    return box


def _without_duplicates(runs: Sequence[Run], dropped: Counter[str]) -> list[Run]:
    """Return the runs without those drawn again on the same spot (a poor man's bold, a shadow)."""
    seen: dict[str, list[BoundingBox]] = {}
    kept: list[Run] = []
    for run in runs:
        key = "".join(run.text.split())
        places = seen.setdefault(key, [])
        # 0.2 em or 1 pt: wider than any fake bold, narrower than a repeated letter (a guess)
        near = max(1.0, 0.2 * run.size)
        if any(
            abs(p.x0 - run.box.x0) <= near and abs(p.top - run.box.top) <= near for p in places
        ):
            dropped["duplicate_glyphs"] += count_characters(run.text)
            continue
        places.append(run.box)
        kept.append(run)
    return _without_parts(kept, dropped)


def _without_parts(runs: list[Run], dropped: Counter[str]) -> list[Run]:
    """Drop runs drawn again as a part of a longer run that covers the same spot."""
    ordered = sorted(range(len(runs)), key=lambda i: runs[i].box.top)
    covered: set[int] = set()
    for position, i in enumerate(ordered):
        for j in ordered[position + 1 :]:
            if runs[j].box.top - runs[i].box.top > 0.5 * runs[i].size:
                break
            long, short = (i, j) if len(runs[i].text) > len(runs[j].text) else (j, i)
            if _is_part(runs[short], runs[long]):
                covered.add(short)
    for i in covered:
        dropped["duplicate_glyphs"] += count_characters(runs[i].text)
    return [run for i, run in enumerate(runs) if i not in covered]


def _is_part(short: Run, long: Run) -> bool:
    text, whole = short.text.strip(), long.text
    if len(text) < 3 or text not in whole or overlap(short.box, long.box) < 0.8:
        return False
    width = long.box.x1 - long.box.x0
    expected = long.box.x0 + width * whole.index(text) / max(1, len(whole))
    # the place follows from the mean width of a letter: one em and a tenth of the run may be off
    return abs(short.box.x0 - expected) <= short.size + 0.1 * width and (
        short.box.x1 <= long.box.x1 + 0.2 * short.size
    )


def _measure_drawings(page: Any, layer: PageLayer) -> None:
    """Note paths and images and how much text is hidden, in the page as it is read."""
    covered: set[tuple[int, int]] = set()
    shown = hidden = 0.0
    for kind, (x0, top, x1, bottom) in page.get_bboxlog():
        x0, x1 = max(0.0, min(x0, x1)), min(layer.width, max(x0, x1))
        top, bottom = max(0.0, min(top, bottom)), min(layer.height, max(top, bottom))
        if x1 < x0 or bottom < top:
            continue
        box = BoundingBox(x0, top, x1, bottom)
        if kind == "ignore-text":
            hidden += x1 - x0
        elif kind.endswith("-text"):
            shown += x1 - x0
        elif kind in ("fill-path", "stroke-path", "fill-shade"):
            layer.n_drawings += 1
            layer.rules.append(box)
        elif kind in ("fill-image", "fill-imgmask") and x1 > x0 and bottom > top:
            layer.figures.append(box)
            covered.update(
                (column, row)
                for column in _cells(x0, x1, layer.width)
                for row in _cells(top, bottom, layer.height)
            )
    layer.image_ratio = len(covered) / _GRID**2
    layer.hidden_ratio = hidden / (hidden + shown) if hidden else 0.0


def _cells(low: float, high: float, whole: float) -> range:
    """Return the raster cells whose centre lies between ``low`` and ``high``."""
    step = max(whole, 1.0) / _GRID
    return range(max(0, math.ceil(low / step - 0.5)), min(_GRID, math.ceil(high / step - 0.5)))


def _centre_in(box: BoundingBox, area: BoundingBox) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.top + box.bottom) / 2
    return area.x0 <= x <= area.x1 and area.top <= y <= area.bottom
