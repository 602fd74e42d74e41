"""The pictures of flagged slides, made small enough to send.

Runs in the process that parsed the file, whose bytes are there already: the document itself stays
without pictures, and nothing is drawn or read twice.
"""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

from configs.settings import ParsingSettings
from parsers.base import ParserError
from parsers.detect import ODP, PPT
from parsers.model import Document
from parsers.ooxml import part_bytes, part_root, q, related, resolve_alternates
from parsers.ooxml_package import open_office

PARSERS = frozenset({"slides", "legacy"})
"""Names of the parsers whose pages may ask for a description."""

_MIN_SIDE = 50
"""Pixels: a smaller picture is an icon or a bullet, as in ``parsers.slides.pictures``."""
_MAX_SIDE = 1024
"""Pixels sent at most: multimodal models scale to 336 to 1,024 themselves (a guess)."""
_JPEG_QUALITY = 90
_WHITE = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class SlidePicture:
    """A picture of a flagged slide.

    Attributes:
        page: 1-based slide.
        sha256: Of its bytes in the file, 64 hex digits; "" where it could not be read.
        address: It as a ``data:`` URI, at most 1,024 pixels wide or high; "" with a ``fault``.
        fault: Why it cannot be sent, or "".
    """

    page: int
    sha256: str
    address: str
    fault: str = ""


def flagged_pictures(
    document: Document, data: bytes, settings: ParsingSettings
) -> tuple[SlidePicture, ...]:
    """Return the pictures of the pages that ask for a description, in order, each once a page.

    Args:
        document: What was parsed from ``data``.
        data: The file.
        settings: Passwords.
    """
    wanted = [page.number for page in document.pages if page.needs_description]
    if not wanted:
        return ()
    from pptx import Presentation

    try:
        if document.source.media_type in (PPT, ODP):
            from parsers.legacy import as_office

            data = as_office(data, document.source, settings)
        show = Presentation(io.BytesIO(open_office(data, settings, "presentation")))
    except ParserError as error:
        return tuple(SlidePicture(number, "", "", str(error)) for number in wanted)
    slides = [slide.get(q("r:id"), "") for slide in show.element.iter(q("p:sldId"))]
    return tuple(
        picture
        for number in wanted
        for picture in dict.fromkeys(_pictures_of(show.part, slides[number - 1], number))
    )


def _pictures_of(presentation: Any, relation: str, number: int) -> Iterator[SlidePicture]:
    from pptx.oxml import parse_xml

    try:
        part = related(presentation, relation)
        root = part_root(part, parse_xml)
    except ParserError as error:
        yield SlidePicture(number, "", "", str(error))
        return
    resolve_alternates(root)
    for blip in root.iter(q("a:blip")):
        key = blip.get(q("r:embed"))
        if not key or _is_hidden(blip):
            continue
        try:
            data = part_bytes(related(part, key))
            address = _address(data)
        except ParserError as error:
            yield SlidePicture(number, "", "", str(error))
            continue
        except _NotSendableError as error:
            yield SlidePicture(number, hashlib.sha256(data).hexdigest(), "", str(error))
            continue
        if address:
            yield SlidePicture(number, hashlib.sha256(data).hexdigest(), address)


def _is_hidden(element: etree._Element) -> bool:
    """Tell whether a shape around ``element`` is switched off."""
    for shape in element.iterancestors():
        for names in shape.iterchildren():
            own = names.find(q("p:cNvPr"))
            if own is not None and own.get("hidden") in ("1", "true"):
                return True
    return False


class _NotSendableError(Exception):
    """A picture in a format that is not drawn here, or a damaged one."""


def _address(data: bytes) -> str:
    """Return a picture as a ``data:`` URI, or "" for an icon."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as opened:
            if min(opened.size) < _MIN_SIDE:
                return ""
            photo = opened.format == "JPEG"
            image = opened.convert("RGBA" if opened.has_transparency_data else "RGB")
    except UnidentifiedImageError as error:
        raise _NotSendableError("a picture is in a format that cannot be sent") from error
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise _NotSendableError(f"a picture is damaged: {error}") from error
    if image.mode == "RGBA":
        ground = Image.new("RGB", image.size, _WHITE)
        ground.paste(image, mask=image.getchannel("A"))
        image = ground
    image.thumbnail((_MAX_SIDE, _MAX_SIDE))
    buffer = io.BytesIO()
    image.save(buffer, "JPEG" if photo else "PNG", quality=_JPEG_QUALITY)
    kind = "jpeg" if photo else "png"
    return f"data:image/{kind};base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"
