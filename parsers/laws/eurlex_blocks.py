"""EUR-Lex HTML below the level of articles: text, points in layout tables and grids, tables.

Three generations of class names (``normal``, ``oj-normal``, ``norm``) are one vocabulary here.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from parsers.builder import DocumentBuilder
from parsers.laws.labels import is_label, label_key, split_point
from parsers.laws.units import Unit, UnitKind, text_unit
from parsers.normalise import one_line
from parsers.webpage_dom import Element, classes, count_text, flow, has_text, line_text, name_of
from parsers.webpage_tables import grid_of, rows_of

MARK = "modification mark"
FURNITURE = "page header"

_ARROWS = re.compile(r"[►▼]\s?[A-Z]{1,2}\d*|[►▼◄]")
_RULE = re.compile(r"[\s—–_-]{5,}$")


class Role(Enum):
    """What a class name says about an element."""

    TITLE = auto()
    DIVISION = auto()
    DIVISION_TITLE = auto()
    ARTICLE = auto()
    ARTICLE_TITLE = auto()
    ANNEX = auto()
    ANNEX_TITLE = auto()
    GROUP = auto()
    NOTE = auto()
    FINAL = auto()
    FURNITURE = auto()
    MARK = auto()
    DISCLAIMER = auto()
    FRONT = auto()


_ROLES = {
    "doc-ti": Role.TITLE, "title-doc-first": Role.TITLE, "title-doc-last": Role.TITLE,
    "ti-section-1": Role.DIVISION, "title-division-1": Role.DIVISION,
    "ti-section-2": Role.DIVISION_TITLE, "title-division-2": Role.DIVISION_TITLE,
    "ti-art": Role.ARTICLE, "title-article-norm": Role.ARTICLE,
    "sti-art": Role.ARTICLE_TITLE, "stitle-article-norm": Role.ARTICLE_TITLE,
    "title-annex-1": Role.ANNEX, "title-annex-2": Role.ANNEX_TITLE, "ti-annex": Role.ANNEX,
    "note": Role.NOTE, "footnote": Role.NOTE,
    "signatory": Role.FINAL, "final": Role.FINAL,
    "reference": Role.FURNITURE, "modref": Role.MARK, "arrow": Role.MARK,
    "disclaimer": Role.DISCLAIMER,
    "title-doc-oj-reference": Role.FRONT, "hd-modifiers": Role.FRONT,
    "title-fam-member": Role.FRONT, "title-fam-member-star": Role.FRONT,
}  # fmt: skip
_PREFIXES = (
    ("ti-grseq-", Role.GROUP), ("title-gr-seq-", Role.GROUP), ("hd-toc-", Role.FRONT),
    ("toc-", Role.FRONT), ("hd-", Role.FURNITURE),
)  # fmt: skip
DISTINCTIVE = frozenset(
    {"doc-ti", "ti-art", "sti-art", "ti-section-1", "title-doc-first", "title-article-norm",
     "title-division-1", "hd-oj", "hd-ti", "eli-container", "title-annex-1"}
)  # fmt: skip
"""Names (without ``oj-``) that no other part of a EUR-Lex page uses."""


def names(element: Element) -> list[str]:
    """Return an element's class names without the prefix of the newer generation."""
    return [c.removeprefix("oj-") for c in sorted(classes(element))]


def role_of(element: Element) -> Role | None:
    """Return what the element's class says it is; None is running text or a container."""
    found = names(element)
    for name in found:
        if name in _ROLES:
            return _ROLES[name]
    for name in found:
        for prefix, role in _PREFIXES:
            if name.startswith(prefix):
                return role
    return None


