"""Tables without vertical rules: between horizontal ones, or without any.

Without rules the reader is conservative: prose in columns, lists, tables of contents and groups of
addresses line up as well. A table then needs three rows, and a column that mostly holds figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from parsers.pdf.table_columns import (
    Band,
    Line,
    column_of,
    find_cuts,
    is_section,
    is_title,
    lattice_of,
    signed_lines,
)  # fmt: skip
from parsers.pdf.table_ink import Glyph, Rule, rules_of
from parsers.pdf.table_lattice import Lattice
from parsers.pdf.table_split import segments_of
from parsers.tables.shape import is_blank, is_number

_LONG_CELL = 45
"""Median characters of a line's piece from which columns hold prose. A guess: a column of a
two-column page has 40 to 60."""
_MIN_COLUMN_LINES = 12
"""Lines from which a page can be told to have two columns. A guess."""
_GUTTER_CROSSED = 0.2
"""Share of the lines that may cross the strip between a page's columns: titles, wide figures."""
_PROSE_WORDS = 5
"""Median words of a line's piece above which a column is prose. A guess."""
_MIN_ROWS = 3
_PITCH = 2.2
"""Distance of two lines, in typical ones of the block, from which a new block begins. A guess."""
_CLOSE = 0.85
"""Distance of a line from the one above, in those of named rows, below which it is its rest."""
_SHORT = 0.9
"""Share of a table's width below which a rule in its head lies under a group of columns."""
_CROSSING = 0.25
"""Share of the lines whose words may run on over a border of columns: names over several columns
do, and titles. A guess; of prose nearly all do."""
_MAX_HEADS = 6
MAX_OPERATORS = 0.05
"""Share of pieces that are bare signs above which lined-up text is a formula. Measured: 0 in the
tables of the corpus, 0.1 to 0.4 in formulas set over several lines."""
_FIGURES = 0.3
"""Share of digits from which a piece is a figure; "homotope, 50" of an index is none."""
_MAX_LETTERS = 0.25
"""Share of pieces that are single letters above which lined-up text is a formula. A guess."""
_OPERATOR = re.compile(r"[^\w\s\-–—−*†‡%$€£¥₹°✓✔✗✘×•●○■□▪.…#+/]{1,3}$")
_LEADERS = re.compile(r"\.{4,}|(?:\. ){3,}|…{2,}|·{4,}")
_SECTION = re.compile(r"\d+\.\d+(?:\.\d+)*\s+\w")
_ENUMERATOR = re.compile(
    r"(?:[•·●▪■◦–\-*»✓]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])$|\d+(?:\.\d+)*$"
)


def is_operator(text: str) -> bool:
    """Tell whether a piece is a sign of a formula, which no cell of a table holds alone."""
    return bool(_OPERATOR.match(text))


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
    if not cuts or len(bands) < 2 or not _lines_up(lines, cuts) or is_contents(lines, cuts):
        return None
    bands = [row for i, band in enumerate(bands) for row in _rows_of(band, cuts, first=i == 0)]
    if len(bands) < _MIN_ROWS:
        return None
    heads = _head_count(bands, cuts)
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


def _rows_of(band: Band, cuts: Sequence[float], *, first: bool) -> list[Band]:
    """Return the rows between two rules: one, or one a line where the lines are rows."""
    full = [line for line in band.lines if len(_columns(line, cuts)) * 2 >= len(cuts) + 1]
    figures = [line for line in full if _has_figures(line, cuts)]
    many = len(figures) > 1 or (not first and len(full) > 2)
    if not many or len(full) < 0.6 * len(band.lines):
        return [band]
    return broken_rows_joined(_line_bands(band.lines, band.top, band.bottom), cuts)


def _line_bands(lines: Sequence[Line], top: float, bottom: float) -> list[Band]:
    """Return a band a line."""
    borders = [(max(w.bottom for w in a) + min(w.top for w in b)) / 2 for a, b in pairwise(lines)]
    return [
        Band(y0, y1, (line,))
        for line, y0, y1 in zip(lines, [top, *borders], [*borders, bottom], strict=True)
    ]


