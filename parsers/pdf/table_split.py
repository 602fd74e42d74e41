"""Cells that the rules forgot: rows and columns told apart by where the text stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from parsers.pdf.table_cells import Filled, kept_bands
from parsers.pdf.table_ink import Glyph, Word, lines_of, word_of
from parsers.pdf.table_lattice import Area, Lattice, split_rows
from parsers.tables.shape import is_blank, is_number

SEGMENT_GAP = 0.7
"""Gap, in font sizes, that parts two runs of words; two spaces of most fonts are 0.5, justified
text rarely stretches one over 0.6."""
_OVERHANG = 0.3
"""How far, in font sizes, a run may stick out of its column. A guess."""
_CENTRED = 0.12
"""How far off the middle, as a share of the cell's width, a centred line may be. A guess."""


def with_rows_split(lattice: Lattice, filled: Filled) -> Lattice:
    """Return the lattice with bands cut that hold several rows, as rules between rows are missing.

    The evidence is at least two columns (one, when there are but two) with numbers one below the
    other on the same heights; wrapped words are none.
    """
    cuts: dict[int, Sequence[float]] = {}
    merged: set[Area] = set()
    n_cols = len(lattice.xs) - 1
    for band in range(len(lattice.ys) - 1):
        single = {
            area: lines_of(g for g in glyphs if not g.turn)
            for area, glyphs in filled.items()
            if area.top == band and area.bottom == band + 1
        }
        heights = _row_heights(list(single.values()), 1 if n_cols == 2 else 2)
        if len(heights) < 2:
            continue
        cuts[band] = [(a[1] + b[0]) / 2 for a, b in pairwise(heights)]
        for area, lines in single.items():
            if len(lines) == 1 and not _is_level(lines[0], heights):
                merged.add(area)
    return split_rows(lattice, cuts, merged) if cuts else lattice


def _row_heights(columns: Sequence[list[list[Word]]], needed: int) -> list[tuple[float, float]]:
    """Return (top, bottom) of each row in a band: the lines of its columns of numbers."""
    stacks = [lines for lines in columns if len(lines) > 1]
    numeric = [lines for lines in stacks if all(_is_value(line) for line in lines)]
    if len(numeric) < needed or (needed == 1 and len(stacks) < 2):
        return []
    figures = {id(line) for lines in numeric for line in lines}
    heights: list[tuple[float, float]] = []
    above: list[Word] | None = None  # a line of words that stands alone
    for line in sorted((line for lines in stacks for line in lines), key=lambda w: w[0].y):
        top, bottom = min(w.top for w in line), max(w.bottom for w in line)
        words = id(line) not in figures
        goes_on = above is not None and words and line[0].text[0].islower()
        if heights and ((top + bottom) / 2 < heights[-1][1] or goes_on):
            heights[-1] = (min(top, heights[-1][0]), max(bottom, heights[-1][1]))
            above = None
        else:
            heights.append((top, bottom))
            above = line if words else None
    lengths = [len(lines) for lines in numeric]
    return heights if len(heights) <= 1.5 * max(lengths) else []


def _is_value(line: list[Word]) -> bool:
    text = " ".join(w.text for w in line)
    return is_number(text) or is_blank(text)


def _is_level(line: list[Word], heights: Sequence[tuple[float, float]]) -> bool:
    middle = median(w.y for w in line)
    return any(abs((top + bottom) / 2 - middle) < 0.3 * (bottom - top) for top, bottom in heights)


def segments_of(line: Sequence[Word], gap: float = SEGMENT_GAP) -> list[Word]:
    """Return a line's words joined to runs; a gap of ``gap`` font sizes parts two runs."""
    runs: list[list[Word]] = []
    for word in line:
        if runs and word.x0 - runs[-1][-1].x1 <= gap * max(word.size, runs[-1][-1].size):
            runs[-1].append(word)
        else:
            runs.append([word])
    return [word_of([g for w in run for g in w.glyphs]) for run in runs]


def with_heads_split(lattice: Lattice, filled: Filled) -> Lattice:
    """Return the lattice with cells cut between a group's name and its columns' names below it.

    The evidence is a cell over several columns whose first lines stand in its middle or cross a
    border, and whose other lines stand in the columns one by one.
    """
    columns = _text_columns(filled)
    cuts: dict[int, list[float]] = {}
    areas: list[Area] = []
    for area in lattice.areas:
        height = _head_cut(lattice, area, columns, filled.get(area, ()))
        borders = lattice.ys[area.top + 1 : area.bottom]
        if height is not None and borders:
            near = min(range(len(borders)), key=lambda i: abs(borders[i] - height))
            middle = area.top + 1 + near
            areas += [replace(area, bottom=middle), replace(area, top=middle)]
            continue
        if height is not None:
            cuts.setdefault(area.top, []).append(height)
        areas.append(area)
    heights = {band: median(values) for band, values in cuts.items()}
    whole = {
        area for area, glyphs in filled.items()
        if area.top in heights and not _is_cut(glyphs, heights[area.top])
    }  # fmt: skip
    lattice = replace(lattice, areas=tuple(areas))
    return split_rows(lattice, {band: (y,) for band, y in heights.items()}, whole)


