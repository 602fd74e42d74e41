"""Alternative text of pictures: which of it a person wrote."""

from __future__ import annotations

import re

_FILE_NAME = re.compile(r"[^\n/\\]*\.(png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp|pdf|heic)", re.I)
_MACHINE = re.compile(
    r"\s*(AI-generated content may be incorrect|Description automatically generated"
    r"( with \w+ confidence)?)\.?\s*$",
    re.I,
)
_ADDRESSES = ("http:", "https:", "data:", "file:")


def worth_saying(text: str, name: str) -> str:
    """Return alternative text, or "" where it is a file's name, an address or the shape's name.

    Args:
        text: As the file has it; an editor's note that a machine wrote it is cut off.
        name: The shape's own name.
    """
    text = _MACHINE.sub("", text).strip()
    if _FILE_NAME.fullmatch(text) or text == name or text.lower().startswith(_ADDRESSES):
        return ""
    return text
