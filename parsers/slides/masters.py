"""What a slide shows of its layout and master: their own shapes, not prompts in placeholders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pptx.oxml import parse_xml

from parsers.base import DamagedFileError
from parsers.ooxml import part_root, parts_of_kind, q
from parsers.slides.shapes import Shape, read_shapes


def inherited_shapes(slide_part: Any) -> Iterator[tuple[Any, Shape]]:
    """Yield (part, shape) for each shape that a slide shows without holding it.

    Args:
        slide_part: python-pptx's part of the slide.

    Raises:
        DamagedFileError: The layout or the master cannot be read.
    """
    sheet = slide_part
    for kind, attribute in (("slideLayout", "slide_layout"), ("slideMaster", "slide_master")):
        part = next(iter(parts_of_kind(sheet, kind)), None)
        if part is None or part_root(sheet, parse_xml).get("showMasterSp") in ("0", "false"):
            return
        owner = getattr(part, attribute, None)
        if owner is None:
            raise DamagedFileError("the layout or master that a slide stands on cannot be read")
        for shape in read_shapes(owner.shapes):
            if shape.children or next(shape.element.iter(q("p:ph")), None) is None:
                yield part, shape
        sheet = part
