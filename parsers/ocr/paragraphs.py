"""Paragraphs, list items and headings from recognised lines. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from parsers.language import detect_language
from parsers.model import BlockKind, BoundingBox
from parsers.ocr.page import OcrLine, OcrWord, around
from parsers.pdf.hyphens import HyphenJudge

_LEAST_CONFIDENCE = 0.20
"""Lines read with less are specks and parts of pictures (measured: legible labels of a chart had
0.22 and more; a guess for other noise)."""
_BULLET = re.compile(r"^[•·▪◦‣■●○*«»¢°©®+-]\s+(?=\S)")
_LETTER_BULLET = re.compile(r"^[eo]\s+(?=[A-ZÀ-Ý0-9])")
"""Tesseract reads a bullet as the letter e or o; believed from ``_BULLETS`` such lines on."""
_BULLETS = 3
_NUMBERED = re.compile(r"^(?:\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})\)|\d{1,2}\.)\s+\S")
_HEADING_FACTOR = 1.45
"""How much taller than the page's usual words a heading is (a guess: capitals alone make 1.3)."""
_TITLE_FACTOR = 2.0
_HEADING_WORDS = 12
_HEADING_CONFIDENCE = 0.60
_LEAST_WORDS = 40
"""Words a page needs before the size of its type means anything (a guess)."""
_RUNS_ON = re.compile(r"[^\W\d_][,;\-\u2010]?$|,$")
"""A paragraph that ends in a letter or comma is not over if the next begins with a small letter."""
_RUNNING_WORDS = 4
"""Words of a line that may run on into another paragraph; fewer are a heading's (a guess)."""
_SURE_WORD = 0.60
_TALL = re.compile(r"[^\W_acemnorsuvwxzgpqy]")
_ACCENTED_CAPITAL = re.compile(r"[À-ÖØ-Ý]")
_DEEP = re.compile(r"[gjpqyçQÇ,;()\[\]{}|/]")
_X_HEIGHT, _CAP_HEIGHT, _ACCENT, _DESCENT = 0.50, 0.72, 0.18, 0.21
"""Parts of the type size, as in most text faces: what a word's box holds depends on its letters."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A block of recognised text. ``level`` is a heading's depth."""

    kind: BlockKind
    text: str
    bbox: BoundingBox
    level: int | None = None


def paragraphs_of(lines: Sequence[OcrLine]) -> list[Paragraph]:
    """Return the paragraphs of a page in reading order, hyphens at line ends resolved."""
    lines = [line for line in lines if _readable(line)]
    if not lines:
        return []
    letters_as_bullets = sum(bool(_LETTER_BULLET.match(line.text)) for line in lines) >= _BULLETS
    enough = sum(len(line.words) for line in lines) >= _LEAST_WORDS
    usual = _usual_height(lines) if enough else float("inf")
    text = "\n".join(line.text for line in lines)
    judge = HyphenJudge((line.text for line in lines), detect_language(text))
    groups: list[list[OcrLine]] = []
    kinds: list[BlockKind] = []
    for line in lines:
        item = _as_item(line, letters_as_bullets)
        kind = BlockKind.LIST_ITEM if item is not None else BlockKind.PARAGRAPH
        if item is None and _NUMBERED.match(line.text):
            item, kind = line, BlockKind.LIST_ITEM
        if groups and item is None and _continues(groups[-1], kinds[-1], line, usual):
            groups[-1].append(line)
        else:
            groups.append([item or line])
            kinds.append(kind)
    return [
        _paragraph(group, kind, judge, usual) for group, kind in zip(groups, kinds, strict=True)
    ]


def _readable(line: OcrLine) -> bool:
    if any(w.confidence >= _SURE_WORD and sum(map(str.isalnum, w.text)) >= 3 for w in line.words):
        return True
    return line.confidence >= _LEAST_CONFIDENCE and any(c.isalnum() for c in line.text)


def _as_item(line: OcrLine, letters_as_bullets: bool) -> OcrLine | None:
    """Return the line with a proper bullet, None when it has none."""
    found = _BULLET.match(line.text)
    if found is None and letters_as_bullets:
        found = _LETTER_BULLET.match(line.text)
    return None if found is None else replace(line, text="• " + line.text[found.end() :])


def _continues(group: Sequence[OcrLine], kind: BlockKind, line: OcrLine, usual: float) -> bool:
    last = group[-1]
    if _factor(last, usual) != _factor(line, usual):
        return False
    if (last.block, last.paragraph) == (line.block, line.paragraph):
        return True
    if not _RUNS_ON.search(last.text):
        return False
    if kind is BlockKind.LIST_ITEM:  # its next line is set in, below it
        below = 0 < line.bbox.bottom - last.bbox.bottom < 2.0 * (last.bbox.bottom - last.bbox.top)
        return below and line.bbox.x0 > group[0].bbox.x0
    return line.text[:1].islower() and len(last.words) >= _RUNNING_WORDS


def _paragraph(
    lines: Sequence[OcrLine], kind: BlockKind, judge: HyphenJudge, usual: float
) -> Paragraph:
    text = lines[0].text
    for line in lines[1:]:
        head, glue, _ = judge.joint(text, line.text)
        text = head + glue + line.text
    box = around([line.bbox for line in lines])
    factor = _factor(lines[0], usual)
    words = text.split()
    if (
        kind is BlockKind.PARAGRAPH
        and factor
        and min(line.confidence for line in lines) >= _HEADING_CONFIDENCE
        and len(words) <= _HEADING_WORDS
        and sum(c.isalpha() for c in text) > len(text) / 2
    ):
        return Paragraph(BlockKind.HEADING, text, box, 1 if factor > 1 else 2)
    return Paragraph(kind, text, box)


def _factor(line: OcrLine, usual: float) -> int:
    """Return 2 for a title's height, 1 for a heading's, 0 for the usual one."""
    height = _height(line)
    return (height >= _TITLE_FACTOR * usual) + (height >= _HEADING_FACTOR * usual)


def _height(line: OcrLine) -> float:
    """Return the type size that the median word of a line speaks for, in points."""
    sizes = sorted(map(_type_size, line.words))
    return sizes[len(sizes) // 2]


def _type_size(word: OcrWord) -> float:
    part = _CAP_HEIGHT if _TALL.search(word.text) else _X_HEIGHT
    part += _ACCENT if _ACCENTED_CAPITAL.search(word.text) else 0.0
    part += _DESCENT if _DEEP.search(word.text) else 0.0
    return (word.bbox.bottom - word.bbox.top) / part


def _usual_height(lines: Sequence[OcrLine]) -> float:
    """Return the type size of the line that holds the middle letter of the page."""
    heights = sorted((_height(line), len(line.text)) for line in lines)
    middle, passed = sum(n for _, n in heights) / 2, 0
    for height, letters in heights:
        passed += letters
        if passed >= middle:
            return height
    return heights[-1][0]
