r"""Text bodies of DrawingML: paragraphs with levels and bullets, line breaks, escapes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from lxml import etree
from pptx.text.text import TextFrame

from parsers.normalise import canonical
from parsers.ooxml import q

ESCAPE = re.compile(r"_x00[01][0-9A-Fa-f]_")
"""Control characters as Office XML spells them (``_x000B_`` is a vertical tab)."""
_RUNS = frozenset({q("a:r"), q("a:br"), q("a:fld")})


@dataclass(frozen=True, slots=True)
class Paragraph:
    r"""One paragraph.

    Attributes:
        text: Canonical; a line break inside the paragraph is ``\n``.
        level: 0-based depth in an outline.
        bullet: Whether the paragraph itself asks for a bullet or a number; None when it leaves
            that to its placeholder.
    """

    text: str
    level: int
    bullet: bool | None


def paragraphs(body: Any) -> list[Paragraph]:
    """Return the paragraphs with text.

    Args:
        body: A text frame, or an element that python-pptx has none for (``dgm:t``,
            ``p188:txBody``) in a tree of its parser.
    """
    lines = body.paragraphs if isinstance(body, TextFrame) else body.iter(q("a:p"))
    found = []
    for line in lines:
        element: Any = getattr(line, "_p", line)
        if (text := paragraph_text(element)).strip():
            properties = element.pPr
            level = 0 if properties is None else properties.lvl
            found.append(Paragraph(text, level, _bullet(properties)))
    return found


def paragraph_text(paragraph: Any) -> str:
    """Return the text of an ``a:p``: runs, fields, equations; breaks as line ends."""
    pieces = (  # equations are no runs to python-pptx
        child.text or ""
        if child.tag in _RUNS
        else "".join(child.itertext(q("m:t"), with_tail=False))
        for child in paragraph.iterchildren(etree.Element)
    )
    text = ESCAPE.sub(_unescape, "".join(pieces))
    return "\n".join(line.strip() for line in canonical(text).split("\n")).strip("\n")


def plain_text(body: Any) -> str:
    """Return the text of a body, one paragraph a line."""
    return "\n".join(p.text for p in paragraphs(body))


def count_escapes(body: etree._Element) -> int:
    """Return how many characters of the text nodes below ``body`` are spelled-out controls."""
    return sum(len(m) for t in body.iter(q("a:t")) for m in ESCAPE.findall(t.text or ""))


def _bullet(properties: Any) -> bool | None:
    if properties is None or properties.find(q("a:buNone")) is not None:
        return None if properties is None else False
    return True if properties.xpath("a:buChar | a:buAutoNum") else None


def _unescape(match: re.Match[str]) -> str:
    control = chr(int(match.group()[2:6], 16))
    return " " if control == "\t" else control
