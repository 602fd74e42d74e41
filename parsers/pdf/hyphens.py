"""Hyphens at line ends: which go, which stay. Pure; the evidence is the document's own words.

A hyphen that a typesetter put in ("com-/pile") goes, one that belongs to the word
("well-/known") stays. The same words elsewhere in the document decide; without evidence the
form of the two halves does.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

_LONGEST = 80
"""Characters looked at before a line end: no word is longer, and a paragraph may be endless."""
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*")
_HYPHENS = ("-", "\u2010", "\u2011", "\u00ad")
_LAST = re.compile(r"([^\W_]+(?:[-\u2010\u2011][^\W_]+)*)[-\u2010\u2011\u00ad]$")
_FIRST = re.compile(r"[^\W_]+(?:[-\u2010\u2011][^\W_]+)*")
_COMPOUNDING = frozenset(
    [
        "self",
        "well",
        "non",
        "half",
        "quasi",
        "ex",
        "all",
        "cross",
        "long",
        "short",
        "high",
        "low",
        "pseudo",
        "anglo",
        "franco",
        "euro",
        "multi-lingual",
        "so-called",
        "post-hoc",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "bem",
        "recém",
        "além",
        "aquém",
        "pós",
        "pré",
        "pró",
        "vice",
    ]
)
"""First halves that are written with a hyphen as a rule (English and Portuguese style guides)."""
_CLOSED_FIRST = frozenset(
    [
        "some",
        "any",
        "every",
        "over",
        "under",
        "out",
        "through",
        "with",
        "never",
        "there",
        "where",
        "here",
        "what",
        "down",
        "inter",
        "back",
        "fore",
        "after",
        "through",
        "frame",
        "soft",
        "hard",
        "work",
        "data",
        "time",
        "life",
        "news",
        "head",
        "hand",
        "book",
        "key",
        "pass",
    ]
)
"""First halves that English writes in one word with what follows, as a rule."""
_CLOSED_LAST = frozenset(
    [
        "thing",
        "where",
        "what",
        "times",
        "time",
        "side",
        "ward",
        "wards",
        "fore",
        "self",
        "selves",
        "body",
        "work",
        "works",
        "ware",
        "ship",
        "hood",
        "able",
        "ness",
        "less",
        "ment",
        "over",
        "under",
        "stand",
        "stands",
        "standing",
        "tion",
        "sion",
        "form",
        "base",
        "ever",
        "land",
        "line",
        "lines",
        "out",
    ]
)
"""Second halves that English writes in one word with what precedes, as a rule."""
_CLITICS = frozenset(
    ["se", "lhe", "lhes", "me", "te", "nos", "vos", "lo", "la", "los", "las", "o", "a", "os", "as"]
)
"""Portuguese pronouns that hang on a verb by a hyphen of their own."""
_CONJUNCTIONS = frozenset(["und", "oder", "bzw", "and", "or", "e", "ou", "y", "et", "ni"])
_SOFT = "\u00ad"


class HyphenJudge:
    """Decides what stands between two lines, on the words of one document.

    Args:
        texts: Lines of the document, before joining.
        language: BCP 47 code of the document.
    """

    def __init__(self, texts: Iterable[str], language: str) -> None:
        self._words: Counter[str] = Counter()
        self._language = language
        for text in texts:
            words = _WORD.findall(text.casefold())
            # the first and the last word of a line may be halves: no evidence
            self._words.update(words[1:-1])

    def joint(self, line: str, following: str) -> tuple[str, str, int]:
        """Return (line, glue, dropped) so that ``line + glue + following`` reads on.

        ``dropped`` counts the characters taken off ``line``: 1 for a hyphen that went.
        """
        if line.endswith(_SOFT):
            return line[:-1], "", 1
        last = _LAST.search(line[-_LONGEST:]) if line.endswith(_HYPHENS) else None
        first = _FIRST.match(following) if last is not None else None
        if last is None or first is None:
            return line, _glue(line, following), 0
        left, right = last.group(1), first.group()
        if right.casefold() in _CONJUNCTIONS and self._language in ("de", "nl", "sv", "da"):
            return line, " ", 0
        belongs = self._belongs(left.casefold(), right.casefold())
        if belongs is None:
            # a capital or a digit beside a hyphen is a name or a number ("Anglo-/Saxon", "A-/4")
            belongs = not right[0].islower() or left[-1].isdigit()
        return (line, "", 0) if belongs else (line[:-1], "", 1)

    def _belongs(self, left: str, right: str) -> bool | None:
        """Tell whether the hyphen is part of the word, None where nothing speaks for it."""
        tail, head = re.split("[-\u2010\u2011]", left)[-1], re.split("[-\u2010\u2011]", right)[0]
        hyphened = self._words[f"{left}-{right}"] + self._words[f"{tail}-{head}"]
        joined = self._words[tail + head]
        if hyphened != joined:
            return hyphened > joined
        if self._language == "pt" and right in _CLITICS:
            return len(tail) > 3 or unicodedata.normalize("NFD", tail)[-1:] in ("\u0301", "\u0302")
        if tail in _COMPOUNDING:
            return True
        if tail in _CLOSED_FIRST or head in _CLOSED_LAST:
            return None
        # two whole words of this document that it never writes as one: "mixed-/mode"
        if min(len(tail), len(head)) >= 4 and self._words[tail] and self._words[head]:
            return True
        return None


def _glue(line: str, following: str) -> str:
    """Return a space, or nothing between two characters of a script written without spaces."""
    if line and following and _is_spaceless(line[-1]) and _is_spaceless(following[0]):
        return ""
    return " "


def _is_spaceless(character: str) -> bool:
    """Tell whether a character is of a script that is written without spaces between words."""
    return unicodedata.east_asian_width(character) in ("W", "F") and not (
        "\uac00" <= character <= "\ud7a3"  # Korean has spaces
    )
