from __future__ import annotations

from collections.abc import Callable

import pytest

from configs.settings import RoutingSettings, Settings, SlicingSettings
from parsers.model import BlockKind, Document
from tasks.slicing.routes import heading_levels, route, slicing_key, with_type

Make = Callable[..., Document]
DEFAULT = SlicingSettings()
DEEP = SlicingSettings(strategy="hierarchical", sizes=(128, 512, 2048))
ROUTING = RoutingSettings(patterns={"*/runbooks/*": "spec", "*.md": "guide"}, cuts={"spec": DEEP})


def headed(make: Make, *levels: int, doc_type: str = "spec") -> Document:
    blocks = [(BlockKind.HEADING, f"Part {n}", {"level": n}) for n in levels]
    return make(*blocks, (BlockKind.PARAGRAPH, "Text."), doc_type=doc_type)


def test_a_document_is_cut_as_its_type_asks(make: Make) -> None:
    found = route(headed(make, 1, 2), DEFAULT, ROUTING)
    assert found.settings is DEEP
    assert found.reason == "type spec"


def test_a_type_without_a_route_gets_the_default(make: Make) -> None:
    found = route(headed(make, 1, 2, doc_type="memo"), DEFAULT, ROUTING)
    assert found.settings is DEFAULT
    assert "memo" in found.reason


def test_a_hierarchy_needs_headings_of_two_levels(make: Make) -> None:
    flat = headed(make, 1, 1, 1)
    assert heading_levels(flat) == 1
    found = route(flat, DEFAULT, ROUTING)
    assert found.settings is DEFAULT
    assert "1 of 2" in found.reason


@pytest.mark.parametrize(
    ("uri", "doc_type"),
    [
        ("file:///srv/Runbooks/restart.md", "spec"),  # the first pattern wins, case is folded
        ("file:///srv/other/restart.md", "guide"),
        ("file:///srv/other/restart.txt", "unknown"),
    ],
)
def test_a_pattern_gives_a_type(make: Make, uri: str, doc_type: str) -> None:
    document = make((BlockKind.PARAGRAPH, "Text."), uri=uri)
    assert with_type(document, ROUTING.patterns).doc_type == doc_type


def test_a_stated_type_is_kept(make: Make) -> None:
    document = make((BlockKind.PARAGRAPH, "Text."), uri="file:///runbooks/a.md", doc_type="policy")
    assert with_type(document, ROUTING.patterns).doc_type == "policy"


def test_the_slicing_key_changes_with_whatever_changes_a_chunk() -> None:
    settings = Settings()
    keys = {
        slicing_key(slicing, routing)
        for slicing, routing in (
            (settings.slicing, settings.routing),
            (SlicingSettings(strategy="grid"), settings.routing),
            (SlicingSettings(sizes=(32, 64)), settings.routing),
            (SlicingSettings(context_share=0.25), settings.routing),
            (settings.slicing, RoutingSettings(cuts={"law": DEEP})),
            (settings.slicing, RoutingSettings(patterns={"*.md": "law"})),
        )
    }
    assert len(keys) == 6
    assert slicing_key(settings.slicing, settings.routing) in keys
