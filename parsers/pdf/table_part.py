"""A table and its place, and the parts of one table on following pages as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from parsers.model import BoundingBox
from parsers.normalise import count_characters
from parsers.pdf.table_ink import Glyph
from parsers.tables.grid import Correction, Grid, GridCell
from parsers.tables.reading import LineKind, read_grid
from parsers.tables.shape import is_number

MOVED = "moved across pages"
REPEATED_CAPTION = "repeated caption"

_FOOT = 0.55
"""A table that runs on ends below this share of its page's height. A guess: a long footnote or a
signature may stand below it."""
_HEAD = 0.4
"""Its next part begins above this share of its page: a letterhead may stand above it. A guess."""
_SAME_COLUMN = 0.6
"""Share of the narrower of two columns that lies in the wider one when they are one. A guess."""
_WHITE = 30.0
"""Points of white between two parts of one table: two lines at most. A guess."""
_KEYED = 0.9
"""Share of the rows with a first cell from which a row without one is the rest of the row above."""


@dataclass(frozen=True, slots=True)
class PdfTable:
    """A table and where it stands.

    Attributes:
        page: 1-based page on which it begins.
        bbox: Where on that page.
        grid: Its cells.
        covers: (page, area) of each of its parts.
        columns: Left and right border of each column of the grid.
        styles: Font and size of most of each row of the grid.
    """

    page: int
    bbox: BoundingBox
    grid: Grid
    covers: tuple[tuple[int, BoundingBox], ...]
    columns: tuple[tuple[float, float], ...] = ()
    styles: tuple[str, ...] = ()


def join_continued(tables: Sequence[PdfTable], page_heights: Mapping[int, float]) -> list[PdfTable]:
    """Return the tables, those that run on over pages as one.

    A part is joined when it stands at the top of the page after a table that ends near the bottom,
    its columns lie below that table's, and it repeats that table's header or has none. The first
    part's header then names the columns of all; a repeated one stays in the grid, where the reader
    of the grid recognises it. A row broken over the page is made whole.

    Args:
        tables: In order of pages, each page's from top to bottom.
        page_heights: Height of each page as it is read, in points.
    """
    joined: list[PdfTable] = []
    for table in tables:
        before = _candidate(joined, table, page_heights)
        columns = _matched(before, table) if before else None
        if before is None or columns is None or not _runs_on(before, table, columns):
            joined.append(table)
        else:
            joined[joined.index(before)] = _join(before, table, columns)
    return joined


def join_split(tables: Sequence[PdfTable], glyphs: Sequence[Glyph]) -> list[PdfTable]:
    """Return the tables of a page, one without a header joined to the one above in its columns.

    A table is drawn in parts where a white line sets its groups apart. Nothing may stand between.

    Args:
        tables: Of one page, top to bottom.
        glyphs: Those of the page.
    """
    joined: list[PdfTable] = []
    for table in tables:
        before = max(joined, key=lambda t: t.covers[-1][1].bottom, default=None)
        columns = _matched(before, table) if before else None
        if (
            before is None or columns is None or _header(before.grid)[1] == 0
            or _header(table.grid)[1] > 0 or _is_parted(before, table, glyphs)
        ):  # fmt: skip
            joined.append(table)
        else:
            joined[joined.index(before)] = _join(before, table, columns)
    return joined


def _is_parted(before: PdfTable, table: PdfTable, glyphs: Sequence[Glyph]) -> bool:
    """Tell whether a table does not begin right below another, or text stands between them."""
    top, bottom = before.covers[-1][1].bottom, table.bbox.top
    x0, x1 = min(before.bbox.x0, table.bbox.x0), max(before.bbox.x1, table.bbox.x1)
    if table.grid.caption or not 0 <= bottom - top <= _WHITE:
        return True
    return any(top < g.y < bottom and x0 < g.x < x1 and not g.text.isspace() for g in glyphs)


def _candidate(
    joined: Sequence[PdfTable], table: PdfTable, heights: Mapping[int, float]
) -> PdfTable | None:
    """Return the lowest table of the page before, when ``table`` is the first of its page."""
    if any(page == table.page for t in joined for page, _ in t.covers):
        return None
    last = [t for t in joined if t.covers[-1][0] == table.page - 1]
    before = max(last, key=lambda t: t.covers[-1][1].bottom, default=None)
    if before is None or table.page not in heights or table.page - 1 not in heights:
        return None
    low = before.covers[-1][1].bottom >= _FOOT * heights[table.page - 1]
    return before if low and table.bbox.top <= _HEAD * heights[table.page] else None


def _matched(before: PdfTable, table: PdfTable) -> list[int] | None:
    """Return for each column of ``table`` the one of ``before`` it continues; None if one fails."""
    found: list[int] = []
    for x0, x1 in table.columns:
        best, share = -1, 0.0
        for i, (a, b) in enumerate(before.columns):
            common = (min(x1, b) - max(x0, a)) / max(1.0, min(x1 - x0, b - a))
            if common > share:
                best, share = i, common
        if share < _SAME_COLUMN or (found and best <= found[-1]):
            return None
        found.append(best)
    enough = len(found) * 2 > len(before.columns) and len(found) > 1
    return found if enough else None


def _runs_on(before: PdfTable, table: PdfTable, columns: Sequence[int]) -> bool:
    """Tell whether ``table`` repeats the header of ``before`` or has none of its own."""
    top, depth = _header(before.grid)
    names = [_row(before.grid, top + r) for r in range(depth)]
    own = [{columns[c]: t for c, t in _row(table.grid, r).items()} for r in range(depth)]
    if depth and own == names:
        return True
    body = Counter(before.styles[top + depth :]).most_common(1)
    if depth and body and table.styles and before.styles[top] != body[0][0]:
        return table.styles[0] != before.styles[top]
    return _header(table.grid) == (0, 0)


def _header(grid: Grid) -> tuple[int, int]:
    """Return the rows of titles above a grid's header and the rows of the header."""
    reading = read_grid(grid)
    first = [x for x in reading.lines[:2] if x.kind in (LineKind.CAPTION, LineKind.GROUP)]
    titles = [x for x in first if x.row == first.index(x)]
    return len(titles), reading.header_rows


