"""A spreadsheet's values as they are shown: dates in ISO form, numbers by their format."""

from __future__ import annotations

import datetime as dt
import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

_QUOTED = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|[_*].|\[[^\]]*\]')
_PLACES = re.compile(r"[#0?][#0?,]*(?:\.([0#?]+))?")
_CURRENCY = re.compile(r"[$€£¥₹]|R\$")
_LEFT_ALONE = re.compile(r"[/?EeymdhsYMDHS@]|General|,(?:\.|$)")
"""Fractions, exponents, dates, text, and amounts shown in thousands."""
_DATE_PARTS = re.compile(r"yyyy|yy|mmmm|mmm|mm|m(?![a-z])", re.I)
_LOCALE = re.compile(r"\[\$[^\]-]*-([0-9A-Fa-f]{1,8})\]")
_ENGLISH = 0x09
"""Primary language of a Windows locale, its low ten bits; other languages' month names are not
kept here."""
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_SIGNIFICANT = 15
"""Digits a spreadsheet keeps of a number; more are noise of binary fractions."""


def shown(value: object, number_format: str) -> str:
    """Return a cell's value as text.

    Numbers follow the parts of their format that change what is read: decimal places, thousands,
    per cent, a currency's sign. Everything else (colours, conditions, fractions) shows the number
    itself. Dates and times are ISO 8601 whatever the format, since formats are read differently
    from country to country; a date shown as a year or a month alone ("2024", "Mar-24") stays that,
    since its day means nothing.

    Args:
        value: As openpyxl gives it; None is "".
        number_format: The cell's format code.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, dt.date) and (period := _period(value, number_format or "")):
        return period
    if isinstance(value, dt.datetime):
        midnight = value.time() == dt.time()
        return value.date().isoformat() if midnight else value.isoformat(" ", "auto")
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        return _duration(value)
    if isinstance(value, int | float | Decimal):
        return _number(value, number_format or "General")
    return str(value)


def _period(value: dt.date, number_format: str) -> str:
    """Return a date as its format shows it when that is a year, or a month and a year; else ""."""
    section = number_format.split(";")[0]
    bare = _QUOTED.sub("", section).lower()
    parts = set(_DATE_PARTS.findall(bare))
    if not parts & {"yy", "yyyy"} or "d" in bare or "h" in bare or "s" in bare or "e" in bare:
        return ""
    locale = _LOCALE.search(section)
    if locale and int(locale[1], 16) & 0x3FF != _ENGLISH and parts & {"mmm", "mmmm"}:
        return f"{value:%Y-%m}"
    month = _MONTHS[value.month - 1]
    shown_as = {
        "yyyy": f"{value.year:04}", "yy": f"{value.year % 100:02}", "mmmm": month,
        "mmm": month[:3], "mm": f"{value.month:02}", "m": str(value.month),
    }  # fmt: skip
    text = _LOCALE.sub("", section).replace("\\", "").replace('"', "")
    return _DATE_PARTS.sub(lambda match: shown_as[match[0].lower()], text).strip()


def _duration(value: dt.timedelta) -> str:
    seconds = round(value.total_seconds())
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _number(value: float | Decimal, number_format: str) -> str:
    plain = _plain(value)
    section = number_format.split(";")[0]
    literals = "".join("".join(m.groups(default="")) for m in _QUOTED.finditer(section))
    bare = _QUOTED.sub("", section)
    places = _PLACES.search(bare)
    if places is None or _LEFT_ALONE.search(bare):
        return plain
    try:
        number = Decimal(plain)
        if "%" in bare:
            number *= 100
        step = Decimal(1).scaleb(-len(places[1] or ""))
        number = number.quantize(step, ROUND_HALF_UP)
    except InvalidOperation:
        return plain
    text = f"{number:,f}" if "," in places[0] else f"{number:f}"
    text = _padded(text, places[0].partition(".")[0].count("0"))
    optional = len(places[1] or "") - (places[1] or "").count("0")
    for _ in range(optional):
        text = text.removesuffix("0")
    text = text.removesuffix(".")
    currency = _CURRENCY.search(literals) or _CURRENCY.search(bare)
    if currency:
        text = f"-{currency[0]}{text[1:]}" if text.startswith("-") else f"{currency[0]}{text}"
    return f"{text}%" if "%" in bare else text


def _padded(text: str, digits: int) -> str:
    """Return a number with leading zeros up to ``digits`` (article numbers, postcodes)."""
    whole = text.lstrip("-").partition(".")[0]
    missing = digits - len(whole.replace(",", ""))
    return text.replace(whole, "0" * missing + whole, 1) if missing > 0 else text


def _plain(value: float | Decimal) -> str:
    """Return a number without noise, exponent only where it is very long."""
    if isinstance(value, int):
        return str(value)
    text = f"{value:.{_SIGNIFICANT}g}"
    if "e" in text and abs(float(value)) >= 1e-9 and abs(float(value)) < 1e21:
        text = f"{Decimal(text):f}"
    return text
