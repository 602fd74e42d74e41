"""Running heads and page numbers of scans: lines near an edge that neighbouring pages repeat. Pure.

The rules are those of typed pages (:mod:`parsers.pdf.furniture`), made tolerant: OCR misreads a
letter here and there, and paper lies a little differently on each page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from parsers.ocr.page import OcrLine, OcrPage

_ZONE = 0.12
"""Share of the page's height, from either edge, in which running lines stand (a guess)."""
_SAME_HEIGHT = 14.0
"""Points by which their height differs from page to page: 5 mm of paper (a guess)."""
_LIKE = 0.7
"""Likeness of two readings of one word (a guess: a letter or two misread). A line of which one word
is another word is another line."""
_NEAR_PAGES = 6
"""Pages before and after among which a line is looked for, so that long scans stay cheap."""
_LEAST_PAGES = 3
_LEAST_LETTERS = 4
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class _Candidate:
    page: int
    top: bool
    middle: float
    masked: str
    numbers: tuple[int, ...]
    line: OcrLine


def without_running_lines(
    pages: Mapping[int, OcrPage],
) -> dict[int, tuple[OcrPage, tuple[str, ...]]]:
    """Return each page without its running lines, and those lines.

    A line goes only when it is the outermost at its edge or all further out go too, and when three
    pages show it, or a number there counts with the pages.

    Args:
        pages: By 1-based number.
    """
    candidates = {number: _candidates(number, page) for number, page in pages.items()}
    found: dict[int, tuple[OcrPage, tuple[str, ...]]] = {}
    for number, page in pages.items():
        gone: list[OcrLine] = []
        for top in (True, False):
            for candidate in (c for c in candidates[number] if c.top is top):
                if not _repeats(candidate, candidates):
                    break
                gone.append(candidate.line)
        kept = tuple(line for line in page.lines if not any(line is g for g in gone))
        found[number] = (replace(page, lines=kept), tuple(line.text for line in gone))
    return found


def _candidates(number: int, page: OcrPage) -> list[_Candidate]:
    """Return the lines near the edges, from the outermost inwards."""
    made: list[_Candidate] = []
    for line in page.lines:
        middle = (line.bbox.top + line.bbox.bottom) / 2
        top = middle < page.height / 2
        distance = middle if top else page.height - middle
        if distance <= _ZONE * page.height:
            numbers = tuple(int(n) for n in _NUMBER.findall(line.text) if len(n) < 6)
            masked = _NUMBER.sub("#", line.text.casefold())
            made.append(_Candidate(number, top, distance, masked, numbers, line))
    return sorted(made, key=lambda c: c.middle)


def _repeats(one: _Candidate, candidates: Mapping[int, list[_Candidate]]) -> bool:
    near = range(one.page - _NEAR_PAGES, one.page + _NEAR_PAGES + 1)
    alike = sum(
        any(_alike(one, other) for other in candidates.get(number, ()))
        for number in near
        if number != one.page
    )
    return alike + 1 >= _LEAST_PAGES


def _alike(one: _Candidate, other: _Candidate) -> bool:
    if one.top is not other.top or abs(one.middle - other.middle) > _SAME_HEIGHT:
        return False
    shifts = {n - one.page for n in one.numbers} & {n - other.page for n in other.numbers}
    letters = sum(map(str.isalpha, one.masked))
    if letters < _LEAST_LETTERS:
        return bool(shifts) and sum(map(str.isalpha, other.masked)) < _LEAST_LETTERS
    words, others = one.masked.split(), other.masked.split()
    return len(words) == len(others) and all(map(_same_word, words, others))


def _same_word(one: str, other: str) -> bool:
    return one == other or SequenceMatcher(None, one, other, autojunk=False).ratio() >= _LIKE
