from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from pptx.shapes.base import BaseShape

from parsers.model import BoundingBox
from parsers.ooxml import NAMESPACES
from parsers.slides.order import visual_order
from parsers.slides.shapes import Shape

_P = f'xmlns:p="{NAMESPACES["p"]}"'


def _shape(name: str, box: tuple[float, float, float, float] | None) -> Shape:
    place = None if box is None else BoundingBox(*box)
    element: Any = etree.fromstring(f'<p:sp {_P}><p:cNvPr name="{name}"/></p:sp>')
    return Shape(BaseShape(element, element), place)


def _order(**boxes: tuple[float, float, float, float] | None) -> str:
    return "".join(s.name for s in visual_order([_shape(n, b) for n, b in boxes.items()]))


def test_a_band_across_parts_the_rows_above_and_below() -> None:
    order = _order(
        d=(0, 60, 40, 80), c=(0, 40, 100, 55), b=(50, 10, 90, 30), a=(0, 12, 40, 30),
        e=(50, 60, 90, 80),
    )  # fmt: skip
    assert order == "abcde"


def test_columns_that_no_white_space_crosses_are_read_one_by_one() -> None:
    order = _order(a=(0, 0, 40, 30), b=(0, 35, 40, 90), c=(50, 0, 90, 60), d=(50, 65, 90, 90))
    assert order == "abcd"


def test_a_frame_is_read_before_what_stands_in_it() -> None:
    assert _order(b=(10, 10, 40, 40), a=(0, 0, 100, 100), c=(50, 10, 90, 40)) == "abc"


def test_a_shape_without_a_position_comes_last() -> None:
    assert _order(a=None, b=(0, 50, 10, 60), c=(0, 0, 10, 10)) == "cba"


_side = st.floats(0, 1000, allow_nan=False)


@given(st.lists(st.none() | st.tuples(_side, _side, _side, _side), max_size=25))
def test_no_shape_is_lost_or_told_twice(
    places: list[tuple[float, float, float, float] | None],
) -> None:
    shapes = [
        _shape(str(i), None if p is None else (p[0], p[1], p[0] + p[2], p[1] + p[3]))
        for i, p in enumerate(places)
    ]
    ordered = visual_order(shapes)
    assert sorted(s.name for s in ordered) == sorted(s.name for s in shapes)
