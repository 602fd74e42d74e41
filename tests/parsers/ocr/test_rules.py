from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from parsers.ocr.page import RuledTable
from parsers.ocr.rules import erase_rules, find_tables


def lattice(
    xs: list[int], ys: list[int], skip: frozenset[tuple[str, int, int]] = frozenset(), ink: int = 0
) -> Image.Image:
    """Draw rulings at ``xs`` and ``ys`` but for the sides in ``skip``.

    ("v", column line, row) leaves out a piece of a vertical, ("h", row line, column) of a
    horizontal ruling.
    """
    image = Image.new("L", (1000, 800), 255)
    draw = ImageDraw.Draw(image)
    for i, x in enumerate(xs):
        for r in range(len(ys) - 1):
            if ("v", i, r) not in skip:
                draw.line((x, ys[r], x, ys[r + 1]), ink, 3)
    for j, y in enumerate(ys):
        for c in range(len(xs) - 1):
            if ("h", j, c) not in skip:
                draw.line((xs[c], y, xs[c + 1], y), ink, 3)
    return image


def shape(table: RuledTable) -> list[tuple[int, int, int, int]]:
    return [(c.row, c.col, c.row_span, c.col_span) for c in table.cells]


XS, YS = [100, 300, 500, 800], [100, 180, 260, 340]


def test_every_field_between_rulings_is_a_cell() -> None:
    (found,) = find_tables(lattice(XS, YS))
    assert shape(found.table) == [(r, c, 1, 1) for r in range(3) for c in range(3)]
    assert found.table.bbox.x0 == pytest.approx(100, abs=4)
    assert found.table.bbox.bottom == pytest.approx(340, abs=4)


def test_grey_rulings_count_as_well() -> None:
    (found,) = find_tables(lattice(XS, YS, ink=190))
    assert len(found.table.cells) == 9


def test_fields_without_a_ruling_between_them_are_one_cell() -> None:
    missing = frozenset({("v", 2, 0), ("h", 1, 0), ("h", 2, 2)})
    (found,) = find_tables(lattice(XS, YS, missing))
    assert (0, 1, 1, 2) in shape(found.table)
    assert (0, 0, 2, 1) in shape(found.table)
    assert (1, 2, 2, 1) in shape(found.table)
    assert len(found.table.cells) == 6


def test_a_table_open_at_its_sides_has_its_outer_columns() -> None:
    rows = len(YS) - 1
    missing = frozenset({("v", i, r) for i in (0, 3) for r in range(rows)})
    (found,) = find_tables(lattice(XS, YS, missing))
    assert len(found.table.cells) == 9


def test_two_tables_on_a_page_are_two() -> None:
    page = lattice([100, 300, 500], [60, 140, 220])
    page.paste(lattice([100, 300, 500], [60, 140, 220]).crop((0, 0, 1000, 350)), (0, 400))
    assert [len(f.table.cells) for f in find_tables(page)] == [4, 4]


def test_boxes_axes_and_grid_lines_of_a_chart_are_no_table() -> None:
    box = lattice([100, 800], [100, 340])
    chart = Image.new("L", (1000, 800), 255)
    draw = ImageDraw.Draw(chart)
    draw.line((100, 50, 100, 700), 0, 3)
    for y in range(100, 701, 100):
        draw.line((100, y, 900, y), 120, 2)
    assert find_tables(box) == ()
    assert find_tables(chart) == ()
    assert find_tables(Image.new("L", (1000, 800), 255)) == ()


def test_erasing_leaves_no_ruling_and_no_shade() -> None:
    page = lattice(XS, YS)
    ImageDraw.Draw(page).rectangle((102, 102, 298, 178), 170)  # a shaded header cell
    ImageDraw.Draw(page).rectangle((302, 102, 498, 178), 40)  # a dark one
    ImageDraw.Draw(page).rectangle((150, 210, 180, 225), 0)  # a letter
    clean = np.array(erase_rules(page, find_tables(page)))
    assert (clean[210:226, 150:181] == 0).all()
    clean[210:226, 150:181] = 255
    assert (clean < 200).mean() < 0.001
