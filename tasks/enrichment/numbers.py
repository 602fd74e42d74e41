"""Whether every number of an answer stands in its source. Exact, and in any notation.

Compared are values, not strings: "1.234,50" and "1,234.5" are one number, "12" and "12.0" too. A
notation that can be read in two ways ("1.234") has both values; of a date each part counts. What
carries letters ("Q3", "12k", "CO2") must stand as it is. Signs of currency, per cent and per mille
must stand in the source too.
Not seen: numbers in words, a value given to the wrong row, a unit in words.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal

_TOKEN = re.compile(
    r"(?:\d{1,3}(?:[ '\u2019]\d{3})+(?!\d)(?:[.,]\d+)?(?!\w)|\w*\d\w*(?:[.,]\d\w*)*)"
)
"""A number with thousands set apart by spaces or apostrophes, or a word with a digit in it."""
_LETTER = re.compile(r"[^\d.,]")
_GROUPING = str.maketrans("", "", " '\u2019")
_SIGNS = frozenset("%\u2030")

Reading = Decimal | str


def strange_numbers(answer: str, source: str) -> list[str]:
    """Return the numbers and signs of ``answer`` that do not stand in ``source``, in order."""
    answer, source = _plain(answer), _plain(source)
    known: set[Reading] = set()
    for token in _tokens(source):
        readings = _readings(token)
        known |= readings
        if token in readings and not _LETTER.search(token):  # a date: its parts count one by one
            known |= {part for piece in re.split("[.,]", token) for part in _readings(piece)}
    strange = [t for t in _tokens(answer) if not _stands(t, known)]
    signs = {c for c in answer if c in _SIGNS or unicodedata.category(c) == "Sc"}
    return list(dict.fromkeys([*strange, *sorted(signs - set(source))]))


def _plain(text: str) -> str:
    """Return ``text`` with digits of every script as 0-9 and every space as a plain one."""
    text = unicodedata.normalize("NFKC", text)
    return "".join(
        str(unicodedata.decimal(c)) if c.isdecimal() else " " if c.isspace() else c for c in text
    )


def _tokens(text: str) -> Iterator[str]:
    return (match.group() for match in _TOKEN.finditer(text))


def _stands(token: str, known: set[Reading]) -> bool:
    if _readings(token) & known:
        return True
    apart = token.split(" ")
    return len(apart) > 1 and all(_readings(piece) & known for piece in apart)


def _readings(token: str) -> set[Reading]:
    """Return every value that a token may have, or the token itself where it has none."""
    token = token.translate(_GROUPING)
    if any(c not in "0123456789.," for c in token):
        return {token.casefold()}
    marks = [c for c in token if c in ".,"]
    if not marks:
        return {Decimal(token)}
    found: set[Reading] = set()
    last = marks[-1]
    if marks.count(last) == 1 and (len(marks) == 1 or _grouped(token.rpartition(last)[0])):
        whole, _, part = token.rpartition(last)
        found.add(Decimal(f"{whole.replace(',', '').replace('.', '')}.{part}"))
    if len(set(marks)) == 1 and _grouped(token):
        found.add(Decimal(token.replace(last, "")))
    return found or {token}


def _grouped(token: str) -> bool:
    """Tell whether a token is cut into thousands by one mark."""
    marks = {c for c in token if c in ".,"}
    groups = re.split("[.,]", token)
    return (
        len(marks) <= 1 and 1 <= len(groups[0]) <= 3 and groups[0][0] != "0"
        and all(len(group) == 3 for group in itertools.islice(groups, 1, None))
    )  # fmt: skip
