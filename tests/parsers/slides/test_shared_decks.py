from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from parsers.base import ParserError
from parsers.model import Document

_REFUSED = {"derived_ppt_disguised_as.pptx", "derived_truncated.pptx"}


@pytest.mark.shared
def test_every_real_deck_balances(shared: Path, parse_deck: Callable[..., Document]) -> None:
    refused = set()
    for path in sorted((shared / "corpus" / "slides").glob("*.pptx")):
        try:
            document = parse_deck(path.read_bytes())
        except ParserError:
            refused.add(path.name)
            continue
        unbalanced = [row for row in document.ledger if row.unaccounted]
        assert not unbalanced, path.name
        tiles = "".join(document.text[b.start : b.end] for b in document.blocks)
        assert tiles == document.text, path.name
    assert refused == _REFUSED


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("shp-shapes.pptx", "Sales, 1st Qtr: 8.2"),
        ("shp-shapes.pptx", "shapes[5]"),
        ("testPPT_diagramData.pptx", "VP – HR"),
        ("powerpoint_comments.pptx", "This is a sample reviewer comment"),
        ("testPPT_masterFooter.pptx", "Master footer is here"),
        ("sld-notes.pptx", "Notes"),
    ],
)
def test_what_other_readers_miss_is_there(
    shared: Path, parse_deck: Callable[..., Document], name: str, words: str
) -> None:
    document = parse_deck((shared / "corpus" / "slides" / name).read_bytes())
    assert words in document.text
