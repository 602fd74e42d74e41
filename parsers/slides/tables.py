"""Tables of DrawingML as grids."""

from __future__ import annotations

from lxml import etree

from parsers.ooxml import q
from parsers.slides.text import count_escapes, plain_text
from parsers.tables.grid import Grid, GridCell

_YES = ("1", "true")


def read_table(table: etree._Element) -> tuple[Grid, dict[str, int]]:
    """Return the grid of an ``a:tbl`` and, by reason, how many characters of it are left out.

    A merged cell covers its whole span; text that an editor left in a cell swallowed by a merge
    is not shown on the slide, and is dropped. The header is what the table's "first row" style
    sets apart, see :func:`_header_rows`; without that style it is left to inference.
    """
    cells: list[GridCell] = []
    swallowed = escapes = 0
    for row, line in enumerate(table.findall(q("a:tr"))):
        for column, cell in enumerate(line.findall(q("a:tc"))):
            body = cell.find(q("a:txBody"))
            text = "" if body is None else plain_text(body)
            escapes += 0 if body is None else count_escapes(body)
            if cell.get("hMerge") in _YES or cell.get("vMerge") in _YES:
                swallowed += sum(1 for c in text if not c.isspace())
                continue
            cells.append(
                GridCell(
                    row,
                    column,
                    text,
                    row_span=max(1, int(cell.get("rowSpan") or 1)),
                    col_span=max(1, int(cell.get("gridSpan") or 1)),
                )
            )
    properties = table.find(q("a:tblPr"))
    styled = properties is not None and properties.get("firstRow") in _YES
    grid = Grid(tuple(cells), header_rows=_header_rows(cells) if styled else None)
    return grid, {"swallowed by a merge": swallowed, "control character": escapes}


def _header_rows(cells: list[GridCell]) -> int | None:
    """Return how many rows the header has: the first one, and those that explain its merged cells.

    A row explains the merged cells above it when it does not begin a line of its own: its first
    column is empty or covered from above. A table of one row is left to inference.
    """
    rows = max((c.row + c.row_span for c in cells), default=0)
    depth = max((c.row_span for c in cells if c.row == 0), default=1)
    while depth < rows:
        begins = any(c.row == depth and c.col == 0 and c.text for c in cells)
        merged = any(c.row == depth - 1 and c.col_span > 1 for c in cells)
        if begins or not merged:
            break
        depth += 1
    return depth if depth < rows else None
