"""A Word part with all changes accepted and every wrapper taken away, so python-docx sees its text.

python-docx passes over whatever stands inside a content control, an insertion, a field, an
equation or a phonetic guide. Here the tree itself is brought into the form it reads: runs directly
in paragraphs or links, paragraphs and tables directly in what holds them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from lxml import etree

from parsers.normalise import count_characters
from parsers.ooxml import NAMESPACES, count_text_nodes, q, resolve_alternates
from parsers.word_equations import linear
from parsers.word_symbols import field_value, sign_of

_TEXT = ("w:t", "w:delText", "m:t")
_BREAKS = ("w:p", "w:br", "w:cr", "w:tab", "w:noBreakHyphen")
_LEFT_OUT = {
    ".//w:tr[w:trPr/w:del]": "deleted text",
    ".//w:del": "deleted text",
    ".//w:delText": "deleted text",
    ".//w:moveFrom": "moved text",
    ".//w:rt": "phonetic guide",
    ".//w:r[w:rPr/w:vanish[not(@w:val='0' or @w:val='false' or @w:val='off')]]": "hidden text",
    ".//w:sdt[w:sdtPr/w:showingPlcHdr]": "prompt of an empty field",
}
_PROPERTIES = ("w:sdtPr", "w:sdtEndPr", "w:customXmlPr", "w:smartTagPr", "w:rubyPr")
_WRAPPERS = (
    "w:sdt", "w:sdtContent", "w:ins", "w:moveTo", "w:customXml", "w:smartTag", "w:fldSimple",
    "w:bdo", "w:dir", "m:oMathPara",
)  # fmt: skip
_SIGNS: tuple[tuple[str, Callable[[etree._Element], str], str], ...] = (
    ("w:noBreakHyphen", lambda _: "\u2011", "hyphen element"),  # a plain hyphen to python-docx
    ("w:sym", sign_of, "symbol element"),
    ("w:ffData", field_value, "form field"),
)
"""Elements that show characters but hold none, what they show, and the ledger's reason."""


def count_word(root: etree._Element) -> int:
    """Return the ledger's own count of the characters in a part of a Word document."""
    return count_text_nodes(root, _TEXT, _BREAKS)


def accept(root: Any) -> tuple[Counter[str], Counter[str]]:
    """Change a part into the form python-docx reads; insertions stay and deletions go.

    Args:
        root: Of any part, parsed by python-docx.

    Returns:
        Reason to count of the characters left out, and of those that are in no text node of the
        file (hyphens that are elements, the signs of an equation's layout).
    """
    dropped: Counter[str] = Counter()
    before = count_word(root)
    resolve_alternates(root)
    dropped["alternate rendering"] = before - count_word(root)
    for path, reason in _LEFT_OUT.items():
        found: Any = etree.XPath(path, namespaces=NAMESPACES)(root)
        for element in reversed(found):  # the inner ones first: nothing is counted twice
            dropped[reason] += count_word(element)
            element.getparent().remove(element)
    etree.strip_elements(root, *map(q, _PROPERTIES), with_tail=False)
    etree.strip_tags(root, *map(q, _WRAPPERS))
    for ruby in list(root.iter(q("w:ruby"))):
        _replace(ruby, list(ruby.iter(q("w:t"))))
    generated: Counter[str] = Counter()
    for equation in list(root.iter(q("m:oMath"))):
        text = linear(equation)
        generated["equation sign"] += count_characters(text) - count_word(equation)
        _replace(equation, [_run(root, text)])
    for name, sign, reason in _SIGNS:
        for element in list(root.iter(q(name))):
            if text := sign(element):
                generated[reason] += count_characters(text)
                _say(root, element, text)
    for line_break in root.iter(q("w:br")):  # nothing to python-docx when it begins a page
        line_break.attrib.pop(q("w:type"), None)
    return +dropped, +generated


def _say(root: Any, element: Any, text: str) -> None:
    """Put text in the place of an element of a run, behind the run of a form field's data."""
    if element.tag == q("w:ffData"):  # inside w:r/w:fldChar
        run = element.getparent().getparent()
        run.addnext(_run(root, text))
    else:
        _replace(element, list(_run(root, text)))


def _run(root: Any, text: str) -> Any:
    run = root.makeelement(q("w:r"))
    run.append(root.makeelement(q("w:t")))
    run[0].text = text
    return run


def _replace(element: Any, others: list[Any]) -> None:
    parent = element.getparent()
    place = parent.index(element)
    parent[place : place + 1] = others
