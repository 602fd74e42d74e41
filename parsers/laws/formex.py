"""Formex 4, the XML from which the Publications Office prints the Official Journal."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from parsers.builder import DocumentBuilder
from parsers.laws.cursor import Cursor
from parsers.laws.labels import article_key, label_key, split_point
from parsers.laws.units import Law, Unit, UnitKind, text_unit
from parsers.normalise import one_line
from parsers.tables.grid import Grid, GridCell
from parsers.webpage_dom import Element, count_text, name_of

QUOTATION_MARK = "quotation mark"
NOTE_MARK = "footnote mark"
LIST_MARK = "list mark"
METADATA = "metadata"

_METADATA = frozenset(
    {"BIB.INSTANCE", "BIB.DATA", "BIB.DOC", "PUBLICATION.REF", "DOCUMENT.REF", "INFO.CONSLEG",
     "INFO.PROD", "FAM.COMP", "INCL.ELEMENT", "LINK.OJ", "PUBLICATION", "CURR.TITLE",
     "BIB.VOLUME", "BIB.OJ", "BIB.APPEND"}
)  # fmt: skip
_BLOCKS = frozenset(
    {"P", "ALINEA", "LIST", "ITEM", "NP", "NO.P", "TXT", "PARAG", "ARTICLE", "DIVISION",
     "GR.SEQ", "TBL", "DLIST", "DLIST.ITEM", "QUOT.S", "TITLE", "TI", "STI", "SUBDIV",
     "CONSID", "VISA", "GR.NOTES", "TI.ART", "STI.ART", "NO.PARAG", "DESCRIPTION"}
)  # fmt: skip
_LIST_MARKS = {"DASH": "—", "NDASH": "–", "BULLET": "•"}
_DEFAULT_QUOTE = {"QUOT.START": "2018", "QUOT.END": "2019"}


def read_formex(root: Element, builder: DocumentBuilder) -> Law:
    """Return the act in a Formex file (an act, an annex, or a consolidated act).

    Quotation marks and the marks of footnotes are elements there, not text: they are counted as
    generated, like the dashes of lists. Footnotes stand where they are cited and are moved behind
    the act, as printed.
    """
    reader = _Reader(builder)
    language = root.findtext(".//LG.DOC") or root.findtext(".//LG.OJ") or ""
    reader.law.language = language.strip().lower()
    reader.read_root(root)
    return reader.law


class _Reader:
    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._cursor = Cursor()
        self._notes: list[str] = []
        self._cited = 0
        self.law = self._cursor.law
        self._handlers: dict[str, Callable[[Element], None]] = {
            "TITLE": self._title,
            "DIVISION": self._division,
            "ARTICLE": self._article,
            "CONSID": self._recital,
            "FINAL": self._final,
            "ANNEX": self._annex,
            "CONS.ANNEX": self._annex,
            "GR.SEQ": self._group,
        }

    def read_root(self, root: Element) -> None:
        """Read the whole file: an act, or an annex that is published as a file of its own."""
        if name_of(root) in ("ANNEX", "CONS.ANNEX"):
            self._annex(root)
        else:
            self.read(root)
        self.flush_notes()

    def read(self, parent: Element, skip: Element | None = None) -> None:
        """Read what an element of the act's frame holds, ``skip`` left out."""
        self._loose(parent.text)
        for child in parent:
            name = name_of(child)
            if child is skip:
                pass
            elif name in _METADATA:
                self._builder.count_dropped(METADATA, count_text(child))
            elif name in self._handlers:
                self._handlers[name](child)
            elif self._is_leaf(child):
                for unit in self._content_of(child):
                    self._cursor.add(unit)
            else:
                self.read(child)
            self._loose(child.tail)

    def _is_leaf(self, element: Element) -> bool:
        if name_of(element) in ("P", "LIST", "TBL", "NP", "ALINEA", "DLIST", "QUOT.S"):
            return True
        return not any(_holds(child, _BLOCKS | _METADATA) for child in element)

    def _loose(self, text: str | None) -> None:
        if text and text.strip():
            self._cursor.add(text_unit(one_line(text)))

    def flush_notes(self) -> None:
        """Put the footnotes gathered so far behind what has been read."""
        for text in self._notes:
            self._cursor.add_note(text)
        self._notes.clear()

    def _lines(self, element: Element | None) -> list[str]:
        """Return the text of a heading, a line for each paragraph in it."""
        if element is None:
            return []
        paragraphs = [p for p in element.iter("P") if next(p.iterancestors("NOTE"), None) is None]
        if sum(map(count_text, paragraphs)) != count_text(element):
            paragraphs = [element]  # a number and its text (NP) beside or instead of paragraphs
        return [t for t in (self._inline(p) for p in paragraphs) if t]

    def _title(self, element: Element) -> None:
        lines = self._lines(element.find("TI")) + self._lines(element.find("STI"))
        if lines and self._cursor.label_annex(lines[0]):
            for line in lines[1:]:
                self._cursor.name_annex(line)
        else:
            self.law.title += lines

    def _division(self, element: Element) -> None:
        title = element.find("TITLE")
        label = self._lines(title.find("TI")) if title is not None else []
        depth = sum(1 for _ in element.iterancestors("DIVISION"))
        self._cursor.open_division(" ".join(label), depth=depth)
        for line in self._lines(title.find("STI")) if title is not None else []:
            self._cursor.name_division(line)
        self.read(element, skip=title)

    def _article(self, element: Element) -> None:
        label = self._lines(element.find("TI.ART"))
        printed = " ".join(label)
        identifier = str(element.get("IDENTIFIER") or "").lstrip("0").lower()
        key = identifier or article_key(printed, self._cursor.article_key)
        self._cursor.open_article(printed, key)
        for line in self._lines(element.find("STI.ART")):
            self._cursor.name_article(line)
        for child in element:
            if name_of(child) in ("TI.ART", "STI.ART"):
                continue
            if name_of(child) == "PARAG":
                self._paragraph(child)
            else:
                for unit in self._content_of(child):
                    self._cursor.add(unit)

    def _paragraph(self, element: Element) -> None:
        number = element.find("NO.PARAG")
        label = self._inline(number) if number is not None else ""
        self._cursor.open_paragraph(label, label_key(label) or _identified(element))
        for child in element:
            if child is not number:
                for unit in self._content_of(child):
                    self._cursor.add(unit)

    def _recital(self, element: Element) -> None:
        units = self._content(element)
        first = units[0] if units and units[0].kind is UnitKind.POINT else None
        previous = sum(1 for u in self.law.units if u.kind is UnitKind.RECITAL)
        self._cursor.open_recital(first.key if first and first.key else str(previous + 1))
        for unit in units:
            self._cursor.fill_recital(unit)
        self._cursor.close_recital()

    def _final(self, element: Element) -> None:
        self._cursor.close_enacting_terms()
        self.read(element)

    def _annex(self, element: Element) -> None:
        self.flush_notes()
        self._cursor.open_annex("")
        self.read(element)
        self.flush_notes()

    def _group(self, element: Element) -> None:
        title = element.find("TITLE")
        lines = self._lines(title) if title is not None else []
        self._cursor.open_group(" ".join(lines))
        for unit in self._content(element, skip=title):
            self._cursor.add(unit)

    def _content_of(self, element: Element) -> list[Unit]:
        """Return the units of one element of running text."""
        name = name_of(element)
        if name == "NP":
            return [self._point(element)]
        if name == "ITEM" and element.find("NP") is None:
            return [self._marked_item(element)]
        if name == "PARAG":
            return self._numbered(element, element.find("NO.PARAG"), "")
        if name == "DLIST.ITEM":
            return [self._definition(element)]
        if name == "TBL":
            return self._table(element)
        if name in _METADATA:
            self._builder.count_dropped(METADATA, count_text(element))
            return []
        return self._content(element)

    def _content(self, parent: Element, skip: Element | None = None) -> list[Unit]:
        units: list[Unit] = []
        run = [parent.text or ""]
        for child in parent:
            if child is skip:
                run.append(child.tail or "")
            elif _holds(child, _BLOCKS):
                self._finish(units, run)
                units += self._content_of(child)
                run = [child.tail or ""]
            else:
                run += [self._inline_of(child), child.tail or ""]
        self._finish(units, run)
        return units

    def _finish(self, units: list[Unit], run: list[str]) -> None:
        text = one_line("".join(run))
        if not text:
            return
        found = split_point(text)
        if found is None:
            units.append(text_unit(text))
        else:
            label, key, rest = found
            units.append(Unit(UnitKind.POINT, label=label, key=key, children=[text_unit(rest)]))

    def _point(self, element: Element) -> Unit:
        number = element.find("NO.P")
        label = self._inline(number) if number is not None else ""
        inside = self._content(element, skip=number)
        return Unit(UnitKind.POINT, label=label, key=label_key(label), children=inside)

    def _numbered(self, element: Element, number: Element | None, between: str) -> list[Unit]:
        """Return what an element holds, its number in front of the first text."""
        label = self._inline(number) if number is not None else ""
        units = self._content(element, skip=number)
        if not label:
            return units
        if not units or units[0].kind is not UnitKind.TEXT:
            return [text_unit(label), *units]
        units[0].text = f"{label}{between} {units[0].text}"
        return units

    def _definition(self, element: Element) -> Unit:
        """Read an item of a list of terms; the sign between both is an attribute of the list."""
        prefix, term = element.find("PREFIX"), element.find("TERM")
        label = self._inline(prefix) if prefix is not None else ""
        parent = element.getparent()
        sign = str(parent.get("SEPARATOR") or "") if parent is not None else ""
        parts = [self._inline(e) for e in element if e is not prefix and e is term]
        if term is not None and sign and len(element) > 1:
            parts = [f"{text}{sign}" if sign == ":" else f"{text} {sign}" for text in parts]
            self._builder.count_generated(LIST_MARK, sign)
        inside = [text_unit(t) for t in parts if t]
        for child in element:
            if child is not prefix and child is not term:
                inside += self._content_of(child)
        if len(inside) > 1 and parts and inside[1].kind is UnitKind.TEXT:
            inside[:2] = [text_unit(f"{inside[0].text} {inside[1].text}")]
        return Unit(UnitKind.POINT, label=label, key=label_key(label), children=inside)

    def _marked_item(self, element: Element) -> Unit:
        """Read an item whose mark the list's type names, as the printed act shows it."""
        parent = element.getparent()
        mark = _LIST_MARKS.get(str(parent.get("TYPE")) if parent is not None else "", "")
        self._builder.count_generated(LIST_MARK, mark)
        return Unit(UnitKind.POINT, label=mark, children=self._content(element))

    def _inline(self, element: Element) -> str:
        return one_line(self._inline_inside(element))

    def _inline_inside(self, element: Element) -> str:
        parts = [element.text or ""]
        for child in element:
            parts += [self._inline_of(child), child.tail or ""]
        return "".join(parts)

    def _inline_of(self, element: Element) -> str:
        name = name_of(element)
        if name in _DEFAULT_QUOTE:
            code = str(element.get("CODE") or _DEFAULT_QUOTE[name])
            mark = chr(int(code, 16))
            self._builder.count_generated(QUOTATION_MARK, mark)
            return mark + self._inline_inside(element)
        if name == "NOTE":
            return self._note(element)
        text = self._inline_inside(element)
        upper = text.upper()
        if name == "HT" and element.get("TYPE") == "UC" and len(upper) == len(text):
            return upper
        return f" {text} " if name in _BLOCKS else text

    def _note(self, element: Element) -> str:
        self._cited += 1
        mark = f"({self._cited})"
        self._builder.count_generated(NOTE_MARK, mark * 2)
        text = one_line(self._inline_inside(element))
        self._notes.append(f"{mark} {text}")
        return mark

    def _table(self, table: Element) -> list[Unit]:
        """Read a table, and what it holds beside its rows: notes, sources."""
        units = [Unit(UnitKind.TABLE, grid=self._grid(table))]
        for child in table:
            if name_of(child) != "TITLE" and next(child.iter("ROW"), None) is None:
                units += self._content_of(child)
        return units

    def _grid(self, table: Element) -> Grid:
        cells: list[GridCell] = []
        heads = 0
        rows = [e for e in table.iter("ROW", "TI.BLK", "STI.BLK") if self._is_own(e, table)]
        width = max((self._width(row) for row in rows), default=1)
        for r, row in enumerate(rows):
            if name_of(row) != "ROW":  # the heading of a group of rows
                cells.append(GridCell(r, 0, self._inline(row), 1, width, False))
                continue
            is_head = row.get("TYPE") == "HEADER"
            heads += is_head and heads == r
            for position, cell in enumerate(row.iterchildren("CELL")):
                col = _number(cell, "COL", position + 1) - 1
                cells.append(
                    GridCell(
                        r, max(col, 0), self._inline(cell), _number(cell, "ROWSPAN", 1),
                        _number(cell, "COLSPAN", 1), is_head or cell.get("TYPE") == "HEADER",
                    )
                )  # fmt: skip
        caption = " ".join(self._lines(table.find("TITLE")))
        return Grid(tuple(cells), heads or None, caption)

    @staticmethod
    def _is_own(row: Element, table: Element) -> bool:
        """Tell whether a row belongs to the table itself, not to one in a cell of it."""
        return next(row.iterancestors("TBL"), None) is table

    @staticmethod
    def _width(row: Element) -> int:
        ends = [
            _number(cell, "COL", n + 1) - 1 + _number(cell, "COLSPAN", 1)
            for n, cell in enumerate(row.iterchildren("CELL"))
        ]
        return max(ends, default=1)


def _holds(element: Element, names: frozenset[str]) -> bool:
    """Tell whether an element is, or holds, one of these; a footnote inside does not count."""
    if name_of(element) == "NOTE":
        return False
    return any(
        e is element or not any(name_of(a) == "NOTE" for a in (e, *_up_to(e, element)))
        for e in element.iter(*names)
    )


def _up_to(element: Element, top: Element) -> Iterator[Element]:
    for ancestor in element.iterancestors():
        if ancestor is top:
            return
        yield ancestor


def _number(element: Element, name: str, default: int) -> int:
    value = str(element.get(name) or "")
    return int(value) if value.isascii() and value.isdigit() and int(value) else default


def _identified(element: Element) -> str:
    """Return the number of a paragraph from its identifier, ``006.001`` → ``1``."""
    return str(element.get("IDENTIFIER") or "").rpartition(".")[2].lstrip("0").lower()
