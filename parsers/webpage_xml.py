"""XML of no known vocabulary: every text in the order of the file, an element a line."""

from __future__ import annotations

from parsers.builder import DocumentBuilder
from parsers.model import BlockKind
from parsers.normalise import one_line
from parsers.webpage_dom import Element, inline_text


def emit_xml(root: Element, builder: DocumentBuilder) -> None:
    """Append a paragraph for each element that holds text of its own.

    An element with text between its children is mixed content, one paragraph with all of it; an
    element of children only is a frame and gives none.
    """
    stack: list[Element] = [root]
    while stack:
        element = stack.pop()
        own = [element.text, *(child.tail for child in element)]
        if not len(element) or any(t and t.strip() for t in own):
            builder.add_block(BlockKind.PARAGRAPH, one_line(inline_text(element)))
        else:
            stack.extend(reversed(element))
