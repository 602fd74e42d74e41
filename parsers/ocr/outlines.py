"""Letters drawn as paths: a page without a text layer may still be set in type, turned to outlines.

Letters are told from markers, boxes and drawings by standing in rows: contours of many segments on
one baseline, close together, of like height and of several shapes. Circles (four curves) and
rounded boxes are no letters, so charts and flow diagrams are none either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

_HEIGHTS = (2.0, 150.0)
"""Points: smaller contours are dots and accents, larger ones pictures (a guess)."""
_LEAST_SEGMENTS = 5
"""Straight segments of a contour that may be a letter; one with a curve needs three (a guess)."""
_WIDEST = 2.0
"""Width over height of the widest letter (W and m reach 1.4)."""
_BASELINE = 0.12
"""Share of the height by which letters of one row miss the baseline (round ones overshoot)."""
_GAP = 1.2
"""Heights between neighbours of one row, a space between words included."""
_LIKE = 2.5
"""Ratio of heights of neighbours in a row."""
_LEAST_ROW = 4
_LEAST_SHAPES = 3
"""A row has four letters or more, of three shapes or more (a guess: markers of a chart repeat)."""
_MOST_SEGMENTS = 200_000
"""Segments looked at: more say nothing new (a guess; about 0.2 s)."""


class _Contour(NamedTuple):
    low: float
    high: float
    top: float
    base: float
    shape: tuple[int, int, int]

    @property
    def height(self) -> float:
        return self.base - self.top


def outlined_letters(drawings: Iterable[Mapping[str, Any]]) -> int:
    """Return how many contours stand in rows like letters, along the page or across it.

    Args:
        drawings: As PyMuPDF's ``get_cdrawings`` gives them.
    """
    contours = list(_contours(drawings))
    across = [
        c._replace(low=c.top, high=c.base, top=c.low, base=c.high)
        for c in contours
    ]  # fmt: skip
    return max(_in_rows(contours), _in_rows(across))


def _contours(drawings: Iterable[Mapping[str, Any]]) -> Iterator[_Contour]:
    seen = 0
    for path in drawings:
        items = path["items"]
        seen += len(items)
        if seen > _MOST_SEGMENTS:
            return
        points: list[tuple[float, float]] = []
        curves = lines = 0
        for item in items:
            if item[0] not in "lc" or not points or item[1] != points[-1]:
                if (contour := _contour(points, curves, lines)) is not None:
                    yield contour
                points, curves, lines = [], 0, 0
            if item[0] == "c":
                curves += 1
            elif item[0] == "l":
                lines += 1
            else:  # a rectangle or a quad is no letter
                continue
            points.extend(item[1:])
        if (contour := _contour(points, curves, lines)) is not None:
            yield contour


def _contour(points: Sequence[tuple[float, float]], curves: int, lines: int) -> _Contour | None:
    if lines < _LEAST_SEGMENTS if not curves else curves + lines < 3:
        return None
    if curves == 4 and lines in (0, 1, 4):  # a circle, a rounded box
        return None
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    low, high, top, base = min(xs), max(xs), min(ys), max(ys)
    if not _HEIGHTS[0] <= max(base - top, high - low) <= _HEIGHTS[1]:
        return None
    wide = round(4 * (high - low) / max(base - top, 0.1))
    return _Contour(low, high, top, base, (curves, lines, wide))


def _in_rows(contours: Sequence[_Contour]) -> int:
    letters = [
        c for c in contours if c.height >= _HEIGHTS[0] and c.high - c.low <= _WIDEST * c.height
    ]
    letters.sort(key=lambda c: c.base)
    total, start = 0, 0
    for end in range(1, len(letters) + 1):
        first = letters[start]
        if end < len(letters):
            limit = _BASELINE * max(first.height, letters[end].height)
            if letters[end].base - first.base <= limit:
                continue
        total += _chained(sorted(letters[start:end]))
        start = end
    return total


def _chained(row: Sequence[_Contour]) -> int:
    """Return the letters of one baseline that stand in chains of close neighbours."""
    total = 0
    chain: list[_Contour] = []
    for letter in row:
        if chain:
            last = chain[-1]
            ratio = max(last.height, letter.height) / min(last.height, letter.height)
            if letter.low - last.high > _GAP * last.height or ratio > _LIKE:
                total += _worth(chain)
                chain = []
        chain.append(letter)
    return total + _worth(chain)


def _worth(chain: Sequence[_Contour]) -> int:
    shapes = {c.shape for c in chain}
    return len(chain) if len(chain) >= _LEAST_ROW and len(shapes) >= _LEAST_SHAPES else 0
