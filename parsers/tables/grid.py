"""A table as its reader found it: cells with positions and spans, before any sentence is made.

Every format's reader ends here and :mod:`parsers.tables.emit` begins here. Standard library only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from parsers.normalise import one_line


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell; a merged one covers ``row_span`` x ``col_span`` positions.

    Attributes:
        row: First row it covers, 0-based.
        col: First column it covers, 0-based.
        text: Its text, put on one line here: canonical, white space of any kind (line breaks too)
            as single spaces. "" is an empty cell.
        row_span: Rows covered, 1 or more.
        col_span: Columns covered, 1 or more.
        is_header: The format itself says that it is a header (``th``, a header-row flag).
    """

    row: int
    col: int
    text: str
    row_span: int = 1
    col_span: int = 1
    is_header: bool = False

    def __post_init__(self) -> None:
        """Put the text on one line; raise ValueError for an impossible position or span."""
        if self.row < 0 or self.col < 0 or self.row_span < 1 or self.col_span < 1:
            raise ValueError(f"impossible cell position or span: {self}")
        text = one_line(self.text)
        if text != self.text:
            object.__setattr__(self, "text", text)


@dataclass(frozen=True, slots=True)
class Correction:
    """An entry of the ledger that the cells cannot show: a hyphen left out, text moved to a row.

    Attributes:
        reason: Why, as the ledger names it.
        page: 1-based page, None for the page given to ``emit_table``.
        dropped: Characters the source has there and the cells do not.
        generated: Characters the cells of that page's rows have and the source does not have there.
    """

    reason: str
    page: int | None = None
    dropped: int = 0
    generated: int = 0


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells of one table.

    Attributes:
        cells: In any order. Positions that none covers are empty.
        header_rows: Rows at the top that name the columns; None: infer it (from the ``is_header``
            flags, else from the cells).
        caption: The table's title, if the format gives it outside the cells.
        row_pages: 1-based page of each grid row; empty: all on the page given to ``emit_table``.
        corrections: What the account of the cells must add.
    """

    cells: tuple[GridCell, ...]
    header_rows: int | None = None
    caption: str = ""
    row_pages: tuple[int | None, ...] = ()
    corrections: tuple[Correction, ...] = ()

    @property
    def n_rows(self) -> int:
        """Rows covered by at least one cell, counted from row 0."""
        return max((c.row + c.row_span for c in self.cells), default=0)

    @property
    def n_cols(self) -> int:
        """Columns covered by at least one cell, counted from column 0."""
        return max((c.col + c.col_span for c in self.cells), default=0)

    def page_of(self, row: int, default: int | None = None) -> int | None:
        """Return the page of a grid row, ``default`` where it is not recorded."""
        if row < len(self.row_pages) and self.row_pages[row] is not None:
            return self.row_pages[row]
        return default


def grid_of_rows(
    rows: Sequence[Sequence[str | None]], *, header_rows: int | None = None, caption: str = ""
) -> Grid:
    """Return the grid of plain rows without spans; ragged rows are allowed."""
    cells = (GridCell(r, c, text or "") for r, row in enumerate(rows) for c, text in enumerate(row))
    return Grid(tuple(cells), header_rows, caption)
