"""German federal law as gesetze-im-internet.de publishes it, whole acts and single sections.

Each ``div.jnnorm`` is a section (``§ 5``), an article, an annex or a heading (its number in
``jnenbez``, its title in ``jnentitel``); ``jurAbsatz`` are the paragraphs, ``dl`` the points.
"""

from __future__ import annotations

import re

from parsers.builder import DocumentBuilder
from parsers.laws.cursor import Cursor
from parsers.laws.labels import article_key, label_key, roman_value
from parsers.laws.units import Law, Unit, UnitKind, text_unit
from parsers.normalise import one_line
from parsers.webpage_dom import (
    Element,
    classes,
    count_text,
    flow,
    has_text,
    inline_text,
    line_text,
    name_of,
    remove,
)
from parsers.webpage_tables import grid_of, rows_of

NAVIGATION = "navigation"
CONTENTS = "table of contents"

_OWN = frozenset({"jnnorm", "jnheader", "jnhtml", "jurAbsatz", "jnfussnote"})
_SECTION = re.compile(r"(?:\(XXXX\)\s*)?(?:§+|Art\.?(?:ikel)?)\s*\d", re.IGNORECASE)
_FORMULA = re.compile(r"(?:eingangsformel|schlu(?:ss|ß)formel|präambel|vorspruch)\b", re.IGNORECASE)
_ANNEX = re.compile(r"(?:anlage|anhang)\b\s*(?P<key>\w*)", re.IGNORECASE)
_CONTENTS = re.compile(r"inhalts(?:übersicht|verzeichnis)", re.IGNORECASE)
_PARAGRAPH = re.compile(r"(?P<label>\(\s?(?P<key>\d+\s?[a-z]?)\s?\))\s*")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def read_gesetze(root: Element, builder: DocumentBuilder) -> Law:
    """Return the act, or the single section, on a page of gesetze-im-internet.de."""
    marked = [e for e in root.iter("div") if _OWN & classes(e)]
    outer = [e for e in marked if not any(_OWN & classes(a) for a in e.iterancestors())]
    builder.count_dropped(NAVIGATION, count_text(root) - sum(count_text(e) for e in outer))
    reader = GesetzeReader(builder)
    for element in outer:
        reader.read(element)
    return reader.law


class GesetzeReader:
    """Builds an act from its blocks in order.

    Args:
        builder: Holds the ledger.
    """

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self.cursor = Cursor()
        self.law = self.cursor.law
        self.law.language = "de"

    def read(self, element: Element) -> None:
        """Read one block of the page."""
        own = classes(element)
        if "jnheader" in own:
            self._header(element)
        elif "jnfussnote" in own:
            self.cursor.add_note(line_text(element))
        elif "jurAbsatz" in own:
            self.paragraph(element)
        elif "jnnorm" in own and self._is_contents(element):
            self._builder.count_dropped(CONTENTS, count_text(element))
        else:
            self._inside(element)

    def _is_contents(self, norm: Element) -> bool:
        number = _first(norm, "jnenbez")
        return number is not None and bool(_CONTENTS.match(line_text(number)))

    def _inside(self, element: Element) -> None:
        for item in flow(element):
            if isinstance(item, str):
                self.cursor.add(text_unit(one_line(item)))
            elif _OWN & classes(item) or any(_OWN & classes(e) for e in item.iter("div")):
                self.read(item)
            elif "standangaben" in classes(item):
                for row in rows_of(item):
                    self.cursor.add(text_unit(one_line(" ".join(map(line_text, row.cells)))))
            elif name_of(item) in _HEADINGS and self.cursor.article is None:
                self.heading(line_text(item), "")
            else:
                for unit in self._block(item):
                    self.cursor.add(unit)

    def _header(self, header: Element) -> None:
        for link in [a for a in header.iter("a") if a.get("href")]:
            self._builder.count_dropped(NAVIGATION, count_text(link))
            remove(link)
        number, title = _first(header, "jnenbez"), _first(header, "jnentitel")
        parts = [e for e in (number, title) if e is not None]
        headings = [e for e in header.iter(*_HEADINGS)]
        rest = " ".join(t for h in headings if (t := _without(h, parts)))
        if rest and not self.law.title:
            self.law.title.append(rest)
            rest = ""
        if number is not None:
            named = line_text(title) if title is not None else ""
            self.heading(line_text(number), f"{named} {rest}".strip())
        elif rest:
            for h in headings:
                label, _, named = inline_text(h).strip().partition("\n")
                self.heading(one_line(label), one_line(named))
        for item in flow(header):  # the date of the act, its abbreviation
            text = item if isinstance(item, str) else "" if item in headings else line_text(item)
            if one_line(text):
                self.cursor.add(text_unit(one_line(text)))

    def heading(self, label: str, title: str) -> None:
        """Begin what a heading names: a section, an article, an annex, a division, a formula."""
        cursor = self.cursor
        if _SECTION.match(label):
            cursor.open_article(label, article_key(label, ""))
            if title:
                cursor.name_article(title)
        elif found := _ANNEX.match(label):
            key = found["key"]
            cursor.open_annex(key if key.isdigit() or roman_value(key) else "", label)
            cursor.name_annex(title)
        elif _FORMULA.match(label):
            cursor.close_enacting_terms()
            cursor.add(text_unit(f"{label} {title}".strip()))
        elif label:
            cursor.open_division(label)
            if title:
                cursor.name_division(title)

    def paragraph(self, element: Element) -> None:
        """Read a numbered paragraph, or one without a number."""
        units = self._units(element)
        first = units[0] if units and units[0].kind is UnitKind.TEXT else None
        found = _PARAGRAPH.match(first.text) if first else None
        if first is not None and found is not None and self.cursor.article is not None:
            self.cursor.open_paragraph(found["label"], found["key"].replace(" ", ""))
            first.text = first.text[found.end() :]
        for unit in units:
            if unit.text or unit.kind is not UnitKind.TEXT:
                self.cursor.add(unit)

    def _units(self, parent: Element) -> list[Unit]:
        units: list[Unit] = []
        for item in flow(parent):
            units += [text_unit(one_line(item))] if isinstance(item, str) else self._block(item)
        return units

    def _block(self, item: Element) -> list[Unit]:
        name = name_of(item)
        if name == "dl":
            return self._points(item)
        if name == "table":
            return [Unit(UnitKind.TABLE, grid=grid_of(item, line_text))]
        if name == "pre" or not any(name_of(c) in ("dl", "table", "div", "p") for c in item):
            return [text_unit(line_text(item))] if has_text(item) else []
        return self._units(item)

    def _points(self, item: Element) -> list[Unit]:
        units: list[Unit] = []
        label = ""
        for child in item:
            if name_of(child) == "dt":
                label = f"{label} {line_text(child)}".strip()
                continue
            inside = self._units(child)
            units.append(Unit(UnitKind.POINT, label=label, key=label_key(label), children=inside))
            label = ""
        if label:
            units.append(text_unit(label))
        return units


def _first(element: Element, name: str) -> Element | None:
    return next((e for e in element.iter("span") if name in classes(e)), None)


def _without(element: Element, parts: list[Element]) -> str:
    """Return the text of an element on one line, that of ``parts`` left out."""
    text = [element.text or ""]
    for child in element:
        text.append("" if child in parts else f" {_without(child, parts)}")
        text.append(child.tail or "")
    return one_line("".join(text))
