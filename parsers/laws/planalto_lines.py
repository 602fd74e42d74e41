"""Lines of a page of Planalto, and the forms of the numbers with which they begin.

A line is a paragraph, or a part of one behind a break; what is struck out in it is kept apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from parsers.normalise import one_line
from parsers.webpage_dom import Element, is_block, name_of
from parsers.webpage_tables import own_text, rows_of

_STRUCK_TAGS = frozenset({"strike", "s", "del"})
_STRUCK_STYLE = re.compile(r"text-decoration[^;]*line-through", re.IGNORECASE)
ARTICLE = re.compile(
    r"(?:Art(?:igo)?|ART(?:IGO)?)s?\s?\.?\s*"
    r"(?P<key>\d{1,3}(?:\.\d{3})+|\d+(?:\s\d)?(?=\s?\.)|\d+)\s?(?:[ºo°ª]\b\.?|[º°ª])?"
    r"(?:\s?-\s?(?P<letter>[A-Z]{1,2})\b|(?P<glued>[A-Z])(?=[.\s]))?\s?(?:[.º]|[-–—](?=\s))?",
)
PARAGRAPH = re.compile(
    r"§\s?(?P<key>\d+)\s?(?:[ºo°ª]\b\.?|[º°ª])?(?:\s?-\s?(?P<letter>[A-Z]{1,2})\b)?\s?[.-]?"
)
SOLE = re.compile(r"(?:Parágrafo|§)\s+[úu]nico\s?[.:–-]?", re.IGNORECASE)
ITEM = re.compile(r"(?P<key>[IVXLCDM]+)(?:-(?P<letter>[A-Z]{1,2}))?\s?[-–—.)]\s?(?=\S)")
LETTER = re.compile(r"(?P<key>[a-z]{1,2}(?:-[A-Z])?)\s?\)\s?(?=\S)")
NUMBER = re.compile(r"(?P<key>\d{1,3})\s?[).]\s(?=\S)|(?P<dashed>\d{1,2})\s?[-–]\s(?=\S)")
DIVISION = re.compile(
    r"(?P<word>livro|parte|t[íi]tulo|cap[íi]tulo|subse[çc][ãa]o|se[çc][ãa]o|anexo)\s+"
    r"(?P<number>[IVXLCDM]+(?:-[A-Z])?|[úu]nic[oa]|\d+[ºo]?|geral|especial)\b"
    r"|(?P<bare>anexos?)\s*$",
    re.IGNORECASE,
)
_BEGINNINGS = (ARTICLE, PARAGRAPH, SOLE, ITEM, LETTER)
_PARAGRAPHS = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "pre"})


@dataclass(slots=True)
class Line:
    """A paragraph of the page: what is in force and what is struck out."""

    text: str
    valid: str
    struck: str
    links_only: bool = False

    def add(self, text: str | None, *, struck: bool, linked: bool) -> None:
        """Append a text node."""
        if text:
            self.text += text
            if struck:
                self.struck += text
            else:
                self.valid += text
            self.links_only = self.links_only and (linked or not text.strip())


def is_frame(item: Element) -> bool:
    """Tell whether only what a block holds counts: it is no paragraph and no table of data."""
    if name_of(item) == "table":
        return not is_data(item)
    return name_of(item) not in _PARAGRAPHS and any(is_block(child) for child in item)


def is_data(table: Element) -> bool:
    """Tell whether a table holds data: two rows of two cells, none of which begins an article."""
    rows = [[t for c in row.cells if (t := own_text(c))] for row in rows_of(table)]
    if sum(len(texts) > 1 for texts in rows) < _MIN_ROWS:
        return False
    return not any(ARTICLE.match(t) or PARAGRAPH.match(t) for texts in rows for t in texts)


_MIN_ROWS = 2
"""Rows of several cells that make a table; the heads of pages have one (a guess)."""


def lines_of(item: Element | str, parent: Element) -> list[Line]:
    """Return the lines of a paragraph: a break divides it where a number of the law follows."""
    struck_around = any(_is_struck(a) for a in (parent, *parent.iterancestors()))
    if isinstance(item, str):
        return [Line(item, "" if struck_around else item, item if struck_around else "")]
    lines = [Line("", "", "", links_only=True)]
    depth, links = int(struck_around), 0
    for event, node in etree.iterwalk(item, events=("start", "end")):
        if event == "start":
            depth, links = depth + _is_struck(node), links + (name_of(node) == "a")
            if name_of(node) == "br":
                lines.append(Line("", "", "", links_only=True))
            lines[-1].add(node.text, struck=depth > 0, linked=links > 0)
        else:
            depth, links = depth - _is_struck(node), links - (name_of(node) == "a")
            if node is not item:
                lines[-1].add(node.tail, struck=depth > 0, linked=links > 0)
    return _joined(lines)


def _joined(lines: list[Line]) -> list[Line]:
    joined = lines[:1]
    for line in lines[1:]:
        if any(p.match(one_line(line.text)) for p in _BEGINNINGS):
            joined.append(line)
            continue
        last = joined[-1]
        last.text += f" {line.text}"
        last.valid += f" {line.valid}"
        last.struck += f" {line.struck}"
        last.links_only = last.links_only and line.links_only
    return joined


def _is_struck(node: Element) -> bool:
    style = str(node.get("style") or "")
    return name_of(node) in _STRUCK_TAGS or bool(_STRUCK_STYLE.search(style))
