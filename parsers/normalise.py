r"""Canonical text: NFC, ``\n`` line ends, no lone surrogates, no control characters."""

from __future__ import annotations

import re
import unicodedata

_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufeff\ufffe\uffff]")
_LINE_BREAK = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(r"[^\S\n]+")


def canonical(text: str) -> str:
    r"""Return ``text`` in NFC with ``\n`` line ends and nothing that cannot be stored as UTF-8.

    Idempotent: ``canonical(canonical(t)) == canonical(t)``. Control characters (tab and line feed
    apart) and byte order marks go; a lone surrogate becomes U+FFFD.
    """
    if text.isascii() and text.isprintable():  # most cells and lines: nothing to change
        return text
    text = _SURROGATE.sub("\ufffd", text)
    text = _CONTROL.sub("", _LINE_BREAK.sub("\n", text))
    return unicodedata.normalize("NFC", text)


def one_line(text: str) -> str:
    """Return ``text`` canonical with every run of white space as one space, ends trimmed."""
    text = canonical(text)
    return text if text.isalnum() else " ".join(text.split())


def fold_spaces(text: str) -> str:
    """Return ``text`` canonical with runs of spaces folded but line breaks kept."""
    lines = (_SPACES.sub(" ", line).strip() for line in canonical(text).split("\n"))
    return "\n".join(lines).strip("\n")


def count_characters(text: str) -> int:
    """Return how many code points of ``canonical(text)`` are not white space (ledger unit)."""
    return sum(map(len, canonical(text).split()))
