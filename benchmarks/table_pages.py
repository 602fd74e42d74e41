"""Made tables with known cells, drawn in the ways in which documents draw tables."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pymupdf as _untyped
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Spacer
from reportlab.platypus import Table as Flow

pymupdf: Any = _untyped  # it has no annotations
_INK = colors.black
_BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=9, leading=11)


def _listed(words: str) -> list[str]:
    return words.split()


_NAMES = _listed(
    "Region Product Owner Quarter Revenue Margin Volume Stock Weight Length Price Discount "
    "Orders Returns Visits Staff Budget Outlay Area Depth Speed Power Yield Score "
)
_KEYS = _listed(
    "Aveiro Braga Coimbra Dresden Exeter Ferrara Genoa Hobart Ipswich Jena Kyoto Lisbon Malmo "
    "Nantes Oporto Palermo Quito Riga Seville Turin Utrecht Vienna Warsaw Yalta Zagreb Almada "
    "Basel Cork Derry Essen Faro Ghent Halle Izmir Julich Kiel Lucca Mons Nice Osaka "
)
_WORDS = _listed(
    "brass copper timber granite linen cotton amber cobalt walnut marble velvet pepper "
    "saffron barley clover willow harbour meadow lantern compass anchor saddle ribbon feather "
)
_PROSE = (
    "The figures below were taken from the yearly returns of the offices and were checked twice "
    "before they were printed. Differences between the sums and the parts come from rounding. "
)


@dataclass(slots=True)
class MadeTable:
    """A document with tables whose cells are known.

    Attributes:
        rows: Each row as (header, value) pairs; the words of a header over several levels are
            those of all levels.
        heads: Rows of the header, for readers that cannot tell.
        data: The PDF.
    """

    rows: list[list[tuple[str, str]]] = field(default_factory=list)
    heads: int = 1
    data: bytes = b""


Maker = Callable[[random.Random], MadeTable]


def number(rng: random.Random) -> str:
    """Return a figure as tables print them."""
    kind = rng.randrange(5)
    if kind == 0:
        return f"{rng.randrange(1, 100)}.{rng.randrange(10)}%"
    if kind == 1:
        return f"({rng.randrange(1, 999)})"
    if kind == 2:
        return f"{rng.randrange(1000, 9_999_999):,}"
    return (
        f"{rng.randrange(1, 9999)}.{rng.randrange(100):02}" if kind == 3 else f"-{rng.random():.3f}"
    )


def _content(
    rng: random.Random, n_rows: int, n_cols: int, *, words: bool = False
) -> list[list[str]]:
    """Return a header and rows with distinct first cells."""
    head = rng.sample(_NAMES, n_cols)
    keys = rng.sample(_KEYS, n_rows)

    def value() -> str:
        return " ".join(rng.sample(_WORDS, rng.choice((1, 1, 2)))) if words else number(rng)

    return [head, *([key, *(value() for _ in range(n_cols - 1))] for key in keys)]


def _pairs(grid: Sequence[Sequence[str]]) -> list[list[tuple[str, str]]]:
    return [list(zip(grid[0], row, strict=True)) for row in grid[1:]]


def _pdf(story: Sequence[Any], *, columns: int = 1) -> bytes:
    data = io.BytesIO()
    width, height = A4
    inner = (width - 100 - 20 * (columns - 1)) / columns
    frames = [
        Frame(50 + i * (inner + 20), 50, inner, height - 100, leftPadding=0, rightPadding=0)
        for i in range(columns)
    ]
    document = BaseDocTemplate(data, pagesize=A4)
    document.addPageTemplates([PageTemplate("page", frames)])
    document.build(list(story))
    return data.getvalue()


def _between(*tables: Any, sentences: int = 2) -> list[Any]:
    story: list[Any] = [Paragraph(_PROSE * sentences, _BODY), Spacer(1, 14)]
    for table in tables:
        story += [table, Spacer(1, 16), Paragraph(_PROSE * sentences, _BODY), Spacer(1, 14)]
    return story


def _flow(grid: Sequence[Sequence[Any]], *style: Any, figures: bool = True, **more: Any) -> Any:
    base: list[Any] = [
        ("FONT", (0, 0), (-1, -1), "Helvetica", 9),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ]
    if figures:
        base.append(("ALIGN", (1, 0), (-1, -1), "RIGHT"))
    return Flow([list(row) for row in grid], style=[*base, *style], **more)


_GRID = ("GRID", (0, 0), (-1, -1), 0.5, _INK)
_BOLD = ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 9)
_TOP, _BOTTOM = ("LINEABOVE", (0, 0), (-1, 0), 1, _INK), ("LINEBELOW", (0, -1), (-1, -1), 1, _INK)


def _under(row: int) -> Any:
    return ("LINEBELOW", (0, row), (-1, row), 0.5, _INK)


def full_rules(rng: random.Random) -> MadeTable:
    """A grid of rules."""
    grid = _content(rng, rng.randint(3, 12), rng.randint(2, 6), words=rng.random() < 0.4)
    return MadeTable(_pairs(grid), 1, _pdf(_between(_flow(grid, _GRID))))


def head_rules(rng: random.Random) -> MadeTable:
    """Rules above and under the head and at the end."""
    grid = _content(rng, rng.randint(4, 14), rng.randint(3, 6), words=rng.random() < 0.3)
    return MadeTable(_pairs(grid), 1, _pdf(_between(_flow(grid, _TOP, _under(0), _BOTTOM))))


def zebra(rng: random.Random) -> MadeTable:
    """Every other row shaded, no line."""
    grid = _content(rng, rng.randint(4, 14), rng.randint(3, 6), words=rng.random() < 0.3)
    shades = [("BACKGROUND", (0, r), (-1, r), colors.lightgrey) for r in range(2, len(grid), 2)]
    dark = [
        ("BACKGROUND", (0, 0), (-1, 0), colors.navy),
        ("TEXTCOLOR", (0, 0), (-1, 0), colors.white),
    ]
    return MadeTable(_pairs(grid), 1, _pdf(_between(_flow(grid, *shades, *dark))))


def borderless(rng: random.Random) -> MadeTable:
    """Columns of figures, no rule."""
    grid = _content(rng, rng.randint(5, 14), rng.randint(3, 6))
    return MadeTable(_pairs(grid), 1, _pdf(_between(_flow(grid, _BOLD, colWidths=82))))


def borderless_words(rng: random.Random) -> MadeTable:
    """Columns of words under a bold head, no rule."""
    grid = _content(rng, rng.randint(5, 12), rng.randint(3, 5), words=True)
    return MadeTable(
        _pairs(grid), 1, _pdf(_between(_flow(grid, _BOLD, figures=False, colWidths=98)))
    )


def spans(rng: random.Random) -> MadeTable:
    """Cells over several rows in the first column of a grid."""
    grid = _content(rng, 9, rng.randint(4, 5), words=rng.random() < 0.5)
    style: list[Any] = [_GRID]
    shown = [list(row) for row in grid]
    row = 1
    while row < len(grid):
        size = min(rng.randint(1, 3), len(grid) - row)
        for below in range(row + 1, row + size):
            grid[below][0], shown[below][0] = grid[row][0], ""
        style.append(("SPAN", (0, row), (0, row + size - 1)))
        row += size
    return MadeTable(_pairs(grid), 1, _pdf(_between(_flow(shown, *style))))


def _two_levels(rng: random.Random) -> tuple[list[list[str]], list[list[tuple[str, str]]], int]:
    groups = rng.randint(2, 3)
    names = rng.sample(_NAMES, groups + 3)
    tops, (stub, *below) = names[:groups], names[groups:]
    body = _content(rng, rng.randint(4, 10), 1 + 2 * groups)[1:]
    upper = ["", *(x for top in tops for x in (top, ""))]
    lower = [stub, *below * groups]
    full = [stub, *(f"{top} {name}" for top in tops for name in below)]
    return [upper, lower, *body], _pairs([full, *body]), groups


def levels_ruled(rng: random.Random) -> MadeTable:
    """A head of two levels in a grid of rules."""
    grid, rows, groups = _two_levels(rng)
    style: list[Any] = [("SPAN", (1 + 2 * g, 0), (2 + 2 * g, 0)) for g in range(groups)]
    grid[0][0], grid[1][0] = grid[1][0], ""
    style += [_GRID, ("SPAN", (0, 0), (0, 1)), ("ALIGN", (0, 0), (-1, 0), "CENTER")]
    return MadeTable(rows, 2, _pdf(_between(_flow(grid, *style))))


def levels_short_rules(rng: random.Random) -> MadeTable:
    """A head of two levels, a short rule under the name of each group."""
    grid, rows, groups = _two_levels(rng)
    style: list[Any] = [
        _TOP,
        _under(1),
        _BOTTOM,
        ("ALIGN", (1, 0), (-1, 0), rng.choice(("CENTER", "LEFT"))),
    ]
    style += [("SPAN", (1 + 2 * g, 0), (2 + 2 * g, 0)) for g in range(groups)]
    style += [("LINEBELOW", (1 + 2 * g, 0), (2 + 2 * g, 0), 0.5, _INK) for g in range(groups)]
    shrunk = Flow(
        grid,
        style=[
            ("FONT", (0, 0), (-1, -1), "Helvetica", 8),
            ("ALIGN", (1, 1), (-1, -1), "RIGHT"),
            *style,
        ],
    )
    return MadeTable(rows, 2, _pdf(_between(shrunk)))


def _wrapped(rng: random.Random) -> tuple[list[list[Any]], list[list[str]]]:
    grid = _content(rng, rng.randint(3, 8), 4)
    for row in grid[1:]:
        row[1] = " ".join(rng.choice(_WORDS) for _ in range(rng.randint(3, 9)))
    small = ParagraphStyle("cell", parent=_BODY, alignment=0)
    return [[Paragraph(c, small) if i == 1 else c for i, c in enumerate(row)] for row in grid], grid


def wrapped_ruled(rng: random.Random) -> MadeTable:
    """Cells of several lines in a grid."""
    flows, grid = _wrapped(rng)
    return MadeTable(
        _pairs(grid), 1, _pdf(_between(_flow(flows, _GRID, colWidths=(80, 110, 80, 80))))
    )


def wrapped_borderless(rng: random.Random) -> MadeTable:
    """Cells of several lines, rules at the head only."""
    flows, grid = _wrapped(rng)
    style = (_TOP, _under(0), _BOTTOM, ("BOTTOMPADDING", (0, 0), (-1, -1), 6))
    return MadeTable(
        _pairs(grid), 1, _pdf(_between(_flow(flows, *style, colWidths=(80, 110, 80, 80))))
    )


def continued(rng: random.Random) -> MadeTable:
    """A grid over two or three pages; the head is repeated in half of them."""
    keys = [f"{a} {b}" for a in _KEYS for b in ("north", "south")]
    head = rng.sample(_NAMES, 4)
    grid = [
        head,
        *([key, number(rng), number(rng), rng.choice(_WORDS)] for key in rng.sample(keys, 60)),
    ]
    flow = _flow(grid, _GRID, repeatRows=rng.choice((0, 1)))
    return MadeTable(_pairs(grid), 1, _pdf(_between(flow)))


def turned(rng: random.Random) -> MadeTable:
    """A grid or head rules on a page that is turned by a quarter."""
    made = rng.choice((full_rules, head_rules))(rng)
    with pymupdf.open(stream=made.data) as document:
        for page in document:
            page.set_rotation(rng.choice((90, 270)))
        made.data = document.tobytes()
    return made


def in_columns(rng: random.Random) -> MadeTable:
    """Head rules, in a column of a paper of two columns."""
    grid = _content(rng, rng.randint(4, 8), 4)
    story = _between(_flow(grid, _TOP, _under(0), _BOTTOM, colWidths=58), sentences=9)
    return MadeTable(_pairs(grid), 1, _pdf([*story, Paragraph(_PROSE * 12, _BODY)], columns=2))


def leaders(rng: random.Random) -> MadeTable:
    """Dots from a row's name to its figures, a rule beside the names only."""
    grid = _content(rng, rng.randint(6, 14), rng.randint(4, 6))
    shown = [grid[0], *([f"{row[0]} {'. ' * (18 - len(row[0]))}", *row[1:]] for row in grid[1:])]
    style = (_TOP, _under(0), _BOTTOM, ("LINEAFTER", (0, 0), (0, -1), 0.5, _INK))
    return MadeTable(_pairs(grid), 1, _pdf(_between(_flow(shown, *style))))


