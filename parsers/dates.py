"""Dates as sources state them, in the official languages of the EU, to ISO 8601."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata

_MONTHS = (
    "jan gen ian ene styc tammi ledn sijec saus eana jaan ιαν янв яну",
    "feb fev helmi unor lut veljac vasar veeb feabh frar φεβ фев",
    "mar maa brez ozuj kovo μαρ мар",
    "apr abr avr huhti dubn kwie trav balan aib απρ апр",
    "may mai maj mag mei mejj touko kvet svib geg beal μαι май мая",
    "jun juin giu iun kesa cervn czerw lipn birz meith gunj juun ιουν юни июн",
    "jul juil lug iul heina cervenc lipc srpnj liep iuil lulj juul ιουλ юли июл",
    "aug ago aou elok srpna sierp kolov rugpj luna aww avg αυγ авг",
    "sep set syys zari wrzes rujn rugs szept σεπ сеп",
    "oct okt out ott loka rijn pazdz spal deire οκτ окт",
    "nov noi marras listop stud lapk samh νοε ное ноя",
    "dec dez dic des joulu prosin grud gruod noll dets δεκ дек",
)
"""Beginnings of the months' names, without accents, January first."""
_PREFIXES = sorted(
    ((prefix, number) for number, names in enumerate(_MONTHS, 1) for prefix in names.split()),
    key=lambda pair: -len(pair[0]),
)
_OCTOBER_IN_CROATIAN = "listopad"
_WORD = r"(?P<month>[^\W\d_]{3,14})"
_FORMS = (
    re.compile(
        rf"\b(?P<day>\d{{1,2}})\s?(?:\.|º|°|(?:o|er|re|ης|st|nd|rd|th)\b|päivänä)?\s*"
        rf"(?:de |ta['’] |d['’])?{_WORD}"
        r"\.?,?\s+(?:de |del )?(?P<year>[12]\d{3})\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?P<year>[12]\d{{3}})\.?\s*(?:m\.\s*)?{_WORD}\s+(?P<day>\d{{1,2}})\b", re.IGNORECASE
    ),
    re.compile(
        rf"\b(?P<year>[12]\d{{3}})\.?\s*gada\s+(?P<day>\d{{1,2}})\.?\s*{_WORD}", re.IGNORECASE
    ),
    re.compile(rf"\b{_WORD}\s+(?P<day>\d{{1,2}}),?\s+(?P<year>[12]\d{{3}})\b", re.IGNORECASE),
    re.compile(r"\b(?P<day>\d{1,2})[./](?P<number>\d{1,2})[./](?P<year>[12]\d{3})\b"),
    re.compile(r"\b(?P<year>[12]\d{3})-(?P<number>\d{2})-(?P<day>\d{2})(?!\d)"),
)
_ISO = re.compile(r"\s*(?P<date>[12]\d{3}(?:-\d{2}(?:-\d{2})?)?)(?![\d])")


def find_date(text: str, language: str = "") -> str:
    """Return the first date in ``text`` as ISO 8601, "" when there is none.

    Args:
        text: Running text; "12.5.2016" is read with the day in front.
        language: BCP 47 code; Croatian and Polish call different months "listopada".
    """
    found = [
        (match.start(), date)
        for form in _FORMS
        for match in form.finditer(text)
        if (date := _date(match, language))
    ]
    return min(found)[1] if found else ""


def stated_date(value: str) -> str:
    """Return the date of a field that holds nothing else (``2024-05-01T10:00Z``), or ""."""
    match = _ISO.match(value)
    if match is None:
        return find_date(value)
    parts = [int(p) for p in match["date"].split("-")]
    try:
        dt.date(*[*parts, 1, 1][:3])
    except ValueError:
        return ""
    return match["date"]


def _date(match: re.Match[str], language: str) -> str:
    groups = match.groupdict()
    number = groups.get("number")
    month = int(number) if number else _month(groups["month"], language)
    try:
        return dt.date(int(groups["year"]), month, int(groups["day"])).isoformat()
    except ValueError:
        return ""


def _month(word: str, language: str) -> int:
    """Return the number of a month by its name, 0 when it is none."""
    decomposed = unicodedata.normalize("NFD", word.casefold())
    plain = "".join(c for c in decomposed if not unicodedata.combining(c)).replace("ς", "σ")
    if language.startswith("hr") and plain.startswith(_OCTOBER_IN_CROATIAN):
        return 10
    return next((number for prefix, number in _PREFIXES if plain.startswith(prefix)), 0)
