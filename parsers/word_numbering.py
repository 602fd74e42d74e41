"""Numbers that Word draws before paragraphs ("2.1", "(a)", "IV."): they are in no text node.

A contract's clauses are cited by these numbers, so they are written into the text (and counted as
generated). Bullets are not: they name nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from lxml import etree

from parsers.ooxml import q
from parsers.word_styles import Styles

_PLACE = re.compile(r"%([1-9])")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    number_format: str
    pattern: str
    legal: bool


class Numbering:
    """The running numbers of a document; ask in the order of its paragraphs.

    Args:
        root: Root of the numbering part, None where the document has none.
        styles: The document's styles, through which lists may be defined.
    """

    def __init__(self, root: etree._Element | None, styles: Styles) -> None:
        self._abstract: dict[str, etree._Element] = {}
        self._numbers: dict[str, etree._Element] = {}
        self._styles = styles
        if root is not None:
            for element in root.findall(q("w:abstractNum")):
                self._abstract[element.get(q("w:abstractNumId"), "")] = element
            for element in root.findall(q("w:num")):
                self._numbers[element.get(q("w:numId"), "")] = element
        self._levels: dict[str, dict[int, _Level]] = {}
        self._counters: dict[str, dict[int, int]] = defaultdict(dict)
        self._restarted: set[tuple[str, int]] = set()

    def label(self, number_id: str, level: int) -> str:
        """Advance the list and return the label of its next item; "" for a bullet or no list."""
        levels = self._levels_of(number_id)
        here = levels.get(level)
        if here is None:
            return ""
        counters = self._counters[self._abstract_id(number_id)]
        override = self._start_override(number_id, level)
        if override is not None and (number_id, level) not in self._restarted:
            self._restarted.add((number_id, level))
            counters[level] = override
        else:
            counters[level] = counters[level] + 1 if level in counters else here.start
        for deeper in [k for k in counters if k > level]:
            del counters[deeper]
        if here.number_format in ("bullet", "none"):
            return ""

        def place(match: re.Match[str]) -> str:
            index = int(match.group(1)) - 1
            shown = levels.get(index, here)
            number = counters.get(index, shown.start)
            return _format(number, "decimal" if here.legal else shown.number_format)

        return _PLACE.sub(place, here.pattern).strip()

    def _abstract_id(self, number_id: str) -> str:
        element = self._numbers.get(number_id)
        return "" if element is None else _value(element, "w:abstractNumId")

    def _start_override(self, number_id: str, level: int) -> int | None:
        element = self._numbers.get(number_id)
        for override in () if element is None else element.findall(q("w:lvlOverride")):
            value = _value(override, "w:startOverride")
            if override.get(q("w:ilvl")) == str(level) and value.isdecimal():
                return int(value)
        return None

    def _levels_of(self, number_id: str) -> dict[int, _Level]:
        if number_id not in self._levels:
            abstract = self._abstract.get(self._abstract_id(number_id))
            link = "" if abstract is None else _value(abstract, "w:numStyleLink")
            if link:  # the list is defined in a style, which names another list
                other = self._abstract_id(self._styles.numbering_of(link))
                abstract = self._abstract.get(other, abstract)
            levels = {} if abstract is None else _read_levels(abstract)
            own = self._numbers.get(number_id)
            for override in () if own is None else own.findall(q("w:lvlOverride")):
                levels.update(_read_levels(override))
            self._levels[number_id] = levels
        return self._levels[number_id]


def _read_levels(parent: etree._Element) -> dict[int, _Level]:
    levels = {}
    for element in parent.findall(q("w:lvl")):
        index, start = element.get(q("w:ilvl"), ""), _value(element, "w:start")
        if index.isdecimal():
            levels[int(index)] = _Level(
                int(start) if start.isdecimal() else 1,
                _value(element, "w:numFmt") or "decimal",
                _value(element, "w:lvlText"),
                element.find(q("w:isLgl")) is not None,
            )
    return levels


def _value(parent: etree._Element, name: str) -> str:
    element = parent.find(q(name))
    return "" if element is None else element.get(q("w:val"), "")


def _format(number: int, number_format: str) -> str:
    if number_format in ("lowerLetter", "upperLetter") and number > 0:
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter.upper() if number_format == "upperLetter" else letter
    if number_format in ("lowerRoman", "upperRoman") and 0 < number < 4000:
        roman = ""
        for value, sign in _ROMAN:
            roman += sign * (number // value)
            number %= value
        return roman.upper() if number_format == "upperRoman" else roman
    if number_format == "decimalZero":
        return f"{number:02d}"
    return str(number)
