"""Paragraph styles of a Word document: which is a heading, of which level, which is numbered."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from parsers.ooxml import q

_BODY_LEVEL = 9
"""Outline level (0-based) that Word uses for "body text"."""
_HEADING_NAME = re.compile(
    r"(?:heading|t[ií]tulo|überschrift|titre|titolo|encabezado|kop|rubrik|overskrift|otsikko|"
    r"nagłówek|nadpis|заголовок|标题|見出し)\s*([1-9])",
    re.I,
)
"""Word stores "heading 1" in every language; other programs write the name their users see."""
_TITLE_NAMES = frozenset({"title", "titel", "titolo", "document title"})


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """What a paragraph inherits from its style.

    Attributes:
        heading: Level of heading, 1 the highest; None for other text.
        is_title: Whether it is the document's title.
        numbering: (numId, 0-based level) of the list it belongs to, None for none.
    """

    heading: int | None = None
    is_title: bool = False
    numbering: tuple[str, int] | None = None


class Styles:
    """The styles of a document, inheritance resolved.

    Args:
        root: Root of the styles part, None where the document has none.
    """

    def __init__(self, root: etree._Element | None) -> None:
        self._elements: dict[str, etree._Element] = {}
        self._known: dict[str, ParagraphStyle] = {}
        self._default = ""
        for element in () if root is None else root.iter(q("w:style")):
            key = element.get(q("w:styleId"), "")
            self._elements[key] = element
            is_default = element.get(q("w:default")) in ("1", "true")
            if is_default and element.get(q("w:type")) == "paragraph":
                self._default = key

    def of(self, paragraph: etree._Element) -> ParagraphStyle:
        """Return what counts for a ``w:p``: its own properties before those of its style."""
        properties = paragraph.find(q("w:pPr"))
        key = _value(properties, "w:pStyle") or self._default
        style = self._style(key)
        heading, numbering = style.heading, style.numbering
        outline = _outline(properties)
        if outline is not None:
            heading = None if outline == _BODY_LEVEL else outline + 1
        own = _numbering(properties)
        if own is not None:
            level = own[1] if own[1] is not None else (numbering[1] if numbering else 0)
            numbering = (own[0] or (numbering[0] if numbering else ""), level)
        if numbering is not None and numbering[0] in ("", "0"):  # 0 switches a list off
            numbering = None
        return ParagraphStyle(heading, style.is_title, numbering)

    def numbering_of(self, style_id: str) -> str:
        """Return the numId that a (list) style asks for, or ""."""
        style = self._style(style_id)
        return style.numbering[0] if style.numbering else ""

    def _style(self, key: str) -> ParagraphStyle:
        if key not in self._known:
            self._known[key] = self._resolve(key)
        return self._known[key]

    def _resolve(self, key: str) -> ParagraphStyle:
        heading: int | None = None
        found_heading = is_title = False
        number = ""
        level: int | None = None
        seen: set[str] = set()
        while key and key not in seen and key in self._elements:
            seen.add(key)
            element = self._elements[key]
            properties = element.find(q("w:pPr"))
            name = _value(element, "w:name")
            is_title = is_title or name.strip().lower() in _TITLE_NAMES
            outline = _outline(properties)
            named = _HEADING_NAME.fullmatch(name.strip())
            if not found_heading and (outline is not None or named):
                found_heading = True
                rank = int(named.group(1)) if named else (outline or 0) + 1
                heading = None if outline == _BODY_LEVEL else rank
            own = _numbering(properties)
            if own is not None:
                number = number or own[0]
                level = own[1] if level is None else level
            key = _value(element, "w:basedOn")
        return ParagraphStyle(heading, is_title, (number, level or 0) if number else None)


def _value(parent: etree._Element | None, name: str) -> str:
    element = None if parent is None else parent.find(q(name))
    return "" if element is None else element.get(q("w:val"), "")


def _outline(properties: etree._Element | None) -> int | None:
    value = _value(properties, "w:outlineLvl")
    return min(int(value), _BODY_LEVEL) if value.isdecimal() else None


def _numbering(properties: etree._Element | None) -> tuple[str, int | None] | None:
    """Return (numId, level) of a ``w:numPr``; either may be left open."""
    element = None if properties is None else properties.find(q("w:numPr"))
    if element is None:
        return None
    level = _value(element, "w:ilvl")
    return _value(element, "w:numId"), int(level) if level.isdecimal() else None
