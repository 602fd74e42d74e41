"""What MuPDF prints of a page: its characters, its lines with their fonts, what is painted.

One pass over the page's content gives all of it. MuPDF's own printers are used (plain text, JSON,
HTML): they take a tenth of the time of PyMuPDF's dict, which describes every span at length. What
they do not tell (the direction of a line) shows in where its first character stands; a page with
any other line than upright ones is left to the dict.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pymupdf as _untyped

from parsers.model import BoundingBox

pymupdf: Any = _untyped  # it has no annotations
_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE
"""Ligatures are spelled out; nothing is clipped; unknown glyphs are U+FFFD, not a font's code."""
_VECTORS = _FLAGS | pymupdf.TEXT_COLLECT_VECTORS | pymupdf.TEXT_LAZY_VECTORS
"""Lazy: a rule under a word does not break its line."""
_IMAGES = _VECTORS | pymupdf.TEXT_PRESERVE_IMAGES
_MOST_PIXELS = 16_000_000
"""Square points of a page above which no images are asked for: MuPDF paints each shade to print
it, a pixel to the point (64 MB; a guess)."""
_SCALE = 1000
"""Steps to the point: MuPDF's JSON has whole numbers only."""
_TOO_FAR = 2_000_000_000
"""Steps from which a coordinate did not fit into MuPDF's integer."""
_LEANS = 0.3
"""Em by which the first character of an upright line may begin after the line's box does."""
_LOW = 0.4
"""Share of a line's height below which the baseline of an upright line stands."""
_SPAN = re.compile(
    rb'(<tt>)?(<b>)?(?:<i>)?<span style="font-family:(.*?);font-size:([\d.]+)pt[^>]*>(.*?)</span>'
)
_LINE = b'<p style="top:'
_VECTOR = 3
"""Type of a block that is a painted path, or a straight piece of one."""
_WHITE = 0xFFFFFF

Quad = tuple[float, float, float, float]
"""x0, top, x1, bottom in points."""


@dataclass(frozen=True, slots=True)
class PlainLine:
    """An upright line: its text, its box, the baseline of its first character, its fonts.

    ``size`` is the largest; ``bold`` and ``mono`` hold where all of its letters are so.
    """

    text: str
    box: BoundingBox
    baseline: float
    size: float
    bold: bool
    mono: bool


@dataclass(slots=True)
class Stext:
    """A page as MuPDF prints it, in the coordinates of the page as it is turned.

    Attributes:
        textpage: PyMuPDF's, without images: for what the printers do not tell.
        dump: All characters, for the ledger.
        lines: As if all were upright; the places and characters of others are not to be trusted.
        upright: All lines are upright, and they hold the characters of the dump.
        images: Boxes of images and shades, None where MuPDF cannot print them.
        paths: Boxes of painted paths.
        pieces: Boxes of their straight pieces: rules and rectangles, white areas apart.
    """

    textpage: Any
    dump: str
    lines: list[PlainLine]
    upright: bool
    images: list[Quad] | None
    paths: list[Quad]
    pieces: list[Quad]


def read_stext(page: Any) -> Stext:
    """Print a PyMuPDF page. A page with images is read twice: they would break lines of text."""
    textpage, with_images = _painted_textpage(page)
    blocks = _blocks(textpage)
    images = [_quad(b["bbox"]) for b in blocks if b["type"] == "image"]
    vectors = [b for b in blocks if b["type"] == "vector"]
    boxes = [b[:4] for b in textpage.extractBLOCKS() if b[6] == _VECTOR] if vectors else []
    paths, pieces = _paths(vectors, boxes)
    if images:
        textpage = page.get_textpage(flags=_FLAGS, clip=pymupdf.INFINITE_RECT())
        blocks = _blocks(textpage)
    dump = _printed(textpage, pymupdf.mupdf.fz_print_stext_page_as_text)
    text = dump.decode("utf-8", "surrogatepass")
    printed = [line for block in blocks if block["type"] == "text" for line in block["lines"]]
    lines = _lines(printed, textpage)
    complete = "".join([line.text for line in lines]) == text.replace("\n", "")
    return Stext(
        textpage, text, lines, complete and all(map(_is_upright, printed)),
        images if with_images else None, paths, pieces,
    )  # fmt: skip


def _painted_textpage(page: Any) -> tuple[Any, bool]:
    """Return the text page with what is painted, and whether images are among it."""
    clip = pymupdf.INFINITE_RECT()
    if page.rect.width * page.rect.height <= _MOST_PIXELS:
        try:
            return page.get_textpage(flags=_IMAGES, clip=clip), True
        except RuntimeError:  # a shade without bounds cannot be painted
            pass
    return page.get_textpage(flags=_VECTORS, clip=clip), False


