r"""Text bodies of DrawingML: paragraphs with levels and bullets, line breaks, escapes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from parsers.normalise import canonical
from parsers.ooxml import local_name, q

_SKIPPED = frozenset({"rPr", "pPr", "endParaRPr", "extLst"})
ESCAPE = re.compile(r"_x00[01][0-9A-Fa-f]_")
"""Control characters as Office XML spells them (``_x000B_`` is a vertical tab)."""


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


def paragraphs(body: etree._Element) -> list[Paragraph]:
    """Return the paragraphs of a text body (``p:txBody``, ``a:txBody``, ``dgm:t``) with text."""
    found = []
    for element in body.iter(q("a:p")):
        text = paragraph_text(element)
        if not text.strip():
            continue
        properties = element.find(q("a:pPr"))
        level, bullet = 0, None
        if properties is not None:
            level = int(properties.get("lvl") or 0)
            if properties.find(q("a:buNone")) is not None:
                bullet = False
            elif any(properties.find(q(f"a:{b}")) is not None for b in ("buChar", "buAutoNum")):
                bullet = True
        found.append(Paragraph(text, level, bullet))
    return found


def paragraph_text(paragraph: etree._Element) -> str:
    """Return the text of an ``a:p``: runs, fields, equations; breaks as line ends."""
    text = ESCAPE.sub(_unescape, "".join(_pieces(paragraph)))
    return "\n".join(line.strip() for line in canonical(text).split("\n")).strip("\n")


def plain_text(body: etree._Element) -> str:
    """Return the text of a body, one paragraph a line."""
    return "\n".join(p.text for p in paragraphs(body))


def count_escapes(body: etree._Element) -> int:
    """Return how many characters of the text nodes below ``body`` are spelled-out controls."""
    return sum(len(m) for t in body.iter(q("a:t")) for m in ESCAPE.findall(t.text or ""))


def _unescape(match: re.Match[str]) -> str:
    control = chr(int(match.group()[2:6], 16))
    return " " if control == "\t" else control


def _pieces(element: etree._Element) -> Iterator[str]:
    for child in element:
        name = local_name(child)
        if name == "t":
            yield child.text or ""
        elif name == "br":
            yield "\n"
        elif name == "tab":
            yield "\t"
        elif name not in _SKIPPED:
            yield from _pieces(child)
