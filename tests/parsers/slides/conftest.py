"""Decks are built with python-pptx, and edited as XML where it cannot write what others write."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from configs.settings import ParsingSettings
from parsers.model import Document, Source
from parsers.slides import parser


@pytest.fixture(scope="session")
def parse_deck() -> Callable[..., Document]:
    """Parse bytes, or a python-pptx presentation, as a deck; OCR only when asked for."""

    def parse(deck: Any, ocr: bool = False) -> Document:
        if not isinstance(deck, bytes):
            out = io.BytesIO()
            deck.save(out)
            deck = out.getvalue()
        sha256 = hashlib.sha256(deck).hexdigest()
        source = Source("/decks/deck.pptx", "application/x-test", len(deck), sha256)
        return parser.parse(deck, source, ParsingSettings(ocr=ocr, ocr_languages=("eng",)))

    return parse


@pytest.fixture
def deck() -> Any:
    """An empty presentation of 10 x 7.5 inches."""
    from pptx import Presentation

    return Presentation()


@pytest.fixture(scope="session")
def box() -> Callable[..., Any]:
    """Add a text box to a slide (or a group): text, then left, top, width, height in inches."""
    from pptx.util import Inches

    def add(
        parent: Any, text: str, left: float, top: float, width: float = 2, height: float = 1
    ) -> Any:
        shape = parent.shapes.add_textbox(*(Inches(v) for v in (left, top, width, height)))
        shape.text_frame.text = text
        return shape

    return add


@pytest.fixture(scope="session")
def edited() -> Callable[..., bytes]:
    """Save a deck and change its parts: name to new bytes, or a function of the old ones."""

    def edit(deck: Any, parts: dict[str, bytes | Callable[[bytes], bytes]]) -> bytes:
        before, after = io.BytesIO(), io.BytesIO()
        deck.save(before)
        with zipfile.ZipFile(before) as old, zipfile.ZipFile(after, "w") as new:
            for name in [*old.namelist(), *(p for p in parts if p not in old.namelist())]:
                change = parts.get(name)
                data = old.read(name) if name in old.namelist() else b""
                if callable(change):
                    data = change(data)
                elif change is not None:
                    data = change
                new.writestr(name, data)
        return after.getvalue()

    return edit


@pytest.fixture(scope="session")
def linked() -> Callable[[bytes, str, str, str], bytes]:
    """Add a relationship (id, type's last segment or whole type, target) to a .rels part."""
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"

    def add(rels: bytes, key: str, kind: str, target: str) -> bytes:
        kind = kind if kind.startswith("http") else office + kind
        line = f'<Relationship Id="{key}" Type="{kind}" Target="{target}"/>'
        return rels.replace(b"</Relationships>", line.encode() + b"</Relationships>")

    return add