def _printed(textpage: Any, printer: Callable[..., None], *options: int) -> bytes:
    buffer = pymupdf.mupdf.fz_new_buffer(8192)
    output = pymupdf.mupdf.FzOutput(buffer)
    printer(output, textpage.this, *options)
    output.fz_close_output()
    return bytes(buffer.fz_buffer_extract())


def _blocks(textpage: Any) -> list[dict[str, Any]]:
    printed = _printed(textpage, pymupdf.mupdf.fz_print_stext_page_as_json, _SCALE)
    blocks: list[dict[str, Any]] = json.loads(printed)["blocks"]
    return blocks


def _quad(box: dict[str, int]) -> Quad:
    x, y = box["x"] / _SCALE, box["y"] / _SCALE
    return x, y, x + box["w"] / _SCALE, y + box["h"] / _SCALE


def _paths(
    vectors: Sequence[dict[str, Any]], boxes: Sequence[Quad]
) -> tuple[list[Quad], list[Quad]]:
    """Return the boxes of whole paths and those of straight pieces; pieces of a path follow on."""
    paths: list[Quad] = []
    pieces: list[Quad] = []
    begun = False
    for vector, box in zip(vectors, boxes, strict=True):
        if vector["rectangle"] and (vector["stroked"] or vector["argb"] & _WHITE != _WHITE):
            pieces.append(box)
        if begun:
            x0, top, x1, bottom = paths[-1]
            paths[-1] = min(x0, box[0]), min(top, box[1]), max(x1, box[2]), max(bottom, box[3])
        else:
            paths.append(box)
        begun = bool(vector["continues"])
    return paths, pieces


def _lines(printed: Sequence[dict[str, Any]], textpage: Any) -> list[PlainLine]:
    """Return the printed lines, those of several fonts with the fonts that the HTML has."""
    mixed: dict[int, list[tuple[float, bool, bool]]] = {}
    html = _printed(textpage, pymupdf.mupdf.fz_print_stext_page_as_html, 0)
    if html.count(b"<span") != len(printed):
        styled = html.split(_LINE)[1:]
        if len(styled) == len(printed):
            mixed = {i: list(_fonts(s)) for i, s in enumerate(styled) if s.count(b"<span") > 1}
    return [_plain_line(line, mixed.get(i, ())) for i, line in enumerate(printed)]


def _is_upright(line: dict[str, Any]) -> bool:
    box: dict[str, int] = line["bbox"]
    size: int = line["font"]["size"]
    x, y, height = box["x"], box["y"], box["h"]
    return bool(
        line["wmode"] == 0
        and line["x"] - x <= _LEANS * size
        and y + _LOW * height <= line["y"] <= y + height
        and -_TOO_FAR < x < _TOO_FAR
        and -_TOO_FAR < y < _TOO_FAR
        and box["w"] < _TOO_FAR > height
    )


def _fonts(line: bytes) -> Iterator[tuple[float, bool, bool]]:
    """Yield (size, bold, fixed width) of the spans of a line that are not white space."""
    for mono, bold, family, size, text in _SPAN.findall(line):
        if text.strip() and text != b"&#xa0;":
            yield float(size), bool(bold) or b"bold" in family.lower(), bool(mono)


def _plain_line(line: dict[str, Any], fonts: Sequence[tuple[float, bool, bool]]) -> PlainLine:
    font, box = line["font"], line["bbox"]
    size = font["size"] / _SCALE
    if fonts:
        # HTML rounds sizes to a tenth: that of the first character is known better
        size = max([size if abs(size - s) < 0.06 else s for s, _, _ in fonts])
        bold, mono = all(b for _, b, _ in fonts), all(m for _, _, m in fonts)
    else:
        bold = font["weight"] == "bold" or "bold" in font["name"].lower()
        mono = font["family"] == "monospace"
    x0, top, x1, bottom = _quad(box)
    baseline = line["y"] / _SCALE
    if bottom - top < size:  # PyMuPDF's boxes are one em high at least, and so are ours
        stretch = size / max(bottom - top, 0.001)
        top = baseline - (baseline - top) * stretch
        bottom = baseline + (bottom - baseline) * stretch
    return PlainLine(line["text"], BoundingBox(x0, top, x1, bottom), baseline, size, bold, mono)
