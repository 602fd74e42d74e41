"""Numbers of articles, paragraphs, points and divisions, read from what is printed.

Rules look at the form of the number and where it stands, not at the words of one language; the
few words known (:data:`_DIVISION_WORDS`) only name a division's rank where the mark-up does not.
"""

from __future__ import annotations

import re
import unicodedata

_ROMAN = re.compile(r"(?=[IVXLCDM])M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})$", re.I)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_WORD = re.compile(r"[^\W_]+")
_LABEL = re.compile(
    r"[\s(\[«»“”‘’„\"'§*]{0,4}"
    r"(?P<key>\d+(?:\.\d+)*\s?[^\W\d_]{0,2}|[^\W\d_]{1,3}|[ivxlcdm]{1,8})"
    r"[\s)\].:º°ª–—-]{0,3}$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[–—‒―\-•●▪■·*◦○]{1,2}\s*$")
_LABEL_MAX = 14
"""Longest label in characters; the longest seen is "(xxviii)" (a guess above it)."""
_ARTICLE = re.compile(
    r"(?P<number>\d{1,3}(?:\.\d{3})+|\d+)\s*"
    r"(?:\.\s?[oaºª°](?![^\W\d_])|[ºª°]|er\b|o(?![^\W\d_]))?"
    r"(?:\s*[-–.]?\s*(?P<letter>[^\W\d_]{1,3})(?![^\W\d_]))?",
    re.IGNORECASE,
)
_PARAGRAPH = re.compile(
    r"(?P<label>[\[(‘“«]?\s?(?P<key>\d{1,3}[a-z]{0,2})(?:\.|\)|(?=\s)))\s*(?=\S)", re.IGNORECASE
)
_POINT = re.compile(r"(?P<label>\(?(?P<key>[a-z]{1,2}|[ivx]{1,6}|\d{1,3})\))\s+(?=\S)", re.I)
_DASH = re.compile(r"(?P<label>[—–-])\s+(?=\S)")
_RECITAL = re.compile(r"(?P<label>\((?P<key>\d{1,3})\))\s+(?=\S)")

_DIVISION_WORDS = {
    "prt": "part partie teil parte deel del osa μέρος část časť część rész daļa dalis parti partea "
    "част dio cuid",
    "ttl": "title título titre titel titolo afsnit avdelning osasto τίτλος hlava tytuł cím jaotis "
    "sadaļa antraštinė naslov titolu titlul дял glava teideal",
    "cpt": "chapter capítulo chapitre kapitel capitolo capo hoofdstuk luku κεφάλαιο kapitola "
    "rozdział fejezet peatükk nodaļa skyrius poglavje kapitolu capitolul глава poglavlje caibidil",
    "sct": "section secção seção sección sezione abschnitt afdeling avsnitt jakso τμήμα oddíl "
    "oddiel sekcja oddział szakasz jagu iedaļa skirsnis oddelek taqsima secțiunea secţiunea раздел "
    "odjeljak roinn",
    "sbs": "subsection subsecção subseção subsección sottosezione unterabschnitt onderafdeling "
    "underafdeling underavsnitt alajakso υποτμήμα pododdíl pododdiel podsekcja alszakasz alajagu "
    "apakšiedaļa poskirsnis pododdelek subtaqsima subsecțiunea подраздел pododjeljak",
}


def plain_word(word: str) -> str:
    """Return a word in small letters without accents: Greek capitals are printed without them."""
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


_PREFIX_OF = {
    plain_word(w): prefix for prefix, words in _DIVISION_WORDS.items() for w in words.split()
}
_PREFIX_OF["sous-section"] = "sbs"
RANKS = ("prt", "ttl", "cpt", "sct", "sbs")
"""Prefixes of divisions from the widest to the narrowest."""


def roman_value(text: str) -> int | None:
    """Return the value of a Roman numeral, None when ``text`` is not one."""
    if not text or not _ROMAN.match(text):
        return None
    total = 0
    values = [_ROMAN_VALUES[c] for c in text.lower()]
    for value, following in zip(values, [*values[1:], 0], strict=True):
        total += -value if value < following else value
    return total


def is_label(text: str) -> bool:
    """Tell whether a cell's text is the number or dash in front of a point."""
    return len(text) <= _LABEL_MAX and bool(_LABEL.match(text) or _BULLET.match(text))


def label_key(label: str) -> str:
    """Return the locator's number for a printed one: "(a)" → "a", "1." → "1", "—" → ""."""
    match = _LABEL.match(label)
    return re.sub(r"\s", "", match["key"]).lower() if match else ""


def article_key(label: str, previous: str) -> str:
    """Return the locator's number of an article.

    "Article 33" → "33", "Artigo 33.o" → "33", "Artigo 14.o-A" → "14a", "Art. 1.024" → "1024". A
    number in words ("Article premier") follows the previous one.
    """
    match = _ARTICLE.search(label)
    if match is None:
        digits = re.match(r"\d+", previous)
        return str(int(digits[0]) + 1 if digits else 1)
    letter = match["letter"] or ""
    if letter and label[match.end("letter") :].strip(" .)-–"):
        letter = ""  # a word follows: the letter is one too
    return match["number"].replace(".", "") + letter.lower()


def named_division(label: str) -> str:
    """Return the rank that a word in a division's printed number names, or ""."""
    words = re.findall(r"[^\W_]+(?:-[^\W\d_]+)?", plain_word(label))
    return next((_PREFIX_OF[word] for word in words if word in _PREFIX_OF), "")


def division_prefix(label: str, parent: str = "") -> str:
    """Return the rank of a division by its printed number, else by the rank it stands in."""
    by_place = {"": "cpt", "prt": "ttl", "ttl": "cpt", "cpt": "sct"}
    return named_division(label) or by_place.get(parent, "sbs")


def division_key(label: str, previous: int) -> str:
    """Return the number of a division in Arabic figures; ``previous`` is its elder sibling's."""
    words = _WORD.findall(label)
    for word in reversed(words):
        if word.isdigit():
            return str(int(word))
        if roman_value(word) == previous + 1:
            return str(previous + 1)
    for word in reversed(words):
        value = roman_value(word)
        if value is not None and word.isupper() and (len(word) > 1 or word in "IVX"):
            return str(value)
    return str(previous + 1)


def _split(pattern: re.Pattern[str], text: str) -> tuple[str, str, str] | None:
    match = pattern.match(text)
    if match is None:
        return None
    key = match.groupdict().get("key") or ""
    return match["label"].strip(), re.sub(r"\s", "", key).lower(), text[match.end() :]


def split_paragraph(text: str, *, dotted: bool) -> tuple[str, str, str] | None:
    """Split "1. Text" into label, key and rest; ``dotted`` refuses "1 Text"."""
    found = _split(_PARAGRAPH, text)
    if found and dotted and not found[0].endswith("."):
        return None
    return found


def split_point(text: str) -> tuple[str, str, str] | None:
    """Split "(a) text", "a) text" or "— text" into label, key and rest."""
    return _split(_POINT, text) or _split(_DASH, text)


def split_recital(text: str) -> tuple[str, str, str] | None:
    """Split "(12) Text" into label, key and rest."""
    return _split(_RECITAL, text)


def follows(key: str, previous: str) -> bool:
    """Tell whether paragraph ``key`` can come after ``previous`` ("" at an article's start)."""
    number, before = (re.match(r"\d+", k) for k in (key, previous))
    if number is None:
        return False
    if before is None:
        return int(number[0]) <= 1
    return int(number[0]) - int(before[0]) in (0, 1) and key != previous