def accounts(rng: random.Random) -> MadeTable:
    """Currency signs at the left of their columns, sections, sums under short rules."""
    years = ["2023", "2022", "2021"]
    stub = rng.choice(_NAMES)
    shown: list[list[str]] = [[stub, *(x for year in years for x in ("", year))]]
    rows: list[list[tuple[str, str]]] = []
    style: list[Any] = [_TOP, _under(0), _BOTTOM]
    keys = rng.sample(_KEYS, 8)
    for section in range(2):
        shown.append([f"{rng.choice(_WORDS).title()} section", *[""] * 6])
        for i in range(4):
            key = "Total" if i == 3 else keys[section * 3 + i]
            values = [
                rng.choice((f"{rng.randrange(1000, 99999):,}", f"({rng.randrange(10, 999)})"))
                for _ in years
            ]
            sign = "$" if i in (0, 3) else ""
            shown.append([f"    {key}", *(x for v in values for x in (sign, v))])
            rows.append(
                [
                    (stub, key),
                    *((y, f"{sign} {v}".strip()) for y, v in zip(years, values, strict=True)),
                ]
            )
        style += [
            ("LINEABOVE", (2 + 2 * c, len(shown) - 1), (2 + 2 * c, len(shown) - 1), 0.5, _INK)
            for c in range(3)
        ]
    flow = _flow(shown, *style, colWidths=(120, 22, 60, 22, 60, 22, 60))
    return MadeTable(rows, 1, _pdf(_between(flow)))


def beside(rng: random.Random) -> MadeTable:
    """Two grids beside each other."""
    left, right = _content(rng, 6, 3), _content(rng, rng.randint(4, 6), 3)
    pair = Flow(
        [[_flow(left, _GRID), _flow(right, _GRID)]], style=[("VALIGN", (0, 0), (-1, -1), "TOP")]
    )
    return MadeTable([*_pairs(left), *_pairs(right)], 1, _pdf(_between(pair)))


STYLES: dict[str, Maker] = {
    "full rules": full_rules,
    "head rules only": head_rules,
    "zebra fills": zebra,
    "borderless figures": borderless,
    "borderless words": borderless_words,
    "merged rows": spans,
    "two levels, ruled": levels_ruled,
    "two levels, short rules": levels_short_rules,
    "cells of lines, ruled": wrapped_ruled,
    "cells of lines, head rules": wrapped_borderless,
    "over pages": continued,
    "turned page": turned,
    "in two columns": in_columns,
    "leaders": leaders,
    "accounts": accounts,
    "side by side": beside,
}
"""Name of each way of drawing to what draws it."""


def make(style: str, seed: int) -> MadeTable:
    """Return the document of a style and a seed, always the same."""
    return STYLES[style](random.Random(f"{style}/{seed}"))
