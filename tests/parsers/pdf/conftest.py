"""PDFs made for one test each, and a short way to parse them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import pymupdf as _untyped
import pytest

from configs.settings import ParsingSettings
from parsers.model import Document, Source
from parsers.pdf import parser

pymupdf: Any = _untyped

Text = tuple[float, float, str] | tuple[float, float, str, float]
"""x, baseline y, words, and the font size where it is not 10."""
Build = Callable[..., bytes]
Parse = Callable[..., Document]


@pytest.fixture
def build() -> Build:
    """Return a function: pages of (x, y, words[, size]) to the bytes of a PDF."""

    def make(
        pages: Sequence[Sequence[Text]],
        *,
        rotate: int = 0,
        turn: int = 0,
        edit: Callable[[Any], None] | None = None,
        **save: Any,
    ) -> bytes:
        document = pymupdf.open()
        for texts in pages:
            page = document.new_page(width=600, height=800)
            for x, y, words, *size in texts:
                page.insert_text(
                    (x, y), words, fontsize=size[0] if size else 10, rotate=turn, fontname="helv"
                )
            page.set_rotation(rotate)
        if edit is not None:
            edit(document)
        return bytes(document.tobytes(**save))

    return make


@pytest.fixture
def parse() -> Parse:
    """Return a function: bytes (and settings) to the document, without OCR and tables."""

    def run(data: bytes, **settings: Any) -> Document:
        given = ParsingSettings(**{"ocr": False, "tables": False, **settings})
        source = Source("/in/made.pdf", "application/pdf", len(data), _sha(data))
        return parser.parse(data, source, given)

    return run


@pytest.fixture
def column() -> Callable[[float, float, str], list[Text]]:
    """Return a function: x, first baseline and words with line breaks to lines 12 points apart."""

    def lines(x: float, y: float, words: str) -> list[Text]:
        return [(x, y + 12 * i, line) for i, line in enumerate(words.splitlines())]

    return lines


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
