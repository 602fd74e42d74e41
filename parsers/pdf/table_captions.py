"""Titles of tables: the lines right above or below that say "Table 3: …"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from parsers.model import BoundingBox
from parsers.pdf.table_cells import cell_text
from parsers.pdf.table_ink import Glyph, Ink, Word, box_of, lines_of
from parsers.pdf.table_part import PdfTable
from parsers.pdf.table_split import segments_of
from parsers.tables.grid import Correction

CAPTION = re.compile(
    r"(?:table|tabela|tabelle|tableau|tabla|tabella|tabel|tab\.|quadro|exhibit|表|표|таблица)"
    r"\s*:?\s*(?:[A-Z]{0,3}[-–.]?\d|[IVXLC]+\b)",
    re.IGNORECASE,
)
_NEAR = 2.5
"""Farthest a title stands from its table, in its own font sizes. A guess."""
_LEADING = 1.7
"""Farthest two lines of one title stand apart, from top to top, in font sizes. A guess."""
_MAX_LINES = 3
_COLUMN_GAP = 2.0
"""Gap in font sizes that parts a title from what stands in the next column of the page."""


def with_captions(tables: Sequence[PdfTable], ink: Ink) -> list[PdfTable]:
    """Return the tables of a page with their titles, whose lines they then cover as well."""
    covered = [area for t in tables for _, area in t.covers]
    free = [
        g for g in ink.glyphs
        if not g.turn and not any(_holds(area, g) for area in covered)
    ]  # fmt: skip
    runs = [r for line in lines_of(free) for r in segments_of(line, _COLUMN_GAP)]
    taken: set[int] = set()
    found = []
    for table in tables:
        near = [r for r in runs if id(r) not in taken and _over(r, table.bbox)]
        lines = _above(near, table.bbox) or _below(near, table.bbox)
        taken.update(id(r) for r in lines)
        found.append(_with_caption(table, lines, free) if lines else table)
    return found


def _over(run: Word, box: BoundingBox) -> bool:
    """Tell whether a run lies above or below a box: titles begin at the margin as often as not."""
    return min(run.x1, box.x1) > max(run.x0, box.x0)


def _above(runs: Sequence[Word], box: BoundingBox) -> list[Word]:
    """Return the lines of the title above: up from the table to the one that says "Table"."""
    lines: list[Word] = []
    edge = box.top
    for run in sorted((r for r in runs if r.y < box.top), key=lambda r: -r.y):
        limit = _LEADING * run.size - (run.bottom - run.top) if lines else _NEAR * run.size
        if edge - run.bottom > limit or len(lines) == _MAX_LINES:
            return []
        lines.insert(0, run)
        if CAPTION.match(_text(run)):
            return lines
        edge = run.top
    return []


def _below(runs: Sequence[Word], box: BoundingBox) -> list[Word]:
    """Return the lines of the title below: the first says "Table", the rest goes on at once."""
    lines: list[Word] = []
    edge = box.bottom
    for run in sorted((r for r in runs if r.y > box.bottom), key=lambda r: r.y):
        if not lines and not CAPTION.match(_text(run)):
            return []
        limit = _LEADING * run.size - (run.bottom - run.top) if lines else _NEAR * run.size
        if run.top - edge > limit or len(lines) == _MAX_LINES:
            break
        if lines and abs(run.size - lines[0].size) > 0.5:
            break
        lines.append(run)
        edge = run.bottom
    return lines


def _with_caption(table: PdfTable, lines: Sequence[Word], free: Sequence[Glyph]) -> PdfTable:
    area = box_of(lines)
    text = cell_text([g for g in free if _holds(area, g)])
    left_out = (
        ("joined_hyphen", text.hyphens), ("soft_hyphen", text.soft), ("leader", text.leaders),
    )  # fmt: skip
    more = tuple(Correction(reason, table.page, dropped=n) for reason, n in left_out if n)
    grid = replace(table.grid, caption=text.text, corrections=(*table.grid.corrections, *more))
    return replace(table, grid=grid, covers=((table.page, area), *table.covers))


def _text(run: Word) -> str:
    return cell_text(run.glyphs).text


def _holds(area: BoundingBox, glyph: Glyph) -> bool:
    return area.x0 <= glyph.x <= area.x1 and area.top <= glyph.y <= area.bottom
