"""Words of a text for lexical search: case, width and accents folded, nothing stemmed or stopped.

One tokeniser for every language, so that a question needs no language either. Scripts written
without spaces give overlapping pairs of characters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import regex

_UNSPACED = (
    r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\u30fc\uff70"
)
_JOINERS = r"\u00ad\u200c\u200d"  # soft hyphen and zero-width joiners stand inside words
_WORD = regex.compile(
    rf"(?V1)(?P<run>[{_UNSPACED}]+)|[\w--[{_UNSPACED}]][[\w--[{_UNSPACED}]]{_JOINERS}]*"
)
_INVISIBLE = regex.compile(f"[{_JOINERS}]")
_FIRST_MARK, _LAST_MARK = "\u0300", "\u036f"


@lru_cache(maxsize=262_144)
def fold(word: str) -> str:
    """Return ``word`` folded: NFKC, case, accents (marks U+0300 to U+036F), invisible joiners.

    Vowel signs and other marks of scripts that need them stay.
    """
    if word.isascii():
        return word.lower()
    bare = unicodedata.normalize("NFKD", _INVISIBLE.sub("", word)).casefold()
    bare = unicodedata.normalize("NFKD", bare)  # casefold may compose anew
    kept = "".join(c for c in bare if not _FIRST_MARK <= c <= _LAST_MARK)
    return unicodedata.normalize("NFC", kept)


def words(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, folded word) in order; the offset is where the word begins in ``text``.

    A run of an unspaced script of n characters gives its n - 1 pairs, or itself when n is 1.
    """
    for found in _WORD.finditer(text):
        if found["run"] is None:
            folded = fold(found[0])
            if folded:
                yield found.start(), folded
            continue
        run, start = found[0], found.start()
        if len(run) == 1:
            yield start, fold(run)
        for at in range(len(run) - 1):
            yield start + at, fold(run[at : at + 2])
