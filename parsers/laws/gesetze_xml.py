"""German federal law in the XML of gesetze-im-internet.de (``gii-norm.dtd``).

Each ``norm`` is a section, an annex, a heading or, the first, the frame of the act. Its text is
given the names that the HTML of the same publisher uses, so that one reader serves both.
"""

from __future__ import annotations

import re

from parsers.builder import DocumentBuilder
from parsers.laws.gesetze import CONTENTS, GesetzeReader
from parsers.laws.units import Law, text_unit
from parsers.normalise import one_line
from parsers.webpage_dom import Element, count_text, has_text, line_text, name_of

METADATA = "metadata"

_NAMES = {
    "P": "p", "DL": "dl", "DT": "dt", "DD": "dd", "LA": "div", "BR": "br", "B": "b", "I": "i",
    "SUP": "sup", "SUB": "sub", "row": "tr", "entry": "td", "Title": "p", "Subtitle": "p",
    "TOC": "div", "Footnotes": "div", "Footnote": "div", "Content": "div", "Revision": "div",
    "kommentar": "div",
}  # fmt: skip
_CONTENTS = re.compile(r"inhalts(?:übersicht|verzeichnis)", re.IGNORECASE)
_FRAME = ("amtabk", "kurzue", "langue")
_ARTICLE = re.compile(r"Art(?:ikel|\.)?\s*\d", re.IGNORECASE)


def read_gesetze_xml(root: Element, builder: DocumentBuilder) -> Law:
    """Return the act in a ``dokumente`` file; names of files and repeated headings are dropped."""
    reader = _Reader(builder)
    for norm in root.iter("norm"):
        reader.read_norm(norm)
    return reader.law


class _Reader:
    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._html = GesetzeReader(builder)
        self._divisions: list[str] = []  # classification numbers of those that are open
        self.law = self._html.law

    def read_norm(self, norm: Element) -> None:
        """Read one section, annex or heading."""
        metadata = norm.find("metadaten")
        label = ""
        if metadata is not None:
            used = self._head(metadata)
            label = _text(metadata.find("enbez"))
            self._builder.count_dropped(METADATA, count_text(metadata) - used)
        for text in norm.iterfind("textdaten/text"):
            if _CONTENTS.match(label):
                self._builder.count_dropped(CONTENTS, count_text(text))
            else:
                self._content(text)
        for notes in norm.iterfind("textdaten/fussnoten"):
            _rename(notes)
            if has_text(notes):
                self._html.cursor.add_note(line_text(notes))

    def _head(self, metadata: Element) -> int:
        """Open what the metadata name; return how many of their characters are in the text."""
        used = 0
        if not self.law.title:
            used += self._frame(metadata)
        unit = metadata.find("gliederungseinheit")
        number, title = metadata.find("enbez"), metadata.find("titel")
        if unit is not None:
            used += self._division(unit)
        if number is None and title is None:
            return used
        label = _text(number)
        if _CONTENTS.match(label):
            self._builder.count_dropped(CONTENTS, count_text(metadata) - used)
            return count_text(metadata)
        self._html.heading(label, _text(title))
        return used + _count(number) + _count(title)

    def _frame(self, metadata: Element) -> int:
        """Take the title, the dates and the state of the act from its first norm."""
        named = [e for name in _FRAME if (e := metadata.find(name)) is not None]
        short = " – ".join(_text(e) for e in named if name_of(e) != "langue")
        self.law.title += [t for e in named if name_of(e) == "langue" and (t := _text(e))]
        if not self.law.title:
            self.law.title += [_text(e) for e in named[-1:]]
            short = " – ".join(_text(e) for e in named[:-1])
        self._builder.count_generated("separator", short.count(" – "))
        extra = [e for e in metadata if name_of(e) in ("ausfertigung-datum", "standangabe")]
        for text in (short, *(" ".join(map(line_text, e)) or line_text(e) for e in extra)):
            if text:
                self._html.cursor.add(text_unit(text))
        return sum(map(_count, (*named, *extra)))

    def _division(self, unit: Element) -> int:
        """Open a division that is not open yet; "-" stands for none."""
        number, label = _text(unit.find("gliederungskennzahl")), _text(unit.find("gliederungsbez"))
        title = _text(unit.find("gliederungstitel"))
        is_open = number in self._divisions
        self._divisions = [n for n in self._divisions if number.startswith(n) and n != number]
        self._divisions.append(number)
        if is_open or not label.strip("- "):
            return 0
        if _ARTICLE.match(label):
            self._html.heading(label, title)
        else:
            self._html.cursor.open_division(label)
            if title:
                self._html.cursor.name_division(title)
        return _count(unit.find("gliederungsbez")) + _count(unit.find("gliederungstitel"))

    def _content(self, text: Element) -> None:
        _rename(text)
        for content in text:
            for child in list(content):
                if name_of(child) == "p":
                    self._html.paragraph(child)
                else:
                    self._html.read(child)
                if child.tail and child.tail.strip():
                    self._html.cursor.add(text_unit(one_line(child.tail)))
            if content.text and content.text.strip():
                self._html.cursor.add(text_unit(one_line(content.text)))
            if content.tail and content.tail.strip():
                self._html.cursor.add(text_unit(one_line(content.tail)))


def _rename(root: Element) -> None:
    """Give elements the names of HTML, and cells of tables their spans."""
    for element in root.iter("*"):
        element.tag = _NAMES.get(name_of(element), name_of(element))
    for group in root.iter("tgroup"):
        names = [str(c.get("colname")) for c in group.iter("colspec")]
        for cell in group.iter("td"):
            first, last = str(cell.get("namest")), str(cell.get("nameend"))
            if first in names and last in names:
                cell.set("colspan", str(names.index(last) - names.index(first) + 1))
            rows = str(cell.get("morerows") or "")
            if rows.isascii() and rows.isdigit():
                cell.set("rowspan", str(int(rows) + 1))


def _text(element: Element | None) -> str:
    return line_text(element) if element is not None else ""


def _count(element: Element | None) -> int:
    return count_text(element) if element is not None else 0
