"""What a page shows: scripts, head and hidden elements out, alternative texts of images in."""

from __future__ import annotations

import re

from parsers.builder import DocumentBuilder
from parsers.normalise import one_line
from parsers.webpage_dom import BLOCK_TAGS, Element, count_text, has_text, name_of, remove

SCRIPT = "script"
HIDDEN = "hidden"
HEAD = "page head"
FORM = "form control"
EMBEDDED = "embedded object"
ALTERNATIVE = "alternative text"
ALTERNATIVE_MARK = "data-microtome-alternative"

_SCRIPTS = frozenset({"script", "style", "noscript", "template"})
_CONTROLS = frozenset({"select", "option", "datalist", "button", "input", "optgroup"})
_EMBEDDED = frozenset(
    {"iframe", "embed", "audio", "video", "canvas", "annotation", "annotation-xml"}
)
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*(hidden|collapse)", re.I)


def drop_unseen(root: Element, builder: DocumentBuilder) -> None:
    """Take out of the tree what is not shown; each piece is counted with its reason."""
    for element in list(root.iter("*")):
        if element is root or element.getparent() is None or not _is_in(element, root):
            continue
        if name_of(element).lower() == "svg":
            _keep_labels(element, builder)
            continue
        reason = _reason(element)
        if reason:
            builder.count_dropped(reason, count_text(element))
            remove(element)


def _keep_labels(drawing: Element, builder: DocumentBuilder) -> None:
    """Turn the labels of a drawing into paragraphs; the rest of it, if any, is no text to read."""
    labels = [e for e in drawing.iter("text") if has_text(e)]
    before = count_text(drawing)
    for element in list(drawing):
        drawing.remove(element)
    drawing.text, drawing.tag = None, "div" if labels else "span"
    for label in labels:
        label.tag, label.tail = "p", None
        drawing.append(label)
    builder.count_dropped(EMBEDDED, before - count_text(drawing))


def _is_in(element: Element, root: Element) -> bool:
    """Whether an element is still in the tree (an ancestor may have been taken out)."""
    top = element
    while (parent := top.getparent()) is not None:
        top = parent
    return top is root


def _reason(element: Element) -> str:
    name = name_of(element).lower()
    if name in _SCRIPTS:
        return SCRIPT
    if name == "head":
        return HEAD
    if name in _CONTROLS:
        return FORM
    if name in _EMBEDDED:
        return EMBEDDED
    if element.get("hidden") is not None and element.get("hidden") != "until-found":
        return HIDDEN
    if _HIDDEN_STYLE.search(str(element.get("style") or "")):
        return HIDDEN
    if name == "dialog" and element.get("open") is None:
        return HIDDEN
    return ""


def show_alternatives(root: Element, builder: DocumentBuilder) -> None:
    """Put the alternative text of each image where the image stands; counted as generated.

    An image amid text becomes part of the sentence; one that stands alone becomes a paragraph of
    its own, marked with the attribute :data:`ALTERNATIVE_MARK`.
    """
    for image in list(root.iter("img")):
        text = one_line(str(image.get("alt") or ""))
        if not text:
            continue
        builder.count_generated(ALTERNATIVE, text)
        image.text = f" {text} "
        if _has_text_around(image):
            image.tag = "span"
        else:
            image.tag = "p"
            image.set(ALTERNATIVE_MARK, "1")


def _has_text_around(image: Element) -> bool:
    """Tell whether the line in which an image stands holds text."""
    block = next((a for a in image.iterancestors() if name_of(a) in BLOCK_TAGS), None)
    if block is None or name_of(block) == "figure":
        return False
    own = image.text
    image.text = None
    found = has_text(block)
    image.text = own
    return found
