from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.ocr.figures import with_one_notation
from parsers.tables.grid import Grid, GridCell


def column(*texts: str) -> list[str]:
    grid = Grid(tuple(GridCell(i, 0, text) for i, text in enumerate(texts)))
    return [cell.text for cell in with_one_notation(grid).cells]


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        (["228,940.46", "182,407.47", "231.760.16"], "231,760.16"),
        (["228,940.46", "182,407.47", "1.015,877.17"], "1,015,877.17"),
        (["228.940,46", "182.407,47", "231,760,16"], "231.760,16"),
        (["32,051", "12,400", "8,120", "16.046 (n=3)"], "16,046 (n=3)"),
    ],
)
def test_a_misread_separator_is_written_as_the_column_writes_it(
    read: list[str], meant: str
) -> None:
    assert column(*read) == [*read[:-1], meant]


@pytest.mark.parametrize(
    "texts",
    [
        ["16.046", "2,5", "7,25"],
        ["12.345", "6.789", "1,234", "5,678"],
        ["1,234.50", "9,876.10", "0.125"],
        ["2.4.1", "192.168.001.1", "3,100"],
        ["228,940.46", "182.407,47", "231.760.16"],
    ],
)
def test_figures_stay_where_the_column_leaves_a_doubt(texts: list[str]) -> None:
    assert column(*texts) == texts


@given(st.lists(st.text("0123456789.,- ", max_size=14), max_size=6))
def test_no_digit_is_ever_changed(texts: list[str]) -> None:
    before = [GridCell(0, 0, text).text for text in texts]
    digits = [[c for c in text if c.isdigit()] for text in before]
    assert [[c for c in text if c.isdigit()] for text in column(*texts)] == digits
