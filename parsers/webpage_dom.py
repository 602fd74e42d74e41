"""HTML, XHTML and XML bytes to a tree, safely, and the small questions asked of it.

Nothing is fetched, no entity is expanded, and text that a parser would silently lose (nesting
beyond its limit, entities of a DTD that is not read) is an error or another parser's work.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lxml import etree

from parsers.base import DamagedFileError, EmptyFileError
from parsers.charset import decode
from parsers.normalise import canonical, count_characters, one_line

Element = etree._Element

MAX_BYTES = 256 * 1024 * 1024
"""A larger page is refused: its tree would need tens of times that in memory (a guess; the largest
law seen, the AI act, has 1.3 MB)."""

BLOCK_TAGS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
     "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
     "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "html", "legend", "li",
     "main", "menu", "nav", "ol", "p", "pre", "search", "section", "summary", "table", "tbody",
     "td", "tfoot", "th", "thead", "tr", "ul"}
)  # fmt: skip
"""Elements that begin and end a line. Anything else is inline, unless it holds one of these."""

_DECLARED = re.compile(
    rb"""<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)|<meta[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)""",
    re.IGNORECASE,
)
_DECLARED_WITHIN = 4096
_SPACES = re.compile(r"\s+")
_XML_START = re.compile(r"\s*<\?xml[\s>]")
_DTD = re.compile(r"\s*<!DOCTYPE\s[^>\[]*\[")
_STRUCK = re.compile(r"<(/?)(?:strike|s)(?=[\s>])", re.IGNORECASE)
"""libxml2 ends these where a paragraph begins, so wording struck out over several would look valid;
``del``, which means the same, it leaves open."""
_NO_FRAMES = re.compile(r"<(/?)noframes(?=[\s>])", re.IGNORECASE)
"""libxml2 keeps what stands in it as one raw text; it is what a page of frames says itself."""
_ENDS = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)
"""What stands behind these belongs to the page all the same; libxml2 would lose it in silence."""
_ENTITY = re.compile(r"<!ENTITY\s")
_PROLOG = 65_536
"""Characters in which a document type may declare entities; libxml2 guards against the rest."""
_XHTML = re.compile(r"<html[^>]*\sxmlns\s*=\s*[\"']http://www\.w3\.org/1999/xhtml")


@dataclass(frozen=True, slots=True)
class Markup:
    """A parsed page.

    Attributes:
        root: The outermost element; names are local (no namespaces), comments are gone.
        characters: Of all its text nodes, counted before anything reads them (ledger unit).
        is_xml: Read as XML; else as HTML.
        language: Value of ``lang`` on the outermost element, or "".
    """

    root: Element
    characters: int
    is_xml: bool
    language: str


def parse_markup(data: bytes) -> Markup:
    """Return the tree of HTML, XHTML or XML.

    Raises:
        EmptyFileError: ``data`` is empty.
        DamagedFileError: No element, nested beyond what can be read, too large, or XML that
            declares entities of its own.
    """
    if not data:
        raise EmptyFileError("the page has no bytes")
    if len(data) > MAX_BYTES:
        raise DamagedFileError(
            f"the page has {len(data)} bytes, more than the {MAX_BYTES} that are read",
            "Split the file, or ingest the format it was made from.",
        )
    declared = _DECLARED.search(data[:_DECLARED_WITHIN])
    name = next((g for g in declared.groups() if g), b"").decode("ascii") if declared else None
    text = canonical(decode(data, name)[0])
    looks_xml = _XML_START.match(text) or _XHTML.search(text[:4096]) or _DTD.match(text)
    root = _xml(text) if looks_xml else None
    is_xml = root is not None
    if root is None:
        root = _html(text)
    return Markup(root, count_text(root), is_xml, _language(root))


def _xml(text: str) -> Element | None:
    """Return the tree, or None when the text is no XML that can be read without loss."""
    if _ENTITY.search(text, 0, _PROLOG):
        raise DamagedFileError(
            "the XML declares entities of its own, which are not expanded",
            "Save the file with its entities resolved (`xmllint --noent`) if you trust it.",
        )
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False,
        remove_comments=True, remove_pis=True, huge_tree=False,
    )  # fmt: skip
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except etree.XMLSyntaxError:
        return None
    if next(root.iter(etree.Entity), None) is not None:
        return None  # &nbsp; of a DTD that is not read: the HTML parser knows these names
    for element in root.iter("*"):
        if "}" in str(element.tag):
            element.tag = etree.QName(element).localname
    return root


def _html(text: str) -> Element:
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True
    )
    try:
        text = _ENDS.sub("", _NO_FRAMES.sub(r"<\1div", _STRUCK.sub(r"<\1del", text)))
        root = etree.fromstring(text.encode("utf-8"), parser)
    except (etree.XMLSyntaxError, etree.ParserError) as error:
        raise DamagedFileError(f"no HTML could be read: {error}") from error
    if root is None:
        raise DamagedFileError("the page holds no element and no text")
    too_deep = [e.message for e in parser.error_log if "depth" in e.message.lower()]
    if too_deep:
        raise DamagedFileError(
            f"elements are nested too deeply to be read ({too_deep[0]})",
            "Open the page in a browser and save it again: it closes elements left open.",
        )
    return root


def _language(root: Element) -> str:
    for element in (root, *root.iterchildren("body")):
        for name in ("lang", "{http://www.w3.org/XML/1998/namespace}lang", "xml:lang"):
            value = str(element.get(name) or "").strip()
            if value:
                return value
    return ""


def count_text(element: Element) -> int:
    """Return the characters of all text nodes in ``element`` (ledger unit), its tail left out."""
    nodes = element.xpath(".//text()")
    return count_characters("".join(map(str, nodes)) if isinstance(nodes, list) else "")


def has_text(element: Element) -> bool:
    """Tell whether any text node in ``element`` is more than white space."""
    return any(str(t).strip() for t in element.itertext())


def classes(element: Element) -> frozenset[str]:
    """Return the class names of an element."""
    return frozenset(str(element.get("class") or "").split())


def name_of(element: Element) -> str:
    """Return the local name of an element in the case of the source (HTML: lower)."""
    return str(element.tag)


def is_block(element: Element) -> bool:
    """Tell whether an element begins a line of its own, or holds one that does."""
    return name_of(element) in BLOCK_TAGS or next(element.iter(*BLOCK_TAGS), None) is not None


def _folded(text: str | None) -> str:
    return _SPACES.sub(" ", text) if text else ""


def inline_text(element: Element) -> str:
    r"""Return the text in ``element`` as a browser shows it.

    White space of the source is a space; ``\n`` stands at line breaks and around block elements.
    """
    parts: list[str] = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        edge = node is not element and name_of(node) in BLOCK_TAGS
        if event == "start":
            parts += ["\n" if edge or node.tag == "br" else "", _folded(node.text)]
        else:
            parts += ["\n" if edge else "", _folded(node.tail) if node is not element else ""]
    return "".join(parts)


def line_text(element: Element) -> str:
    """Return the text in ``element`` on one line."""
    return one_line(inline_text(element))


def flow(parent: Element) -> Iterator[Element | str]:
    r"""Yield the block children of ``parent`` and, as strings, the runs of inline text between.

    Runs keep ``\n`` at line breaks and are not empty; each text node comes out once, here or in a
    yielded element.
    """
    run = [_folded(parent.text)]
    for child in parent:
        if is_block(child):
            yield from _finished(run)
            yield child
            run = [_folded(child.tail)]
        else:
            run += ["\n" if child.tag == "br" else inline_text(child), _folded(child.tail)]
    yield from _finished(run)


def descend(
    root: Element, leads_on: Callable[[Element], bool]
) -> Iterator[tuple[Element, Element | str]]:
    """Yield (container, item) for what :func:`flow` finds in ``root`` and below.

    Args:
        root: Where to begin.
        leads_on: Says of a block whether what it holds is wanted instead of itself. A stack
            holds the way down, for pages nest more deeply than Python calls.
    """
    stack = [(root, flow(root))]
    while stack:
        parent, items = stack[-1]
        item = next(items, None)
        if item is None:
            stack.pop()
        elif isinstance(item, str) or not leads_on(item):
            yield parent, item
        else:
            stack.append((item, flow(item)))


def _finished(run: list[str]) -> Iterator[str]:
    text = "".join(run)
    if text.strip():
        yield text


def remove(element: Element) -> None:
    """Take an element out of its tree and leave its tail where it was."""
    parent = element.getparent()
    if parent is None:
        return
    previous = element.getprevious()
    tail = element.tail or ""
    if previous is not None:
        previous.tail = (previous.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(element)
