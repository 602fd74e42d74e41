"""Glyphs into the cells of a lattice, and the filled lattice as a grid."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from parsers.model import BoundingBox
from parsers.normalise import count_characters
from parsers.pdf.table_ink import Glyph, Word, lines_of, upright
from parsers.pdf.table_lattice import Area, Lattice
from parsers.tables.grid import Grid, GridCell

_INSIDE = 0.8
"""Share of a word that must lie in one cell for the whole word to go there. A guess."""
_BROKEN_WORD = re.compile(r"[^\W\d_]-$")
_SOFT_HYPHEN = "\u00ad"
_UNSPACED = r"[\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]"
_ENDS_UNSPACED = re.compile(f"{_UNSPACED}$")
_BEGINS_UNSPACED = re.compile(_UNSPACED)
_LEADERS = re.compile(r"(?<=\w|\)|\s)(?<!\betc)(?:\.?(?: \.){2,}|\.{4,}|…{2,}|\s?·{4,})[ .…·]*$")
"""Dots that lead the eye from a row's name to its figures."""

Filled = Mapping[Area, list[Glyph]]


@dataclass(frozen=True, slots=True)
class CellText:
    """The text of a cell, with what was left out of it.

    Attributes:
        text: Lines joined by a space, or by nothing where a hyphen broke a word.
        hyphens: Hyphens at line ends that were left out.
        soft: Soft hyphens left out.
        leaders: Leader dots left out.
        style: Font and size of most of it.
    """

    text: str
    hyphens: int = 0
    soft: int = 0
    leaders: int = 0
    style: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A table before it is placed on its page.

    Attributes:
        grid: Its cells (no empty ones).
        columns: Left and right border of each column.
        styles: Style of each row.
        hyphens: Hyphens left out.
        soft: Soft hyphens left out.
        leaders: Leader dots left out.
    """

    grid: Grid
    columns: tuple[tuple[float, float], ...]
    styles: tuple[str, ...]
    hyphens: int
    soft: int
    leaders: int


def fill(lattice: Lattice, glyphs: Iterable[Glyph]) -> dict[Area, list[Glyph]]:
    """Return the glyphs of each area. A word goes whole where most of it lies.

    Only figures are cut at a border: those of narrow columns may stand too close for two words.
    """
    found: dict[Area, list[Glyph]] = {}
    area_at = _finder(lattice)
    level = [g for g in glyphs if not g.turn]
    for line in lines_of(level):
        for word in line:
            area = area_at(word.x, word.y)
            if word.text.isalpha() or _inside(word, lattice.area_box(area)) >= _INSIDE:
                found.setdefault(area, []).extend(word.glyphs)
            else:
                for glyph in word.glyphs:
                    found.setdefault(area_at(glyph.x, glyph.y), []).append(glyph)
    for glyph in glyphs:
        if glyph.turn or glyph.text.isspace():
            found.setdefault(area_at(glyph.x, glyph.y), []).append(glyph)
    return found


def cut_words(lattice: Lattice, glyphs: Iterable[Glyph]) -> float:
    """Return the share of the words that stand across a border of the lattice, 0 to 1."""
    area_at = _finder(lattice)
    words = [w for line in lines_of(g for g in glyphs if not g.turn) for w in line]
    cut = sum(_inside(w, lattice.area_box(area_at(w.x, w.y))) < _INSIDE for w in words)
    return cut / max(1, len(words))


def _finder(lattice: Lattice) -> Callable[[float, float], Area]:
    """Return a function from a point within the lattice to the area there."""
    at = {
        (row, col): area
        for area in lattice.areas
        for row in range(area.top, area.bottom)
        for col in range(area.left, area.right)
    }

    def area_at(x: float, y: float) -> Area:
        row = min(max(bisect_right(lattice.ys, y) - 1, 0), len(lattice.ys) - 2)
        col = min(max(bisect_right(lattice.xs, x) - 1, 0), len(lattice.xs) - 2)
        return at[row, col]

    return area_at


def _inside(word: Word, box: BoundingBox) -> float:
    """Return the share of the word's width that lies between the sides of ``box``."""
    width = max(word.x1 - word.x0, 0.01)
    return (min(word.x1, box.x1) - max(word.x0, box.x0)) / width


def cell_text(glyphs: Sequence[Glyph]) -> CellText:
    """Return the text of a cell's glyphs, each direction of writing read on its own."""
    text, hyphens = "", 0
    for turn in sorted({g.turn for g in glyphs}):
        for line in lines_of(upright(g for g in glyphs if g.turn == turn)):
            words = [w.text for w in line]
            rtl = sum(w.is_rtl for w in line) * 2 > len(line)
            piece = " ".join(reversed(words) if rtl else words)
            if _BROKEN_WORD.search(text) and piece[:1].islower():
                text, hyphens = text[:-1] + piece, hyphens + 1
            elif _ENDS_UNSPACED.search(text) and _BEGINS_UNSPACED.match(piece):
                text += piece
            else:
                text = f"{text} {piece}" if text else piece
    led = _LEADERS.search(text)
    text, leaders = (text[: led.start()], led.group()) if led else (text, "")
    soft = text.count(_SOFT_HYPHEN)
    styles = Counter(f"{g.font}/{g.size:.1f}" for g in glyphs if not g.text.isspace())
    style = styles.most_common(1)[0][0] if styles else ""
    return CellText(text.replace(_SOFT_HYPHEN, ""), hyphens, soft, count_characters(leaders), style)


def draft_of(lattice: Lattice, filled: Filled) -> Draft:
    """Return the table of a filled lattice; bands without text of their own are left out."""
    texts = {area: text for area, glyphs in filled.items() if (text := cell_text(glyphs)).text}
    rows = kept_bands([(a.top, a.bottom) for a in texts])
    cols = kept_bands([(a.left, a.right) for a in texts])
    cells: list[GridCell] = []
    styles: dict[int, Counter[str]] = {}
    for area, text in sorted(texts.items(), key=lambda item: (item[0].top, item[0].left)):
        down = [rows.index(r) for r in range(area.top, area.bottom) if r in rows]
        across = [cols.index(c) for c in range(area.left, area.right) if c in cols]
        cells.append(GridCell(down[0], across[0], text.text, len(down), len(across)))
        styles.setdefault(down[0], Counter())[text.style] += len(text.text)
    return Draft(
        Grid(tuple(cells)),
        tuple((lattice.xs[c], lattice.xs[c + 1]) for c in cols),
        tuple(styles[r].most_common(1)[0][0] if r in styles else "" for r in range(len(rows))),
        sum(t.hyphens for t in texts.values()),
        sum(t.soft for t in texts.values()),
        sum(t.leaders for t in texts.values()),
    )


def kept_bands(spans: Iterable[tuple[int, int]]) -> list[int]:
    """Return the bands to keep: those with text of their own, and one for every wider cell."""
    ordered = sorted(set(spans), key=lambda span: span[1] - span[0])
    kept: set[int] = set()
    for low, high in ordered:
        if not kept.intersection(range(low, high)):
            kept.add(low)
    return sorted(kept)
