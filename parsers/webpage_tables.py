"""HTML tables: rows and cells with their spans, and which tables hold data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lxml import etree

from parsers.normalise import one_line
from parsers.tables.grid import Grid, GridCell
from parsers.webpage_dom import Element, inline_text, name_of

MAX_SPAN = 1000
"""HTML's own limit for ``colspan``; a larger number is a mistake or an attack."""
_LONG_CELL = 600
"""Characters above which a cell is prose of a page laid out as a table. A guess: the longest cell
of a data table in the corpus has 220, the shortest article laid out as one has 700. A table in a
cell may be as long before its row is taken for a frame around it."""
_RICH = ("h1", "h2", "h3", "h4", "h5", "h6", "form", "article", "section", "nav", "main", "hr")

_CELLS = frozenset({"td", "th"})
_SECTIONS = ("thead", "tbody", "tfoot", "form", "tgroup")
_PARTS = _CELLS | {"tr", "caption", "colgroup", "col", "colspec", *_SECTIONS}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, nested tables' rows left out."""

    element: Element
    cells: tuple[Element, ...]
    in_head: bool


def rows_of(table: Element) -> list[Row]:
    """Return the rows of a table itself, in the order of the source."""
    return list(_rows(table, False))


def _rows(parent: Element, in_head: bool) -> Iterator[Row]:
    loose: list[Element] = []  # cells whose row was not opened
    for child in parent:
        name = name_of(child).lower()
        if name in _CELLS:
            loose.append(child)
            continue
        if loose:
            yield Row(parent, tuple(loose), in_head)
            loose = []
        if name == "tr":
            cells = tuple(c for c in child if name_of(c).lower() in _CELLS)
            yield Row(child, cells, in_head)
        elif name in _SECTIONS:
            yield from _rows(child, in_head or name == "thead")
    if loose:
        yield Row(parent, tuple(loose), in_head)


def strays(table: Element) -> Iterator[Element | str]:
    """Yield what stands in a table between its cells: text and elements that belong in none."""
    for parent in (table, *(e for e in table.iter("tr", *_SECTIONS) if _table_of(e) is table)):
        for text in (parent.text, *(child.tail for child in parent)):
            if text and text.strip():
                yield text
        yield from (c for c in parent if name_of(c).lower() not in _PARTS)


def _table_of(element: Element) -> Element | None:
    return next(element.iterancestors("table"), None)


def nested_tables(element: Element) -> list[Element]:
    """Return the outermost tables inside ``element``."""
    found: list[Element] = []
    inside: set[Element] = set()
    for table in element.iter("table"):
        if table is element or any(a in inside for a in table.iterancestors()):
            continue
        inside.add(table)
        found.append(table)
    return found


def own_text(cell: Element) -> str:
    """Return a cell's text on one line, that of tables inside it left out."""
    if next(cell.iter("table"), None) is None:
        return one_line(inline_text(cell))
    parts: list[str] = []
    skip: Element | None = None
    for event, node in etree.iterwalk(cell, events=("start", "end")):
        if event == "start" and skip is None:
            if node.tag == "table":
                skip = node
                continue
            parts.append(f" {node.text or ''}")
        elif event == "end" and node is not cell and (skip is None or node is skip):
            parts.append(f" {node.tail or ''}")
            skip = None
    return one_line("".join(parts))


def caption_of(table: Element) -> str:
    """Return the text of the table's own ``caption``."""
    return " ".join(one_line(inline_text(c)) for c in table if name_of(c).lower() == "caption")


def _span(cell: Element, name: str) -> int:
    value = str(cell.get(name) or "1").strip()
    return min(max(int(value), 1), MAX_SPAN) if value.isascii() and value.isdigit() else 1


def is_header_cell(cell: Element) -> bool:
    """Tell whether a cell is one of a header by its name."""
    return name_of(cell).lower() == "th"


def grid_of(
    table: Element,
    text_of: Callable[[Element], str] = own_text,
    is_header: Callable[[Element], bool] = is_header_cell,
) -> Grid:
    """Return the grid of a table; rows without a cell are left out.

    Args:
        table: A ``table`` element.
        text_of: Gives the text of a cell.
        is_header: Tells a cell of a header; a row of such cells on top is one.
    """
    rows = [row for row in rows_of(table) if row.cells]
    taken: set[tuple[int, int]] = set()
    cells: list[GridCell] = []
    heads = 0
    for r, row in enumerate(rows):
        is_head = row.in_head or all(map(is_header, row.cells))
        if is_head and heads == r:
            heads = r + 1
        col = 0
        for cell in row.cells:
            while (r, col) in taken:
                col += 1
            height = min(_span(cell, "rowspan"), len(rows) - r)
            width = _free_width(taken, r, col, _span(cell, "colspan"))
            taken |= {(r + i, col + j) for i in range(height) for j in range(width)}
            flagged = is_header(cell) or row.in_head
            cells.append(GridCell(r, col, text_of(cell), height, width, flagged))
            col += width
    # a table of nothing but headers has none that name anything
    known = heads if 0 < heads < len(rows) else None
    return Grid(tuple(cells), known, caption_of(table))


def _free_width(taken: set[tuple[int, int]], row: int, col: int, width: int) -> int:
    for step in range(1, width):
        if (row, col + step) in taken:
            return step
    return width


def is_layout(table: Element) -> bool:
    """Tell whether a table only arranges a page: its cells are then read as text, one by one.

    A caption or a header cell is the sign of data. Else cells with headings, forms, long prose or
    paragraphs between line breaks, or a single column of text, are the sign of a layout.
    """
    if str(table.get("role") or "").lower() in ("presentation", "none"):
        return True
    rows = [row for row in rows_of(table) if any(own_text(c) or _nested(c) for c in row.cells)]
    if caption_of(table) or any(name_of(c).lower() == "th" for row in rows for c in row.cells):
        return False
    columns = {i for row in rows for i, c in enumerate(row.cells) if own_text(c) or _nested(c)}
    if len(columns) <= 1:
        return True
    return any(_is_rich(cell) for row in rows for cell in row.cells)


def _nested(cell: Element) -> bool:
    return next(cell.iter("table"), None) is not None


def _is_rich(cell: Element) -> bool:
    if next(cell.iter(*_RICH), None) is not None or len(own_text(cell)) > _LONG_CELL:
        return True
    if any(len(one_line(inline_text(t))) > _LONG_CELL for t in nested_tables(cell)):
        return True
    return len([p for p in cell.iter("p") if p.getparent() is cell]) > 2
