"""Tables of DrawingML as grids."""

from __future__ import annotations

from pptx.table import Table

from parsers.normalise import count_characters
from parsers.slides.text import count_escapes, plain_text
from parsers.tables.grid import Grid, GridCell


def read_table(table: Table) -> tuple[Grid, dict[str, int]]:
    """Return the grid of a table and, by reason, how many characters of it are left out.

    A merged cell covers its whole span; text that an editor left in a cell swallowed by a merge
    is not shown on the slide, and is dropped. The header is what the table's "first row" style
    sets apart, see :func:`_header_rows`, or a first row that groups columns (binary decks have no
    such style); without either it is left to inference.
    """
    cells: list[GridCell] = []
    swallowed = escapes = 0
    for r, row in enumerate(table.rows):
        for c, cell in enumerate(row.cells):
            text = plain_text(cell.text_frame)
            escapes += count_escapes(cell._tc)
            if cell.is_spanned:
                swallowed += count_characters(text)
                continue
            height, width = max(1, cell.span_height), max(1, cell.span_width)
            cells.append(GridCell(r, c, text, row_span=height, col_span=width))
    named = table.first_row or _spans_columns(cells, len(table.columns))
    grid = Grid(tuple(cells), header_rows=_header_rows(cells) if named else None)
    return grid, {"swallowed by a merge": swallowed, "control character": escapes}


def _spans_columns(cells: list[GridCell], n_cols: int) -> bool:
    """Tell whether a cell of the first row spans some of the columns, but not all of them."""
    return any(c.row == 0 and c.text and 1 < c.col_span < n_cols for c in cells)


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
