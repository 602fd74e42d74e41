"""Leave out what Tesseract "reads" in pictures and handwriting. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from parsers.ocr.page import OcrLine, OcrPage

_NOISY = 0.50
"""Mean confidence below which a page is mostly noise. Measured: two photographs 0.33 and 0.45, a
chart with legible labels 0.65, pages of print from 0.74."""
_SURE_WORD, _SURE_LETTERS = 0.60, 3
"""A line of a noisy page stays for one word of so much confidence and so many letters (a guess)."""


def without_noise(page: OcrPage) -> OcrPage:
    """Return the page without the lines that no word speaks for, where most of it is doubtful.

    The confidence stays that of all words, so that the page is still reported; ``n_noise`` says how
    many words went.
    """
    if page.confidence >= _NOISY or not page.words:
        return page
    tables = [
        replace(t, cells=tuple(replace(c, lines=_sure(c.lines)) for c in t.cells))
        for t in page.tables
    ]
    kept = replace(
        page,
        lines=_sure(page.lines),
        tables=tuple(t for t in tables if any(cell.lines for cell in t.cells)),
    )
    return replace(kept, n_noise=len(page.words) - len(kept.words))


def _sure(lines: Sequence[OcrLine]) -> tuple[OcrLine, ...]:
    return tuple(
        line
        for line in lines
        if any(
            word.confidence >= _SURE_WORD and sum(map(str.isalnum, word.text)) >= _SURE_LETTERS
            for word in line.words
        )
    )
