"""Laws for these tests: parsed pages of the evaluation corpus, and small acts written here."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from configs.settings import ParsingSettings
from parsers.detect import media_type_of
from parsers.laws import parser
from parsers.model import Document, Source

_LAWS = Path(__file__).parents[3] / "../shared/corpus/html_laws"


def _parse(data: bytes, name: str) -> Document:
    media_type = media_type_of(name, data) or "text/html"
    digest = hashlib.sha256(data).hexdigest()
    return parser.parse(data, Source(name, media_type, len(data), digest), ParsingSettings())


@functools.cache
def _parse_shared(name: str) -> Document:
    return _parse((_LAWS / name).read_bytes(), name)


@pytest.fixture
def parse_law() -> Callable[..., Document]:
    """Parse mark-up given as text or bytes."""

    def parse(markup: str | bytes, name: str = "act.html") -> Document:
        return _parse(markup.encode("utf-8") if isinstance(markup, str) else markup, name)

    return parse


@pytest.fixture
def shared_law() -> Callable[[str], Document]:
    """Parse a file of the evaluation corpus, once per session."""
    if not _LAWS.is_dir():
        pytest.skip("the evaluation corpus is not beside this checkout")
    return _parse_shared


@pytest.fixture
def units() -> Callable[[Document], dict[str, str]]:
    """Return the text of each addressed block by its address, on one line."""

    def by_locator(document: Document) -> dict[str, str]:
        return {
            b.locator: " ".join(document.text[b.start : b.end].split())
            for b in document.blocks
            if b.locator
        }

    return by_locator
