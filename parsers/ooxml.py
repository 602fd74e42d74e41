"""What the readers of Office files share beside their libraries: parts, names, counts of text.

python-pptx and python-docx open the package (see :mod:`parsers.ooxml_package`) and know parts and
relationships; neither resolves alternative renderings or counts text for the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lxml import etree

from parsers.base import DamagedFileError
from parsers.normalise import count_characters
from parsers.ooxml_package import UNREADABLE

_SCHEMAS = "http://schemas.openxmlformats.org"
NAMESPACES = {
    "a": f"{_SCHEMAS}/drawingml/2006/main",
    "c": f"{_SCHEMAS}/drawingml/2006/chart",
    "cx": "http://schemas.microsoft.com/office/drawing/2014/chartex",
    "dgm": f"{_SCHEMAS}/drawingml/2006/diagram",
    "m": f"{_SCHEMAS}/officeDocument/2006/math",
    "mc": f"{_SCHEMAS}/markup-compatibility/2006",
    "p": f"{_SCHEMAS}/presentationml/2006/main",
    "p14": "http://schemas.microsoft.com/office/powerpoint/2010/main",
    "p188": "http://schemas.microsoft.com/office/powerpoint/2018/8/main",
    "r": f"{_SCHEMAS}/officeDocument/2006/relationships",
    "w": f"{_SCHEMAS}/wordprocessingml/2006/main",
    "wp": f"{_SCHEMAS}/drawingml/2006/wordprocessingDrawing",
    "xdr": f"{_SCHEMAS}/drawingml/2006/spreadsheetDrawing",
}
Part = Any
"""A part of an opened package: python-pptx and python-docx have it alike."""


def q(name: str) -> str:
    """Return lxml's name for a prefixed one: ``q("a:t")`` is ``{…/drawingml/2006/main}t``."""
    prefix, _, local = name.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


def part_bytes(part: Part) -> bytes:
    """Return the bytes of a part.

    Raises:
        DamagedFileError: :func:`parsers.ooxml_package.open_office` could not read it.
    """
    if part.content_type == UNREADABLE:
        raise DamagedFileError(part.blob.decode())
    data: bytes = part.blob
    return data


def part_root(part: Part, parse_xml: Callable[[bytes], Any]) -> Any:
    """Return the root of an XML part: the library's own tree where it keeps one, else parsed.

    Args:
        part: Any part.
        parse_xml: ``pptx.oxml.parse_xml`` or ``docx.oxml.parse_xml``: it gives the elements the
            library's classes.

    Raises:
        DamagedFileError: The part cannot be read or is no XML.
    """
    root = getattr(part, "_element", None)
    if root is None:
        try:
            root = parse_xml(part_bytes(part))
        except etree.XMLSyntaxError as error:
            raise DamagedFileError(f"a part is not well-formed XML: {error}") from error
    return root


def related(part: Part, key: str | None) -> Part:
    """Return the part that a relationship points to.

    Raises:
        DamagedFileError: There is no such part in the file.
    """
    link = part.rels.get(key or "")
    if link is None or link.is_external:
        raise DamagedFileError(f"a shape points to {key!r}, which is not in the file")
    return link.target_part


def parts_of_kind(part: Part, *kinds: str) -> list[Part]:
    """Return the parts linked from ``part`` by kind: the last segment of the link's type."""
    links = [link for link in part.rels.values() if not link.is_external]
    return [x.target_part for x in links if x.reltype.rpartition("/")[2] in kinds]


def local_name(element: etree._Element) -> str:
    """Return the element's name without its namespace ("" for a comment or an entity)."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def count_text_nodes(root: etree._Element, names: Iterable[str], breaks: Iterable[str]) -> int:
    """Return how many characters the text nodes below ``root`` hold: the ledger's own counter.

    It knows nothing of shapes, styles or visibility, and so cannot share a parser's mistake.

    Args:
        root: Any element; itself included.
        names: Prefixed names of the elements that hold text: ``a:t``, ``w:t``.
        breaks: Prefixed names of elements that part words, so that a letter and a combining
            mark of two paragraphs are not counted as one character.
    """
    wanted = {q(name) for name in names}
    pieces: list[str] = []
    for element in root.iter(*wanted, *(q(name) for name in breaks)):
        pieces.append((element.text or "") if element.tag in wanted else "\n")
    return count_characters("".join(pieces))


def resolve_alternates(root: etree._Element) -> None:
    """Put one branch in the place of each ``mc:AlternateContent`` below ``root``.

    The branches say the same thing for new and old programs; reading both would double it.
    """
    reference = f"{{{NAMESPACES['r']}}}"

    def has_content(branch: etree._Element) -> bool:
        return any(
            (e.text or "").strip() for e in branch.iter(q("a:t"), q("w:t"), q("m:t"))
        ) or any(str(key).startswith(reference) for e in branch.iter() for key in e.attrib)

    while (alternate := next(root.iter(q("mc:AlternateContent")), None)) is not None:
        branches = [b for b in alternate if local_name(b) in ("Choice", "Fallback")]
        chosen = next((b for b in branches if has_content(b)), branches[0] if branches else None)
        parent = alternate.getparent()
        if parent is None:
            return
        place = parent.index(alternate)
        for child in reversed([] if chosen is None else list(chosen)):
            parent.insert(place, child)
        alternate.tail = None
        parent.remove(alternate)
