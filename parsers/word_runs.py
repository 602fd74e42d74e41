"""The inside of a Word paragraph: text, and what is anchored in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from parsers.normalise import canonical
from parsers.ooxml import count_text_nodes, local_name, q

_WORD_TEXT = ("w:t", "w:delText", "m:t")
_WORD_BREAKS = ("w:p", "w:br", "w:cr", "w:tab", "w:noBreakHyphen")
_CHARACTERS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}
_DELETED = {"del": "deleted text", "moveFrom": "moved text", "rt": "phonetic guide"}
_SKIPPED = frozenset({"pPr", "rPr", "instrText", "sdtPr", "fldData", "ffData", "rubyPr"})
_OFF = ("0", "false", "off")


@dataclass(slots=True)
class Inline:
    r"""A paragraph's text and what hangs on it.

    Attributes:
        text: Canonical, a line break is ``\n``.
        notes: (``footnote`` or ``endnote``, id) in order.
        comments: Ids of comments that refer to it.
        boxes: Contents of text boxes anchored in it.
        drawings: ``w:drawing`` and ``w:pict`` elements.
        dropped: Reason to characters left out.
        generated: Reason to characters that no text node holds.
    """

    text: str = ""
    notes: list[tuple[str, str]] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    boxes: list[etree._Element] = field(default_factory=list)
    drawings: list[etree._Element] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    generated: Counter[str] = field(default_factory=Counter)


def count_word(root: etree._Element) -> int:
    """Return the ledger's own count of the characters in a part of a Word document."""
    return count_text_nodes(root, _WORD_TEXT, _WORD_BREAKS)


def read_inline(paragraph: etree._Element) -> Inline:
    """Return the text of a ``w:p`` and what is anchored in it.

    Insertions are kept and deletions left out, as in the document with all changes accepted.
    Fields give their result, not their code.
    """
    inline = Inline()
    text = canonical("".join(_pieces(paragraph, inline)))
    inline.text = "\n".join(line.rstrip() for line in text.split("\n")).strip()
    return inline


def _pieces(element: etree._Element, inline: Inline) -> Iterator[str]:
    for child in element:
        name = local_name(child)
        if name == "t":
            yield child.text or ""
        elif name in _CHARACTERS:
            if name == "noBreakHyphen":
                inline.generated["hyphen element"] += 1
            yield _CHARACTERS[name]
        elif name in _DELETED:
            inline.dropped[_DELETED[name]] += count_word(child)
        elif name == "r" and _is_hidden(child):
            inline.dropped["hidden text"] += count_word(child)
        elif name == "sdt" and is_prompt(child):
            inline.dropped["prompt of an empty field"] += count_word(child)
        elif name in ("footnoteReference", "endnoteReference"):
            inline.notes.append((name.removesuffix("Reference"), child.get(q("w:id"), "")))
        elif name == "commentReference":
            inline.comments.append(child.get(q("w:id"), ""))
        elif name in ("drawing", "pict", "object"):
            inline.boxes += _outermost(child)
            inline.drawings.append(child)
        elif name not in _SKIPPED:
            yield from _pieces(child, inline)


def is_prompt(control: etree._Element) -> bool:
    """Whether a content control (``w:sdt``) still shows its "click here to enter text"."""
    return control.find(f"{q('w:sdtPr')}/{q('w:showingPlcHdr')}") is not None


def _is_hidden(run: etree._Element) -> bool:
    vanish = run.find(f"{q('w:rPr')}/{q('w:vanish')}")
    return vanish is not None and vanish.get(q("w:val"), "1") not in _OFF


def _outermost(element: etree._Element) -> list[etree._Element]:
    """Return the text boxes below ``element`` that are not inside another one of them."""
    boxes = []
    for child in element:
        boxes += [child] if child.tag == q("w:txbxContent") else _outermost(child)
    return boxes