def broken_rows_joined(bands: Sequence[Band], cuts: Sequence[float]) -> list[Band]:
    """Return bands of one line each with the rows that run over several lines made whole.

    A line continues the row above when it has no figures and either begins in lower case
    throughout, or lacks a name in the first column and stands closer than rows do. A line that has
    only a name begins the row below when that goes on in lower case.
    """
    rows = [_texts(band.lines[-1], cuts) for band in bands]
    pitches = [b.lines[0][0].y - a.lines[0][0].y for a, b in pairwise(bands)]
    named = [p for p, row in zip(pitches, rows[1:], strict=True) if 0 in row]
    usual = median(named) if named else 0.0
    joined: list[Band] = list(bands[:1])
    for i in range(1, len(bands)):
        above, row = rows[i - 1], rows[i]
        goes_on = all(t[0].islower() for t in row.values())
        close = 0 not in row and pitches[i - 1] < _CLOSE * usual and len(row) < len(cuts) + 1
        rest = (goes_on or close) and not any(map(_is_figure, row.values()))
        begun = set(above) == {0} and len(row) > 1 and row.get(0, "A")[0].islower()
        if (rest and set(row) <= set(above) | {0}) or (begun and not _is_figure(above[0])):
            joined[-1] = _joined([joined[-1], bands[i]])
            rows[i] = {**above, **row} if begun else above
        else:
            joined.append(bands[i])
    return joined


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
    """Yield runs of lines of several pieces each; a single line of one piece may interrupt."""
    block: list[Line] = []
    for line in lines:
        if block:
            pitches = [b[0].y - a[0].y for a, b in pairwise(block)]
            usual = median(pitches) if pitches else 2 * max(w.size for w in line)
            alone = len(segments_of(line)) < 2
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
        if cuts and _lines_up(lines, cuts) and _is_tabular(lines, cuts):
            return _free_lattice(lines, cuts, rules)
    return None


def _free_lattice(lines: Sequence[Line], cuts: Sequence[float], rules: Sequence[Rule]) -> Lattice:
    top = min(w.top for w in lines[0]) - 1
    bottom = max(w.bottom for w in lines[-1]) + 1
    bands = _line_bands(lines, top, bottom)
    heads = _head_count(bands, cuts)
    if heads > 1:
        bands[:heads] = list(_head_bands(bands[:heads], cuts))
        heads = len(bands) - (len(lines) - heads)
    bands = [*bands[:heads], *broken_rows_joined(bands[heads:], cuts)]
    return lattice_of(bands, cuts, heads, rules)


def _head_bands(bands: Sequence[Band], cuts: Sequence[float]) -> Iterator[Band]:
    """Join the lines of a header into bands: one each time a name spans columns, then the rest."""
    group: list[Band] = []
    for band in bands:
        group.append(band)
        if _crosses(band.lines[0], cuts):
            yield from group if len(group) == 1 else (_joined(group[:-1]), group[-1])
            group = []
    if group:
        yield _joined(group)


def _joined(bands: Sequence[Band]) -> Band:
    return Band(bands[0].top, bands[-1].bottom, tuple(x for b in bands for x in b.lines))


def _crosses(line: Line, cuts: Sequence[float]) -> bool:
    return any(
        run.x0 < cut - 0.5 * run.size and run.x1 > cut + 0.5 * run.size
        for run in segments_of(line) for cut in cuts
    )  # fmt: skip


def _head_count(bands: Sequence[Band], cuts: Sequence[float]) -> int:
    """Return the leading bands without figures above columns of them; one above words."""
    figures = _figure_columns([line for band in bands for line in band.lines], cuts)
    if not figures:
        return 1 + is_title(bands)
    for i, band in enumerate(bands[:_MAX_HEADS]):
        if i == 0 and is_title(bands):
            continue
        texts = _texts([w for line in band.lines for w in line], cuts)
        if any(is_number(texts[c]) for c in figures if c in texts):
            return i - (i > 1 and is_section(bands[i - 1], band, cuts))
    return 0


def _figure_columns(lines: Sequence[Line], cuts: Sequence[float]) -> list[int]:
    """Return the columns whose pieces mostly have digits."""
    found = []
    for col in range(len(cuts) + 1):
        texts = [t[col] for line in lines if col in (t := _texts(line, cuts))]
        texts = [t for t in texts if not is_blank(t)]
        if len(texts) > 1 and sum(map(_is_figure, texts)) >= 0.6 * len(texts):
            found.append(col)
    return found


