"""One page's text layer, read with PyMuPDF: runs in reading space, counts, what is drawn.

Nothing is decided here about order or meaning. MuPDF gives coordinates of the page before its
/Rotate entry; the direction in which most of the text runs says how the page is read, so a page
turned by /Rotate and a page whose content is turned come out alike.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pymupdf as _untyped

from parsers.model import BoundingBox
from parsers.normalise import count_characters
from parsers.pdf.cleaning import cleaned, without_areas, without_duplicates
from parsers.pdf.glyphs import needs_glyphs, spans_without_area, spell
from parsers.pdf.layout import MAX_SKEW, Run

pymupdf: Any = _untyped  # it has no annotations
_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE
"""Ligatures are spelled out; nothing is clipped; unknown glyphs are U+FFFD, not a font's code."""
_BOLD = pymupdf.TEXT_FONT_BOLD
_MONO = pymupdf.TEXT_FONT_MONOSPACED
_RULE = 1.0
"""Points: a path no thicker is a rule (a guess; the strokes of small print are taller)."""
_TALLEST = 1.9
"""Height of a line over its font size above which the font's metrics are absurd (measured: 1.0 to
1.7 in 4,000 lines, 3 and more where they are; line and superscript together stay below)."""
_FRAME = 24.0
"""Points: a path no lower or narrower may frame two lines of text (a guess)."""
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
        boxes: Boxes of painted shapes that may frame text, as read.
        n_drawings: Paths painted, rules apart.
        hidden_ratio: Share of the text painted invisibly, 0 to 1.
        taken: Text of each area that was left out, unordered.
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
    boxes: list[BoundingBox] = field(default_factory=list)
    n_drawings: int = 0
    hidden_ratio: float = 0.0
    taken: list[str] = field(default_factory=list)
    upright: bool = True

    @property
    def text(self) -> str:
        """All runs, unordered: for statistics."""
        return "\n".join(r.text for runs in (self.runs, *self.aside) for r in runs)

    @property
    def outside_images(self) -> float:
        """Share of the characters that stand outside every image, 0 to 1."""
        if not self.figures:
            return 1.0
        total = outside = 0
        for run in self.runs:
            total += len(run.text)
            if not any(_centre_in(run.box, figure) for figure in self.figures):
                outside += len(run.text)
        return outside / total if total else 1.0


def read_page(page: Any, number: int, tables: Sequence[BoundingBox] = ()) -> PageLayer:
    """Read the text layer of a PyMuPDF page; leaves the page turned the way it is read.

    Args:
        page: The page.
        number: 1-based.
        tables: Areas, on the page as it is read, whose glyphs are left out of the runs.
    """
    shown = page.rotation
    page.set_rotation(0)
    width, height = page.rect.width, page.rect.height
    textpage = page.get_textpage(flags=_FLAGS, clip=pymupdf.INFINITE_RECT())
    dump = textpage.extractText()
    layer = PageLayer(number, width, height, source=count_characters(dump))
    layer.taken = [""] * len(tables)
    by_glyph = bool(tables) or needs_glyphs(dump)
    content = textpage.extractRAWDICT() if by_glyph else textpage.extractDICT()
    missing = _left_out(dump, "".join(_span_texts(content)))
    if by_glyph:
        layer.dropped["joined_accent"] += spell(content, keep_glyphs=bool(tables))
    if missing:
        _add_spans_without_area(content, textpage, missing)
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
        turned = runs
        if direction or page_turn:
            turned = [_turned_run(r, direction, page_turn, (width, height)) for r in runs]
        kept = without_duplicates(turned, layer.dropped)
        if tables:
            kept = without_areas(kept, tables, layer.taken)
        kept = cleaned(kept, layer.dropped, layer.generated)
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
            text = "".join(s["text"] for s in spans)
            if not text.strip():
                continue
            x0, top, x1, bottom = line["bbox"]
            box = BoundingBox(min(x0, x1), min(top, bottom), max(x0, x1), max(top, bottom))
            if not math.isfinite(x0 + x1 + top + bottom) or _outside(box, rect):
                layer.dropped["off_page"] += count_characters(text)
                continue
            inked = [s for s in spans if s["text"].strip()]
            size = max((s["size"] for s in inked), default=0.0)
            bold = bool(inked) and all(_is_bold(s) for s in inked)
            level = line["dir"] == (1.0, 0.0)
            turns = 0.0 if level else math.atan2(line["dir"][1], line["dir"][0]) / (math.pi / 2)
            direction = round(turns) % 4
            box = _without_mad_metrics(box, inked, size, direction)
            mono = bool(inked) and all(s["flags"] & _MONO for s in inked)
            glyphs = tuple(
                (c["c"], *_centre(c, s["size"], line["dir"]))
                for s in spans
                for c in s.get("chars", ())
                if abs(turns - round(turns)) <= MAX_SKEW  # a table takes in no watermark
            )
            run = Run(text, box, size, bold, box, mono=mono, glyphs=glyphs)
            found.append((run, direction, int(line["wmode"] == 1)))
    return found


