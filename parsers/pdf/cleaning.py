"""Runs made clean: drawn once, outside tables, in plain letters. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from parsers.model import BoundingBox
from parsers.normalise import canonical, count_characters
from parsers.pdf.layout import Run, overlap

_SOFT_HYPHEN = "\u00ad"
_BROKEN_FF = re.compile("(?<=[A-Za-z])\u21b5(?=[a-z-])|\u21b5(?=[a-z]{2})")
"""The "ff" of TeX fonts as macOS writes it: a return arrow inside a word."""
_PRESENTATION = re.compile("[\ufb50-\ufdff\ufe70-\ufefc]")
"""Arabic letters in the shape they take in a word, or several in one shape."""


def cleaned(runs: Sequence[Run], dropped: Counter[str], generated: Counter[str]) -> list[Run]:
    """Return the runs in canonical text, with what that drops and generates counted.

    Soft hyphens inside a run go (one at its end marks a broken word and stays), and letters that
    a font encodes by their shape become plain ones.
    """
    kept: list[Run] = []
    for run in runs:
        text = canonical(run.text)
        if _SOFT_HYPHEN in text[:-1]:
            dropped["soft_hyphen"] += text[:-1].count(_SOFT_HYPHEN)
            text = text[:-1].replace(_SOFT_HYPHEN, "") + text[-1]
        plain = _BROKEN_FF.sub("ff", _PRESENTATION.sub(_plain_letters, text))
        if plain != text:
            generated["ligature"] += count_characters(plain) - count_characters(text)
        if plain.strip():
            same = plain == run.text and not run.glyphs
            kept.append(run if same else replace(run, text=plain, glyphs=()))
    return kept


def _plain_letters(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", match.group()).replace(" ", "")


def without_areas(runs: Sequence[Run], areas: Sequence[BoundingBox], taken: list[str]) -> list[Run]:
    """Return what stands outside ``areas``: a glyph inside has its centre there.

    A run that is partly inside is cut; its box is shortened in proportion. What is left out is
    appended to ``taken``, one string for each area.
    """
    kept: list[Run] = []
    for run in runs:
        inside = [_area_at(x, y, areas) for _, x, y in run.glyphs]
        for (character, _, _), area in zip(run.glyphs, inside, strict=True):
            if area is not None:
                taken[area] += character
        if all(area is None for area in inside):
            kept.append(run)
        elif not all(area is not None for area in inside):
            kept += _outer_parts(run, [area is not None for area in inside])
    return kept


def _area_at(x: float, y: float, areas: Sequence[BoundingBox]) -> int | None:
    for i, area in enumerate(areas):
        if area.x0 <= x <= area.x1 and area.top <= y <= area.bottom:
            return i
    return None


def _outer_parts(run: Run, inside: Sequence[bool]) -> list[Run]:
    """Return the stretches of a run whose glyphs are not inside."""
    parts: list[Run] = []
    start: int | None = None
    for i, is_inside in enumerate([*inside, True]):
        if start is None and not is_inside:
            start = i
        elif start is not None and is_inside:
            glyphs = run.glyphs[start:i]
            text = "".join(c for c, _, _ in glyphs)
            if text.strip():
                box = _stretch(run.box, start / len(inside), i / len(inside))
                place = _stretch(run.place, start / len(inside), i / len(inside))
                parts.append(replace(run, text=text, box=box, place=place, glyphs=glyphs))
            start = None
    return parts


def _stretch(box: BoundingBox, start: float, end: float) -> BoundingBox:
    width = box.x1 - box.x0
    return BoundingBox(box.x0 + start * width, box.top, box.x0 + end * width, box.bottom)


def without_duplicates(runs: Sequence[Run], dropped: Counter[str]) -> list[Run]:
    """Return the runs without those drawn again on the same spot (a poor man's bold, a shadow)."""
    seen: dict[str, list[BoundingBox]] = {}
    kept: list[Run] = []
    for run in runs:
        key = "".join(run.text.split())
        places = seen.setdefault(key, [])
        # 0.2 em or 1 pt: wider than any fake bold, narrower than a repeated letter (a guess)
        near = max(1.0, 0.2 * run.size)
        if any(abs(p.x0 - run.box.x0) <= near and abs(p.top - run.box.top) <= near for p in places):
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
