"""Lines as the rows of a table without rules between its columns: broken ones, its header."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from parsers.pdf.table_columns import Band, Line, column_of, is_section, is_title
from parsers.pdf.table_split import segments_of
from parsers.tables.shape import is_blank, is_number

_CLOSE = 0.85
"""Distance of a line from the one above, in those of named rows, below which it is its rest."""
_FULL = 0.6
"""Share of the rows between two rules that must have text in half of the columns. A guess."""
_MAX_HEADS = 6
_FIGURES = 0.3
"""Share of digits from which a piece is a figure; "homotope, 50" of an index is none."""


def rows_of(band: Band, cuts: Sequence[float], *, first: bool) -> list[Band]:
    """Return the rows between two rules: one, or one a line where the lines are rows."""
    full = [line for line in band.lines if len(columns_of(line, cuts)) * 2 >= len(cuts) + 1]
    figures = [line for line in full if _has_figures(line, cuts)]
    rows = broken_rows_joined(line_bands(band.lines, band.top, band.bottom), cuts)
    many = len(figures) > 1 or (not first and len(full) > 2)
    return rows if many and len(full) >= _FULL * len(rows) else [band]


def line_bands(lines: Sequence[Line], top: float, bottom: float) -> list[Band]:
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
    rows = [texts_of(band.lines[-1], cuts) for band in bands]
    pitches = [b.lines[0][0].y - a.lines[0][0].y for a, b in pairwise(bands)]
    named = [p for p, row in zip(pitches, rows[1:], strict=True) if 0 in row]
    usual = median(named) if named else 0.0
    joined: list[Band] = list(bands[:1])
    for i in range(1, len(bands)):
        above, row = rows[i - 1], rows[i]
        goes_on = all(t[0].islower() for t in row.values())
        close = 0 not in row and pitches[i - 1] < _CLOSE * usual and len(row) < len(cuts) + 1
        rest = (goes_on or close) and not any(map(is_figure, row.values()))
        begun = set(above) == {0} and len(row) > 1 and row.get(0, "A")[0].islower()
        if (rest and set(row) <= set(above) | {0}) or (begun and not is_figure(above[0])):
            joined[-1] = _joined([joined[-1], bands[i]])
            rows[i] = {**above, **row} if begun else above
        else:
            joined.append(bands[i])
    return joined


def head_bands(bands: Sequence[Band], cuts: Sequence[float]) -> Iterator[Band]:
    """Join the lines of a header into bands: one each time a name spans columns, then the rest."""
    group: list[Band] = []
    for band in bands:
        group.append(band)
        if crosses(band.lines[0], cuts):
            yield from group if len(group) == 1 else (_joined(group[:-1]), group[-1])
            group = []
    if group:
        yield _joined(group)


def _joined(bands: Sequence[Band]) -> Band:
    return Band(bands[0].top, bands[-1].bottom, tuple(x for b in bands for x in b.lines))


def crosses(line: Line, cuts: Sequence[float]) -> bool:
    """Tell whether a run of words stands on both sides of a cut."""
    return any(
        run.x0 < cut - 0.5 * run.size and run.x1 > cut + 0.5 * run.size
        for run in segments_of(line) for cut in cuts
    )  # fmt: skip


def head_count(bands: Sequence[Band], cuts: Sequence[float]) -> int:
    """Return the leading bands without figures above columns of them; one above words."""
    figures = figure_columns([line for band in bands for line in band.lines], cuts)
    if not figures:
        return 1 + is_title(bands)
    for i, band in enumerate(bands[:_MAX_HEADS]):
        if i == 0 and is_title(bands):
            continue
        texts = texts_of([w for line in band.lines for w in line], cuts)
        if any(is_number(texts[c]) for c in figures if c in texts):
            return i - (i > 1 and is_section(bands[i - 1], band, cuts))
    return 0


def figure_columns(lines: Sequence[Line], cuts: Sequence[float]) -> list[int]:
    """Return the columns whose pieces mostly have digits."""
    found = []
    for col in range(len(cuts) + 1):
        texts = [t[col] for line in lines if col in (t := texts_of(line, cuts))]
        texts = [t for t in texts if not is_blank(t)]
        if len(texts) > 1 and sum(map(is_figure, texts)) >= 0.6 * len(texts):
            found.append(col)
    return found


def is_figure(text: str) -> bool:
    """Tell whether digits make up much of a piece: a number, a date, a code ("A-12")."""
    signs = [c for c in text if c.isalnum()]
    return sum(c.isdigit() for c in signs) > _FIGURES * len(signs)


def texts_of(line: Line, cuts: Sequence[float]) -> dict[int, str]:
    """Return the text of a line in each of its columns."""
    parts: dict[int, list[str]] = {}
    for word in line:
        parts.setdefault(column_of(word.x, cuts), []).append(word.text)
    return {col: " ".join(words) for col, words in parts.items()}


def without_rests(lines: Sequence[Line], cuts: Sequence[float]) -> list[Line]:
    """Return the lines but the rests of rows: those with words in one column that is not the first.

    What they say is in the row above; they tell nothing about whether rows line up.
    """
    columns = [columns_of(line, cuts) for line in lines]
    return [x for x, c in zip(lines, columns, strict=True) if 0 in c or len(c) > 1]


def columns_of(line: Line, cuts: Sequence[float]) -> set[int]:
    """Return the columns in which a line has words."""
    return {column_of(w.x, cuts) for w in line}


def _has_figures(line: Line, cuts: Sequence[float]) -> bool:
    return any(is_number(t) for t in texts_of(line, cuts).values())
