"""Cheap signs of a table on a PyMuPDF page, before the slow reader is opened for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

_MIN_RULE = 20.0
"""Points: shorter lines are ticks, underlined words or parts of letters. A guess."""
_GAP = 0.8
"""Gap between two pieces of a line, in heights of its words (1.1 to 1.4 font sizes)."""
_MIN_LINES = 3
"""Lines of several pieces, close together, that make a table likely."""

_Box = tuple[float, float, float, float]


def has_table_evidence(page: Any) -> bool:
    """Tell cheaply whether a PyMuPDF page may hold a table.

    True when horizontal and vertical rules make more than one box, or three lines of text near
    each other fall into several pieces of which one has figures, or three of any kind stand
    between rules. Errs towards True: a page taken for one costs a tenth of a second or two.
    """
    across, down = _levels(page.get_cdrawings())
    if min(across, down) > 1 and across + down > 4:
        return True
    words = [w[:5] for w in page.get_text("words")]
    return any(
        pieces > 2 or figures or across > 1 for pieces, figures in _runs_of_lines(_lines(words))
    )


def _levels(paths: Iterable[dict[str, Any]]) -> tuple[int, int]:
    """Return at how many heights horizontal rules lie, and vertical ones at how many places."""
    across: set[int] = set()
    down: set[int] = set()
    for path in paths:
        for item in path["items"]:
            for x0, y0, x1, y1 in _sides(item):
                if abs(y0 - y1) <= 1 and abs(x0 - x1) >= _MIN_RULE:
                    across.add(round(y0 / 4))
                elif abs(x0 - x1) <= 1 and abs(y0 - y1) >= _MIN_RULE / 2:
                    down.add(round(x0 / 4))
    return len(across), len(down)


def _sides(item: tuple[Any, ...]) -> Iterator[_Box]:
    if item[0] == "l":
        (x0, y0), (x1, y1) = item[1], item[2]
        yield x0, y0, x1, y1
    elif item[0] == "re":
        x0, y0, x1, y1 = item[1]
        yield from ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1))


def _lines(words: list[Any]) -> list[list[tuple[float, float, float, str]]]:
    """Return (start, end, height, text) of the words of each line, whichever way the page runs."""
    long = [w for w in words if len(w[4]) > 2]
    upright = sum(w[2] - w[0] > w[3] - w[1] for w in long) * 2 >= len(long)
    boxes = [w if upright else (w[1], w[0], w[3], w[2], w[4]) for w in words]
    lines: dict[int, list[tuple[float, float, float, str]]] = {}
    for x0, y0, x1, y1, text in boxes:
        lines.setdefault(round((y0 + y1) / 2 / 3), []).append((x0, x1, y1 - y0, text))
    return [sorted(lines[key]) for key in sorted(lines)]


def _runs_of_lines(
    lines: Iterable[list[tuple[float, float, float, str]]],
) -> Iterator[tuple[int, bool]]:
    """Yield (fewest pieces, figures in all) of each three lines of pieces that follow each other.

    A line of a single piece may stand between two of them.
    """
    recent: list[tuple[int, bool]] = []
    alone = 0
    for line in lines:
        pieces = [[line[0]]]
        for word in line[1:]:
            if word[0] - pieces[-1][-1][1] > _GAP * word[2]:
                pieces.append([word])
            else:
                pieces[-1].append(word)
        if len(pieces) < 2:
            alone += 1
            if alone > 1:
                recent = []
            continue
        alone = 0
        later = [text for piece in pieces[1:] for *_, text in piece]
        recent.append((len(pieces), any(c.isdigit() for text in later for c in text)))
        if len(recent) >= _MIN_LINES:
            last = recent[-_MIN_LINES:]
            yield min(n for n, _ in last), all(figures for _, figures in last)
