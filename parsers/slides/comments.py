"""Reviewers' comments on a slide, in the classic and in the threaded ("modern") form."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from parsers.base import DamagedFileError
from parsers.ooxml import Package, count_text_nodes, local_name, q
from parsers.slides.text import plain_text

_AUTHOR_PARTS = frozenset({"commentAuthors", "authors"})


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment or a reply to one; ``author`` is "" when the file does not name them."""

    author: str
    text: str


def read_authors(package: Package, presentation: str) -> dict[str, str]:
    """Return names by author id, of both forms; none where the list cannot be read."""
    names: dict[str, str] = {}
    for link in package.relationships(presentation).values():
        if link.kind not in _AUTHOR_PARTS:
            continue
        try:
            for author in package.xml(link.target):
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
