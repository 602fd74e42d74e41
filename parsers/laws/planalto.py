"""Brazilian federal law as the Presidency publishes it (planalto.gov.br).

A flat row of paragraphs whose numbers say what they are: ``Art. 1º``, ``§ 2º``, ``Parágrafo
único.``, incisos ``IV -``, alíneas ``b)``. Wording that an amendment replaced stays on the page,
struck out; it is dropped. Older wording that was not struck out is kept beside the newer one.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from lxml import etree

from parsers.builder import DocumentBuilder
from parsers.laws.labels import division_key, roman_value
from parsers.laws.units import Law, Unit, UnitKind, text_unit
from parsers.normalise import one_line
from parsers.webpage_dom import Element, descend, is_block, name_of

SUPERSEDED = "superseded"
NAVIGATION = "navigation"

_STRUCK_TAGS = frozenset({"strike", "s", "del"})
_STRUCK_STYLE = re.compile(r"text-decoration[^;]*line-through", re.IGNORECASE)
_ARTICLE = re.compile(
    r"Art\s?\.?\s*(?P<key>\d{1,3}(?:\.\d{3})+|\d+(?:\s\d)?(?=\s?\.)|\d+)\s?(?:[ºo°ª]\b\.?|[º°ª])?"
    r"(?:\s?-\s?(?P<letter>[A-Z]{1,2})\b)?\s?(?:[.º]|[-–—](?=\s))?",
)
_PARAGRAPH = re.compile(
    r"§\s?(?P<key>\d+)\s?(?:[ºo°ª]\b\.?|[º°ª])?(?:\s?-\s?(?P<letter>[A-Z]{1,2})\b)?\s?[.-]?"
)
_SOLE = re.compile(r"Parágrafo\s+[úu]nico\s?[.:–-]?", re.IGNORECASE)
_ITEM = re.compile(r"(?P<key>[IVXLCDM]+)(?:-(?P<letter>[A-Z]{1,2}))?\s?[-–—.)]\s?(?=\S)")
_LETTER = re.compile(r"(?P<key>[a-z]{1,2}(?:-[A-Z])?)\s?\)\s?(?=\S)")
_NUMBER = re.compile(r"(?P<key>\d{1,3})\s?[).]\s(?=\S)|(?P<dashed>\d{1,2})\s?[-–]\s(?=\S)")
_DIVISION = re.compile(
    r"(?P<word>livro|parte|t[íi]tulo|cap[íi]tulo|subse[çc][ãa]o|se[çc][ãa]o|anexo)\s+"
    r"(?P<number>[IVXLCDM]+(?:-[A-Z])?|[úu]nic[oa]|\d+[ºo]?|geral|especial)\b",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"(?:LEI|DECRETO|MEDIDA|EMENDA|CONSTITUI|C[ÓO]DIGO|RESOLU|PORTARIA|ATO\b|CONSOLIDA)", re.I
)
_QUOTES = ("“", '"', "”", "«")
_DATE_LINE = re.compile(r"[^\d,.;:]{3,40},\s*\d{1,2}\s?[ºo°]?\s+de\s+\w+\s+de\s+\d{4}")
"""Place and date under the last article: "Brasília, 14 de agosto de 2018"."""
_QUOTE_END = re.compile(r"[”\"»]|\(NR\)")
_BEGINNINGS = (_ARTICLE, _PARAGRAPH, _SOLE, _ITEM, _LETTER)
_PARAGRAPHS = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "pre"})
_LEVELS = {UnitKind.ARTICLE: 1, UnitKind.PARAGRAPH: 2}
_PREFIXES = {"l": "prt", "p": "prt", "t": "ttl", "c": "cpt", "su": "sbs", "s": "sct"}
_RANKS = ("prt", "ttl", "cpt", "sct", "sbs")


@dataclass(slots=True)
class _Line:
    """A paragraph of the page: what is in force and what is struck out."""

    text: str
    valid: str
    struck: str
    links_only: bool = False

    def add(self, text: str | None, *, struck: bool, linked: bool) -> None:
        """Append a text node."""
        if text:
            self.text += text
            if struck:
                self.struck += text
            else:
                self.valid += text
            self.links_only = self.links_only and (linked or not text.strip())


def read_planalto(root: Element, builder: DocumentBuilder) -> Law:
    """Return the law on a page of Planalto; struck-out wording is counted as superseded."""
    reader = _Reader(builder)
    reader.read(root)
    reader.finish()
    return reader.law


class _Reader:
    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self.law = Law(language="pt")
        self._divisions: list[Unit] = []
        self._open: list[Unit] = []  # article, paragraph, inciso, alínea …, innermost last
        self._struck: set[int] = set()  # ids of units whose printed number is struck out
        self._untitled: Unit | None = None
        self._quoting = False

    def read(self, root: Element) -> None:
        """Read the paragraphs in an element, in order."""
        for parent, item in descend(root, _is_frame):
            for line in _lines_of(item, parent):
                self._line(line)

    def _line(self, line: _Line) -> None:
        text = one_line(line.text)
        if not text:
            return
        division = _DIVISION.match(text)
        if division and (len(text) == division.end() or not text[division.end()].isalnum()):
            self._division(line, division)
        elif self._is_quoted(text) or not self._numbered(line, text):
            self._plain(line)

    def _is_quoted(self, text: str) -> bool:
        """Tell whether a paragraph is wording given to another law, whose numbers are not ours."""
        if self._open and text.startswith(_QUOTES):
            self._quoting = _QUOTE_END.search(text, 1) is None
            return True
        if not self._quoting or _ARTICLE.match(text):
            self._quoting = False
            return False
        self._quoting = _QUOTE_END.search(text) is None
        return True

    def _numbered(self, line: _Line, text: str) -> bool:
        """Read a paragraph that begins with a number of the law; False when it does not."""
        if match := _ARTICLE.match(text):
            key = re.sub(r"[\s.]", "", match["key"]) + (match["letter"] or "").lower()
            self._begin(Unit(UnitKind.ARTICLE, key=key), 0, line, match)
            return True
        if not self._open:
            return False
        if match := _PARAGRAPH.match(text):
            key = match["key"] + (match["letter"] or "").lower()
            self._begin(Unit(UnitKind.PARAGRAPH, key=key), 1, line, match)
        elif match := _SOLE.match(text):
            self._begin(Unit(UnitKind.PARAGRAPH, key="1"), 1, line, match)
        elif (match := _ITEM.match(text)) and roman_value(match["key"]):
            key = f"{roman_value(match['key'])}{(match['letter'] or '').lower()}"
            self._begin(Unit(UnitKind.POINT, key=key), self._base(), line, match)
        elif match := _LETTER.match(text):
            key = match["key"].replace("-", "").lower()
            self._begin(Unit(UnitKind.POINT, key=key), self._base() + 1, line, match)
        elif match := _NUMBER.match(text):
            key = match["key"] or match["dashed"]
            self._begin(Unit(UnitKind.POINT, key=key), self._base() + 2, line, match)
        else:
            return False
        return True

    def _base(self) -> int:
        """Return how many open units hold an inciso: the article, and its paragraph if one is."""
        return sum(1 for u in self._open if u.kind in _LEVELS)

    def _begin(self, unit: Unit, level: int, line: _Line, match: re.Match[str]) -> None:
        """Open ``unit`` under the innermost open unit of a lower level and give it its text."""
        del self._open[level:]
        siblings = self._home().children if self._open or self._divisions else self.law.units
        siblings.append(unit)
        self._open.append(unit)
        self._untitled = None
        unit.label = label = one_line(match[0])
        struck, valid = one_line(line.struck), one_line(line.valid)
        if valid.startswith(label) or not struck:
            self._builder.count_dropped(SUPERSEDED, struck)
            rest = valid.removeprefix(label).strip()
        else:
            rest = valid
            self._builder.count_dropped(SUPERSEDED, struck.removeprefix(label))
            self._struck.add(id(unit))
        if rest:
            unit.children.append(text_unit(rest))

    def _home(self) -> Unit:
        return self._open[-1] if self._open else self._divisions[-1]

    def _plain(self, line: _Line) -> None:
        self._builder.count_dropped(SUPERSEDED, line.struck)
        text = one_line(line.valid)
        if not text:
            return
        if self._untitled is not None and text.upper() == text and not self._open:
            self._untitled.title = f"{self._untitled.title} {text}".strip()
            return
        self._untitled = None
        if self._open and not self._quoting and _DATE_LINE.match(text):
            self._open, self._divisions = [], []
        if self._open:
            self._open[-1].children.append(text_unit(text))
        elif self._divisions:
            self._divisions[-1].children.append(Unit(UnitKind.FRONT, text=text))
        elif line.links_only and not _TITLE.match(text):
            self._builder.count_dropped(NAVIGATION, text)
        elif not self.law.title and _TITLE.match(text):
            self.law.title.append(text)
        else:
            self.law.units.append(Unit(UnitKind.FRONT, text=text))

    def _division(self, line: _Line, match: re.Match[str]) -> None:
        self._builder.count_dropped(SUPERSEDED, line.struck)
        label, title = one_line(match[0]), one_line(line.valid)[match.end() :].strip(" -–")
        dropped = one_line(line.valid)[match.end() :]
        self._open = []
        word = match["word"].casefold()
        if word == "anexo":
            self._divisions = []
            number = roman_value(match["number"]) or len(self.law.units)
            unit = Unit(UnitKind.ANNEX, label=label, title=title, key=str(number))
            self.law.units.append(unit)
            self._divisions = [unit]
        else:
            unit = self._open_division(label, title, word)
        if dropped.strip() != title:
            self._builder.count_dropped(
                "separator", len(dropped.replace(" ", "")) - len(title.replace(" ", ""))
            )
        self._untitled = None if title else unit

    def _open_division(self, label: str, title: str, word: str) -> Unit:
        prefix = next(p for start, p in _PREFIXES.items() if word.startswith(start))
        if word.startswith("su"):
            prefix = "sbs"
        rank = _RANKS.index(prefix)
        while self._divisions and (
            self._divisions[-1].kind is UnitKind.ANNEX
            or _RANKS.index(self._divisions[-1].prefix) >= rank
        ):
            self._divisions.pop()
        siblings = self._divisions[-1].children if self._divisions else self.law.units
        elder = [u for u in siblings if u.kind is UnitKind.DIVISION and u.prefix == prefix]
        previous = int(elder[-1].key) if elder and elder[-1].key.isdigit() else len(elder)
        key = division_key(label, previous)
        unit = Unit(UnitKind.DIVISION, label=label, title=title, key=key, prefix=prefix)
        siblings.append(unit)
        self._divisions.append(unit)
        return unit

    def finish(self) -> None:
        """Drop struck-out units that something newer replaces, and number older wordings."""
        self.law.units = self._settled(self.law.units)

    def _settled(self, units: list[Unit]) -> list[Unit]:
        last: dict[tuple[UnitKind, str], Unit] = {}
        for unit in units:
            if unit.kind in (UnitKind.ARTICLE, UnitKind.PARAGRAPH, UnitKind.POINT):
                last[unit.kind, unit.key] = unit
        kept: list[Unit] = []
        versions: Counter[tuple[UnitKind, str]] = Counter()
        for unit in units:
            unit.children = self._settled(unit.children)
            replaced = last.get((unit.kind, unit.key), unit) is not unit
            if id(unit) in self._struck and not self._stands(unit, replaced):
                for part in unit.walk():
                    self._builder.count_dropped(SUPERSEDED, part.label + part.text)
                continue
            if replaced:
                versions[unit.kind, unit.key] += 1
                unit.version = versions[unit.kind, unit.key]
            kept.append(unit)
        return kept

    def _stands(self, unit: Unit, replaced: bool) -> bool:
        """Whether a unit whose number is struck out still says something in force.

        A note ("Revogado pela Lei …") stands where no newer wording has the number.
        """
        if not replaced:
            return bool(unit.children)
        return any(
            u.kind is not UnitKind.TEXT and u is not unit and id(u) not in self._struck
            for u in unit.walk()
        )


def _is_frame(item: Element) -> bool:
    return name_of(item) not in _PARAGRAPHS and any(is_block(child) for child in item)


def _lines_of(item: Element | str, parent: Element) -> list[_Line]:
    """Return the lines of a paragraph: a break divides it where a number of the law follows."""
    struck_around = any(_is_struck(a) for a in (parent, *parent.iterancestors()))
    if isinstance(item, str):
        return [_Line(item, "" if struck_around else item, item if struck_around else "")]
    lines = [_Line("", "", "", links_only=True)]
    depth, links = int(struck_around), 0
    for event, node in etree.iterwalk(item, events=("start", "end")):
        if event == "start":
            depth, links = depth + _is_struck(node), links + (name_of(node) == "a")
            if name_of(node) == "br":
                lines.append(_Line("", "", "", links_only=True))
            lines[-1].add(node.text, struck=depth > 0, linked=links > 0)
        else:
            depth, links = depth - _is_struck(node), links - (name_of(node) == "a")
            if node is not item:
                lines[-1].add(node.tail, struck=depth > 0, linked=links > 0)
    return _joined(lines)


def _joined(lines: list[_Line]) -> list[_Line]:
    joined = lines[:1]
    for line in lines[1:]:
        if any(p.match(one_line(line.text)) for p in _BEGINNINGS):
            joined.append(line)
            continue
        last = joined[-1]
        last.text += f" {line.text}"
        last.valid += f" {line.valid}"
        last.struck += f" {line.struck}"
        last.links_only = last.links_only and line.links_only
    return joined


def _is_struck(node: Element) -> bool:
    style = str(node.get("style") or "")
    return name_of(node) in _STRUCK_TAGS or bool(_STRUCK_STYLE.search(style))
