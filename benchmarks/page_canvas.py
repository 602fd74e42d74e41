"""Drawing of made pages: text measured and written straight into a PDF's content stream."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import pymupdf as _untyped

pymupdf: Any = _untyped  # it has no annotations
WIDTH, HEIGHT = 595.0, 842.0
BODY, BOLD, ITALIC, SANS, SANS_BOLD = "tiro", "tibo", "tiit", "helv", "hebo"
HEBREW = str.maketrans({chr(97 + i): chr(0x5D0 + i) for i in range(26)})
"""How the letters of a right-to-left document map to what is drawn for them."""
_HEBREW_CMAP = (
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
    "/CMapName /Made def /CMapType 2 def\n"
    "1 begincodespacerange <00> <FF> endcodespacerange\n"
    "2 beginbfrange <20> <60> <0020> <61> <7A> <05D0> endbfrange\n"
    "endcmap end end"
).encode("latin-1")


@cache
def _font(name: str) -> Any:
    return pymupdf.Font(name)


@cache
def width_of(text: str, font: str, size: float) -> float:
    """Return the width of a text in points."""
    return float(_font(font).text_length(text, size))


def line_operation(
    text: str, x: float, y: float, font: str, size: float, spacing: float = 0.0
) -> str:
    """Return the operators that draw a line of ASCII from (x, y); ``spacing`` widens spaces."""
    drawn = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /{font} {size:.2f} Tf {spacing:.3f} Tw {x:.2f} {y:.2f} Td ({drawn}) Tj ET"


def write_page(page: Any, operations: Sequence[str], hebrew: bool) -> None:
    """Put the operators into a page; ``hebrew``: its letters mean those of :data:`HEBREW`."""
    document = page.parent
    for font in (BODY, BOLD, ITALIC, SANS, SANS_BOLD):
        xref = page.insert_font(fontname=font)
        if hebrew and document.xref_get_key(xref, "ToUnicode")[0] == "null":
            cmap = document.get_new_xref()
            document.update_object(cmap, "<<>>")
            document.update_stream(cmap, _HEBREW_CMAP)
            document.xref_set_key(xref, "ToUnicode", f"{cmap} 0 R")
    contents = document.get_new_xref()
    document.update_object(contents, "<<>>")
    # tints are painted first: nothing covers a word
    ordered = sorted(operations, key=lambda o: not o.startswith("q 0.9"))
    document.update_stream(contents, "\n".join(ordered).encode("latin-1"))
    page.set_contents(contents)
