"""Where sentences end: own rules over one regular expression, offsets only.

Why not a library: on legal sentences sentencex 1.0.32 splits "n.º 1", "p. ex.", "OJ L 119, p. 1."
and "fig. 3. for", and its pieces do not add up to the text; the rules here are tested at a boundary
F1 of 0.98 or more on such sentences and run at the same order of speed.

A candidate is a run of terminators with its closing quotes and the white space behind it, or a line
break. Each is a boundary unless a rule says that the sentence goes on. The boundary stands after
the white space, so that every sentence begins with a visible character.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from tasks.slicing.abbreviations import (
    ORDINAL_LEADS,
    ORDINAL_MONTHS,
    Abbreviations,
    abbreviations_for,
)

_CANDIDATE = re.compile(
    r"(?P<stop>[.!?…]+)[\"'”’»)\]]*(?:\[\d+\])*"
    r"(?:[^\S\n][\"'”’»)\]]+(?=\s))?(?P<gap>\s+)"
    r"|(?P<full>[。！？｡．।॥؟۔։።។၊။]+)[\"'”’»」』）)\]]*\s*"
    r"|[^\S\n]*(?P<line>\n)\s*"
)
_WORD_BEFORE = re.compile(r"[^\s(\[{\"“”‘«»„/]+\Z")
_ELISION = re.compile(r"(?:[dln]|qu|dell|nell|all|sull)?['’]+", re.IGNORECASE)
_LABEL_INSIDE = re.compile(
    r"(\S+)[.!?;]\s+(?:\(?|(?:Art|Artigo|Artículo|Article|§)\.?\s+)\d{1,3}[º°ª]?(?:-[A-Z])?\Z"
)
_LABEL_LINE = re.compile(
    r"[^\S\n]*(?:[-*•]\s*)?\(?"
    r"(?:(?i:arts?|article|artigo|artículo|artikel|section|sec|clause|rule|regra|§+)\.?\s*)?"
    r"(?:[0-9]{1,4}(?:\.[0-9]{1,3})*[º°ª]?(?:-?[A-Za-z])?|[IVXLC]{1,7}|[ivx]{1,4}|[A-Za-z])"
)
_LABEL_AFTER = re.compile(r"\(?[a-z]{1,4}\)(?=\s|,|;|\.)")
_NUMBER_AFTER = re.compile(
    r"[(\[]?(?:\d|§|[IVXLC]{2,}\b|[A-Z]{1,2}[\s/-]?\d|[VXLC]\b|[A-Za-z][.)\]](?=[\s,;:)]))"
)
_NEXT_WORD = re.compile(r"[\"'“‘«„(\[¿¡]*([^\W\d_]+)")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*-?[^\W\d_]\Z")
_ORDINAL_BEFORE = re.compile(r"(?<![\d.,/])\d{1,2}\Z")
_CASE_SAMPLE = 20_000
_FEW_CAPITALS = 0.002
"""Capitals per small letter below which a text has none worth looking at (a guess; prose: 0.03)."""
_LONGEST_LABEL = 7
"""Letters of the longest roman numeral that labels a line (as in ``_LABEL_LINE``)."""
_LOOK_BACK = 48
"""Code points looked at before a terminator; no label or abbreviation is longer (a guess)."""
_LINE_START = re.compile(r"[-*•▪◦·‣|#>+–—]|\(?(?:\d{1,3}|[a-z]{1,4})[.)]\s|\[")
_RAGGED = 0.6
"""Share of the width from which a line may be wrapped though a word more would fit (a guess)."""
_WRAP_WIDTH = 110
"""A paragraph with a longer line was not wrapped by hand (a guess; e-mail wraps at 72 to 78)."""


def sentence_ends(text: str, language: str = "und") -> NDArray[np.int64]:
    """Return the offsets at which sentences end, ascending, the ends of the text left out."""
    words = abbreviations_for(language)
    caseless = _is_caseless(text)
    ends: list[int] = []
    lines = _Lines(text)
    for match in _CANDIDATE.finditer(text):
        end = match.end()
        if match["full"]:
            ends.append(end)
        elif match["line"]:
            if lines.breaks(match.start(), end):
                ends.append(end)
        elif lines.breaks(match.start("gap"), end) or _ends(
            text, match.start(), match["stop"], end, words, caseless
        ):
            ends.append(end)
    while ends and ends[-1] >= len(text):
        ends.pop()
    return np.array(ends, dtype=np.int64)


def _is_caseless(text: str) -> bool:
    """Whether a text does without capitals (a transcript, lower-cased data), by its beginning."""
    sample = text[:_CASE_SAMPLE]
    lower = sum(map(str.islower, sample))
    return sum(map(str.isupper, sample)) < _FEW_CAPITALS * lower


def _ends(text: str, at: int, stop: str, after: int, words: Abbreviations, caseless: bool) -> bool:
    """Whether the terminators at ``at`` end a sentence that is followed by ``text[after:]``."""
    if after >= len(text):
        return False
    following = text[after]
    if following.islower() and not caseless and not _LABEL_AFTER.match(text, after):
        return False
    if at and text[at - 1] in "([":  # an ellipsis in brackets
        return False
    if stop != ".":
        return True
    before = text[max(0, at - _LOOK_BACK) : at]
    found = _WORD_BEFORE.search(before)
    word = found[0] if found else ""
    if elided := _ELISION.match(word):
        word = word[elided.end() :]
    lower = word.lower()
    if lower in words.bound:
        return False
    if lower in words.numbered and _NUMBER_AFTER.match(text, after):
        return False
    plain = word.isalpha() and lower not in words.open
    if plain and len(word) > _LONGEST_LABEL:
        return True
    if _is_label(text, at, words):
        return False
    if not word or (plain and len(word) > 1):
        return True
    return _ends_after_odd_word(text, word, after, words)


def _is_label(text: str, at: int, words: Abbreviations) -> bool:
    """Whether what ends at ``at`` labels what follows: "3" on a new line, "... ends. 2"."""
    floor = max(0, at - _LOOK_BACK)
    line = text.rfind("\n", floor, at) + 1
    if (line or not floor) and _LABEL_LINE.fullmatch(text, line, at):
        return True
    if text[at - 1].islower():
        return False
    match = _LABEL_INSIDE.search(text, floor, at)
    if match is None:
        return False
    word = match[1].lower()
    return not (word in words.numbered or word in words.bound or word in words.open)


def _ends_after_odd_word(text: str, word: str, after: int, words: Abbreviations) -> bool:
    """Decide where a number, an initial, an acronym with full stops or an open one stands."""
    match = _NEXT_WORD.match(text, after)
    following = match[1] if match else ""
    if word.lower() in words.open or (_INITIALS.match(word) and not word.isdigit()):
        return following in words.openers
    if _ORDINAL_BEFORE.search(word):
        return not (
            following in ORDINAL_MONTHS
            or (words.ordinal_dot and _continues_ordinal(text, word, after))
        )
    return True


class _Lines:
    """Tells line breaks that an author made from those of a paragraph wrapped at a margin."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._until = -1
        self._width = 0

    def breaks(self, at: int, after: int) -> bool:
        """Whether the white space ``[at, after)`` holds a line feed that ends a sentence."""
        text = self._text
        feeds = text.count("\n", at, after)
        if feeds != 1:
            return feeds > 1
        if after >= len(text):
            return True
        if _LINE_START.match(text, after):
            return True
        if at > self._until:
            self._measure(at)
        if self._width > _WRAP_WIDTH:
            return True
        start = text.rfind("\n", 0, at) + 1
        if text[after].islower() and at - start > _RAGGED * self._width:
            return False
        word = text[after : after + self._width + 1].split(None, 1)[0]
        return at - start + 1 + len(word) <= self._width

    def _measure(self, at: int) -> None:
        """Find the paragraph around ``at``: its end and the length of its longest line."""
        text = self._text
        start = text.rfind("\n\n", 0, at) + 1
        end = text.find("\n\n", at)
        self._until = len(text) if end < 0 else end
        self._width = max(map(len, text[start : self._until].split("\n")))


def _continues_ordinal(text: str, word: str, after: int) -> bool:
    """Whether the word before a number ("am 4. ...") makes an ordinal of it."""
    head = text[max(0, after - _LOOK_BACK) : after].rstrip()
    head = head[: -len(word) - 1].rstrip()
    lead = head.rsplit(None, 1)[-1] if head else ""
    return lead.lower() in ORDINAL_LEADS
