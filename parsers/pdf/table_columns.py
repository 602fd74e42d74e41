"""Columns that no rule parts: white strips that run down through the lines of a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from statistics import median

from parsers.pdf.table_captions import CAPTION
from parsers.pdf.table_ink import Glyph, Rule, Word, lines_of, word_of
from parsers.pdf.table_lattice import Area, Lattice
from parsers.pdf.table_split import SEGMENT_GAP, segments_of
from parsers.tables.shape import is_number

Line = Sequence[Word]

_CROSSED = 0.05
"""Share of the lines that may cross a strip: a title, a long name. A guess."""
_MIN_STRIP = 0.25
"""Narrowest strip, in font sizes: one space."""
_SPACE = 0.4
"""Widest gap, in font sizes, that is still a space within a phrase; fonts' are 0.22 to 0.3."""
_UNDER = 3.0
"""Points by which a rule under a name may stand within the boxes of the words around it."""
_MAX_WAYS = 5000
"""Ways of sharing columns among the names on one rule beyond which none is tried."""
_INDENT = 0.5
"""Font sizes by which a row stands further right than the title of its section. A guess."""
_MAX_HEADS = 3
"""Lines on top that may be left out of the search for columns."""
_MIN_BODY = 4
"""Lines that must remain then: fewer agree on a strip by chance. A guess."""
_CURRENCY = re.compile(r"(?:[A-Z]{1,2})?[$€£¥₹]$")
_SIGN = re.compile(r"[$€£¥₹%()±*†‡]+$|R\$$")


@dataclass(frozen=True, slots=True)
class Band:
    """Lines that make one row, with the heights between which it lies."""

    top: float
    bottom: float
    lines: tuple[Line, ...]


def signed_lines(glyphs: Iterable[Glyph]) -> list[list[Word]]:
    """Return lines of words in which a currency sign is one word with the number after it.

    Accounts set the sign at the left of the column, far from the number at its right.
    """
    lines = []
    for line in lines_of(glyphs):
        words: list[Word] = []
        for word in line:
            if words and _CURRENCY.match(words[-1].text) and is_number(word.text):
                words[-1] = word_of([*words[-1].glyphs, *word.glyphs])
            else:
                words.append(word)
        lines.append(words)
    return lines


def find_cuts(lines: Sequence[Line], *, at_least: int) -> list[float]:
    """Return where the columns of ``lines`` part, ascending; none when fewer lines show it.

    Args:
        lines: Words of each line, left to right.
        at_least: Lines of two or more runs of words that it takes.
    """
    cuts = _cuts(lines, at_least)
    for heads in range(1, _MAX_HEADS + 1):  # names over several columns hide where they part
        if len(lines) - heads < max(at_least, _MIN_BODY):
            break
        if any(is_number(w.text) for w in lines[heads - 1]):
            break
        below = _cuts(lines[heads:], at_least)
        cuts = below if len(below) > len(cuts) else cuts
    return cuts


def _cuts(lines: Sequence[Line], at_least: int) -> list[float]:
    counts = [len(segments_of(line)) for line in lines]
    most = max(counts, default=0)
    body = [x for x, n in zip(lines, counts, strict=True) if n >= max(2, most / 2)]
    if len(body) < at_least:
        return []
    size = median(w.size for line in body for w in line)
    cuts = []
    for low, high in _strips(body, int(_CROSSED * len(body))):
        middle = _clear_middle(low, high, [w for line in lines for w in line])
        gaps = [gap for line in body if (gap := _gap_at(line, middle)) is not None]
        if high - low >= _MIN_STRIP * size and gaps and median(gaps) >= SEGMENT_GAP * size:
            cuts.append(middle)
    return _without_signs(body, cuts)


def _strips(lines: Sequence[Line], allowed: int) -> list[tuple[float, float]]:
    """Return the x ranges, between the first word and the last, that few lines cover."""
    events = sorted(
        event for line in lines for run in segments_of(line, _SPACE)
        for event in ((run.x0, 1), (run.x1, -1))
    )  # fmt: skip
    strips = []
    depth = 0
    start: float | None = None
    for x, step in events:
        if depth <= allowed and depth + step > allowed and start is not None and x > start:
            strips.append((start, x))
        if depth > allowed >= depth + step:
            start = x
        depth += step
    return strips


def _clear_middle(low: float, high: float, words: Sequence[Word]) -> float:
    """Return the middle of the widest part of a strip that no word at all reaches into.

    Few lines may cross a strip; where only one does, its words still tell where the columns part.
    """
    inside = sorted((w.x0, w.x1) for w in words if w.x1 > low and w.x0 < high)
    best, start = (0.0, (low + high) / 2), low
    for x0, x1 in [*inside, (high, high)]:
        best = max(best, (x0 - start, (x0 + start) / 2))
        start = max(start, x1)
    return best[1]


