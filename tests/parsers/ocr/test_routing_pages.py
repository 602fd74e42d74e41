"""Routing on pages of 31 kinds, made by the benchmark: none is recognised, only the decision."""

from __future__ import annotations

import pytest

from benchmarks.ocr_routing import decide
from benchmarks.routing_kinds import KINDS

PAGES_OF_A_KIND = 3


def test_99_of_100_pages_go_where_they_belong() -> None:
    right = [
        decide(kind, seed).needed == needed
        for kind, (_, needed) in KINDS.items()
        for seed in range(PAGES_OF_A_KIND)
    ]
    assert sum(right) >= 0.99 * len(right)


@pytest.mark.parametrize(
    "kind", ["table of numbers", "capitals and codes", "nearly empty", "photograph, fine text"]
)
def test_no_page_with_a_sound_layer_is_recognised(kind: str) -> None:
    assert not any(decide(kind, seed).needed for seed in range(3, 7))
