"""What kind of thing a cell's text is, and which rows at the top of a grid name its columns.

Rules only look at the cells' own text and spans; a format that flags its header cells is believed
first. Every rule prefers "no header" to a wrong one: a value called by another row's value misleads
search, a value without a name does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from parsers.tables.grid import GridCell

Positions = Mapping[tuple[int, int], GridCell]

MAX_HEADER_ROWS = 6
"""More rows than this at the top are not taken for a header unless flagged. A guess; the deepest
header seen in the corpora has four."""

MAX_HEADER_CHARS = 120
"""A longer cell is prose, not a column's name. A guess."""

_NUMBER = re.compile(
    r"""[(\[]?\s*[<>≤≥~±]?\s*[-+−–]?\s*
    (?:[$€£¥₹]|R\$|US\$|[A-Z]{3}\s)?\s*[-+−–]?\s*
    (?:\d[\d.,'’\u00a0\u202f ]*|\.\d+)(?:[eE][-+]?\d+)?
    \s*(?:%|‰|°[CF]?|[$€£¥₹]|º|ª)?\s*[)\]]?\s*[*†‡]*$""",
    re.VERBOSE,
)
_DATE = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?$|\d{1,2}:\d{2}(?::\d{2})?$"
)
_PERIOD = re.compile(r"(?:FY\s?)?(?:1[6-9]|20|21)\d{2}(?:\s*[-–/]\s*(?:\d{4}|\d{2}))?\s*[*†‡]*$")
_BLANK = re.compile(r"[-–—.…*/\s]*$|n\.?\s?/?\s?[ad]\.?$|nil$|null$", re.IGNORECASE)
_COLUMN_NUMBER = re.compile(r"[(\[]?\s*(\d{1,2}|[a-z])\s*[)\]]?\.?$", re.IGNORECASE)


def is_number(text: str) -> bool:
    """Tell whether ``text`` is a quantity, an amount, a date or a time."""
    return bool(_NUMBER.match(text) or _DATE.match(text))


def is_blank(text: str) -> bool:
    """Tell whether ``text`` stands for "no value" ("-", "n/a", "…"), which is of no type."""
    return bool(_BLANK.match(text))


def is_period(text: str) -> bool:
    """Tell whether ``text`` is a year or a span of years, which are numbers that may be names."""
    return bool(_PERIOD.match(text))


def header_depth(at: Positions, first: int, n_rows: int, n_cols: int) -> int:
    """Return how many rows, from row ``first`` on, name the columns: 0 when none can be trusted."""
    flagged = _flagged_depth(at, first, n_rows, n_cols)
    if flagged is not None:
        return flagged
    if n_cols < 2 or n_rows - first < 2 or _has_colons(at, first, n_rows, n_cols):
        return 0
    depth = _closed(at, first, _typed_depth(at, first, n_rows, n_cols), n_rows, n_cols)
    while depth and first + depth < n_rows and _counts_columns(at, first + depth, n_cols):
        depth += 1
    return depth if first + depth < n_rows else 0


def is_keyed(at: Positions, first: int, n_rows: int, n_cols: int) -> bool:
    """Tell whether the first column names the rows of a table whose columns have no names.

    True where the format flags the first column as headers, or for two columns where the first
    is made of short distinct words, mostly with a colon, or the second mixes numbers and words.
    """
    rows = [r for r in range(first, n_rows) if (r, 0) in at and at[r, 0].text]
    if not rows:
        return False
    keys = [at[r, 0] for r in rows]
    rest = [at[r, c] for r in rows for c in range(1, n_cols) if (r, c) in at]
    if all(c.is_header for c in keys) and rest and not any(c.is_header for c in rest):
        return True
    names = [c.text for c in keys]
    if n_cols != 2 or len(rows) < 2 or any(is_number(n) or len(n) > 60 for n in names):
        return False
    if _has_colons(at, first, n_rows, n_cols):
        return True
    values = [c.text for c in rest if c.text and not is_blank(c.text)]
    numbers = sum(is_number(v) for v in values)
    return len(set(names)) == len(names) and 0 < numbers < len(values)


def _has_colons(at: Positions, first: int, n_rows: int, n_cols: int) -> bool:
    """Tell whether most cells of the first of two columns end with a colon ("Name:")."""
    names = [v for r in range(first, n_rows) if (v := _text(at, r, 0))]
    return n_cols == 2 and sum(n.endswith((":", "：")) for n in names) * 2 > len(names)


def _flagged_depth(at: Positions, first: int, n_rows: int, n_cols: int) -> int | None:
    """Return the leading rows whose every cell is flagged; None when the flags do not decide."""
    if not any(cell.is_header for (row, _), cell in at.items() if row >= first):
        return None
    depth = 0
    for row in range(first, n_rows):
        cells = [at[row, c] for c in range(n_cols) if (row, c) in at and at[row, c].text]
        if not cells or not all(c.is_header for c in cells):
            break
        if n_cols > 1 and len(cells) == 1 and cells[0].col == 0 and cells[0].col_span == 1:
            break  # the row's own name beside empty cells
        depth += 1
    if depth:
        return depth
    return 0 if is_keyed(at, first, n_rows, n_cols) else None