def _gap_at(line: Line, x: float) -> float | None:
    """Return the distance of the words on both sides of ``x``; None where a side is empty."""
    left = [w.x1 for w in line if w.x <= x]
    right = [w.x0 for w in line if w.x > x]
    return min(right) - max(left) if left and right else None


def _without_signs(lines: Sequence[Line], cuts: list[float]) -> list[float]:
    """Return the cuts without those that part a currency or per cent sign from its number."""
    kept = list(cuts)
    for cut in cuts:
        i = kept.index(cut)
        left = kept[i - 1] if i else float("-inf")
        right = kept[i + 1] if i + 1 < len(kept) else float("inf")
        before = [w.text for line in lines for w in line if left < w.x <= cut]
        after = [w.text for line in lines for w in line if cut < w.x <= right]
        if all(map(_SIGN.match, before)) or all(map(_SIGN.match, after)):
            kept.remove(cut)
    return kept


def column_of(x: float, cuts: Sequence[float]) -> int:
    """Return the column in which ``x`` lies."""
    return sum(cut < x for cut in cuts)


def lattice_of(
    bands: Sequence[Band], cuts: Sequence[float], heads: int, rules: Sequence[Rule] = ()
) -> Lattice:
    """Return bands and columns as a lattice.

    Args:
        bands: Rows, top to bottom.
        cuts: Borders between the columns.
        heads: How many of the bands are a header, whose names may span columns.
        rules: Horizontal ones that do not cross the whole table: they lie under the name of the
            columns that they cover.
    """
    words = [w for band in bands for line in band.lines for w in line]
    xs = (min(w.x0 for w in words) - 1, *cuts, max(w.x1 for w in words) + 1)
    body = bands[heads:] or bands
    extents = _extents([line for band in body for line in band.lines], cuts)
    ys = [bands[0].top]
    ys += [(a.bottom + b.top) / 2 for a, b in pairwise(bands)]
    ys.append(bands[-1].bottom)
    areas: list[Area] = []
    for row, band in enumerate(bands):
        spans = _spans(band, cuts, names=row + 1 == heads)
        if row == 0 and heads > 1 and is_title(bands):
            spans = [(0, len(cuts) + 1)]
        elif row < heads:
            ruled = _over_rules(band, bands[row + 1 : row + 2], rules, extents)
            taken = {c for left, right in ruled for c in range(left, right)}
            spans = [s for s in spans if taken.isdisjoint(range(*s))]
            spans = [*ruled, *_over_groups(spans, band, extents, cuts, taken)]
        elif row + 1 < len(bands) and len(cuts) > 1 and is_section(band, bands[row + 1], cuts):
            spans = [(0, len(cuts) + 1)]
        areas += _row(row, spans, len(cuts) + 1)
    return Lattice(xs, tuple(ys), tuple(areas))


def is_title(bands: Sequence[Band]) -> bool:
    """Tell whether the first band is the table's title, though its parts may stand far apart."""
    runs = [run for line in bands[0].lines for run in segments_of(line)]
    words = [w for band in bands for line in band.lines for w in line]
    width = max(w.x1 for w in words) - min(w.x0 for w in words)
    wide = max(run.x1 - run.x0 for run in runs) > 0.5 * width
    return len(bands[0].lines) == 1 and (wide or CAPTION.match(_phrase(runs[0])) is not None)


def _phrase(run: Word) -> str:
    """Return the text of a run of words with its spaces."""
    return " ".join(w.text for line in lines_of(run.glyphs) for w in line)


def is_section(band: Band, below: Band, cuts: Sequence[float]) -> bool:
    """Tell whether a band holds the title of the rows below: its name alone, further left or bold.

    Names without figures whose neighbours below look the same are rows with nothing to say.
    """
    runs = [run for line in band.lines for run in segments_of(line)]
    names = [w for w in below.lines[0] if column_of(w.x, cuts) == 0]
    if len(runs) != 1 or runs[0].x0 > cuts[0] or not names:
        return False
    further = names[0].x0 - runs[0].x0 > _INDENT * runs[0].size
    return further or (runs[0].bold and not names[0].bold)


def _row(row: int, spans: Iterable[tuple[int, int]], n_cols: int) -> Iterable[Area]:
    col = 0
    for left, right in sorted(spans):
        yield from (Area(row, c, row + 1, c + 1) for c in range(col, left))
        yield Area(row, left, row + 1, right)
        col = right
    yield from (Area(row, c, row + 1, c + 1) for c in range(col, n_cols))


def _extents(lines: Sequence[Line], cuts: Sequence[float]) -> list[tuple[float, float] | None]:
    """Return the left and right end of the text of each column."""
    found: list[tuple[float, float] | None] = [None] * (len(cuts) + 1)
    for word in (w for line in lines for w in line):
        col = column_of(word.x, cuts)
        old = found[col]
        found[col] = (min(old[0], word.x0), max(old[1], word.x1)) if old else (word.x0, word.x1)
    return found


