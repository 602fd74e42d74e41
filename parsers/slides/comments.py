"""Reviewers' comments on a slide, in the classic and in the threaded ("modern") form.

python-pptx knows neither, so both are read from their parts' XML.
"""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree
from pptx.oxml import parse_xml
from pptx.parts.presentation import PresentationPart

from parsers.base import DamagedFileError
from parsers.ooxml import count_text_nodes, local_name, part_root, parts_of_kind, q
from parsers.slides.text import plain_text


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment or a reply to one; ``author`` is "" when the file does not name them."""

    author: str
    text: str


def read_authors(presentation: PresentationPart) -> dict[str, str]:
    """Return names by author id, of both forms; none where the list cannot be read."""
    names: dict[str, str] = {}
    for part in parts_of_kind(presentation, "commentAuthors", "authors"):
        try:
            for author in part_root(part, parse_xml):
                names[author.get("id", "")] = author.get("name", "")
        except DamagedFileError:
            continue  # a comment without its author's name is still a comment
    return names


def read_comments(root: etree._Element, authors: dict[str, str]) -> list[Comment]:
    """Return the comments of a part, replies behind what they answer."""
    found = []
    for element in root.iter():
        name = local_name(element)
        if name not in ("cm", "reply"):
            continue
        classic = element.find(q("p:text"))
        body = element.find(q("p188:txBody"))
        if classic is not None:
            text = (classic.text or "").strip()
        else:
            text = "" if body is None else plain_text(body)
        if text:
            found.append(Comment(authors.get(element.get("authorId", ""), "").strip(), text))
    return found


def count_comments(root: etree._Element) -> int:
    """Return the ledger's own count of the characters in a comments part."""
    return count_text_nodes(root, ("a:t", "p:text"), ("a:p", "a:br", "p:cm", "p188:cm"))