def _without_mad_metrics(
    box: BoundingBox, spans: Sequence[dict[str, Any]], size: float, direction: int
) -> BoundingBox:
    """Return the box of a line around its baseline where its font states an absurd height."""
    baselines = [s["origin"] for s in spans if "origin" in s]
    tall = box.bottom - box.top if direction % 2 == 0 else box.x1 - box.x0
    if tall <= _TALLEST * size or not baselines:
        return box
    above, below = 0.8 * size, 0.2 * size  # of the usual font
    if direction in (1, 2):
        above, below = below, above
    if direction % 2 == 0:
        ys = [y for _, y in baselines]
        return BoundingBox(box.x0, min(ys) - above, box.x1, max(ys) + below)
    xs = [x for x, _ in baselines]
    return BoundingBox(min(xs) - above, box.top, max(xs) + below, box.bottom)


def _centre(char: dict[str, Any], size: float, direction: Sequence[float]) -> tuple[float, float]:
    """Return the middle of a glyph; across the line it is taken from the baseline.

    Fonts state their ascent differently from reader to reader; 0.3 em above the baseline is the
    middle of a box with the usual descent of 0.2 em, whoever draws it.
    """
    x0, top, x1, bottom = char["bbox"]
    up = 0.3 * size
    if abs(direction[0]) >= abs(direction[1]):
        return (x0 + x1) / 2, char["origin"][1] - math.copysign(up, direction[0])
    return char["origin"][0] + math.copysign(up, direction[1]), (top + bottom) / 2


def _span_texts(content: dict[str, Any]) -> Iterator[str]:
    for block in content["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                yield span["text"] if "text" in span else "".join(c["c"] for c in span["chars"])


def _left_out(whole: str, part: str) -> Counter[str]:
    """Count the characters, white space apart, that ``whole`` has more often than ``part``."""
    inked, found = "".join(whole.split()), "".join(part.split())
    return Counter[str]() if inked == found else Counter(inked) - Counter(found)


def _add_spans_without_area(content: dict[str, Any], textpage: Any, missing: Counter[str]) -> None:
    """Append the spans that the dict leaves out, as lines of a block of their own.

    Args:
        content: The dict; it keeps some spans without area and leaves out others.
        textpage: Where it came from.
        missing: The characters that it leaves out.
    """
    lines = []
    for line in spans_without_area(textpage.extractXML()):
        letters = Counter(line["text"])
        if letters <= missing:
            missing -= letters
            span = {"text": line["text"], "size": line["size"], "flags": 0, "font": ""}
            lines.append({**line, "spans": [span]})
    content["blocks"].append({"lines": lines})


def _is_bold(span: dict[str, Any]) -> bool:
    return bool(span["flags"] & _BOLD) or "bold" in str(span["font"]).lower()


def _outside(box: BoundingBox, rect: Any) -> bool:
    return bool(box.x1 <= 0 or box.bottom <= 0 or box.x0 >= rect.width or box.top >= rect.height)


def _main_turn(by_turn: dict[int, list[Run]], shown: int) -> int:
    """Return the quarter turns of most of the text; of the page as shown when it has none."""
    weights = {turn: sum(len(r.text) for r in runs) for turn, runs in by_turn.items()}
    if not weights:
        return (360 - shown) % 360 // 90
    return max(sorted(weights), key=lambda turn: weights[turn])


def _turned_run(run: Run, direction: int, page_turn: int, size: tuple[float, float]) -> Run:
    """Turn a run by its own direction, and its place by that of the page of the given size."""
    return replace(
        run,
        box=_turned(run.box, direction, *size),
        place=_turned(run.box, page_turn, *size),
        glyphs=tuple((c, *_turned_point(x, y, page_turn, *size)) for c, x, y in run.glyphs),
    )


def _turned(box: BoundingBox, turn: int, width: float, height: float) -> BoundingBox:
    """Turn a box back by ``turn`` clockwise quarter turns of a page of the given size."""
    if turn == 1:
        return BoundingBox(box.top, width - box.x1, box.bottom, width - box.x0)
    if turn == 2:
        return BoundingBox(width - box.x1, height - box.bottom, width - box.x0, height - box.top)
    if turn == 3:
        return BoundingBox(height - box.bottom, box.x0, height - box.top, box.x1)
    return box


def _turned_point(
    x: float, y: float, turn: int, width: float, height: float
) -> tuple[float, float]:
    box = _turned(BoundingBox(x, y, x, y), turn, width, height)
    return box.x0, box.top


def _measure_drawings(page: Any, layer: PageLayer) -> None:
    """Note paths and images and how much text is hidden, in the page as it is read."""
    covered: set[tuple[int, int]] = set()
    shown = hidden = 0.0
    for kind, (x0, top, x1, bottom) in page.get_bboxlog():
        x0, x1 = max(0.0, min(x0, x1)), min(layer.width, max(x0, x1))
        top, bottom = max(0.0, min(top, bottom)), min(layer.height, max(top, bottom))
        if x1 < x0 or bottom < top:
            continue
        if kind == "ignore-text":
            hidden += x1 - x0
        elif kind.endswith("-text"):
            shown += x1 - x0
        elif kind in ("fill-path", "stroke-path", "fill-shade"):
            # a rule is no letter turned into an outline: it says nothing about a scan
            layer.n_drawings += min(x1 - x0, bottom - top) >= _RULE
            if min(x1 - x0, bottom - top) >= _FRAME:
                layer.boxes.append(BoundingBox(x0, top, x1, bottom))
        elif kind in ("fill-image", "fill-imgmask") and x1 > x0 and bottom > top:
            layer.figures.append(BoundingBox(x0, top, x1, bottom))
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
