"""Cells in their right row and column on made tables, beside pdfplumber and PyMuPDF.

    python benchmarks/tables.py [--documents 6] [--style NAME] [--show]

The tables come from table_pages.py. A cell is right when one returned row holds its value, exactly,
under a name with all the words of its header, and the other cells of its row are in the same
returned row; a returned row serves one row. F1 is over cells: what else is returned as a cell
counts against precision.

pdfplumber and PyMuPDF are run as they come, by rules. Their setting for tables without rules takes
the whole page, prose included, for one grid: no header row can be stated for that, so it is left
out. They return grids without a header. They are helped: the true number of header
rows is given to them, spanned header cells are filled from the left, later parts of a table take
the header of the first, and empty cells count for nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf as _untyped

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.table_pages import STYLES, MadeTable, make
from configs.settings import ParsingSettings
from parsers.model import Document, Source
from parsers.pdf import parser

pymupdf: Any = _untyped  # it has no annotations
_SETTINGS = ParsingSettings(ocr=False)

Row = list[tuple[str, str]]
Reader = Callable[[MadeTable], list[Row]]


@dataclass(frozen=True, slots=True)
class Score:
    """Cells: right ones, those returned, those drawn."""

    right: int = 0
    returned: int = 0
    drawn: int = 0

    def __add__(self, other: Score) -> Score:
        """Return the sum."""
        return Score(
            self.right + other.right, self.returned + other.returned, self.drawn + other.drawn
        )

    @property
    def f1(self) -> float:
        """Twice the right cells over all cells, 0 to 1."""
        return 2 * self.right / max(1, self.returned + self.drawn)


def parse(made: MadeTable) -> Document:
    """Return the document as the parser of this project reads it."""
    digest = hashlib.sha256(made.data).hexdigest()
    source = Source("made.pdf", "application/pdf", len(made.data), digest)
    return parser.parse(made.data, source, _SETTINGS)


def microtome(made: MadeTable) -> list[Row]:
    """Return the rows of the tables that the parser of this project finds."""
    return [list(row.cells) for table in parse(made).tables for row in table.rows]


def plumber(made: MadeTable) -> list[Row]:
    """Return the rows of pdfplumber's ``extract_tables()`` with its own settings."""
    import pdfplumber

    with pdfplumber.open(io.BytesIO(made.data)) as pdf:
        return _named([t for page in pdf.pages for t in page.extract_tables()], made.heads)


def mupdf(made: MadeTable) -> list[Row]:
    """Return the rows of PyMuPDF's ``find_tables()`` with its own settings."""
    with pymupdf.open(stream=made.data) as document:
        grids = [t.extract() for page in document for t in page.find_tables().tables]
    return _named(grids, made.heads)


def _named(grids: Sequence[Sequence[Sequence[str | None]]], heads: int) -> list[Row]:
    rows: list[Row] = []
    names: list[str] = []
    for grid in grids:
        if not grid:
            continue
        body = grid
        if len(grid[0]) != len(names) or [_fold(c or "") for c in grid[0]] == names:
            names, body = _names(grid[:heads]), grid[heads:]
        rows += [[(n, c) for n, c in zip(names, row, strict=False) if c] for row in body]
    return rows


def _names(heads: Sequence[Sequence[str | None]]) -> list[str]:
    filled: list[list[str]] = []
    for row in heads:
        last = ""
        filled.append([last := (c if c else last if len(heads) > 1 else "") for c in row])
    return [_fold(" ".join(column)) for column in zip(*filled, strict=True)]


def _fold(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def score(made: MadeTable, rows: Sequence[Row]) -> Score:
    """Return how many of the cells of ``made`` are in ``rows``, each row serving one."""
    free = [
        [(set(_fold(n).split()) | set(re.findall(r"\w+", n)), _fold(v)) for n, v in row]
        for row in rows
    ]
    right = 0
    for wanted in made.rows:
        counts = [
            sum(
                any(set(n.split()) <= name and v == value for name, value in row) for n, v in wanted
            )
            for row in free
        ]
        best = max(range(len(free)), key=lambda i: counts[i], default=None)
        if best is not None and counts[best]:
            right += counts[best]
            free.pop(best)
    return Score(right, sum(map(len, rows)), sum(map(len, made.rows)))


READERS: dict[str, Reader] = {"microtome": microtome, "pdfplumber": plumber, "PyMuPDF": mupdf}


def main() -> None:
    """Print the table of F1 by style."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--documents", type=int, default=6)
    options.add_argument("--style", choices=STYLES)
    options.add_argument("--show", action="store_true", help="print rows of the documents missed")
    given = options.parse_args()
    print("| style | tables | cells | " + " | ".join(READERS) + " |")
    print("|---|---|---|" + "---|" * len(READERS))
    sums = {name: Score() for name in READERS}
    for style in [given.style] if given.style else STYLES:
        totals = {name: Score() for name in READERS}
        for seed in range(given.documents):
            made = make(style, seed)
            for name, read in READERS.items():
                rows = read(made)
                one = score(made, rows)
                totals[name] += one
                if given.show and name == "microtome" and one.f1 < 1:
                    print(f"-- {style} {seed} {one}", *made.rows[:3], "->", *rows[:4], sep="\n   ")
        print(
            f"| {style} | {given.documents} | {totals['microtome'].drawn} | "
            + " | ".join(f"{totals[name].f1:.4f}" for name in READERS)
            + " |"
        )
        sums = {name: sums[name] + totals[name] for name in READERS}
    drawn = sums["microtome"].drawn
    print(f"| all | | {drawn} | " + " | ".join(f"{s.f1:.4f}" for s in sums.values()) + " |")


if __name__ == "__main__":
    main()
