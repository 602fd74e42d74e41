"""Whether lines that line up are a table: no prose in columns, list, contents, formula or plot."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from parsers.pdf.table_columns import Line
from parsers.pdf.table_rows import columns_of, crosses, figure_columns, texts_of, without_rests

_LONG_CELL = 45
"""Median characters of a line's piece from which columns hold prose. A guess: a column of a
two-column page has 40 to 60."""
_PROSE_WORDS = 5
"""Median words of a line's piece above which a column is prose. A guess."""
_CROSSING = 0.25
"""Share of the lines whose words may run on over a border of columns: names over several columns
do, and titles. A guess; of prose nearly all do."""
MAX_OPERATORS = 0.05
"""Share of pieces that are bare signs above which lined-up text is a formula. Measured: 0 in the
tables of the corpus, 0.1 to 0.4 in formulas set over several lines."""
_FULL = 0.8
"""Share of the lines that fill every column of a table of words without rules. A guess."""
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


def lines_up(lines: Sequence[Line], cuts: Sequence[float]) -> bool:
    """Tell whether lines are rows of short pieces: not prose set in columns."""
    several = [line for line in lines if len(columns_of(line, cuts)) > 1]
    lines = without_rests(lines, cuts)
    if len(several) < 2 or len(several) * 2 < len(lines):
        return False
    if sum(crosses(line, cuts) for line in several) > _CROSSING * len(several):
        return False
    pieces = [t for line in several for t in texts_of(line, cuts).values()]
    return median(map(len, pieces)) < _LONG_CELL and not _is_prose(several, cuts)


def _is_prose(lines: Sequence[Line], cuts: Sequence[float]) -> bool:
    """Tell whether two or more columns are filled with long lines of words."""
    wordy = 0
    for col in range(len(cuts) + 1):
        texts = [t[col] for line in lines if col in (t := texts_of(line, cuts))]
        if texts and median(len(t.split()) for t in texts) > 4:
            wordy += 1
    return wordy > 1


def is_tabular(lines: Sequence[Line], cuts: Sequence[float]) -> bool:
    """Tell whether lined-up pieces without rules are a table, and no list of any kind."""
    lines = without_rests(lines, cuts)
    rows = [texts_of(line, cuts) for line in lines]
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
    figures = [c for c in figure_columns(lines, cuts) if c] or _is_under_names(lines, cuts)
    if not figures or (n_cols == 2 and len(rows) < 4) or _has_prose(rows, n_cols):
        return False
    return sum(map(len, rows)) >= 0.5 * n_cols * len(rows)


def _is_under_names(lines: Sequence[Line], cuts: Sequence[float]) -> bool:
    """Tell whether columns of words stand under bold names, one above each, and are full."""
    if len(cuts) < 2 or not all(w.bold for w in lines[0]):
        return False
    columns = [columns_of(line, cuts) for line in lines]
    bold = sum(all(w.bold for w in line) for line in lines[1:])
    full = sum(len(c) == len(cuts) + 1 for c in columns)
    return len(columns[0]) == len(cuts) + 1 and bold == 0 and full >= _FULL * len(lines)


def is_contents(lines: Sequence[Line], cuts: Sequence[float]) -> bool:
    """Tell whether lines are a table of contents: page numbers on the right, or leaders to them."""
    rows = [texts_of(line, cuts) for line in lines]
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
