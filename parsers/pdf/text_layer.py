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
from parsers.pdf.drawings import Drawings, read_drawings
from parsers.pdf.glyphs import needs_glyphs, spans_without_area, spell
from parsers.pdf.layout import MAX_SKEW, Run, turned
from parsers.pdf.stext import PlainLine, Stext, read_stext

pymupdf: Any = _untyped  # it has no annotations
_BOLD = pymupdf.TEXT_FONT_BOLD
_MONO = pymupdf.TEXT_FONT_MONOSPACED
_TALLEST = 1.9
"""Height of a line over its font size above which the font's metrics are absurd (measured: 1.0 to
1.7 in 4,000 lines, 3 and more where they are; line and superscript together stay below)."""
_ABOVE, _BELOW = 0.8, 0.2
"""Em that the letters of the usual font reach above and below the baseline."""


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
        drawings: What stands beside the text.
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
    drawings: Drawings = field(default_factory=Drawings)
    taken: list[str] = field(default_factory=list)
    upright: bool = True

    @property
    def text(self) -> str:
        """All runs, unordered: for statistics."""
        return "\n".join(r.text for runs in (self.runs, *self.aside) for r in runs)

    @property
    def outside_images(self) -> float:
        """Share of the characters that stand outside every image, 0 to 1."""
        figures = self.drawings.figures
        if not figures:
            return 1.0
        total = outside = 0
        for run in self.runs:
            total += len(run.text)
            if not any(_centre_in(run.box, figure) for figure in figures):
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
    printed = read_stext(page)
    layer = PageLayer(number, width, height, source=count_characters(printed.dump))
    layer.taken = [""] * len(tables)
    content = None
    if tables or not printed.upright or needs_glyphs(printed.dump):
        content = _content(printed, layer, bool(tables))
    if content is None:
        found = [(run, 0, 0) for run in _plain_runs(printed.lines, layer, page.rect)]
    else:
        found = _runs(content, layer, page.rect)
    by_turn: dict[int, list[Run]] = {}
    vertical = 0
    for run, turn, wmode in found:
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
    layer.drawings = read_drawings(
        page, printed, page_turn, (width, height), (layer.width, layer.height)
    )
    return layer


def _plain_runs(lines: Sequence[PlainLine], layer: PageLayer, rect: Any) -> Iterator[Run]:
    """Yield the runs of upright lines in the page's own coordinates."""
    for line in lines:
        text, box, size = line.text, line.box, line.size
        if not text or text.isspace():
            continue
        if _outside(box, rect):
            layer.dropped["off_page"] += count_characters(text)
            continue
        if box.bottom - box.top > _TALLEST * size:
            box = BoundingBox(
                box.x0, line.baseline - _ABOVE * size, box.x1, line.baseline + _BELOW * size
            )
        yield Run(text, box, size, line.bold, box, mono=line.mono)


def _content(printed: Stext, layer: PageLayer, keep_glyphs: bool) -> dict[str, Any] | None:
    """Return PyMuPDF's dict of a page, each span with its ``text``, None where it lacks much.

    It leaves out spans without area; a line with a part of such a span is not found again.
    """
    by_glyph = keep_glyphs or needs_glyphs(printed.dump)
    textpage = printed.textpage
    content: dict[str, Any] = textpage.extractRAWDICT() if by_glyph else textpage.extractDICT()
    missing = _left_out(printed.dump, "".join(_span_texts(content)))
    joined = spell(content, keep_glyphs=keep_glyphs) if by_glyph else 0
    if missing and _add_spans_without_area(content, textpage, missing) and not keep_glyphs:
        return None
    layer.dropped["joined_accent"] += joined
    return content


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
    above, below = _ABOVE * size, _BELOW * size
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


def _add_spans_without_area(
    content: dict[str, Any], textpage: Any, missing: Counter[str]
) -> Counter[str]:
    """Append the spans that the dict leaves out, as lines of a block of their own.

    Args:
        content: The dict; it keeps some spans without area and leaves out others.
        textpage: Where it came from.
        missing: The characters that it leaves out.

    Returns:
        The characters that are still missing.
    """
    lines = []
    for line in spans_without_area(textpage.extractXML()):
        letters = Counter(line["text"])
        if letters <= missing:
            missing -= letters
            span = {"text": line["text"], "size": line["size"], "flags": 0, "font": ""}
            lines.append({**line, "spans": [span]})
    content["blocks"].append({"lines": lines})
    return missing


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
        box=_turned(run.box, direction, size),
        place=_turned(run.box, page_turn, size),
        glyphs=tuple((c, *_turned_point(x, y, page_turn, *size)) for c, x, y in run.glyphs),
    )


def _turned(box: BoundingBox, turn: int, size: tuple[float, float]) -> BoundingBox:
    return BoundingBox(*turned((box.x0, box.top, box.x1, box.bottom), turn, *size))


def _turned_point(
    x: float, y: float, turn: int, width: float, height: float
) -> tuple[float, float]:
    x, y, _, _ = turned((x, y, x, y), turn, width, height)
    return x, y


def _centre_in(box: BoundingBox, area: BoundingBox) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.top + box.bottom) / 2
    return area.x0 <= x <= area.x1 and area.top <= y <= area.bottom
