"""The shapes of a slide, with absolute positions through any depth of groups and layouts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.shapes.base import BaseShape
from pptx.shapes.group import GroupShape
from pptx.util import Emu

from parsers.model import BoundingBox
from parsers.ooxml import local_name, q

_TITLES = (PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE)


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape on a slide.

    Attributes:
        proxy: python-pptx's shape.
        box: Where it stands on the slide in points, None when neither it nor its layout says.
        placeholder: Type of placeholder, None for none or one that PowerPoint does not know.
        children: Members of a group, in file order.
    """

    proxy: BaseShape
    box: BoundingBox | None
    placeholder: PP_PLACEHOLDER | None = None
    children: tuple[Shape, ...] = ()

    @property
    def element(self) -> Any:
        """Its XML."""
        return self.proxy.element

    @property
    def is_title(self) -> bool:
        """Whether it is the slide's title placeholder."""
        return self.placeholder in _TITLES

    @property
    def hidden(self) -> bool:
        """Whether it is switched off."""
        return self._properties.get("hidden") in ("1", "true")

    @property
    def name(self) -> str:
        """Its name in the file."""
        return self._properties.get("name", "")

    @property
    def alt_text(self) -> str:
        """What its author wrote for those who cannot see it; "" for a decoration."""
        properties = self._properties
        for element in properties.iter():
            if local_name(element) == "decorative" and element.get("val") in ("1", "true"):
                return ""
        return properties.get("descr", "") or properties.get("title", "")

    @property
    def _properties(self) -> etree._Element:
        return next(self.element.iter(q("p:cNvPr")), etree.Element("none"))


@dataclass(frozen=True, slots=True)
class _Transform:
    """Maps a group's own coordinates, in which python-pptx gives positions, to the slide's."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    move_x: float = 0.0
    move_y: float = 0.0

    def box(self, shape: BaseShape) -> BoundingBox | None:
        try:
            sides = (shape.left, shape.top, shape.width, shape.height)
        except (ValueError, AttributeError):  # no numbers, or a layout that cannot be read
            return None
        if None in sides:
            return None
        left, top, width, height = (Emu(side).pt for side in sides)
        x0, y0 = self.move_x + left * self.scale_x, self.move_y + top * self.scale_y
        x1, y1 = x0 + abs(width * self.scale_x), y0 + abs(height * self.scale_y)
        return BoundingBox(x0, y0, x1, y1)

    def inside(self, group: GroupShape) -> _Transform:
        """Return the transform of a group's children."""
        xfrm: Any = group.element.xfrm
        if xfrm is None or xfrm.chOff is None or xfrm.chExt is None or xfrm.ext is None:
            return self
        x, y, width, height = (
            Emu(v).pt for v in (xfrm.chOff.x, xfrm.chOff.y, xfrm.chExt.cx, xfrm.chExt.cy)
        )
        ratio_x = Emu(group.width).pt / width if width else 1.0
        ratio_y = Emu(group.height).pt / height if height else 1.0
        return _Transform(
            self.scale_x * ratio_x,
            self.scale_y * ratio_y,
            self.move_x + self.scale_x * (Emu(group.left).pt - x * ratio_x),
            self.move_y + self.scale_y * (Emu(group.top).pt - y * ratio_y),
        )


def read_shapes(shapes: Any, transform: _Transform = _Transform()) -> tuple[Shape, ...]:
    """Return the shapes of a slide, of a page of notes or of a group (any of their ``shapes``)."""
    return tuple(
        Shape(
            proxy,
            transform.box(proxy),
            _placeholder(proxy),
            read_shapes(proxy.shapes, transform.inside(proxy))
            if isinstance(proxy, GroupShape)
            else (),
        )
        for proxy in _members(shapes)
    )


def _members(shapes: Any) -> Iterator[BaseShape]:
    """Yield the members one by one: iterating ``shapes`` ends at the first that it cannot wrap."""
    for element in shapes.element.iter_shape_elms():
        try:
            yield shapes._shape_factory(element)
        except (ValueError, KeyError):  # a kind of placeholder that PowerPoint does not know
            yield BaseShape(element, shapes)


def _placeholder(shape: BaseShape) -> PP_PLACEHOLDER | None:
    try:
        return shape.placeholder_format.type if shape.is_placeholder else None
    except (ValueError, KeyError):
        return None
