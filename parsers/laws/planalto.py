"""Brazilian federal law as the Presidency publishes it (planalto.gov.br), and laws like it.

A flat row of paragraphs whose numbers say what they are: ``Art. 1º``, ``§ 2º``, ``Parágrafo
único.``, incisos ``IV -``, alíneas ``b)``. Wording that an amendment replaced stays on the page,
struck out; it is dropped. Older wording that was not struck out is kept beside the newer one. Where
articles begin again at 1 (the Transitory Provisions, a regulation that a decree approves), what
follows is a part of its own and addressed like an annex.
"""

from __future__ import annotations

import re
from collections import Counter

from parsers.builder import DocumentBuilder
from parsers.laws.labels import division_key, roman_value
from parsers.laws.planalto_lines import (
    ARTICLE,
    DIVISION,
    ITEM,
    LETTER,
    NUMBER,
    PARAGRAPH,
    SOLE,
    Line,
    is_frame,
    lines_of,
)
from parsers.laws.units import Law, Unit, UnitKind, text_unit
from parsers.normalise import one_line
from parsers.webpage_dom import Element, descend, name_of
from parsers.webpage_tables import grid_of

SUPERSEDED = "superseded"
NAVIGATION = "navigation"

_TITLE = re.compile(
    r"(?:LEI|DECRETO|MEDIDA|EMENDA|CONSTITUI|C[ÓO]DIGO|RESOLU|PORTARIA|ATO\b|CONSOLIDA)", re.I
)
_QUOTES = ("“", '"', "”", "«")
_DATE_LINE = re.compile(r"[^\d,.;:]{3,40},\s*(?:em )?\d{1,2}\s?[ºo°]?\s+de\s+\w+\s+de\s+\d{4}")
"""Place and date under the last article: "Brasília, 14 de agosto de 2018"."""
_QUOTE_END = re.compile(r"[”\"»]|\(NR\)")
_ITEM, _LETTER, _FIGURE = 1, 2, 3  # styles of points: inciso, alínea, item
_PREFIXES = {"l": "prt", "p": "prt", "t": "ttl", "c": "cpt", "su": "sbs", "s": "sct"}
_RANKS = ("prt", "ttl", "cpt", "sct", "sbs")
_TITLE_MAX = 150
"""Characters of the longest title of a division or an article on a line of its own (a guess)."""
_MIN_CAPITALS = 8
"""Letters of a line in capitals that may be the title of a part (a guess)."""
_MIN_BEFORE_RESTART = 2
"""Articles in front of a second "Art. 1" that make it the beginning of another part (a guess)."""


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
        self._styles: dict[int, int] = {}  # of points, by id
        self._untitled: Unit | None = None
        self._quoting = False
        self._rubric = ""
        self._articles = 0  # of the part that is open
        self._number = 0  # of the last own article
        self._signed = False
        self._capitals: tuple[list[Unit], Unit] | None = None  # last line in capitals, its place

    def read(self, root: Element) -> None:
        """Read the paragraphs in an element, in order."""
        lines: list[Line | Element] = []
        for parent, item in descend(root, is_frame):
            if not isinstance(item, str) and name_of(item) == "table":
                lines.append(item)
            else:
                lines += lines_of(item, parent)
        for line, following in zip(lines, [*lines[1:], None], strict=True):
            if not isinstance(line, Line):
                self._table(line)
            elif isinstance(following, Line) and self._is_rubric(line, following):
                self._rubric = one_line(line.valid)
            else:
                self._line(line)

    def _is_rubric(self, line: Line, following: Line) -> bool:
        """Tell whether a line is the title of the article below it: "Homicídio simples"."""
        text = one_line(line.valid)
        return (
            bool(text)
            and not line.struck.strip()
            and not following.struck.strip()
            and not line.links_only
            and self._untitled is None
            and not self._quoting
            and bool(self._open or self._divisions)
            and len(text) <= _TITLE_MAX
            and (text[-1].isalnum() and text[0].isupper())
            and not any(p.match(text) for p in (ARTICLE, PARAGRAPH, SOLE, ITEM, LETTER, DIVISION))
            and not _DATE_LINE.match(text)
            and text.upper() != text
            and ARTICLE.match(one_line(following.text)) is not None
        )

    def _table(self, table: Element) -> None:
        """Read a table of data; what is struck out in its cells is dropped."""
        unit = Unit(UnitKind.TABLE, grid=grid_of(table, self._cell))
        if self._open or self._divisions:
            self._home().children.append(unit)
        else:
            self.law.units.append(unit)

    def _cell(self, cell: Element) -> str:
        lines = lines_of(cell, cell)
        self._builder.count_dropped(SUPERSEDED, "".join(line.struck for line in lines))
        return one_line(" ".join(line.valid for line in lines))

    def _line(self, line: Line) -> None:
        text = one_line(line.text)
        if not text:
            return
        division = None if self._quoting else DIVISION.match(text)
        if division and _is_heading(text, division.end()):
            self._division(line, division)
        elif self._is_quoted(text) or not self._numbered(line, text):
            self._plain(line)

    def _is_quoted(self, text: str) -> bool:
        """Tell whether a paragraph is wording given to another law, whose numbers are not ours."""
        if self._open and text.startswith(_QUOTES):
            self._quoting = _QUOTE_END.search(text, 1) is None
            return True
        article = ARTICLE.match(text)
        if not self._quoting or (article and self._is_next(article)):
            self._quoting = False
            return False
        self._quoting = _QUOTE_END.search(text) is None
        return True

    def _is_next(self, match: re.Match[str]) -> bool:
        """Tell whether an article's number goes on with those of this law."""
        return 0 <= _number(match) - self._number <= 1

    def _numbered(self, line: Line, text: str) -> bool:
        """Read a paragraph that begins with a number of the law; False when it does not."""
        if match := ARTICLE.match(text):
            return self._article(line, match)
        if not self._open:
            return False
        if match := PARAGRAPH.match(text):
            key = match["key"] + (match["letter"] or "").lower()
            self._begin(Unit(UnitKind.PARAGRAPH, key=key), 1, line, match)
        elif match := SOLE.match(text):
            self._begin(Unit(UnitKind.PARAGRAPH, key="1"), 1, line, match)
        elif (match := ITEM.match(text)) and roman_value(match["key"]):
            key = f"{roman_value(match['key'])}{(match['letter'] or '').lower()}"
            self._begin(Unit(UnitKind.POINT, key=key), self._level(_ITEM), line, match, _ITEM)
        elif match := LETTER.match(text):
            key = match["key"].replace("-", "").lower()
            self._begin(Unit(UnitKind.POINT, key=key), self._level(_LETTER), line, match, _LETTER)
        elif match := NUMBER.match(text):
            key = match["key"] or match["dashed"]
            self._begin(Unit(UnitKind.POINT, key=key), self._level(_FIGURE), line, match, _FIGURE)
        else:
            return False
        return True

    def _article(self, line: Line, match: re.Match[str]) -> bool:
        """Begin an article; False for one in a note under the signatures."""
        number = _number(match)
        restarts = number == 1 and self._number > 1 and self._articles >= _MIN_BEFORE_RESTART
        if restarts:
            self._open_part()
        elif self._signed:
            return False
        letter = (match["letter"] or match["glued"] or "").lower()
        self._articles += number != self._number
        self._number = number
        self._capitals = None
        unit = Unit(UnitKind.ARTICLE, key=f"{number}{letter}", title=self._rubric)
        self._rubric = ""
        self._begin(unit, 0, line, match)
        return True

    def _open_part(self) -> None:
        """Begin a part whose articles count from 1 again, titled by the capitals above it."""
        opened = [u for u in self._divisions if not _has_articles(u)]
        self._begin_part()
        if opened and opened[0].kind is UnitKind.ANNEX:
            self._divisions = opened
            return
        part = self._new_annex("", "")
        if self._capitals is not None:
            siblings, title = self._capitals
            siblings.remove(title)
            part.label = title.text
        if opened:  # divisions between the capitals and the first article are the part's
            home = self._divisions[: -len(opened)]
            (home[-1].children if home else self.law.units).remove(opened[0])
            part.children.append(opened[0])
        self._divisions = [part, *opened]

    def _begin_part(self) -> None:
        self._articles = self._number = 0
        self._signed = False
        self._open = []

    def _new_annex(self, label: str, number: str) -> Unit:
        elder = sum(1 for u in self.law.units if u.kind is UnitKind.ANNEX)
        key = int(number) if number.isdigit() else roman_value(number) or elder + 1
        unit = Unit(UnitKind.ANNEX, label=label, key=str(key))
        self.law.units.append(unit)
        return unit

    def _level(self, style: int) -> int:
        """Return how many open units hold a point of this style: those of a wider one."""
        for number, unit in enumerate(self._open):
            if unit.kind is UnitKind.POINT and self._styles[id(unit)] >= style:
                return number
        return len(self._open)

    def _begin(
        self, unit: Unit, level: int, line: Line, match: re.Match[str], style: int = 0
    ) -> None:
        """Open ``unit`` under the innermost open unit of a lower level and give it its text."""
        self._styles[id(unit)] = style
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

    def _plain(self, line: Line) -> None:
        self._builder.count_dropped(SUPERSEDED, line.struck)
        text = one_line(line.valid)
        if not text:
            return
        if self._untitled is not None and not self._open and _is_title(text):
            self._untitled.title = f"{self._untitled.title} {text}".strip()
            if text.upper() != text:
                self._untitled = None  # only a title in capitals goes on in the next line
            return
        self._untitled = None
        if self._open and not self._quoting and _DATE_LINE.match(text):
            self._open, self._divisions = [], []
            self._signed = True
        if self._open or self._divisions:
            unit = text_unit(text) if self._open else Unit(UnitKind.FRONT, text=text)
            self._keep(self._home().children, unit)
        elif line.links_only and not _TITLE.match(text):
            self._builder.count_dropped(NAVIGATION, text)
        elif not self.law.title and _TITLE.match(text):
            self.law.title.append(text)
        else:
            self._keep(self.law.units, Unit(UnitKind.FRONT, text=text))

    def _keep(self, siblings: list[Unit], unit: Unit) -> None:
        """Append running text; a line in capitals may turn out to be the title of a part."""
        siblings.append(unit)
        if unit.text.upper() == unit.text and sum(c.isalpha() for c in unit.text) >= _MIN_CAPITALS:
            self._capitals = (siblings, unit)

    def _division(self, line: Line, match: re.Match[str]) -> None:
        self._builder.count_dropped(SUPERSEDED, line.struck)
        label, title = one_line(match[0]), one_line(line.valid)[match.end() :].strip(" -–")
        dropped = one_line(line.valid)[match.end() :]
        self._open = []
        word = (match["word"] or match["bare"]).casefold()
        if word.startswith("anexo"):
            self._begin_part()
            unit = self._new_annex(label, match["number"] or "")
            unit.title = title
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
        while self._divisions and self._divisions[-1].kind is not UnitKind.ANNEX:
            if _RANKS.index(self._divisions[-1].prefix) < rank:
                break
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
                    self._builder.count_dropped(SUPERSEDED, part.label + part.title + part.text)
                    self._builder.count_dropped(SUPERSEDED, _grid_text(part))
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


def _number(match: re.Match[str]) -> int:
    return int(re.sub(r"[\s.]", "", match["key"]))


def _has_articles(unit: Unit) -> bool:
    return any(u.kind is UnitKind.ARTICLE for u in unit.walk())


def _is_heading(text: str, end: int) -> bool:
    """Tell whether what follows a division's number is its title, or nothing."""
    rest = text[end:].lstrip(" -–—.")
    if len(text) > end and text[end].isalnum():
        return False
    return not rest or (len(rest) <= _TITLE_MAX and not rest[0].islower())


def _is_title(text: str) -> bool:
    """Tell whether a line under a division's number is its title, no sentence or note."""
    return len(text) <= _TITLE_MAX and text[0] not in '(“"' and text[-1] not in ".:;,"


def _grid_text(unit: Unit) -> str:
    return "" if unit.grid is None else "".join(cell.text for cell in unit.grid.cells)
