"""The sample deck: bullets, a table, a group in a group, a picture with words on it, notes."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

import pymupdf
from pptx import Presentation
from pptx.util import Emu, Inches, Pt

_DATE = datetime(2031, 2, 1, 9, 0)
_ZIP_DATE = (2031, 2, 1, 9, 0, 0)


def write_deck(slides: list[dict[str, Any]], path: Path) -> None:
    """Write the deck with fixed dates, inside the archive as well."""
    deck = Presentation()
    for content in slides:
        layout = 0 if "subtitle" in content else 1 if "bullets" in content else 5
        slide = deck.slides.add_slide(deck.slide_layouts[layout])
        slide.shapes.title.text = content["title"]
        if "subtitle" in content:
            slide.placeholders[1].text = content["subtitle"]
        if "bullets" in content:
            slide.placeholders[1].text = "\n".join(content["bullets"])
        if "table" in content:
            _add_table(slide, content["table"])
        if "group" in content:
            _add_groups(slide, content["group"])
        if "picture" in content:
            _add_picture(slide, content["picture"], content["alt"])
        slide.notes_slide.notes_text_frame.text = content["notes"]
    properties = deck.core_properties
    properties.title, properties.author = slides[0]["title"], "Riverside Cycling Office"
    properties.created = properties.modified = _DATE
    properties.last_modified_by, properties.revision = properties.author, 1
    out = io.BytesIO()
    deck.save(out)
    path.write_bytes(_with_fixed_dates(out.getvalue()))


def _add_table(slide: Any, rows: list[list[str]]) -> None:
    frame = slide.shapes.add_table(
        len(rows), len(rows[0]), Inches(1), Inches(2), Inches(8), Inches(0.5 * len(rows))
    )
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            frame.table.cell(r, c).text = text


def _add_groups(slide: Any, group: dict[str, list[str]]) -> None:
    outer = slide.shapes.add_group_shape()
    for i, text in enumerate(group["outer"]):
        _add_box(outer, text, 1.0, 2.0 + 0.7 * i)
    inner = outer.shapes.add_group_shape()
    for i, text in enumerate(group["inner"]):
        _add_box(inner, text, 1.5, 3.6 + 0.7 * i)


def _add_box(group: Any, text: str, left: float, top: float) -> None:
    box = group.shapes.add_textbox(Inches(left), Inches(top), Inches(5), Inches(0.5))
    box.text_frame.text = text
    box.text_frame.paragraphs[0].font.size = Pt(20)


def _add_picture(slide: Any, lines: list[str], alt: str) -> None:
    with pymupdf.open() as document:  # type: ignore[no-untyped-call]
        page = document.new_page(width=360, height=170)
        page.draw_rect((6, 6, 354, 164), color=(0.7, 0.1, 0.1), width=5)
        for i, line in enumerate(lines):
            page.insert_text((24, 50 + 42 * i), line, fontsize=17, fontname="hebo")
        data = page.get_pixmap(dpi=150, alpha=False).tobytes("png")
    picture = slide.shapes.add_picture(io.BytesIO(data), Inches(1.5), Inches(2), Inches(6.5))
    picture._element._nvXxPr.cNvPr.set("descr", alt)
    assert picture.height > Emu(0)


def _with_fixed_dates(data: bytes) -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for name in source.namelist():
            entry = zipfile.ZipInfo(name, _ZIP_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, source.read(name))
    return out.getvalue()