def _spans(band: Band, cuts: Sequence[float], *, names: bool) -> list[tuple[int, int]]:
    """Return the column ranges (end exclusive) that a phrase of the band's only line crosses.

    In the band of the columns' own ``names`` only a word that crosses counts: short names of narrow
    columns stand a space apart.
    """
    if len(band.lines) != 1:
        return []
    spans: list[tuple[int, int]] = []
    line = band.lines[0]
    left: int | None = None
    for i, word in enumerate(line):
        first = column_of(word.x0 + _SPACE * word.size, cuts)
        last = column_of(word.x1 - _SPACE * word.size, cuts)
        first = min(first, last)
        joined = not names and i > 0 and word.x0 - line[i - 1].x1 <= _SPACE * word.size
        if left is None or not joined:
            left = first
        if last > left:
            while spans and spans[-1][1] > left:
                left = min(left, spans.pop()[0])
            spans.append((left, last + 1))
    return spans


def _over_rules(
    band: Band,
    below: Sequence[Band],
    rules: Sequence[Rule],
    extents: Sequence[tuple[float, float] | None],
) -> list[tuple[int, int]]:
    """Return the columns of each rule right under a band, where names stand on it."""
    low = max(w.bottom for line in band.lines for w in line) - _UNDER
    high = min((w.top for b in below for line in b.lines for w in line), default=low) + _UNDER
    runs = [run for line in band.lines for run in segments_of(line)]
    spans = []
    for rule in (r for r in rules if low <= r.at <= high):
        covered = [c for c, e in enumerate(extents) if e and _covers(rule, *e)]
        names = sorted((r for r in runs if rule.low <= r.x <= rule.high), key=lambda r: r.x)
        if names and len(covered) > len(names):
            spans += _shared(names, covered, extents)
    return spans


def _shared(
    names: Sequence[Word], covered: Sequence[int], extents: Sequence[tuple[float, float] | None]
) -> list[tuple[int, int]]:
    """Return the columns over which each name stands, of those that one rule covers.

    Rules of neighbouring groups may touch and so be one. A name stands at the left, in the middle
    or at the right of its group: whichever fits all of them best.
    """
    if comb(len(covered) - 1, len(names) - 1) > _MAX_WAYS:
        return []
    ends = {c: e for c in covered if (e := extents[c])}
    best: tuple[float, list[tuple[int, int]]] | None = None
    for borders in combinations(covered[1:], len(names) - 1):
        lefts, rights = (covered[0], *borders), (*borders, covered[-1] + 1)
        groups = list(zip(lefts, rights, strict=True))
        boxes = [(ends[a][0], ends[max(c for c in ends if c < b)][1]) for a, b in groups]
        off = min(
            sum(abs(x0 + k * (x1 - x0) - n.x0 - k * (n.x1 - n.x0)) for n, (x0, x1) in
                zip(names, boxes, strict=True))
            for k in (0.0, 0.5, 1.0)
        )  # fmt: skip
        if best is None or off < best[0]:
            best = (off, groups)
    return [group for group in best[1] if group[1] - group[0] > 1] if best else []


def _covers(rule: Rule, x0: float, x1: float) -> bool:
    return min(rule.high, x1) - max(rule.low, x0) > 0.5 * (x1 - x0)


def _over_groups(
    spans: list[tuple[int, int]],
    band: Band,
    extents: Sequence[tuple[float, float] | None],
    cuts: Sequence[float],
    ruled: set[int],
) -> list[tuple[int, int]]:
    """Widen names that span columns to the columns in whose middle they stand."""
    runs = [run for line in band.lines for run in segments_of(line)]
    taken = ruled | {column_of(run.x, cuts) for run in runs}
    taken |= {c for left, right in spans for c in range(left, right)}
    widened = []
    for left, right in spans:
        run = next((r for r in runs if left <= column_of(r.x, cuts) < right), None)
        best = (left, right)
        if run is not None:
            low, high = left, right
            while low > 0 and low - 1 not in taken:
                low -= 1
            while high < len(extents) and high not in taken:
                high += 1
            options = [(a, b) for a in range(low, left + 1) for b in range(right, high + 1)]
            best = min(options, key=lambda o: (_off_middle(run, o, extents), o[0] - o[1]))
        taken.update(range(*best))
        widened.append(best)
    return widened


def _off_middle(
    run: Word, span: tuple[int, int], extents: Sequence[tuple[float, float] | None]
) -> int:
    """Return how far ``run`` is from the middle of columns, in half font sizes."""
    ends = [e for e in extents[span[0] : span[1]] if e]
    if not ends:
        return 1_000
    return round(abs((ends[0][0] + ends[-1][1]) / 2 - run.x) / (run.size / 2))