def _is_figure(text: str) -> bool:
    """Tell whether digits make up much of a piece: a number, a date, a code ("A-12")."""
    signs = [c for c in text if c.isalnum()]
    return sum(c.isdigit() for c in signs) > _FIGURES * len(signs)


def _texts(line: Line, cuts: Sequence[float]) -> dict[int, str]:
    parts: dict[int, list[str]] = {}
    for word in line:
        parts.setdefault(column_of(word.x, cuts), []).append(word.text)
    return {col: " ".join(words) for col, words in parts.items()}


def _columns(line: Line, cuts: Sequence[float]) -> set[int]:
    return {column_of(w.x, cuts) for w in line}


def _has_figures(line: Line, cuts: Sequence[float]) -> bool:
    return any(is_number(t) for t in _texts(line, cuts).values())


def _lines_up(lines: Sequence[Line], cuts: Sequence[float]) -> bool:
    """Tell whether lines are rows of short pieces: not prose set in columns."""
    several = [line for line in lines if len(_columns(line, cuts)) > 1]
    if len(several) < 2 or len(several) * 2 < len(lines):
        return False
    if sum(_crosses(line, cuts) for line in several) > _CROSSING * len(several):
        return False
    pieces = [t for line in several for t in _texts(line, cuts).values()]
    return median(map(len, pieces)) < _LONG_CELL and not _is_prose(several, cuts)


def _is_prose(lines: Sequence[Line], cuts: Sequence[float]) -> bool:
    """Tell whether two or more columns are filled with long lines of words."""
    wordy = 0
    for col in range(len(cuts) + 1):
        texts = [t[col] for line in lines if col in (t := _texts(line, cuts))]
        if texts and median(len(t.split()) for t in texts) > 4:
            wordy += 1
    return wordy > 1


def _is_tabular(lines: Sequence[Line], cuts: Sequence[float]) -> bool:
    """Tell whether lined-up pieces without rules are a table, and no list of any kind."""
    rows = [_texts(line, cuts) for line in lines]
    n_cols = len(cuts) + 1
    if is_contents(lines, cuts):
        return False
    pieces = [t for row in rows for t in row.values()]
    if sum(map(is_operator, pieces)) > MAX_OPERATORS * len(pieces):
        return False
    if sum(len(t) == 1 and t.isalpha() for t in pieces) > _MAX_LETTERS * len(pieces):
        return False
    first = [row[0] for row in rows if 0 in row]
    marks = sum(bool(_ENUMERATOR.match(t)) for t in first)
    if n_cols == 2 and marks * 2 > len(first):
        return False
    figures = [c for c in _figure_columns(lines, cuts) if c]
    if not figures or (n_cols == 2 and len(rows) < 4) or _has_prose(rows, n_cols):
        return False
    return sum(map(len, rows)) >= 0.5 * n_cols * len(rows)


def is_contents(lines: Sequence[Line], cuts: Sequence[float]) -> bool:
    """Tell whether lines are a table of contents: page numbers on the right, or leaders to them."""
    rows = [_texts(line, cuts) for line in lines]
    columns = [[row.get(c, "") for row in rows] for c in range(1, len(cuts) + 1)]
    sections = sum(any(map(_SECTION.match, row.values())) for row in rows)
    if sections * 4 > len(rows) and any(_are_page_numbers(c, 0.5) for c in columns):
        return True
    last = columns[-1]
    led = sum(bool(_LEADERS.search(t)) for row in rows for t in row.values())
    few = led * 4 > len(rows) and all(len(t) < 6 for t in last)
    return len(cuts) < 3 and (few or _are_page_numbers(last, 0.75))


def _has_prose(rows: Sequence[dict[int, str]], n_cols: int) -> bool:
    """Tell whether a column has long lines of words; the others then belong to a figure."""
    return any(
        median([len(row[col].split()) for row in rows if col in row] or [0]) > _PROSE_WORDS
        for col in range(n_cols)
    )


def _are_page_numbers(texts: Sequence[str], share: float) -> bool:
    """Tell whether whole numbers never fall from line to line, as in a table of contents."""
    texts = [t for t in texts if t]
    numbers = [int(t) for t in texts if t.isdecimal()]
    return len(numbers) > max(2, share * len(texts)) and all(a <= b for a, b in pairwise(numbers))
