"""Words that name parts of an act in the official languages of the EU, for acts without mark-up."""

from __future__ import annotations

import re

from parsers.laws.labels import plain_word

_ARTICLES = (
    "article artikel artículo artigo articolo άρθρο artikla článek článok člen članak член cikk "
    "straipsnis pants artikolu articolul airteagal artykuł artikkel art"
)
_ANNEXES = (
    "annex annexe anexo anhang allegato bijlage bilag bilaga liite παράρτημα příloha príloha "
    "załącznik melléklet lisa pielikums priedas priloga anness anexa приложение prilog iarscríbhinn"
)
_SOLES = "sole only unique único unico premier einziger enig"
_ARTICLE = frozenset(map(plain_word, _ARTICLES.split()))
_ANNEX = frozenset(map(plain_word, _ANNEXES.split()))
_SOLE = frozenset(map(plain_word, _SOLES.split()))
_RECITAL = re.compile(
    r"(?:\(\d+\)\s*)?(?:whereas|consid[ée]rant|considerando|in (?:der )?erw[äa]gung|overwegende"
    r"|ud fra f[øo]lgende|εκτιμ[ωώ]ντας|med beaktande)",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:done at|fait [àa]|geschehen zu|hecho en|feito em|fatto a|gedaan te|udf(?:æ|ae)rdiget i"
    r"|utf[äa]rda[dt] i|tehty|[έε]γινε|v brusel[ui]|sporządzono w|kelt |brüssel,|brisel[ēe]|priimta"
    r"|v bruslju|magħmul|adoptat[ăa]? la|întocmit|съставено|sastavljeno|arna dhéanamh)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d{1,3}\s?[a-z]{0,2}|[IVXLC]{1,6}")
_HEADING_MAX = 28
"""Longest heading of an article, in characters: a word, a number and a stop or two (a guess)."""


def is_article_heading(line: str) -> bool:
    """Tell whether a line is nothing but an article's number: "Article 3", "2. cikk"."""
    if len(line) > _HEADING_MAX or line.endswith((",", ";", ":")):
        return False
    words = [plain_word(w) for w in _WORD.findall(line)]
    if not set(words) & _ARTICLE:
        return False
    rest = [w for w in words if w not in _ARTICLE]
    if set(rest) & _SOLE:
        return len(rest) == 1
    return _NUMBER.search(line) is not None and all(len(w) <= 4 for w in rest)


def is_annex_heading(line: str) -> bool:
    """Tell whether a line is nothing but an annex's number: "ANNEX II", "Anhang"."""
    words = _WORD.findall(line)
    if not words or len(line) > _HEADING_MAX or line.endswith((",", ";", ":", ".")):
        return False
    named = [w for w in words if plain_word(w) in _ANNEX]
    others = [w for w in words if w not in named]
    return bool(named) and named[0][0].isupper() and all(len(w) <= 4 for w in others)


def is_recital(line: str) -> bool:
    """Tell whether a line begins as the recitals of an act do."""
    return _RECITAL.match(line) is not None


def is_closing(line: str) -> bool:
    """Tell whether a line is the place and date under an act: "Done at Brussels, …"."""
    return _CLOSING.match(line) is not None
