"""A number that an answer brings stands in its source, in any notation, or is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.enrichment.numbers import strange_numbers


@pytest.mark.parametrize(
    ("answer", "source", "strange"),
    [
        ("1.234,50", "1,234.5", []),
        ("12.0", "12", []),
        ("12", "13", ["12"]),
        ("1 204 riders", "1,204", []),
        ("Q3", "q3 results", []),
        ("Q4", "q3 results 4", ["Q4"]),
        ("50%", "50", ["%"]),
        ("€5", "$5", ["€"]),
        ("in 2023", "2023-05-01 or 01.05.2023", []),
        ("١٢", "12", []),
        ("no number", "1", []),
        ("the top 10 regions", "Porto, 980, 1,010.", ["10"]),  # a real model wrote it
        ("12 345", "12, 345", []),
        ("12", "12 345", ["12"]),
    ],
)
def test_values_are_compared_and_not_strings(answer: str, source: str, strange: list[str]) -> None:
    assert strange_numbers(answer, source) == strange


@given(st.text())
def test_a_source_holds_its_own_numbers(text: str) -> None:
    assert strange_numbers(text, text) == []
