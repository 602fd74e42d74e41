"""The shapes of a slide, with absolute positions through any depth of groups and layouts."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from parsers.base import DamagedFileError
from parsers.model import BoundingBox
from parsers.ooxml import Package, local_name, q

_EMU_PER_POINT = 12_700
_SHAPES = frozenset({"sp", "pic", "graphicFrame", "grpSp", "cxnSp"})
_TITLES = frozenset({"title", "ctrTitle"})
_BODIES = frozenset({"body", "obj", "subTitle", "tbl", "chart", "dgm", "pic", "clipArt", "media"})


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape on a slide.

    Attributes:
        element: Its XML.
        kind: ``sp``, ``pic``, ``graphicFrame``, ``grpSp`` or ``cxnSp``.
        box: Where it stands on the slide in points, None when neither it nor its layout says.
        placeholder: Type of placeholder (``title``, ``body``, ``ftr``, …), "" for none.
        name: Its name in the file.
        alt_text: What its author wrote for those who cannot see it.
        hidden: Whether it is switched off.
        children: Members of a group, in file order.
    """

    element: etree._Element
    kind: str
    box: BoundingBox | None
    placeholder: str
    name: str
    alt_text: str
    hidden: bool
    children: tuple[Shape, ...] = ()

    @property
    def is_title(self) -> bool:
        """Whether it is the slide's title placeholder."""
        return self.placeholder in _TITLES


@dataclass(frozen=True, slots=True)
class _Transform:
    """Maps a group's own coordinates to the slide's, both in EMU."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    move_x: float = 0.0
    move_y: float = 0.0

    def box(self, xfrm: etree._Element | None) -> BoundingBox | None:
        corners = _corners(xfrm, "off", "ext")
        if corners is None:
            return None
        x, y, width, height = corners
        left = (self.move_x + x * self.scale_x) / _EMU_PER_POINT
        top = (self.move_y + y * self.scale_y) / _EMU_PER_POINT
        return BoundingBox(
            left,
            top,
            left + abs(width * self.scale_x) / _EMU_PER_POINT,
            top + abs(height * self.scale_y) / _EMU_PER_POINT,
        )

    def inside(self, xfrm: etree._Element | None) -> _Transform:
        """Return the transform of a group's children."""
        outer, inner = _corners(xfrm, "off", "ext"), _corners(xfrm, "chOff", "chExt")
        if outer is None or inner is None:
            return self
        x, y, width, height = outer
        child_x, child_y, child_width, child_height = inner
        ratio_x = width / child_width if child_width else 1.0
        ratio_y = height / child_height if child_height else 1.0
        return _Transform(
            self.scale_x * ratio_x,
            self.scale_y * ratio_y,
            self.move_x + self.scale_x * (x - child_x * ratio_x),
            self.move_y + self.scale_y * (y - child_y * ratio_y),
        )


def read_shapes(tree: etree._Element, inherited: dict[str, BoundingBox]) -> tuple[Shape, ...]:
    """Return the shapes of an ``spTree``.

    Args:
        tree: The tree of shapes of a slide or of a page of notes.
        inherited: Boxes of the layout's placeholders, see :func:`placeholder_boxes`.
    """
    return _children(tree, _Transform(), inherited)


def placeholder_boxes(package: Package, slide: str) -> dict[str, BoundingBox]:
    """Return the boxes (points) that a slide's placeholders inherit from layout and master.

    Keys are ``idx:N`` and ``type:NAME``; the layout goes before its master. A layout that cannot
    be read only costs positions, and so is passed over.
    """
    boxes: dict[str, BoundingBox] = {}
    part, kinds = slide, ["slideMaster", "slideLayout"]
    while kinds:
        kind = kinds.pop()
        try:
            links = package.relationships(part).values()
            part = next(link.target for link in links if link.kind == kind)
            tree = package.xml(part).find(f"{q('p:cSld')}/{q('p:spTree')}")
        except (DamagedFileError, StopIteration):
            break
        for shape in () if tree is None else read_shapes(tree, {}):
            if shape.box is not None and shape.placeholder:
                for key in _keys(shape.element, with_index=kind == "slideLayout"):
                    boxes.setdefault(key, shape.box)
    return boxes


def _children(
    tree: etree._Element, transform: _Transform, inherited: dict[str, BoundingBox]
) -> tuple[Shape, ...]:
    shapes = []
    for element in tree:
        kind = local_name(element)
        if kind not in _SHAPES:
            continue
        xfrm = _xfrm(element, kind)
        properties = next((e for e in element.iter(q("p:cNvPr"))), None)
        box = transform.box(xfrm)
        placeholder = _placeholder(element)
        if box is None and placeholder is not None:
            box = next((inherited[k] for k in _keys(element, True) if k in inherited), None)
        shapes.append(
            Shape(
                element=element,
                kind=kind,
                box=box,
                placeholder="" if placeholder is None else placeholder.get("type", "obj"),
                name="" if properties is None else properties.get("name", ""),
                alt_text="" if properties is None else _alt_text(properties),
                hidden=properties is not None and properties.get("hidden") in ("1", "true"),
                children=_children(element, transform.inside(xfrm), inherited)
                if kind == "grpSp"
                else (),
            )
        )
    return tuple(shapes)


def _xfrm(element: etree._Element, kind: str) -> etree._Element | None:
    if kind == "graphicFrame":
        return element.find(q("p:xfrm"))
    holder = q("p:grpSpPr") if kind == "grpSp" else q("p:spPr")
    return element.find(f"{holder}/{q('a:xfrm')}")


def _corners(
    xfrm: etree._Element | None, offset: str, extent: str
) -> tuple[float, float, float, float] | None:
    if xfrm is None:
        return None
    off, ext = xfrm.find(q(f"a:{offset}")), xfrm.find(q(f"a:{extent}"))
    if off is None or ext is None:
        return None
    try:
        return (
            float(off.get("x") or 0),
            float(off.get("y") or 0),
            float(ext.get("cx") or 0),
            float(ext.get("cy") or 0),
        )
    except ValueError:
        return None


def _placeholder(element: etree._Element) -> etree._Element | None:
    if local_name(element) == "grpSp":
        return None
    return next(element.iter(q("p:ph")), None)


def _keys(element: etree._Element, with_index: bool) -> list[str]:
    placeholder = _placeholder(element)
    if placeholder is None:
        return []
    kind = placeholder.get("type", "obj")
    kind = "title" if kind in _TITLES else "body" if kind in _BODIES else kind
    index = placeholder.get("idx")
    return [f"idx:{index}"] * (with_index and index is not None) + [f"type:{kind}"]


def _alt_text(properties: etree._Element) -> str:
    for element in properties.iter():
        if local_name(element) == "decorative" and element.get("val") in ("1", "true"):
            return ""
    return properties.get("descr", "") or properties.get("title", "")