def _row(grid: Grid, row: int) -> dict[int, str]:
    return {c.col: c.text for c in grid.cells if c.row == row}


def _join(before: PdfTable, table: PdfTable, columns: Sequence[int]) -> PdfTable:
    old, new = before.grid, table.grid
    cells = [_at_column(c, columns) for c in new.cells]
    again = Correction(REPEATED_CAPTION, table.page, dropped=count_characters(new.caption))
    first, corrections = 0, (*old.corrections, *new.corrections, again)
    kept = list(old.cells)
    if _is_rest(before, cells):
        kept, moved = _completed(old, [c for c in cells if c.row == 0])
        page = old.page_of(old.n_rows - 1, before.page)
        corrections += (
            Correction(MOVED, table.page, dropped=moved),
            Correction(MOVED, page, generated=moved),
        )
        cells, first = [c for c in cells if c.row > 0], 1
    kept += [replace(c, row=c.row + old.n_rows - first) for c in cells]
    grid = Grid(
        tuple(kept), old.header_rows, old.caption,
        (*old.row_pages, *new.row_pages[first:]), corrections,
    )  # fmt: skip
    return replace(
        before,
        grid=grid,
        covers=(*before.covers, *table.covers),
        styles=(*before.styles, *table.styles[first:]),
    )


def _at_column(cell: GridCell, columns: Sequence[int]) -> GridCell:
    last = columns[cell.col + cell.col_span - 1]
    return replace(cell, col=columns[cell.col], col_span=last - columns[cell.col] + 1)


def _is_rest(before: PdfTable, cells: Sequence[GridCell]) -> bool:
    """Tell whether the first of the new rows is the rest of the last row of ``before``."""
    grid = before.grid
    first = [c for c in cells if c.row == 0]
    if any(c.col == 0 or c.row_span > 1 or is_number(c.text) for c in first):
        return False
    rows = range(grid.n_rows)
    keyed = {r for c in grid.cells if c.col == 0 for r in range(c.row, c.row + c.row_span)}
    last = _row(grid, grid.n_rows - 1)
    return len(keyed) >= _KEYED * len(rows) and all(
        c.col in last and not last[c.col].endswith((".", "!", "?")) for c in first
    )


def _completed(grid: Grid, rest: Sequence[GridCell]) -> tuple[list[GridCell], int]:
    """Return the cells with ``rest`` added to the last row, and the characters that moved."""
    more = {c.col: c.text for c in rest}
    last = grid.n_rows - 1
    cells = [
        replace(c, text=f"{c.text} {more[c.col]}") if c.row == last and c.col in more else c
        for c in grid.cells
    ]
    return cells, sum(count_characters(text) for text in more.values())
