"""Page furniture: headers, footers and page numbers that repeat over pages. Standard library only.

A row is furniture only where it is the outermost row of its page or everything outside it is
furniture, and only on the evidence of several pages: the same words at the same height, or a
number there that counts the pages.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from parsers.pdf.layout import Run, line_of, rows_of

_DEPTH = 4
"""Rows looked at from each edge (a guess: a letterhead has three)."""
_ZONE = 0.2
"""Share of the page's height, from each edge, in which furniture stands (LaTeX's article on A4
has its page number 0.17 above the edge)."""
_SAME_HEIGHT = 4.0
"""Points by which the height of a repeated row may differ from page to page (a guess)."""
_MIN_PAGES = 3
"""Pages that must show a row (two pages may share a line by chance)."""
_LARGE = 1.3
"""Font size over the body's above which a row is a title: it must stand on most pages."""
_NUMBER = re.compile(r"\d{1,9}|\b[ivxlcdm]+\b", re.IGNORECASE)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_MIN_NUMBERED = 4
"""Pages whose outermost row bears a growing number before its words do not matter (a guess)."""
_PAGE_NUMBER = re.compile(r"^\d{1,4}(?=\s|$)|(?<=\s)\d{1,4}$|(?<=\s)[ivxlcdm]{1,6}$")
_PAGE_WORD = re.compile(
    r"^\W*(page|pages|página|págs?\.?|pagina|seite|s\.|p\.|pg\.?|fl\.|folha|sivu|sida|side|strona)"
    r"\s*\d+(\s*(/|of|de|von|sur|di|van|do|da|out of)\s*\d+)?\W*$"
    r"|^\W*\d+\s*(/|of|de|von|sur|di|van)\s*\d+\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PageRuns:
    """What furniture looks at: a page's runs, its number and its height in points."""

    number: int
    height: float
    runs: Sequence[Run]


@dataclass(frozen=True, slots=True)
class _Row:
    page: int
    edge: str
    rank: int
    distance: float
    text: str
    size: float
    runs: tuple[int, ...]

    @property
    def masked(self) -> str:
        return _NUMBER.sub("#", self.text.casefold())

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(_value(m) for m in _NUMBER.findall(self.text.casefold()))


def find_furniture(pages: Sequence[PageRuns], body_size: float) -> Mapping[int, frozenset[int]]:
    """Return, by page number, the positions in ``runs`` of the runs that are furniture.

    Args:
        pages: In order.
        body_size: Font size of most of the document's text, points.
    """
    rows = [row for page in pages for row in _outer_rows(page)]
    repeated = _repeated(rows, body_size, len(pages)) | _numbered(rows, len(pages))
    found: dict[int, set[int]] = defaultdict(set)
    by_edge: dict[tuple[int, str], list[_Row]] = defaultdict(list)
    for row in rows:
        by_edge[row.page, row.edge].append(row)
    for (number, _), outer in by_edge.items():
        for row in sorted(outer, key=lambda r: r.rank):
            if id(row) not in repeated:
                break
            found[number].update(row.runs)
    whole = {page.number: len(page.runs) for page in pages}
    emptied = sum(len(runs) == whole[number] for number, runs in found.items())
    if 2 * emptied > len(found):
        return {}  # what is all that the pages say is their text
    return {number: frozenset(runs) for number, runs in found.items()}


def _outer_rows(page: PageRuns) -> Iterator[_Row]:
    """Yield the rows near the edges; a row that is near both counts for the nearer one."""
    order = {id(run): i for i, run in enumerate(page.runs)}
    rows = rows_of(page.runs)
    for edge, ranked in (("top", rows), ("bottom", rows[::-1])):
        for rank, row in enumerate(ranked[:_DEPTH]):
            middle = (row[0].box.top + row[0].box.bottom) / 2
            distance = middle if edge == "top" else page.height - middle
            if not -page.height <= distance <= _ZONE * page.height:
                break
            line = line_of(row, page.number)
            yield _Row(
                page.number, edge, rank, distance, line.text, line.size,
                tuple(order[id(run)] for run in row),
            )  # fmt: skip


def _repeated(rows: Sequence[_Row], body_size: float, n_pages: int) -> set[int]:
    """Return the identities of the rows that repeat over pages."""
    groups: dict[tuple[str, str], list[_Row]] = defaultdict(list)
    for row in rows:
        groups[row.edge, row.masked].append(row)
    found: set[int] = set()
    for group in groups.values():
        for level in _at_one_height(group):
            kept = _same_words(level) + _counting(level)
            if max(r.size for r in level) > _LARGE * body_size:
                kept = kept if len({r.page for r in kept}) > n_pages / 2 else []
            found.update(id(row) for row in kept)
    return found


def _numbered(rows: Sequence[_Row], n_pages: int) -> set[int]:
    """Return the outermost rows at one height that begin or end in a number that grows.

    Their words may change from page to page ("Chapter 2. Roles 11", "12 The book"), and pages may
    have been left out of the file.
    """
    found: set[int] = set()
    for edge in ("top", "bottom"):
        outermost = [
            r for r in rows if r.edge == edge and r.rank == 0 and _PAGE_NUMBER.search(r.text)
        ]
        for level in _at_one_height(outermost):
            ordered = sorted(level, key=lambda r: r.page)
            numbers = [_edge_numbers(r.text) for r in ordered]
            growing = _growing(numbers)
            # at the head a number at one side may be that of an article: pages that face each
            # other have theirs at both
            both_sides = {bool(_PAGE_NUMBER.match(r.text)) for r in ordered} == {True, False}
            if edge == "top" and not both_sides:
                continue
            if len(ordered) >= _MIN_NUMBERED and growing and 2 * len(ordered) > n_pages:
                found.update(id(r) for r in ordered)
    return found


def _edge_numbers(text: str) -> list[int]:
    return [_value(n.casefold()) for n in _PAGE_NUMBER.findall(text) if n]


def _growing(choices: Sequence[Sequence[int]]) -> bool:
    """Tell whether one number of each can be taken so that they grow; roman ones come before."""
    last = -1
    restarts = 0
    for numbers in choices:
        larger = [n for n in numbers if n > last]
        if not larger:
            restarts += 1
            larger = list(numbers)
        last = min(larger)
    return restarts <= 1


def _at_one_height(group: Sequence[_Row]) -> Iterator[list[_Row]]:
    level: list[_Row] = []
    for row in sorted(group, key=lambda r: r.distance):
        if level and row.distance - level[-1].distance > _SAME_HEIGHT:
            yield level
            level = []
        level.append(row)
    if level:
        yield level


def _same_words(level: Sequence[_Row]) -> list[_Row]:
    """Return the rows whose exact words stand on enough pages. A bare number is no words."""
    by_text: dict[str, list[_Row]] = defaultdict(list)
    for row in level:
        by_text[row.text.casefold()].append(row)
    return [
        row
        for text, same in by_text.items()
        if len({r.page for r in same}) >= _MIN_PAGES and re.search(r"[^\W\d_]", text)
        for row in same
    ]


def _counting(level: Sequence[_Row]) -> list[_Row]:
    """Return the rows in which a number runs with the pages."""
    best: list[_Row] = []
    for position in range(max((len(r.numbers) for r in level), default=0)):
        by_shift: dict[int, list[_Row]] = defaultdict(list)
        for row in level:
            if position < len(row.numbers):
                by_shift[row.numbers[position] - row.page].append(row)
        # parts numbered on their own (front matter in roman numerals) have shifts of their own
        running = [
            row
            for same in by_shift.values()
            if len({r.page for r in same}) >= _pages_needed(same)
            for row in same
        ]
        best = max(best, running, key=len)
    return best


def _pages_needed(rows: Sequence[_Row]) -> int:
    """Two pages are enough for what says "page n" or "n of m"."""
    return 2 if all(_PAGE_WORD.match(r.text) for r in rows) else _MIN_PAGES


def _value(number: str) -> int:
    if number.isdigit():
        return int(number)
    values = [_ROMAN[c] for c in number]
    following = [*values[1:], 0]
    return sum(-v if v < after else v for v, after in zip(values, following, strict=True))
