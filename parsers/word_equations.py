"""Equations of Office (OMML) on one line: x=(a+b)/2, y^2, √(x), with what their layout says."""

from __future__ import annotations

from collections.abc import Callable

from lxml import etree

from parsers.ooxml import NAMESPACES, local_name, q

_MATH = NAMESPACES["m"]
_DELIMITERS = {"begChr": "(", "endChr": ")", "sepChr": "|"}
_INTEGRAL = "\u222b"
"""The sign of an n-ary operator that names none."""


def linear(element: etree._Element) -> str:
    """Return an ``m:oMath`` as text.

    Every text node below it is in the result, in order but for the limits of an operator and the
    degree of a root, which are written where they are read.
    """
    name = local_name(element)
    if name == "t":
        return element.text or ""
    if name.endswith("Pr"):
        return ""
    form = _FORMS.get(name) if element.tag == f"{{{_MATH}}}{name}" else None
    return form(element) if form else "".join(linear(child) for child in element)


def _part(element: etree._Element, name: str) -> str:
    return "".join(linear(child) for child in element.findall(q(f"m:{name}")))


def _closed(text: str) -> str:
    """Return a part in brackets, unless it is one sign, word or number."""
    plain = text.strip()
    return plain if len(plain) < 2 or plain.isalnum() else f"({plain})"


def _fraction(element: etree._Element) -> str:
    return f"{_closed(_part(element, 'num'))}/{_closed(_part(element, 'den'))}"


def _scripts(element: etree._Element) -> str:
    """Return a base with its scripts, or with limits written as scripts."""
    low = _part(element, "sub") + (_part(element, "lim") if _is(element, "limLow") else "")
    high = _part(element, "sup") + (_part(element, "lim") if _is(element, "limUpp") else "")
    return _part(element, "e") + _marked("_", low) + _marked("^", high)


def _before(element: etree._Element) -> str:
    scripts = _marked("_", _part(element, "sub")) + _marked("^", _part(element, "sup"))
    return scripts + _part(element, "e")


def _operator(element: etree._Element) -> str:
    sign = _property(element, "chr", _INTEGRAL)
    scripts = _marked("_", _part(element, "sub")) + _marked("^", _part(element, "sup"))
    return f"{sign}{scripts} {_part(element, 'e')}"


def _root(element: etree._Element) -> str:
    degree = _part(element, "deg").strip()
    return f"{degree}\u221a({_part(element, 'e')})"


def _delimited(element: etree._Element) -> str:
    begin, end, separator = (_property(element, k, v) for k, v in _DELIMITERS.items())
    return begin + separator.join(linear(e) for e in element.findall(q("m:e"))) + end


def _rows(element: etree._Element) -> str:
    """Return a matrix, or an array of equations, with its rows parted by semicolons."""
    rows = element.findall(q("m:mr")) or element.findall(q("m:e"))
    cells = [[linear(e) for e in row.findall(q("m:e"))] or [linear(row)] for row in rows]
    return "; ".join(", ".join(row) for row in cells)


def _function(element: etree._Element) -> str:
    return f"{_part(element, 'fName')} {_part(element, 'e')}"


def _marked(mark: str, text: str) -> str:
    return mark + _closed(text) if text.strip() else ""


def _is(element: etree._Element, name: str) -> bool:
    return local_name(element) == name


def _property(element: etree._Element, name: str, default: str) -> str:
    found = next(
        (child for group in element for child in group if _is(child, name)), None
    ) if len(element) and local_name(element[0]).endswith("Pr") else None  # fmt: skip
    return default if found is None else found.get(q("m:val"), "")


_FORMS: dict[str, Callable[[etree._Element], str]] = {
    "f": _fraction,
    "sSup": _scripts,
    "sSub": _scripts,
    "sSubSup": _scripts,
    "limLow": _scripts,
    "limUpp": _scripts,
    "sPre": _before,
    "nary": _operator,
    "rad": _root,
    "d": _delimited,
    "m": _rows,
    "eqArr": _rows,
    "func": _function,
}
