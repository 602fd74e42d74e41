"""What a layout or a master writes on its slides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from parsers.model import Document


@pytest.mark.parametrize("where", ["layout", "master"])
def test_text_on_a_layout_or_master_is_kept_once_and_its_prompts_are_not(
    deck: Any, box: Callable[..., Any], parse_deck: Callable[..., Document], where: str
) -> None:
    layout = deck.slide_layouts[5]
    owner = layout if where == "layout" else layout.slide_master
    donor = deck.slides.add_slide(layout)
    shape = box(donor, "For internal use", 1, 6)
    owner.shapes._spTree.append(shape._element)  # python-pptx adds no shapes to layouts
    for n in range(2):
        deck.slides.add_slide(layout).shapes.title.text = f"Point {n}"
    document = parse_deck(deck)
    assert document.text.count("For internal use") == 1
    assert "Click to edit" not in document.text
    assert all(row.unaccounted == 0 for row in document.ledger)


def test_a_slide_that_hides_its_master_does_not_have_its_text(
    deck: Any, box: Callable[..., Any], parse_deck: Callable[..., Document]
) -> None:
    layout = deck.slide_layouts[5]
    slide = deck.slides.add_slide(layout)
    layout.slide_master.shapes._spTree.append(box(slide, "For internal use", 1, 6)._element)
    slide._element.set("showMasterSp", "0")
    assert "internal" not in parse_deck(deck).text
