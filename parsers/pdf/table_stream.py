"""Tables without vertical rules: between horizontal ones, or without any.

Without rules the reader is conservative: prose in columns, lists, tables of contents and groups of
addresses line up as well. A table then needs three rows, and a column that mostly holds figures or
bold names over columns of words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from parsers.pdf.table_columns import Band, Line, find_cuts, lattice_of, signed_lines
from parsers.pdf.table_ink import Glyph, Rule, rules_of
from parsers.pdf.table_judge import is_contents, is_tabular, lines_up
from parsers.pdf.table_lattice import Area, Lattice
from parsers.pdf.table_rows import (
    broken_rows_joined,
    columns_of,
    crosses,
    head_bands,
    head_count,
    line_bands,
    rows_of,
)
from parsers.pdf.table_split import segments_of
from parsers.tables.shape import is_number

_MIN_COLUMN_LINES = 12
"""Lines from which a page can be told to have two columns. A guess."""
_GUTTER_CROSSED = 0.2
"""Share of the lines that may cross the strip between a page's columns: titles, wide figures."""
_MIN_ROWS = 3
_PITCH = 2.2
"""Distance of two lines, in typical ones of the block, from which a new block begins. A guess."""
_MAX_GROWTH = 2
"""Lines above a stack of shades that may be its table's head."""
_BESIDE = 0.6
"""Gap between a stack and a row beside it, in heights of its rows. A guess."""
_SHORT = 0.9
"""Share of a table's width below which a rule in its head lies under a group of columns."""


def in_stack(lattice: Lattice, glyphs: Sequence[Glyph], rules: Sequence[Rule]) -> Lattice | None:
    """Return the table between horizontal rules, or None where the text is not one.

    Args:
        lattice: A stack of rules: one column.
        glyphs: Those within it.
        rules: Those of the page.
    """
    lines = signed_lines(g for g in glyphs if not g.turn)
    within = [r for r in rules_of(rules, True) if _is_short(r, lattice)]
    bands = []
    for top, bottom in pairwise(_head_borders(lattice.ys, within, lines)):
        inside = [line for line in lines if top <= median(w.y for w in line) < bottom]
        if inside:
            bands.append(Band(top, bottom, tuple(inside)))
    cuts = find_cuts(lines, at_least=2)
    if not cuts or len(bands) < 2 or not lines_up(lines, cuts) or is_contents(lines, cuts):
        return None
    bands = [row for i, band in enumerate(bands) for row in rows_of(band, cuts, first=i == 0)]
    if len(bands) < _MIN_ROWS:
        return None
    heads = head_count(bands, cuts)
    table = lattice_of(bands, cuts, heads, within)
    return replace(table, xs=(lattice.xs[0], *table.xs[1:-1], lattice.xs[-1]))


def _is_short(rule: Rule, lattice: Lattice) -> bool:
    """Tell whether a rule lies within a stack and is none of it."""
    x0, x1 = lattice.xs[0], lattice.xs[-1]
    inside = lattice.ys[0] < rule.at < lattice.ys[-1] and x0 - 3 <= rule.low and rule.high <= x1 + 3
    return inside and rule.high - rule.low < _SHORT * (x1 - x0)


def _head_borders(ys: Sequence[float], rules: Sequence[Rule], lines: Sequence[Line]) -> list[float]:
    """Return the borders of the rows with those that short rules draw above the first figures."""
    first = min((line[0].y for line in lines if _is_of_figures(line)), default=0.0)
    more: list[float] = []
    for rule in sorted(rules, key=lambda r: r.at):
        if rule.at < first and all(abs(rule.at - y) > 3 for y in (*ys, *more)):
            more.append(rule.at)
    return sorted([*ys, *more])


def _is_of_figures(line: Line) -> bool:
    runs = segments_of(line)
    return len(runs) > 1 and sum(is_number(r.text) for r in runs) * 2 >= len(runs)


