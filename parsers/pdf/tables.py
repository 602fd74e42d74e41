"""Tables of PDF pages as grids: ruled ones by their rules, others by how their words line up.

Coordinates are points of the page as it is read (see :mod:`parsers.pdf.table_ink`). A table covers
its areas whole: every glyph whose centre lies in one of ``PdfTable.covers`` is in its grid, and no
other is, so that a reader of the page can leave exactly those out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from parsers.model import BoundingBox
from parsers.pdf.table_cells import Draft, draft_of, fill
from parsers.pdf.table_ink import Glyph, Ink, read_ink
from parsers.pdf.table_lattice import Lattice, find_lattices
from parsers.pdf.table_split import with_columns_split, with_heads_split, with_rows_split
from parsers.tables.grid import Correction, Grid

_MIN_FILLED = 0.15
"""Share of the cells with text below which rules are a drawing: a plot's grid has next to none, the
sparsest table of the corpus 0.4."""


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


def page_tables(pdf: Any, page_number: int) -> list[PdfTable]:
    """Return the tables of a page, top to bottom.

    Args:
        pdf: An open ``pdfplumber.PDF``.
        page_number: 1-based.
    """
    ink = read_ink(pdf.pages[page_number - 1])
    found: list[PdfTable] = []
    for lattice in sorted(find_lattices(ink.rules), key=_size, reverse=True):
        if any(_overlap(lattice.box, t.bbox) for t in found) or len(lattice.xs) < 3:
            continue
        table = _ruled(lattice, ink, page_number)
        if table:
            found.append(table)
    return sorted(found, key=lambda t: (t.bbox.top, t.bbox.x0))


def _ruled(lattice: Lattice, ink: Ink, page: int) -> PdfTable | None:
    glyphs = glyphs_in(ink, lattice.box)
    for split in (with_heads_split, with_columns_split, with_rows_split):
        lattice = split(lattice, fill(lattice, glyphs))
    draft = draft_of(lattice, fill(lattice, glyphs))
    grid = draft.grid
    if grid.n_cols < 2 or len(grid.cells) < max(2, _MIN_FILLED * len(lattice.areas)):
        return None
    return _placed(draft, lattice.box, page)


def _placed(draft: Draft, box: BoundingBox, page: int) -> PdfTable:
    left_out = (("joined_hyphen", draft.hyphens), ("soft_hyphen", draft.soft))
    corrections = tuple(Correction(reason, page, dropped=n) for reason, n in left_out if n)
    grid = Grid(draft.grid.cells, row_pages=(page,) * draft.grid.n_rows, corrections=corrections)
    return PdfTable(page, box, grid, ((page, box),), draft.columns, draft.styles)


def glyphs_in(ink: Ink, box: BoundingBox) -> list[Glyph]:
    """Return the glyphs whose centre lies in ``box``."""
    return [g for g in ink.glyphs if box.x0 <= g.x <= box.x1 and box.top <= g.y <= box.bottom]


def _size(lattice: Lattice) -> float:
    box = lattice.box
    return (box.x1 - box.x0) * (box.bottom - box.top)


def _overlap(a: BoundingBox, b: BoundingBox) -> bool:
    return a.x0 < b.x1 and b.x0 < a.x1 and a.top < b.bottom and b.top < a.bottom


def join_continued(tables: Sequence[PdfTable], page_heights: dict[int, float]) -> list[PdfTable]:
    """Return the tables, those that run on over pages as one."""
    return list(tables)


def has_table_evidence(page: Any) -> bool:
    """Tell cheaply whether a PyMuPDF page may hold a table."""
    return bool(page.get_cdrawings())
