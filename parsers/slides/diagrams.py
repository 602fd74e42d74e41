"""SmartArt: the texts of a diagram's data part, in the order of its outline."""

from __future__ import annotations

from collections import defaultdict

from lxml import etree

from parsers.ooxml import q
from parsers.slides.text import plain_text


def read_diagram(root: etree._Element) -> list[tuple[int, str]]:
    """Return (0-based depth, text) of each node with text in a ``dgm:dataModel``.

    Nodes follow the tree of parent-of connections; labels of arrows and nodes that no connection
    reaches come behind, in the order of the file.
    """
    points = {p.get("modelId", ""): p for p in root.iter(q("dgm:pt"))}
    children: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for link in root.iter(q("dgm:cxn")):
        if link.get("type", "parOf") == "parOf":
            order = int(link.get("srcOrd") or 0)
            children[link.get("srcId", "")].append((order, link.get("destId", "")))
    found: list[tuple[int, str]] = []
    seen: set[str] = set()

    def visit(start: str) -> None:
        stack = [(start, -1)]
        while stack:
            key, depth = stack.pop()
            if key in seen or key not in points:
                continue
            seen.add(key)
            if text := _text(points[key]):
                found.append((max(0, depth), text))
            stack += [(c, depth + 1) for _, c in sorted(children[key], reverse=True)]

    for key, point in points.items():
        if point.get("type") == "doc":
            visit(key)
    for key, point in points.items():
        if key not in seen and (text := _text(point)):
            found.append((0, text))
    return found


def _text(point: etree._Element) -> str:
    body = point.find(q("dgm:t"))
    return "" if body is None else plain_text(body)
