"""A grid read as a person reads it: titles, group labels, and rows of named values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from parsers.tables.grid import Grid, GridCell
from parsers.tables.shape import Positions, header_depth, is_keyed

NAME_JOINER = " / "
"""Between the levels of a header: "Revenue / Q3"."""

_RENEWAL = 0.6
"""Share of a header's named columns that a later row must repeat to be that header again, printed
anew over another group or page. A guess: data rows repeat none."""

_SAMPLE_ROWS = 2_000
"""Rows by which it is decided whether a table has a header. A guess: the hundred thousandth row of
an export is like the first ones, and looking at all doubles the time."""


class LineKind(StrEnum):
    """What a line of a table is."""

    CAPTION = "caption"
    """A title of the whole table."""
    GROUP = "group"
    """A full-width label in the middle: it speaks for the rows up to the next one."""
    COLUMNS = "columns"
    """Names of columns that no row would state, since nothing stands under them."""
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Name:
    """A column's (or a row's) name and the cells whose text it shows, top to bottom."""

    text: str = ""
    cells: tuple[GridCell, ...] = ()


NO_NAME = Name()


@dataclass(frozen=True, slots=True)
class Pair:
    """A value under its name; ``cells`` are those whose text it shows, the value's own last."""

    name: Name
    value: str
    cells: tuple[GridCell, ...]

    @property
    def written(self) -> str:
        """The pair as the sentence has it."""
        if not self.name.text:
            return self.value
        colon = "" if self.name.text.endswith((":", "：")) else ":"
        return f"{self.name.text}{colon} {self.value}"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the text.

    Attributes:
        kind: See :class:`LineKind`.
        row: Grid row, 0-based.
        pairs: What it says, left to right.
        group: Label of the group a row stands in, or "".
    """

    kind: LineKind
    row: int
    pairs: tuple[Pair, ...]
    group: str = ""

    @property
    def text(self) -> str:
        """The line; for a row "Name: value, Name: value."."""
        text = ", ".join(pair.written for pair in self.pairs)
        if self.kind in (LineKind.CAPTION, LineKind.GROUP) or text.endswith((".", "!", "?", "。")):
            return text
        return f"{text}."


@dataclass(frozen=True, slots=True)
class TableReading:
    """The lines of a table in reading order; ``header_rows`` counts the rows that name columns.

    ``irregular`` is True when cells overlap, so that no column can be trusted: each row then lists
    its cells without names.
    """

    lines: tuple[Line, ...]
    header_rows: int
    irregular: bool = False


def read_grid(grid: Grid) -> TableReading:
    """Return the lines of ``grid``. Every non-empty cell is in a line or repeats one that is."""
    at = _place(grid)
    if at is None:
        return TableReading(tuple(_cell_lists(grid)), 0, irregular=True)
    return _Reader(grid, at).read()


def _place(grid: Grid) -> Positions | None:
    """Return the cell of each covered position, or None when two non-empty cells want one."""
    at: dict[tuple[int, int], GridCell] = {}
    for cell in grid.cells:
        for row in range(cell.row, cell.row + cell.row_span):
            for col in range(cell.col, cell.col + cell.col_span):
                other = at.get((row, col))
                if other is None or not other.text:
                    at[row, col] = cell
                elif cell.text:
                    return None
    return at


def _cell_lists(grid: Grid) -> Iterator[Line]:
    rows: dict[int, list[GridCell]] = {}
    for cell in sorted(grid.cells, key=lambda c: (c.row, c.col)):
        if cell.text:
            rows.setdefault(cell.row, []).append(cell)
    for row, cells in rows.items():
        yield Line(LineKind.ROW, row, tuple(Pair(NO_NAME, c.text, (c,)) for c in cells))


class _Reader:
    """Walks a grid once, from the top."""

    def __init__(self, grid: Grid, at: Positions) -> None:
        self._at = at
        self._given = grid.header_rows
        self._n_rows, self._n_cols = grid.n_rows, grid.n_cols
        self._depth = 0
        self._names: list[Name] = [NO_NAME] * self._n_cols  # of the columns, now
        self._named: list[int] = []  # columns that have a name
        self._all_names: list[Name] = []  # of every header met
        self._header_ids: set[int] = set()
        self._told: list[Name] = [NO_NAME] * self._n_cols  # of the last value in each column
        self._shown: set[int] = set()  # ids of header cells that some line shows

    def read(self) -> TableReading:
        titles, top, first = self._open()
        self._set_header(top, first)
        lines = [self._label(LineKind.CAPTION, row) for row in titles]
        group = ""
        if titles and any(self._is_label(r) for r in range(first, self._n_rows - 1)):
            # with labels further down, the one on top speaks for the first group only
            lines[-1] = self._label(LineKind.GROUP, titles[-1])
            group = lines[-1].text
        body = list(self._body(first, group))
        columns = list(self._columns(top, has_rows=any(x.kind is LineKind.ROW for x in body)))
        return TableReading((*lines, *columns, *body), self._depth)

    def _open(self) -> tuple[list[int], int, int]:
        """Return the rows of titles, the first row of the header and the first of the body."""
        limit = self._n_rows - 1 if self._given is None else min(self._given, self._n_rows)
        titles: list[int] = []
        top = 0
        while top < limit:
            if self._is_label(top) or (self._given is None and self._is_title(top)):
                titles.append(top)
            elif self._filled(top):
                break
            top += 1
        if self._given is not None:
            return titles, top, max(top, limit)
        return titles, top, top + header_depth(self._at, top, self._sampled(top), self._n_cols)

    def _sampled(self, row: int) -> int:
        """Return the end of the rows from ``row`` on that decide on a header."""
        return min(self._n_rows, row + _SAMPLE_ROWS)

    def _body(self, row: int, group: str) -> Iterator[Line]:
        keyed = not self._depth and is_keyed(self._at, row, self._sampled(row), self._n_cols)
        while row < self._n_rows:
            if self._is_label(row):
                line = self._label(LineKind.GROUP, row)
                group = line.text
                yield line
            elif self._renews(row):
                self._set_header(row, row + self._depth)
                row += self._depth
                continue
            elif pairs := tuple(self._pairs(row, keyed)):
                yield Line(LineKind.ROW, row, pairs, group)
            row += 1

    def _pairs(self, row: int, keyed: bool) -> Iterator[Pair]:
        cells: list[tuple[int, GridCell]] = []
        begins = False
        for col in range(self._n_cols):
            cell = self._at.get((row, col))
            if cell is not None and cell.text and id(cell) not in self._header_ids:
                cells.append((col, cell))
                begins = begins or cell.row == row
        if not begins:
            return  # nothing starts here: the rows above have said it all
        names = self._names
        if keyed and cells[0][0] == 0 and cells[-1][1] is not cells[0][1]:
            key = cells[0][1]
            names = [Name(key.text, (key,))] * self._n_cols
            cells = [(c, x) for c, x in cells if x is not key]
        last, last_name = None, ""
        for col, cell in cells:
            name = names[col]
            if cell is last and name.text == last_name:
                continue  # one cell over columns of one name is one value
            last, last_name = cell, name.text
            if name is not self._told[col]:
                self._told[col] = name
                self._shown.update(map(id, name.cells))
            yield Pair(name, cell.text, (*name.cells, cell))

    def _columns(self, row: int, *, has_rows: bool) -> Iterator[Line]:
        """Yield the names under which nothing stands; a table of names only has them as its row."""
        pairs: dict[str, Pair] = {}
        for name in self._all_names:
            if any(id(c) not in self._shown for c in name.cells):
                pairs.setdefault(name.text, Pair(NO_NAME, name.text, name.cells))
        if pairs:
            kind = LineKind.COLUMNS if has_rows else LineKind.ROW
            yield Line(kind, row, tuple(pairs.values()))

    def _set_header(self, top: int, bottom: int) -> None:
        self._depth = bottom - top
        self._names = [self._name(top, bottom, col) for col in range(self._n_cols)]
        self._named = [c for c in range(self._n_cols) if self._names[c].text]
        self._all_names += self._names
        self._header_ids |= {
            id(x) for r in range(top, bottom) for c in range(self._n_cols)
            if (x := self._at.get((r, c)))
        }  # fmt: skip

    def _name(self, top: int, bottom: int, col: int) -> Name:
        parts: dict[str, GridCell] = {}
        for row in range(top, bottom):
            cell = self._at.get((row, col))
            if cell and cell.text:
                parts.setdefault(cell.text, cell)  # equal levels are named once
        return Name(NAME_JOINER.join(parts), tuple(parts.values()))

    def _renews(self, row: int) -> bool:
        """Tell whether the header is printed again from ``row`` on (a new page, a new group)."""
        if not self._depth or row + self._depth >= self._n_rows:
            return False
        named = self._named
        if not any(self._starts_like(row, c) for c in named):
            return False
        here = [self._name(row, row + self._depth, c).text for c in named]
        equal = sum(text == self._names[c].text for c, text in zip(named, here, strict=True))
        return equal == len(named) > 0 or (equal > 1 and equal >= _RENEWAL * len(named))

    def _starts_like(self, row: int, col: int) -> bool:
        """Tell whether a cell is what the column's name begins with: most rows end here."""
        cell = self._at.get((row, col))
        return cell is not None and cell.text != "" and self._names[col].text.startswith(cell.text)

    def _filled(self, row: int) -> list[GridCell]:
        """Return the distinct non-empty cells that cover positions of ``row``."""
        cells = (self._at.get((row, c)) for c in range(self._n_cols))
        return list({id(x): x for x in cells if x and x.text}.values())

    def _is_label(self, row: int) -> bool:
        """Tell whether one merged cell fills the row."""
        cell = self._at.get((row, 0))
        return (
            cell is not None and cell.text != "" and cell.row == row
            and cell.col_span == self._n_cols > 1 and cell.row_span == 1
        )  # fmt: skip

    def _is_title(self, row: int) -> bool:
        """Tell whether a row holds one cell, at the left, over rows of more than two columns."""
        cells = self._filled(row)
        below = next((f for r in range(row + 1, self._n_rows) if (f := self._filled(r))), [])
        return len(cells) == 1 and cells[0].col == 0 and self._n_cols > 2 and len(below) > 1

    def _label(self, kind: LineKind, row: int) -> Line:
        return Line(kind, row, tuple(Pair(NO_NAME, c.text, (c,)) for c in self._filled(row)))