def _typed_depth(at: Positions, first: int, n_rows: int, n_cols: int) -> int:
    """Return the leading rows of names above columns of something else."""
    limit = min(first + MAX_HEADER_ROWS, n_rows - 1)
    numeric = _numeric_columns(at, first, n_rows, n_cols)
    depth = 0
    for row in range(first, limit):
        cells = _row(at, row, n_cols)
        if not cells or not _may_name(cells, at, row, n_rows):
            break
        if depth and cells[0].col_span == n_cols:
            break  # the label of the first group
        depth += 1
        if numeric:
            continue
        if not any(c.col_span > 1 for c in cells):
            break  # columns of words: only a spanning name asks for a second row
    if not numeric:
        return depth if depth and _names_words(at, first, depth, n_rows, n_cols) else 0
    named = range(first, first + depth)
    over = sum(any(_text(at, r, c) for r in named) for c in numeric)
    if over * 2 < len(numeric):
        return 0
    return _without_first_group(at, first, depth, n_rows, numeric)


def _without_first_group(
    at: Positions, first: int, depth: int, n_rows: int, numeric: Sequence[int]
) -> int:
    """Take back trailing rows that name no numeric column: they are the first body rows."""
    while depth > 1:
        row = first + depth - 1
        if any(_text(at, row, c) for c in numeric):
            break
        depth -= 1
    return depth


def _numeric_columns(at: Positions, first: int, n_rows: int, n_cols: int) -> list[int]:
    """Return the columns whose cells below the top are mostly numbers."""
    found = []
    for col in range(n_cols):
        values = [v for r in range(first + 1, n_rows) if (v := _text(at, r, col))]
        values = [v for v in values if not is_blank(v)]
        numbers = [v for v in values if is_number(v)]
        tail = values[-max(1, len(values) * 2 // 3) :]
        if numbers and sum(map(is_number, tail)) * 3 >= len(tail) * 2:
            found.append(col)
    return found


def _may_name(cells: Sequence[GridCell], at: Positions, row: int, n_rows: int) -> bool:
    """Tell whether a row can be one of names: no quantities, unless they are years over amounts."""
    if any(len(c.text) > MAX_HEADER_CHARS for c in cells):
        return False
    numbers = [c for c in cells if is_number(c.text)]
    if not numbers:
        return any(not is_blank(c.text) for c in cells)
    if not all(is_period(c.text) for c in numbers):
        return False
    if sum(is_period(c.text) for c in cells) == 1 and len(cells) > 2:
        return False
    below = [_text(at, r, c.col) for c in numbers for r in range(row + 1, n_rows)]
    below = [v for v in below if v]
    return sum(is_period(v) for v in below) * 2 < len(below)


def _names_words(at: Positions, first: int, depth: int, n_rows: int, n_cols: int) -> bool:
    """Tell whether rows on top of columns of words are names: all there, short and distinct.

    A name that begins with a digit, as the cells below it do, is the first of these.
    """
    last = first + depth - 1
    names = [_text(at, last, c) for c in range(n_cols)]
    filled = [n for n in names if n]
    paths = [tuple(_text(at, r, c) for r in range(first, last + 1)) for c in range(n_cols)]
    paths = [path for path in paths if path[-1]]
    if len(filled) < n_cols - (n_cols > 2) or len(set(paths)) != len(paths):
        return False
    if any(
        n[0].isdigit() and _begin_with_digits(at, last + 1, n_rows, c)
        for c, n in enumerate(names)
        if n
    ):
        return False
    below = [v for r in range(last + 1, n_rows) for c in range(n_cols) if (v := _text(at, r, c))]
    if not below or any(n in below for n in filled):
        return False
    if n_cols == 2 and is_keyed(at, first, n_rows, n_cols):
        return False
    return max(map(len, filled)) <= max(40, 2 * max(map(len, below)))


def _begin_with_digits(at: Positions, first: int, n_rows: int, col: int) -> bool:
    values = [v for r in range(first, n_rows) if (v := _text(at, r, col))]
    return sum(v[0].isdigit() for v in values) * 3 > len(values) * 2


def _closed(at: Positions, first: int, depth: int, n_rows: int, n_cols: int) -> int:
    """Grow a header until no cell of it is cut, and to the names under its last spanning name."""
    while depth and first + depth < n_rows:
        end = max(c.row + c.row_span for c in _cells(at, first, first + depth, n_cols))
        if first + depth < end < n_rows:
            depth = end - first
            continue
        return depth
    return depth


def _counts_columns(at: Positions, row: int, n_cols: int) -> bool:
    """Tell whether a row only numbers the columns: "(1) (2) (3)" or "a b c"."""
    cells = _row(at, row, n_cols)
    marks = [_COLUMN_NUMBER.match(c.text) for c in cells]
    if len(cells) < max(3, n_cols - 1) or not all(marks):
        return False
    labels = [m[1].lower() for m in marks if m]
    numbers = [int(x) if x.isdigit() else ord(x) - ord("a") + 1 for x in labels]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers))) and numbers[0] <= 2


def _row(at: Positions, row: int, n_cols: int) -> list[GridCell]:
    return [c for c in _cells(at, row, row + 1, n_cols) if c.text]


def _cells(at: Positions, top: int, bottom: int, n_cols: int) -> list[GridCell]:
    seen = {id(c): c for r in range(top, bottom) for k in range(n_cols) if (c := at.get((r, k)))}
    return list(seen.values())


def _text(at: Positions, row: int, col: int) -> str:
    cell = at.get((row, col))
    return cell.text if cell else ""
