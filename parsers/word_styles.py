"""Paragraph styles of a Word document: which is a heading, of which level, which is numbered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from docx.enum.style import WD_STYLE_TYPE
from docx.text.paragraph import Paragraph

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
        styles: python-docx's, None where the document's cannot be read.
    """

    def __init__(self, styles: Any) -> None:
        self._styles = styles
        self._known: dict[str | None, ParagraphStyle] = {}

    def of(self, paragraph: Paragraph) -> ParagraphStyle:
        """Return what counts for a paragraph: its own properties before those of its style."""
        key, properties = paragraph._p.style, paragraph._p.pPr
        if key not in self._known:
            self._known[key] = self._resolve(key, WD_STYLE_TYPE.PARAGRAPH)
        style = self._known[key]
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
        """Return the numId that a list style asks for, or ""."""
        style = self._resolve(style_id, WD_STYLE_TYPE.LIST)
        return style.numbering[0] if style.numbering else ""

    def _resolve(self, key: str | None, kind: WD_STYLE_TYPE) -> ParagraphStyle:
        heading: int | None = None
        found_heading = is_title = False
        number = ""
        level: int | None = None
        seen: set[str] = set()
        style: Any = None if self._styles is None else self._styles.get_by_id(key, kind)
        while style is not None and style.style_id not in seen:
            seen.add(style.style_id)
            properties, name = style.element.pPr, (style.name or "").strip()
            is_title = is_title or name.lower() in _TITLE_NAMES
            outline = _outline(properties)
            named = _HEADING_NAME.fullmatch(name)
            if not found_heading and (outline is not None or named):
                found_heading = True
                rank = int(named.group(1)) if named else (outline or 0) + 1
                heading = None if outline == _BODY_LEVEL else rank
            own = _numbering(properties)
            if own is not None:
                number = number or own[0]
                level = own[1] if level is None else level
            style = getattr(style, "base_style", None)  # a list style has none
        return ParagraphStyle(heading, is_title, (number, level or 0) if number else None)


def _value(parent: Any, name: str) -> str:
    element = None if parent is None else parent.find(q(name))
    return "" if element is None else element.get(q("w:val"), "")


def _outline(properties: Any) -> int | None:
    value = _value(properties, "w:outlineLvl")
    return min(int(value), _BODY_LEVEL) if value.isdecimal() else None


def _numbering(properties: Any) -> tuple[str, int | None] | None:
    """Return (numId, level) of a ``w:numPr``; either may be left open."""
    element = None if properties is None else properties.numPr
    if element is None:
        return None
    level = _value(element, "w:ilvl")
    return _value(element, "w:numId"), int(level) if level.isdecimal() else None
