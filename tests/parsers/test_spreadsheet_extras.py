"""What stands beside the cells of a workbook, and tables beside each other."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from typing import Any

import openpyxl
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment

from configs.settings import ParsingSettings
from parsers.model import BlockKind, Document, Source
from parsers.spreadsheet import parse

_NS = (
    'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)
_TEXT_BOX = (
    f"<xdr:absoluteAnchor {_NS}><xdr:grpSp><xdr:sp><xdr:nvSpPr>"
    '<xdr:cNvPr id="9" name="Box 1" descr="A yellow note"/></xdr:nvSpPr>'
    "<xdr:txBody><a:bodyPr/><a:p><a:r><a:t>Prices without tax</a:t></a:r></a:p></xdr:txBody>"
    "</xdr:sp></xdr:grpSp></xdr:absoluteAnchor></xdr:wsDr>"
)
_THREAD = (
    '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/'
    'threadedcomments"><threadedComment ref="B2" personId="{1}" id="{2}"><text>Is this net?</text>'
    '</threadedComment><threadedComment ref="B2" personId="{1}" id="{3}" parentId="{2}">'
    "<text>Yes.</text></threadedComment></ThreadedComments>"
)
_THREAD_LINK = (
    '<Relationship Id="rIdT" Type="http://schemas.microsoft.com/office/2017/10/relationships/'
    'threadedComment" Target="/xl/threadedComments/threadedComment1.xml"/></Relationships>'
)


def _parse(data: bytes) -> Document:
    digest = hashlib.sha256(data).hexdigest()
    document = parse(data, Source("/in/x.xlsx", "x", len(data), digest), ParsingSettings(ocr=False))
    assert [row.unaccounted for row in document.ledger] == [0] * len(document.ledger)
    assert not document.failures
    return document


def _book(write: Callable[[Any], None]) -> bytes:
    book = openpyxl.Workbook()
    write(book)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def _edited(data: bytes, edit: Callable[[str, str], str], **more: str) -> bytes:
    """Return a package with its XML parts changed, and with more parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            new.writestr(name, edit(name, old.read(name).decode()))
        for name, text in more.items():
            new.writestr(name, text)
    return stream.getvalue()


def _put(book: Any, rows: dict[str, list[list[object]]]) -> None:
    for corner, lines in rows.items():
        start = book.active[corner]
        for r, line in enumerate(lines):
            for c, value in enumerate(line):
                book.active.cell(start.row + r, start.column + c, value)


def _lines(document: Document) -> list[str]:
    return document.text.split("\n")


