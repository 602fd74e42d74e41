r"""Plain text: the canonical text is the file's own (NFC, ``\n``); paragraphs are its blocks."""

from __future__ import annotations

import re
import unicodedata

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError, EmptyFileError
from parsers.builder import DocumentBuilder
from parsers.charset import decode
from parsers.model import BlockKind, Document, Source
from parsers.normalise import canonical

NAME = "plain"
VERSION = 2

_PARAGRAPH_END = re.compile(r"(?<=\S)[^\S\n]*\n[^\S\n]*\n\s*")
"""A line's end, at least one blank line, and all white space up to the next paragraph."""
_MAX_CONTROLS = 0.05
"""Share of the characters: random bytes have 11 % controls, text has stray ones (a guess)."""
_STRAY_CONTROLS = 8
"""So many are never held against a short text (a guess)."""
_NOT_KEPT = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufeff\ufffe\uffff]")
"""What canonical text leaves out, written down a second time: the ledger's counter shares no code
with what it counts."""


def parse(data: bytes, source: Source, settings: ParsingSettings) -> Document:
    """Return the text with one block per paragraph.

    Raises:
        EmptyFileError: There are no bytes.
        DamagedFileError: The bytes are no text.
    """
    del settings  # nothing about plain text can be set
    text = read_text(data)
    builder = DocumentBuilder(source, NAME, VERSION)
    count_text(builder, text)
    own = canonical(text)
    start = 0
    for end in [*(match.end() for match in _PARAGRAPH_END.finditer(own)), len(own)]:
        builder.add_verbatim(BlockKind.PARAGRAPH, own[start:end])
        start = end
    return builder.build()


def read_text(data: bytes) -> str:
    """Return the decoded text of a text file, not canonical yet.

    Raises:
        EmptyFileError: There are no bytes.
        DamagedFileError: The bytes are no text: zero bytes that no wide encoding explains, or too
            many other control characters.
    """
    if not data:
        raise EmptyFileError("the file has no bytes")
    text, encoding = decode(data)
    controls = sum(1 for c in text if c < " " and c not in "\t\n\r\x0b\x0c")
    many = controls > max(_STRAY_CONTROLS, _MAX_CONTROLS * len(text))
    if many or "\x00" in text:
        raise DamagedFileError(
            f"the file is not text: {controls} control characters among {len(text)} (read as "
            f"{encoding}), {text.count(chr(0))} of them zero bytes",
            "It holds binary data: give it the extension of what it is, or leave it out.",
        )
    return text


def count_text(builder: DocumentBuilder, text: str) -> None:
    """Enter into the ledger what a decoded file holds and what its canonical form leaves out."""
    kept = _NOT_KEPT.sub("", text)
    removed = sum(1 for c in _NOT_KEPT.findall(text) if not c.isspace())
    composed = unicodedata.normalize("NFC", kept)
    builder.count_source(removed + sum(1 for c in composed if not c.isspace()))
    builder.count_dropped("control character", removed)
