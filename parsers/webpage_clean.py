"""What a reader of a page does not see: scripts, styles, head, hidden elements."""

from __future__ import annotations

import re

from parsers.builder import DocumentBuilder
from parsers.webpage_dom import Element, count_text, name_of, remove

SCRIPT = "script"
HIDDEN = "hidden"
HEAD = "page head"
FORM = "form control"

_SCRIPTS = frozenset({"script", "style", "noscript", "template", "svg", "math-annotation"})
_CONTROLS = frozenset({"select", "option", "datalist", "textarea", "button", "input", "optgroup"})
_EMBEDDED = frozenset({"iframe", "object", "embed", "audio", "video", "canvas"})
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*(hidden|collapse)", re.I)


def drop_unseen(root: Element, builder: DocumentBuilder) -> None:
    """Take out of the tree what is not shown; each piece is counted with its reason."""
    for element in list(root.iter("*")):
        if element is root or element.getparent() is None or not _is_in(element, root):
            continue
        reason = _reason(element)
        if reason:
            builder.count_dropped(reason, count_text(element))
            remove(element)


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
        return "embedded object"
    if element.get("hidden") is not None and element.get("hidden") != "until-found":
        return HIDDEN
    if _HIDDEN_STYLE.search(str(element.get("style") or "")):
        return HIDDEN
    if name == "dialog" and element.get("open") is None:
        return HIDDEN
    return ""
