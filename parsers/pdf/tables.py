"""Tables of PDF pages as grids: ruled ones by their rules, others by how their words line up.

Coordinates are points of the page as it is read (see :mod:`parsers.pdf.table_ink`). A table covers
its areas whole: every glyph whose centre lies in one of ``PdfTable.covers`` is in its grid, and no
other is, so that a reader of the page can leave exactly those out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parsers.model import BoundingBox
from parsers.pdf.table_captions import with_captions
from parsers.pdf.table_cells import Draft, cut_words, draft_of, fill
from parsers.pdf.table_evidence import has_table_evidence
from parsers.pdf.table_gaps import with_columns_found
from parsers.pdf.table_ink import Glyph, Ink, read_ink
from parsers.pdf.table_judge import MAX_OPERATORS, is_operator
from parsers.pdf.table_lattice import Lattice, find_lattices, stack_within
from parsers.pdf.table_part import PdfTable, join_continued, join_split
from parsers.pdf.table_split import with_columns_split, with_heads_split, with_rows_split
from parsers.pdf.table_stream import free_tables, grown, in_stack
from parsers.tables.grid import Correction, Grid

__all__ = ["PdfTable", "has_table_evidence", "join_continued", "page_tables"]

_MIN_FILLED = 0.15
"""Share of the cells with text below which rules are a drawing: a plot's grid has next to none, the
sparsest table of the corpus 0.4."""
_MAX_RAGGED = 0.2
"""Share of cells in shapes that are no rectangles above which rules are a drawing. Measured: 0 in
the 27 ruled tables of the corpus, 0.37 to 0.65 in plots and diagrams."""
_MAX_BOXED = 200
"""Characters of a cell above which a table of two rows is a page's layout, not data. A guess."""
_MAX_CUT = 0.2
"""Share of the words that a rule cuts through above which it is a drawing. A guess; an overlong
cell is cut too."""


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
        table = _in_rules(lattice, inside, ink, page_number)
        if table:
            found.append(table)
    rest = [g for g in ink.glyphs if not any(_holds(t.bbox, g) for t in found)]
    for lattice in free_tables(rest, ink.rules):
        if any(_overlap(lattice.box, t.bbox) for t in found):
            continue
        table = _drafted(lattice, glyphs_in(ink, lattice.box), page_number)
        if table:
            found.append(table)
    found = with_captions(found, ink)
    return join_split(sorted(found, key=lambda t: (t.bbox.top, t.bbox.x0)), ink.glyphs)


def _in_rules(lattice: Lattice, inside: Sequence[Glyph], ink: Ink, page: int) -> PdfTable | None:
    """Return the table of a ruled area: by all its rules, else by those across it alone."""
    table = _drafted(lattice, inside, page) if len(lattice.xs) > 2 else None
    stack = lattice if len(lattice.xs) == 2 else stack_within(lattice, ink.rules)
    if table is None and stack is not None:
        inside = glyphs_in(ink, stack.box)
        whole = in_stack(stack, inside, ink.rules)
        if whole is not None:
            more = grown(stack, whole, ink.glyphs)
            inside = glyphs_in(ink, more.box)
            whole = in_stack(more, inside, ink.rules) or whole
        table = _drafted(whole, inside, page) if whole else None
    return table


def _drafted(lattice: Lattice, glyphs: Sequence[Glyph], page: int) -> PdfTable | None:
    for split in (with_columns_found, with_heads_split, with_columns_split, with_rows_split):
        lattice = split(lattice, fill(lattice, glyphs))
    filled = fill(lattice, glyphs)
    draft = draft_of(lattice, filled)
    if not _is_table(draft.grid, lattice) or cut_words(lattice, glyphs) > _MAX_CUT:
        return None
    return _placed(draft, lattice.box, page)


def _is_table(grid: Grid, lattice: Lattice) -> bool:
    """Tell rules around data from rules that draw: a plot, a diagram, a frame."""
    if min(grid.n_rows, grid.n_cols) < 2 or lattice.ragged > _MAX_RAGGED:
        return False
    if len(grid.cells) < _MIN_FILLED * len(lattice.areas):
        return False
    texts = [c.text for c in grid.cells]
    if sum(is_operator(t) for t in texts) > MAX_OPERATORS * len(texts):
        return False
    return grid.n_rows > 2 or max(map(len, texts)) <= _MAX_BOXED


def _placed(draft: Draft, box: BoundingBox, page: int) -> PdfTable:
    left_out = (
        ("joined_hyphen", draft.hyphens), ("soft_hyphen", draft.soft), ("leader", draft.leaders),
    )  # fmt: skip
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