def grown(stack: Lattice, table: Lattice, glyphs: Sequence[Glyph]) -> Lattice:
    """Return a stack with the rows right above and below it that stand in its table's columns.

    Where every other row is shaded, the first and the last may have no shade to bound them.

    Args:
        stack: Rules of one length.
        table: What was found in it.
        glyphs: Those of the page.
    """
    x0, x1 = stack.xs[0], stack.xs[-1]
    cuts = table.xs[1:-1]
    pitch = median(b - a for a, b in pairwise(table.ys))
    lines = signed_lines(g for g in glyphs if not g.turn and x0 <= g.x <= x1)
    ys = list(stack.ys)
    above = [line for line in reversed(lines) if line[0].y < ys[0]]
    for line in above[:_MAX_GROWTH]:
        if ys[0] - max(w.bottom for w in line) > _BESIDE * pitch or not _fits(line, cuts):
            break
        ys.insert(0, min(w.top for w in line) - 1)
    below = next((line for line in lines if line[0].y > ys[-1]), None)
    if below and min(w.top for w in below) - ys[-1] <= _BESIDE * pitch and _fits(below, cuts):
        ys.append(max(w.bottom for w in below) + 1)
    return Lattice(stack.xs, tuple(ys), tuple(Area(i, 0, i + 1, 1) for i in range(len(ys) - 1)))


def _fits(line: Line, cuts: Sequence[float]) -> bool:
    """Tell whether a line has words in most of the columns and across no border."""
    filled = len(columns_of(line, cuts))
    return filled > 1 and filled * 2 > len(cuts) + 1 and not crosses(line, cuts)


def free_tables(glyphs: Sequence[Glyph], rules: Sequence[Rule]) -> Iterator[Lattice]:
    """Yield the tables among glyphs that no rule encloses, top to bottom."""
    level = [g for g in glyphs if not g.turn]
    across = rules_of(rules, True)
    lines = signed_lines(level)
    found = [table for block in _blocks(lines) if (table := _in_block(block, across))]
    yield from found
    gutter = _gutter(lines)
    if gutter is None:
        return
    boxes = [table.box for table in found]
    rest = [g for g in level if not any(b.top <= g.y <= b.bottom for b in boxes)]
    for half in ([g for g in rest if g.x < gutter], [g for g in rest if g.x >= gutter]):
        for block in _blocks(signed_lines(half)):
            table = _in_block(block, across)
            if table:
                yield table


def _gutter(lines: Sequence[Line]) -> float | None:
    """Return the middle of the white strip between two columns of a page, if it has two."""
    words = [w for line in lines for w in line]
    if len(lines) < _MIN_COLUMN_LINES:
        return None
    left, right = min(w.x0 for w in words), max(w.x1 for w in words)
    steps = [left + (right - left) * (0.35 + 0.01 * i) for i in range(31)]
    crossed = {x: sum(any(w.x0 < x < w.x1 for w in line) for line in lines) for x in steps}
    fewest = min(crossed.values())
    if fewest > _GUTTER_CROSSED * len(lines):
        return None
    clear = [x for x in steps if crossed[x] == fewest]
    return clear[len(clear) // 2]


def _blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield runs of lines of several pieces each.

    A single line of one piece may interrupt, and lines that begin right of the first column's name.
    """
    block: list[Line] = []
    for line in lines:
        if block:
            pitches = [b[0].y - a[0].y for a, b in pairwise(block)]
            usual = median(pitches) if pitches else 2 * max(w.size for w in line)
            alone = len(segments_of(line)) < 2 and line[0].x0 < block[0][0].x1
            if line[0].y - block[-1][0].y > _PITCH * usual or (
                alone and len(segments_of(block[-1])) < 2
            ):
                yield block
                block = []
        if block or len(segments_of(line)) > 1:
            block.append(line)
    if block:
        yield block


def _in_block(block: list[Line], rules: Sequence[Rule]) -> Lattice | None:
    while block and len(segments_of(block[-1])) < 2:
        block = block[:-1]
    for start in range(min(3, len(block))):  # a heading may stand right above
        lines = block[start:]
        if len(lines) < _MIN_ROWS or len(segments_of(lines[0])) < 2:
            continue
        cuts = find_cuts(lines, at_least=_MIN_ROWS)
        if cuts and lines_up(lines, cuts) and is_tabular(lines, cuts):
            return _free_lattice(lines, cuts, rules)
    return None


def _free_lattice(lines: Sequence[Line], cuts: Sequence[float], rules: Sequence[Rule]) -> Lattice:
    top = min(w.top for w in lines[0]) - 1
    bottom = max(w.bottom for w in lines[-1]) + 1
    bands = line_bands(lines, top, bottom)
    heads = head_count(bands, cuts)
    if heads > 1:
        bands[:heads] = list(head_bands(bands[:heads], cuts))
        heads = len(bands) - (len(lines) - heads)
    bands = [*bands[:heads], *broken_rows_joined(bands[heads:], cuts)]
    return lattice_of(bands, cuts, heads, rules)
