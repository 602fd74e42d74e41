"""PDFs with a word on every page, column, cell, note, field and picture."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pymupdf as _untyped

from tests.planted.words import Planter

pymupdf: Any = _untyped
PAGE = {"width": 595, "height": 842}


def write_pdfs(folder: Path, planter: Planter) -> None:
    """Write every PDF into ``folder``."""
    _report(folder / "report.pdf", planter)
    _long_table(folder / "prices.pdf", planter)
    _form(folder / "form.pdf", planter)
    _scan(folder / "scan.pdf", planter)
    _mixed(folder / "mixed.pdf", planter)


def _text(page: Any, box: tuple[float, float, float, float], words: str, size: float = 10) -> None:
    left = page.insert_textbox(pymupdf.Rect(*box), words, fontsize=size, fontname="helv")
    assert left >= 0, f"the box {box} is too small for {words[:40]!r}"


def _report(path: Path, planter: Planter) -> None:
    """Two columns, a band, a sidebar, list items, a caption, a footnote, turned words."""
    plant, prose = partial(planter.sentence, path.name), partial(planter.prose, path.name)
    header = planter.furniture(path.name, "running header")
    document = pymupdf.open()
    for number in range(1, 5):
        page, at = document.new_page(**PAGE), f"page {number}"
        page.insert_text((60, 40), f"Annual report {header}", fontsize=8)
        page.insert_text((290, 815), str(number), fontsize=8)
        _text(page, (60, 60, 540, 100), f"Chapter {planter.word(path.name, at + ' heading')}", 18)
        for name, x in (("left", 60), ("right", 310)):
            for row, y in enumerate((110, 230)):
                box = (x, y, x + 225, y + 115)
                _text(page, box, prose(f"{at} {name} column, paragraph {row}", 3))
        _text(page, (60, 350, 540, 400), prose(f"{at} band", 2), 13)
        for row in range(3):
            _text(page, (70, 410 + 20 * row, 540, 430 + 20 * row), "• " + plant(f"{at} item {row}"))
        page.draw_rect(pymupdf.Rect(60, 480, 250, 580), fill=(0.8, 0.9, 1))
        caption = planter.word(path.name, at + " caption")
        _text(page, (60, 584, 540, 604), f"Figure {number}: {caption} by year", 9)
        page.insert_text((70, 505), planter.word(path.name, at + " label in the figure"))
        page.insert_text((575, 600), planter.word(path.name, at + " turned margin note"), rotate=90)
        page.draw_line((60, 750), (200, 750))
        _text(page, (60, 755, 540, 780), f"{number} " + plant(f"{at} footnote"), 7.5)
    document.save(path)


def _long_table(path: Path, planter: Planter) -> None:
    """A ruled table over two pages with a header on the first alone, and a merged cell."""
    heads = [planter.word(path.name, f"header {column}") for column in range(3)]
    document = pymupdf.open()
    title = planter.word(path.name, "title of the table")
    rows = [[planter.word(path.name, f"row {r} cell {c}") for c in range(3)] for r in range(20)]
    for number, part in enumerate((rows[:10], rows[10:])):
        page = document.new_page(**PAGE)
        y = 600.0 if number == 0 else 60.0
        if number == 0:
            _text(page, (60, 60, 540, 500), planter.prose(path.name, "text above", 6))
            page.insert_text((60, 590), f"Table 1: {title}", fontsize=10)
            y = _grid(page, [heads], y)
        y = _grid(page, part, y)
    unit = planter.word(path.name, "merged cell")
    page.draw_rect(pymupdf.Rect(60, y, 540, y + 18))
    page.insert_text((64, y + 13), f"Total {unit}", fontsize=10)
    _text(page, (60, y + 60, 540, y + 120), planter.prose(path.name, "text below", 3))
    document.save(path)


def _grid(page: Any, rows: list[list[str]], y: float) -> float:
    for row in rows:
        for column, words in enumerate(row):
            x = 60 + 160 * column
            page.draw_rect(pymupdf.Rect(x, y, x + 160, y + 18))
            page.insert_text((x + 4, y + 13), words, fontsize=10)
        y += 18
    return y


def _form(path: Path, planter: Planter) -> None:
    """Text field, list, and what readers write on a page: a note, a box, a mark's comment."""
    document = pymupdf.open()
    page = document.new_page(**PAGE)
    _text(page, (60, 60, 540, 130), planter.prose(path.name, "text", 3))
    for row, kind in enumerate((pymupdf.PDF_WIDGET_TYPE_TEXT, pymupdf.PDF_WIDGET_TYPE_COMBOBOX)):
        y = 150 + 40 * row
        page.insert_text((60, y + 14), planter.word(path.name, f"label {row}"))
        field = pymupdf.Widget()
        field.field_name, field.field_type = f"field{row}", kind
        field.rect = pymupdf.Rect(180, y, 400, y + 20)
        field.field_value = planter.word(path.name, f"form field {row}")
        if kind == pymupdf.PDF_WIDGET_TYPE_COMBOBOX:
            field.choice_values = [field.field_value, "other"]
        page.add_widget(field)
    page.add_text_annot((450, 100), planter.sentence(path.name, "sticky note"))
    box = pymupdf.Rect(60, 260, 400, 290)
    page.add_freetext_annot(box, planter.word(path.name, "free text"), fontsize=11)
    page.insert_text((60, 330), planter.word(path.name, "marked word"))
    mark = page.add_highlight_annot(pymupdf.Rect(60, 318, 160, 334))
    mark.set_info(content=planter.word(path.name, "comment of a mark"))
    mark.update()
    document.save(path)


def picture(lines: list[str], width: int = 620, dpi: int = 200, size: float = 16) -> bytes:
    """Return a PNG of ``lines`` in black on white, as a scanner at ``dpi`` sees them."""
    document = pymupdf.open()
    page = document.new_page(width=width, height=60 + 34 * len(lines))
    for row, line in enumerate(lines):
        page.insert_text((40, 50 + 34 * row), line, fontsize=size, fontname="helv")
    image = page.get_pixmap(dpi=dpi)
    image.set_dpi(dpi, dpi)
    return bytes(image.tobytes("png"))


def _scan(path: Path, planter: Planter) -> None:
    """Two pages that are pictures, the second on its side."""
    document = pymupdf.open()
    for number in (1, 2):
        lines = [planter.sentence(path.name, f"page {number} line {row}") for row in range(5)]
        page = document.new_page(width=620, height=400)
        page.insert_image(page.rect, stream=picture(lines))
        if number == 2:
            page.set_rotation(90)
    document.save(path)


def _mixed(path: Path, planter: Planter) -> None:
    """A page of type, a scanned page, and a page of both."""
    document = pymupdf.open()
    page = document.new_page(**PAGE)
    _text(page, (60, 60, 540, 300), planter.prose(path.name, "typed page", 8), 11)
    lines = [planter.sentence(path.name, f"scanned page line {row}") for row in range(5)]
    document.new_page(**PAGE).insert_image(pymupdf.Rect(0, 60, 595, 400), stream=picture(lines))
    page = document.new_page(**PAGE)
    _text(page, (60, 60, 540, 300), planter.prose(path.name, "typed half", 10), 11)
    lines = [planter.sentence(path.name, f"scanned half line {row}") for row in range(4)]
    page.insert_image(pymupdf.Rect(60, 400, 540, 600), stream=picture(lines))
    document.save(path)
