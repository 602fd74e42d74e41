"""Cells of made tables of every style stand in their row, under their header."""

from __future__ import annotations

import pytest

from benchmarks.table_pages import STYLES, make
from benchmarks.tables import microtome, score


@pytest.mark.parametrize("style", sorted(STYLES))
def test_every_cell_is_in_its_row_under_its_header(style: str) -> None:
    made = make(style, 0)
    assert score(made, microtome(made)).f1 >= 0.97
