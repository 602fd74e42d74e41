"""A Word document, a workbook, delimited text, and pictures of text."""

from __future__ import annotations

import csv
import io
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

from docx import Document
from openpyxl import Workbook
from openpyxl.comments import Comment
from PIL import Image

from tests.planted.pdfs import picture
from tests.planted.words import Planter

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_NOTES = (
    '<w:{kind}s {w}><w:{kind} w:id="2"><w:p><w:r><w:t>{text}</w:t></w:r></w:p>'
    "</w:{kind}></w:{kind}s>"
)
_REFERENCE = '<w:p><w:r><w:t>See below.</w:t></w:r><w:r><w:{kind}Reference w:id="2"/></w:r></w:p>'
_INSERTED = '<w:p><w:ins w:id="9" w:author="a"><w:r><w:t>{text}</w:t></w:r></w:ins></w:p>'
_BOX = (
    '<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox>'
    "<w:txbxContent><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:txbxContent></v:textbox>"
    "</v:shape></w:pict></w:r></w:p>"
)
_RELATION = (
    '<Relationship Id="rId8{n}" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
    'relationships/{kind}s" Target="{kind}s.xml"/>'
)
_TYPE = (
    '<Override PartName="/word/{kind}s.xml" ContentType="application/'
    'vnd.openxmlformats-officedocument.wordprocessingml.{kind}s+xml"/>'
)


def write_office(folder: Path, planter: Planter) -> None:
    """Write every file of this module into ``folder``."""
    _word(folder / "contract.docx", planter)
    _workbook(folder / "budget.xlsx", planter)
    _delimited(folder / "people.csv", ",", "utf-8", planter)
    _delimited(folder / "places.tsv", "\t", "utf-16", planter)
    _delimited(folder / "cities.csv", ";", "cp1252", planter)
    _images(folder, planter)


def _word(path: Path, planter: Planter) -> None:
    plant = partial(planter.word, path.name)
    document: Any = Document()
    document.add_heading(plant("heading"), 1)
    document.add_paragraph(planter.prose(path.name, "paragraph", 3))
    for style in ("List Bullet", "List Number"):
        document.add_paragraph(plant(style), style=style)
    table = document.add_table(4, 3)
    table.cell(1, 0).merge(table.cell(2, 0)).text = plant("merged cell")
    for row in range(4):
        for column in range(3):
            if row not in (1, 2) or column:
                table.cell(row, column).text = plant(f"table row {row} cell {column}")
    inner = table.cell(3, 2).add_table(1, 2)
    for column in range(2):
        inner.cell(0, column).text = plant(f"table in a cell, {column}")
    run = document.add_paragraph("Delivery is on Monday.").runs[0]
    document.add_comment(run, text=plant("comment"), author="Reader")
    alt = document.add_picture(io.BytesIO(picture([planter.sentence(path.name, "picture")])))
    alt._inline.docPr.set("descr", plant("alt text"))
    section = document.sections[0]
    section.header.paragraphs[0].text = plant("page header")
    section.footer.paragraphs[0].text = plant("page footer")
    document.save(path)
    _add_notes(path, plant)


def _add_notes(path: Path, plant: Any) -> None:
    """Add what python-docx cannot write: both kinds of notes, an insertion, a text box."""
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    body = _INSERTED.format(text=plant("tracked insertion")) + _BOX.format(text=plant("text box"))
    relations = types = ""
    for n, kind in enumerate(("footnote", "endnote")):
        body += _REFERENCE.format(kind=kind)
        relations += _RELATION.format(n=n, kind=kind)
        types += _TYPE.format(kind=kind)
        parts[f"word/{kind}s.xml"] = _NOTES.format(kind=kind, w=_W, text=plant(kind)).encode()
    ends = {
        "word/document.xml": ("<w:sectPr", body + "<w:sectPr"),
        "word/_rels/document.xml.rels": ("</Relationships>", relations + "</Relationships>"),
        "[Content_Types].xml": ("</Types>", types + "</Types>"),
    }
    for name, (old, new) in ends.items():
        parts[name] = parts[name].decode().replace(old, new, 1).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(name, data)


def _workbook(path: Path, planter: Planter) -> None:
    plant, book = partial(planter.word, path.name), Workbook()
    for number, state in enumerate(("visible", "hidden")):
        sheet: Any = book.create_sheet(plant(f"name of the {state} sheet"))
        sheet.sheet_state = state
        for row in range(5):
            cells = [plant(f"{state} sheet row {row} cell {n}") for n in range(3)]
            sheet.append([*cells, f"amount {number}" if row == 0 else row * 10.5])
        sheet.merge_cells("A7:D7")
        sheet["A7"] = plant(f"{state} sheet merged cell")
        sheet["B3"].comment = Comment(plant(f"{state} sheet comment"), "Reader")
        sheet["H20"] = plant(f"{state} sheet far cell")
    del book["Sheet"]
    book.save(path)


def _delimited(path: Path, mark: str, encoding: str, planter: Planter) -> None:
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.writer(file, delimiter=mark)
        writer.writerow([planter.word(path.name, f"header {n}") for n in range(3)])
        for row in range(8):
            cells = [planter.word(path.name, f"row {row} cell {n}") for n in range(2)]
            writer.writerow([*cells, f"São {planter.word(path.name, f'row {row}')}, n.º {row}"])


def _images(folder: Path, planter: Planter) -> None:
    lines = [planter.sentence("letter.png", f"line {row}") for row in range(5)]
    (folder / "letter.png").write_bytes(picture(lines))
    frames = []
    for frame in range(2):
        lines = [planter.sentence("fax.tiff", f"frame {frame} line {row}") for row in range(4)]
        frames.append(Image.open(io.BytesIO(picture(lines))).convert("1"))
    frames[0].save(
        folder / "fax.tiff", save_all=True, append_images=frames[1:], dpi=(200, 200),
        compression="group4",
    )  # fmt: skip
