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
_SIGNIFICANT = 15
"""Digits a spreadsheet keeps of a number; more are noise of binary fractions."""


def shown(value: object, number_format: str) -> str:
    """Return a cell's value as text.

    Numbers follow the parts of their format that change what is read: decimal places, thousands,
    per cent, a currency's sign. Everything else (colours, conditions, fractions) shows the number
    itself. Dates and times are ISO 8601 whatever the format, since formats are read differently
    from country to country.

    Args:
        value: As openpyxl gives it; None is "".
        number_format: The cell's format code.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
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