def _head_cut(
    lattice: Lattice, area: Area, columns: Sequence[int], glyphs: Sequence[Glyph]
) -> float | None:
    """Return the height between the head of a cell and what stands in its columns, if any."""
    lines = lines_of(g for g in glyphs if not g.turn)
    slots = _slots(lattice, area, columns)
    heads = 0
    while heads < len(lines) - 1 and _is_head(lines[heads], slots):
        heads += 1
    if not heads or len(_used_slots(lines[heads:], slots) or ()) < 2:
        return None
    return (max(w.bottom for w in lines[heads - 1]) + min(w.top for w in lines[heads])) / 2


def with_columns_split(lattice: Lattice, filled: Filled) -> Lattice:
    """Return the lattice with cells cut where rules between columns are missing.

    The evidence is runs of words, far apart, each of which stands within a single column; a title
    that crosses a column's border keeps its cell whole.
    """
    columns = _text_columns(filled)
    areas: list[Area] = []
    for area in lattice.areas:
        glyphs = [g for g in filled.get(area, ()) if not g.turn]
        slots = _slots(lattice, area, columns)
        lines = lines_of(glyphs)
        apart = len(slots) > 1 and len(_used_slots(lines, slots) or ()) > 1
        if apart or (len(slots) > 1 and len(lines) == 1 and _one_in_each(lines[0], slots)):
            areas += [replace(area, left=c, right=c + 1) for c in range(area.left, area.right)]
        else:
            areas.append(area)
    return replace(lattice, areas=tuple(areas))


def _text_columns(filled: Filled) -> list[int]:
    """Return the columns that hold text of their own."""
    texts = [a for a, glyphs in filled.items() if any(not g.text.isspace() for g in glyphs)]
    return kept_bands([(a.left, a.right) for a in texts if a.right == a.left + 1])


def _slots(lattice: Lattice, area: Area, columns: Sequence[int]) -> list[tuple[float, float]]:
    """Return the room of each text column in ``area``; empty bands add to their neighbours."""
    inside = [c for c in columns if area.left <= c < area.right]
    lefts = [area.left, *(c + 1 for c in inside[:-1])]
    rights = [*inside[1:], area.right]
    return [(lattice.xs[a], lattice.xs[b]) for a, b in zip(lefts, rights, strict=False)]


def _used_slots(
    lines: Sequence[Sequence[Word]], slots: Sequence[tuple[float, float]]
) -> set[int] | None:
    """Return the slots in which the runs of words stand; None when one stands in no single slot."""
    used: set[int] = set()
    for line in lines:
        for run in segments_of(line):
            slack = _OVERHANG * run.size
            for i, (left, right) in enumerate(slots):
                if left - slack <= run.x0 and run.x1 <= right + slack:
                    used.add(i)
                    break
            else:
                return None
    return used


def _one_in_each(line: Sequence[Word], slots: Sequence[tuple[float, float]]) -> bool:
    """Tell whether words stand one group in the middle of each slot, be they only a space apart."""
    for left, right in slots:
        group = [w for w in line if left <= w.x < right]
        if not group or min(w.x0 for w in group) < left or max(w.x1 for w in group) > right:
            return False
        middle = (min(w.x0 for w in group) + max(w.x1 for w in group)) / 2
        if abs(middle - (left + right) / 2) > _CENTRED * (right - left):
            return False
    return True


def _is_head(line: Sequence[Word], slots: Sequence[tuple[float, float]]) -> bool:
    runs = segments_of(line)
    if len(runs) != 1 or len(slots) < 2:
        return False
    left, right = slots[0][0], slots[-1][1]
    off_centre = abs(runs[0].x - (left + right) / 2)
    return _used_slots([line], slots) is None or off_centre < _CENTRED * (right - left)


def _is_cut(glyphs: Sequence[Glyph], height: float) -> bool:
    """Tell whether a height lies between lines of a cell, with text on both sides."""
    level = [g for g in glyphs if not g.turn and not g.text.isspace()]
    above = sum(g.bottom <= height + _OVERHANG * g.size for g in level)
    below = sum(g.top >= height - _OVERHANG * g.size for g in level)
    return above > 0 and below > 0 and above + below == len(level)
