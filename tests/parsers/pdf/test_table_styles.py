from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.table_pages import STYLES, make
from benchmarks.tables import Score, microtome, parse, score

_FLOOR = 0.97
"""F1 of cells in their row and column. The benchmark has 1.0 for nearly all; see tables.md."""


@pytest.mark.parametrize("style", [s for s in STYLES if s != "over pages"])
def test_cells_of_made_tables_are_in_their_row_and_column(style: str) -> None:
    made = make(style, seed=0)
    assert score(made, microtome(made)).f1 >= _FLOOR


@pytest.mark.parametrize("style", ["side by side", "in two columns", "merged rows", "leaders"])
def test_no_table_is_in_the_text_twice(style: str) -> None:
    made = make(style, seed=1)
    text = parse(made).text
    keys = {row[0][1] for row in made.rows}
    shared = Counter(row[0][1] for row in made.rows)
    assert {k: text.count(k) for k in keys} == {k: shared[k] for k in keys}


def test_the_score_tells_a_shifted_value_and_a_row_served_twice() -> None:
    made = make("full rules", seed=0)
    right = [list(row) for row in made.rows]
    assert score(made, right).f1 == 1.0
    shifted = [[(n, row[i - 1][1]) for i, (n, _) in enumerate(row)] for row in right]
    assert score(made, shifted).f1 < 0.1
    assert score(made, right[:1] * len(right)).right < score(made, right).right
    assert Score(1, 2, 2).f1 == 0.5
