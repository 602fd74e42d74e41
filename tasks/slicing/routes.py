"""Which slicing a document gets: by its type, from settings, with the reason.

The type is what the document states (front matter) or is (a law, a deck, a table), else what the
first pattern says that its URI matches.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from configs.settings import RoutingSettings, SlicingSettings, section_sha256
from parsers.model import BlockKind, Document
from tasks.slicing.cuts import STRATEGY_VERSIONS

UNKNOWN = "unknown"
_NEEDS_HEADINGS = frozenset({"hierarchical"})
"""Strategies that have nothing to work with where a document has hardly any headings. ``structure``
is not one of them: it needs articles, slides or rows as well."""


@dataclass(frozen=True, slots=True)
class Route:
    """How a document is cut.

    Attributes:
        settings: Strategy and sizes.
        reason: Why, in words.
    """

    settings: SlicingSettings
    reason: str


def with_type(document: Document, patterns: Mapping[str, str]) -> Document:
    """Return the document with the type of the first pattern its URI matches, if it has none."""
    if document.doc_type != UNKNOWN:
        return document
    uri = document.source.uri.casefold()
    for pattern, doc_type in patterns.items():
        if fnmatch.fnmatchcase(uri, pattern.casefold()):
            return dataclasses.replace(document, doc_type=doc_type)
    return document


def route(document: Document, slicing: SlicingSettings, routing: RoutingSettings) -> Route:
    """Return how ``document`` is cut."""
    chosen = routing.cuts.get(document.doc_type)
    if chosen is None:
        return Route(slicing, f"no route for type {document.doc_type}")
    levels = heading_levels(document)
    if chosen.strategy in _NEEDS_HEADINGS and levels < routing.heading_levels:
        return Route(
            slicing, f"type {document.doc_type}, but {levels} of {routing.heading_levels} headings"
        )
    return Route(chosen, f"type {document.doc_type}")


def heading_levels(document: Document) -> int:
    """Return on how many levels the document has headings; articles are one."""
    kinds = {(b.kind, b.level) for b in document.blocks if b.kind is BlockKind.HEADING}
    return len(kinds) + any(b.kind is BlockKind.ARTICLE for b in document.blocks)


def slicing_key(slicing: SlicingSettings, routing: RoutingSettings) -> str:
    """Return what the chunks of any document depend on besides its text, for the recipe."""
    used = sorted({s.strategy for s in (slicing, *routing.cuts.values())})
    versions = ",".join(f"{name}/{STRATEGY_VERSIONS[name]}" for name in used)
    sections = f"{section_sha256(slicing)}\n{section_sha256(routing)}"
    return f"{versions}/{hashlib.sha256(sections.encode()).hexdigest()}"