class BlockReader:
    """Turns the inside of cells, paragraphs and articles into units.

    Args:
        builder: Holds the ledger.
    """

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder

    def clean(self, text: str) -> str:
        """Return ``text`` on one line without the arrows of a consolidated text."""
        text = one_line(text)
        if "►" in text or "▼" in text or "◄" in text:
            self._builder.count_dropped(MARK, "".join(_ARROWS.findall(text)))
            text = one_line(_ARROWS.sub("", text))
        return text

    def drop(self, reason: str, element: Element) -> None:
        """Leave an element out of the text, with a reason."""
        self._builder.count_dropped(reason, count_text(element))

    def content(self, parent: Element) -> list[Unit]:
        """Return the units inside a container, in order."""
        units: list[Unit] = []
        for item in flow(parent):
            if isinstance(item, str):
                self._add_text(units, self.clean(item))
            else:
                units += self.block(item)
        return units

    def _add_text(self, units: list[Unit], text: str) -> None:
        if _RULE.match(text) and not text.strip("—–_- "):
            self._builder.count_dropped(MARK, text)  # "▼M2 —————": text that was deleted
        elif text:
            units.append(text_unit(text))

    def block(self, item: Element) -> list[Unit]:
        """Return the units of one block element of running text."""
        role = role_of(item)
        if role in (Role.MARK, Role.FURNITURE):
            self.drop(MARK if role is Role.MARK else FURNITURE, item)
            return []
        if name_of(item) == "table":
            return self.table(item)
        if "grid-list" in names(item) or "enumeration-spacing" in names(item):
            return self._labelled(item)
        if name_of(item) in ("p", "li") and next(item.iter("p", "table"), item) is item:
            units: list[Unit] = []
            self._add_text(units, self.clean(line_text(item)))
            return [self._as_point(u) for u in units]
        return self.content(item)

    def _as_point(self, unit: Unit) -> Unit:
        """Read "(a) text" or "— text" that stands in an ordinary paragraph."""
        found = split_point(unit.text)
        if found is None:
            return unit
        label, key, rest = found
        return Unit(UnitKind.POINT, label=label, key=key, children=[text_unit(rest)])

    def _labelled(self, item: Element) -> list[Unit]:
        """Read a grid or a line of two: the first part with text is the label."""
        parts = [child for child in item if has_text(child)]
        if len(parts) < 2 or not is_label(line_text(parts[0])):
            return self.content(item)
        label = self.clean(line_text(parts[0]))
        units: list[Unit] = []
        for part in parts[1:]:
            is_block = role_of(part) is not None or name_of(part) == "table"
            units += self.block(part) if is_block else self.content(part)
        return [Unit(UnitKind.POINT, label=label, key=label_key(label), children=units)]

    def table(self, table: Element) -> list[Unit]:
        """Read a table: as points, as data, or as what its cells hold."""
        if is_list(table):
            return self._points(table)
        if is_data(table):
            grid = grid_of(table, lambda cell: self.clean(line_text(cell)), _is_header)
            return [Unit(UnitKind.TABLE, grid=grid)]
        units: list[Unit] = []
        for row in rows_of(table):
            for cell in row.cells:
                units += self.content(cell)
        return units

    def _points(self, table: Element) -> list[Unit]:
        units: list[Unit] = []
        for row in rows_of(table):
            cells = [c for c in row.cells if has_text(c)]
            if len(cells) == 2 and is_label(line_text(cells[0])):
                label = self.clean(line_text(cells[0]))
                inside = self.content(cells[1])
                units.append(
                    Unit(UnitKind.POINT, label=label, key=label_key(label), children=inside)
                )
                continue
            for cell in cells:  # the text of a point goes on in a row without a label
                (units[-1].children if units else units).extend(self.content(cell))
        return units


def is_list(table: Element) -> bool:
    """Tell whether a table is the layout of points: [blank cells] a label, the text."""
    rows = [[c for c in row.cells if has_text(c)] for row in rows_of(table)]
    rows = [cells for cells in rows if cells]
    if not rows or any(len(cells) > 2 for cells in rows) or len(rows[0]) != 2 or _is_marked(table):
        return False
    return all(len(cells) == 1 or is_label(line_text(cells[0])) for cells in rows)


def _is_marked(table: Element) -> bool:
    """Whether the mark-up itself says that the table holds data."""
    if {"table", "borderOj"} & set(names(table)):
        return True
    return any(n.startswith("tbl-") for e in table.iter("p", "td", "span") for n in names(e))


def _is_header(cell: Element) -> bool:
    """Whether the paragraphs of a cell are called headers of a table."""
    marked = [e for e in cell.iter("p", "span") if has_text(e) and role_of(e) is not Role.MARK]
    return bool(marked) and all("tbl-hdr" in names(e) for e in marked)


def is_data(table: Element) -> bool:
    """Tell whether a table holds data: marked as such, or of several rows and columns of text."""
    marked = _is_marked(table)
    # marks of amendments, headings of groups and notes stand in the cells of real tables, too
    common = {Role.MARK, Role.GROUP, Role.NOTE, None} if marked else {Role.MARK, None}
    if any(role_of(e) not in common for e in table.iter("p")):
        return False
    rows = [[c for c in row.cells if has_text(c)] for row in rows_of(table)]
    return marked or sum(len(cells) > 1 for cells in rows) > 1
