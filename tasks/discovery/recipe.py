"""The recipe: everything that decides what a document becomes, in one hash.

Same bytes and same recipe: the part that exists is right, and nothing is computed.
"""

from __future__ import annotations

import hashlib
import json

from configs.settings import ParsingSettings, Settings, section_sha256
from parsers.base import Parser
from tasks.enrichment.key import enrichment_key

BUILD_VERSION = 1
"""Raise it when the document model, the builder or the rows change what the same parser makes."""

_NOT_IN_RECIPE = frozenset({"passwords", "workers", "timeout_s", "ocr_timeout_s", "ocr_workers"})
"""Settings of parsing that decide whether a file is read, not what it becomes."""


def recipe_of(parser: Parser, settings: Settings, slicing: str, encoder: str) -> str:
    """Return the recipe of a document, 64 hex digits.

    Args:
        parser: The parser that reads it.
        settings: All settings.
        slicing: Identity of strategy, version and sizes (``tasks.slicing.chunks.slicing_key``).
        encoder: Identity of the encoder.
    """
    parts: dict[str, object] = {
        "build": BUILD_VERSION,
        "parser": [parser.NAME, parser.VERSION],
        "parsing": section_sha256(settings.parsing, _NOT_IN_RECIPE),
        "slicing": slicing,
        "encoder": encoder,
    }
    enrichment = enrichment_key(settings.enrichment, parser.NAME)
    if enrichment is not None:  # off leaves recipes as they are
        parts["enrichment"] = enrichment
    return _sha256(parts)


def attempt_of(recipe: str, parsing: ParsingSettings) -> str:
    """Return the identity of an attempt: the recipe and what decides whether it succeeds.

    A document that failed is tried again when its attempt would be another one, such as after a
    password was added. Only hashes of passwords enter, and only their hash is stored.
    """
    return _sha256({"recipe": recipe, "parsing": section_sha256(parsing)})


def _sha256(parts: dict[str, object]) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("utf-8")).hexdigest()
