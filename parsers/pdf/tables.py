"""Tables of PDF pages as grids: ruled ones by their rules, others by how their words line up.

Coordinates are points of the page as it is read (see :mod:`parsers.pdf.table_ink`). A table covers
its areas whole: every glyph whose centre lies in one of ``PdfTable.covers`` is in its grid, and no
other is, so that a reader of the page can leave exactly those out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parsers.model import BoundingBox
from parsers.pdf.table_cells import Draft, draft_of, fill
from parsers.pdf.table_evidence import has_table_evidence
from parsers.pdf.table_ink import Glyph, Ink, read_ink
from parsers.pdf.table_lattice import Lattice, find_lattices
from parsers.pdf.table_part import PdfTable, join_continued
from parsers.pdf.table_split import with_columns_split, with_heads_split, with_rows_split
from parsers.pdf.table_stream import free_tables, in_stack
from parsers.tables.grid import Correction, Grid

__all__ = ["PdfTable", "has_table_evidence", "join_continued", "page_tables"]

_MIN_FILLED = 0.15
"""Share of the cells with text below which rules are a drawing: a plot's grid has next to none, the
sparsest table of the corpus 0.4."""


def page_tables(pdf: Any, page_number: int) -> list[PdfTable]:
    """Return the tables of a page, top to bottom.

    Args:
        pdf: An open ``pdfplumber.PDF``.
        page_number: 1-based.
    """
    ink = read_ink(pdf.pages[page_number - 1])
    found: list[PdfTable] = []
    lattices = find_lattices(ink.rules)
    for lattice in sorted(lattices, key=lambda x: (len(x.xs) < 3, -_size(x))):
        if any(_overlap(lattice.box, t.bbox) for t in found):
            continue
        inside = glyphs_in(ink, lattice.box)
        whole = lattice if len(lattice.xs) > 2 else in_stack(lattice, inside)
        table = _drafted(whole, inside, page_number) if whole else None
        if table:
            found.append(table)
    rest = [g for g in ink.glyphs if not any(_holds(t.bbox, g) for t in found)]
    for lattice in free_tables(rest):
        if any(_overlap(lattice.box, t.bbox) for t in found):
            continue
        table = _drafted(lattice, glyphs_in(ink, lattice.box), page_number)
        if table:
            found.append(table)
    return sorted(found, key=lambda t: (t.bbox.top, t.bbox.x0))


def _drafted(lattice: Lattice, glyphs: Sequence[Glyph], page: int) -> PdfTable | None:
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
    return [g for g in ink.glyphs if _holds(box, g)]


def _holds(box: BoundingBox, glyph: Glyph) -> bool:
    return box.x0 <= glyph.x <= box.x1 and box.top <= glyph.y <= box.bottom


def _size(lattice: Lattice) -> float:
    box = lattice.box
    return (box.x1 - box.x0) * (box.bottom - box.top)


def _overlap(a: BoundingBox, b: BoundingBox) -> bool:
    return a.x0 < b.x1 and b.x0 < a.x1 and a.top < b.bottom and b.top < a.bottom
