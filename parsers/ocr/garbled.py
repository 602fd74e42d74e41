"""How much of a text layer is rubbish: a pure function over the text, no dictionary, no model."""

from __future__ import annotations

import functools
import re
import unicodedata
from itertools import pairwise

_BROKEN = re.compile(r"\(cid:\d+\)|[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff\x00-\x08\x0e-\x1f]")
"""What a font without a usable map leaves: glyph numbers, replacement and private characters."""
_SWAPPED = re.compile(f"[{''.join(chr(c << 8) for c in range(0x41, 0x7B) if c != 0x4E)}]")
"""Latin letters with their two bytes the wrong way round, which makes Chinese signs of them. Of
real Chinese they are under one in a hundred (a guess; U+4E00, "one", is left out)."""
_SWAPPED_SHARE = 0.1
_SIGN = re.compile("[!\"#$%&'*+;<=>?@]")
_SIGNS_SHARE, _SIGN_KINDS, _SIGNS_LENGTH = 0.25, 6, 20
"""Letters numbered from "!" on, in the order in which a font first used them, make a text a quarter
and more of signs of many kinds. Measured: 0.38 to 0.69; made pages of program code at most 0.16."""
_MISREAD = "(?:[\u00c2\u00c3][\u0080-\u00bf]|\u00e2\u20ac)"
_MOJIBAKE = re.compile(f"\\S*{_MISREAD}\\S*")
"""A word with UTF-8 read as Latin-1 or Windows-1252 in it."""
_HAS_MOJIBAKE = re.compile(_MISREAD)
"""The same, found without backing up over each word: most pages have none."""
_WORD = re.compile(r"[^\W\d_]{3,}")

_PAIRS = (
    "ab ac ad ai al am an ao ap ar as at au be bi bl br ca ce ch ci cl co ct cu da de di do du ea "
    "ec ed ef eg ei el em en er es et ev ex fa fe ff fi fo fu ga ge gi gu ha he hi ho ia ic id ie "
    "if ig il im in io ir is it iv iz je ke la ld le li ll lo lt lu ma me mi mo mp na nc nd ne nf "
    "ng ni nn no ns nt oa ob oc od ol om on op or os ot ou ov pa pe pl po pr pu qu ra rc rd re ri "
    "rm ro rs rt ru sa sc se si so sp ss st su ta te th ti to tr tu ua ub ue ul um un ur us ut va "
    "ve vi vo we za"
)
_COMMON_PAIRS = frozenset(_PAIRS.split())
"""The letter pairs that make up some nine tenths of English, Portuguese, German and French."""
_WINDOW = 80
"""Letters judged together. Measured on four laws and a textbook: 1 in 200 sound windows of this
length holds less than 72 % common pairs, 19 in 20 with shifted letters hold less than 36 %; Polish,
Finnish, Turkish, Hungarian, Vietnamese, Welsh and program code lie between 45 % and 77 %."""
_LEAST_SHARE = 0.40
_SHORT_WINDOW = 20
_LEAST_SHARE_SHORT = 0.33
"""A few words scatter more, so less is asked of them (a guess)."""
_LONGEST_ACRONYM = 4
"""Capitals up to this length are codes (EUR, NYSE), whatever their letters (a guess)."""


def garbled_ratio(text: str) -> float:
    """Return the share of non-space characters that belong to rubbish, from 0 to 1.

    Rubbish is: replacement and private-use characters and ``(cid:7)``; letters with swapped bytes;
    words with mojibake; runs of Latin words whose letter pairs no language uses (a font map shifted
    by one); and a text of signs. Figures, code, acronyms and other scripts are never rubbish by
    themselves.
    """
    length = sum(map(len, text.split()))
    if not length:
        return 0.0
    signs = _SIGN.findall(text)
    if len(signs) >= _SIGNS_SHARE * max(length, _SIGNS_LENGTH) and len(set(signs)) >= _SIGN_KINDS:
        return 1.0
    spans = [found.span() for found in _BROKEN.finditer(text)]
    swapped = [found.span() for found in _SWAPPED.finditer(text)]
    if len(swapped) >= _SWAPPED_SHARE * length:
        spans += swapped
    if _HAS_MOJIBAKE.search(text):
        spans += [found.span() for found in _MOJIBAKE.finditer(text)]
    spans += _unreadable_spans(text)
    if not spans:
        return 0.0
    marked = bytearray(len(text))
    for start, end in spans:
        marked[start:end] = b"\1" * (end - start)
    return sum(1 for c, m in zip(text, marked, strict=True) if m and not c.isspace()) / length


def _unreadable_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of consecutive words whose letter pairs look like no language."""
    spans: list[tuple[int, int]] = []
    start, letters, common, pairs, end = -1, 0, 0, 0, 0
    for found in _WORD.finditer(text):
        length, usual = _letters_and_common_pairs(found[0])
        if not length:
            continue
        if start < 0:
            start = found.start()
        end = found.end()
        letters += length
        pairs += length - 1
        common += usual
        if letters >= _WINDOW:
            if common < _LEAST_SHARE * pairs:
                spans.append((start, end))
            start, letters, common, pairs = -1, 0, 0, 0
    if letters >= _SHORT_WINDOW and common < _LEAST_SHARE_SHORT * pairs:
        spans.append((start, end))
    return spans


@functools.lru_cache(maxsize=1 << 14)
def _letters_and_common_pairs(word: str) -> tuple[int, int]:
    """Return the letters of a word and its common pairs, (0, 0) where it proves nothing."""
    plain = _plain(word)
    if plain is None:
        return 0, 0
    return len(plain), sum(a + b in _COMMON_PAIRS for a, b in pairwise(plain))


def _plain(word: str) -> str | None:
    """Return ``word`` in a-z without accents, or None when it proves nothing."""
    if len(word) <= _LONGEST_ACRONYM and word.isupper():
        return None
    if word.isascii():  # the pattern lets letters through alone
        return word.casefold()
    folded = unicodedata.normalize("NFD", word.casefold())
    plain = "".join(c for c in folded if not unicodedata.combining(c))
    return plain if plain.isascii() and plain.isalpha() else None
