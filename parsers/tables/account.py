"""The ledger of a table: what its lines repeat, and what they leave out.

A parser counts each source cell once, on its page. A cell's first appearance on its own page uses
that up; every further appearance is generated, and so is the punctuation of the sentences.
"""

from __future__ import annotations

from parsers.builder import DocumentBuilder
from parsers.tables.grid import Grid, GridCell
from parsers.tables.reading import Line, LineKind

REPEATED_HEADER = "repeated header"
INHERITED_CELL = "inherited cell"
SEPARATOR = "separator"
MOVED = "moved across pages"


class TableAccount:
    """Counts the lines of one table as they are written.

    Args:
        builder: Holds the ledger.
        grid: The table.
        page: Page of rows without one of their own.
    """

    def __init__(self, builder: DocumentBuilder, grid: Grid, page: int | None) -> None:
        self._builder = builder
        self._grid = grid
        self._page = page
        self._at_home: set[int] = set()  # ids of the cells seen on their own page
        self._away: set[int] = set()

    def add(self, line: Line, text: str) -> None:
        """Count what ``line`` generates.

        Args:
            line: One line of the table.
            text: Its text, as written into the document.
        """
        page = self._grid.page_of(line.row, self._page)
        separators, repeated, inherited = _size(text), 0, 0
        for pair in line.pairs:
            value = pair.cells[-1]
            named = bool(pair.name.text) or line.kind is LineKind.COLUMNS
            for cell in pair.cells:
                size = _size(cell.text)
                separators -= size
                if self._is_first(cell, page):
                    continue
                if named and cell is not value:
                    repeated += size
                else:
                    inherited += size
        self._builder.count_generated(REPEATED_HEADER, repeated, page)
        self._builder.count_generated(INHERITED_CELL, inherited, page)
        self._builder.count_generated(SEPARATOR, separators, page)

    def close(self) -> None:
        """Count what no line shows on the page on which the source has it."""
        for cell in self._grid.cells:
            if cell.text and id(cell) not in self._at_home:
                reason = MOVED if id(cell) in self._away else REPEATED_HEADER
                self._builder.count_dropped(reason, cell.text, self._home(cell))
        for entry in self._grid.corrections:
            page = self._page if entry.page is None else entry.page
            self._builder.count_dropped(entry.reason, entry.dropped, page)
            self._builder.count_generated(entry.reason, entry.generated, page)

    def _home(self, cell: GridCell) -> int | None:
        return self._grid.page_of(cell.row, self._page)

    def _is_first(self, cell: GridCell, page: int | None) -> bool:
        if self._grid.row_pages and page != self._home(cell):
            self._away.add(id(cell))
            return False
        if id(cell) in self._at_home:
            return False
        self._at_home.add(id(cell))
        return True


def _size(text: str) -> int:
    """Count as :func:`parsers.normalise.count_characters`: text on one line has spaces only."""
    return len(text) - text.count(" ")