def _with_chart(book: Any) -> None:
    _put(book, {"A1": [["City", "Sales"], ["Porto", 5], ["Faro", 7]]})
    chart = BarChart()
    chart.title, chart.y_axis.title = "Sales by city", "Thousands"
    chart.add_data(Reference(book.active, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    chart.set_categories(Reference(book.active, min_col=1, min_row=2, max_row=3))
    book.active.add_chart(chart, "D2")


def test_tables_beside_each_other_are_two() -> None:
    def write(book: Any) -> None:
        _put(book, {
            "A1": [["name", "age"], ["Ana", 30], ["Rui", 8], ["Eva", 5]],
            "D1": [["name", "price"], ["Tea", 2.5], ["Jam", 4]],
        })  # fmt: skip

    document = _parse(_book(write))
    assert [[row.cells for row in table.rows] for table in document.tables] == [
        [(("name", "Ana"), ("age", "30")), (("name", "Rui"), ("age", "8")),
         (("name", "Eva"), ("age", "5"))],
        [(("name", "Tea"), ("price", "2.5")), (("name", "Jam"), ("price", "4"))],
    ]  # fmt: skip


def test_a_table_below_another_that_stands_beside_a_longer_one_is_its_own() -> None:
    def write(book: Any) -> None:
        _put(book, {
            "A1": [["name", "age"], *([f"P{n}", n] for n in range(8))],
            "D1": [["tea", "cup"], ["Earl", 1], ["Mint", 2]],
            "D6": [["jam", "jar"], ["Fig", 3], ["Plum", 4]],
        })  # fmt: skip

    document = _parse(_book(write))
    assert [t.rows[0].cells[0] for t in document.tables] == [
        ("name", "P0"), ("tea", "Earl"), ("jam", "Fig"),
    ]  # fmt: skip


def test_an_empty_column_inside_a_table_does_not_part_it() -> None:
    def write(book: Any) -> None:
        _put(book, {
            "A1": [["item", "unit", None, "2023", "2024", None, "remark", "by"],
                   ["Iron", "t", None, 5, 6, None, "fell", "Ana"],
                   ["Zinc", "t", None, 7, 8, None, None, "Rui"],
                   ["Lead", "t", None, 9, 1, None, "rose", "Eva"]],
        })  # fmt: skip

    (table,) = _parse(_book(write)).tables
    assert table.rows[0].cells == (
        ("item", "Iron"), ("unit", "t"), ("2023", "5"), ("2024", "6"), ("remark", "fell"),
        ("by", "Ana"),
    )  # fmt: skip


def test_a_chart_gives_titles_and_series_and_not_its_cells_again() -> None:
    document = _parse(_book(_with_chart))
    lines = _lines(document)
    assert "Sales by city" in lines
    assert "Thousands" in lines
    assert document.text.count("Porto") == 1
    locators = {block.locator for block in document.blocks}
    assert "sheet_1/chart_1/caption" in locators


def test_text_boxes_in_groups_and_alternative_text_are_read() -> None:
    def edit(name: str, text: str) -> str:
        end = text.rindex("</") if "drawing1.xml" in name and "_rels" not in name else len(text)
        return text[:end] + (_TEXT_BOX if end < len(text) else "")

    data = _book(_with_chart)
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        drawing = package.read("xl/drawings/drawing1.xml").decode()
    assert drawing.startswith("<wsDr"), "openpyxl's default namespace, which the box must not share"
    data = _edited(
        data, lambda n, t: edit(n, t.replace("<wsDr", "<xdr:wsDr " + _NS, 1)
                                if n == "xl/drawings/drawing1.xml" else t)
    )  # fmt: skip
    lines = _lines(_parse(data))
    assert "Prices without tax" in lines
    assert "A yellow note" in lines


def test_a_comment_on_an_empty_cell_is_kept() -> None:
    def write(book: Any) -> None:
        _put(book, {"A1": [["k", "v"], ["a", 1]]})
        book.active["F9"].comment = Comment("to be filled in", "me")

    assert "F9: to be filled in" in _lines(_parse(_book(write)))


def test_a_thread_of_comments_replaces_the_copy_for_old_programs() -> None:
    def write(book: Any) -> None:
        _put(book, {"A1": [["k", "v"], ["a", 1]]})
        book.active["B2"].comment = Comment("[Threaded comment]\n\nComment:\n Is this net?", "me")

    def edit(name: str, text: str) -> str:
        is_links = name == "xl/worksheets/_rels/sheet1.xml.rels"
        return text.replace("</Relationships>", _THREAD_LINK) if is_links else text

    data = _edited(_book(write), edit, **{"xl/threadedComments/threadedComment1.xml": _THREAD})
    document = _parse(data)
    assert document.text.endswith("B2: Is this net?\nYes.\n\n")
    assert "[Threaded comment]" not in document.text


def test_a_sheet_that_is_a_chart_is_a_page_of_its_own() -> None:
    def write(book: Any) -> None:
        _with_chart(book)
        sheet = book.create_chartsheet("Overview", 0)
        chart = BarChart()
        chart.title = "The whole picture"
        chart.add_data(Reference(book["Sheet"], min_col=2, min_row=1, max_row=3))
        sheet.add_chart(chart)

    document = _parse(_book(write))
    assert len(document.pages) == 2
    first = document.text[document.pages[0].start : document.pages[0].end]
    assert "Overview" in first
    assert "The whole picture" in first


def test_a_page_header_is_kept_once_and_page_numbers_are_not() -> None:
    def write(book: Any) -> None:
        second = book.create_sheet("Two")
        second.append(["x", "y"])
        _put(book, {"A1": [["k", "v"], ["a", 1]]})
        for sheet in book.worksheets:
            sheet.oddHeader.left.text = "Smith && Sons"
            sheet.oddHeader.left.font = "Arial,Bold"
            sheet.oddFooter.center.text = "Page &P of &N"

    document = _parse(_book(write))
    assert document.text.count("Smith & Sons") == 1
    assert "Page" not in document.text
    kinds = {b.kind for b in document.blocks if b.locator.endswith("page_header_1")}
    assert kinds == {BlockKind.PARAGRAPH}
