from __future__ import annotations

import datetime as dt
import hashlib
import io
import zipfile
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.styles import Font

from configs.settings import ParsingSettings
from parsers.base import (
    DamagedFileError,
    EmptyFileError,
    EncryptedFileError,
    UnsupportedFormatError,
)
from parsers.model import BlockKind, Document, Source
from parsers.spreadsheet import parse
from parsers.spreadsheet_values import shown

_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
"""How a compound file begins: [MS-CFB] 2.2."""


def _parse(data: bytes) -> Document:
    digest = hashlib.sha256(data).hexdigest()
    source = Source("file:///x.xlsx", "application/x", len(data), digest)
    return parse(data, source, ParsingSettings())


def _book(write: Callable[[Any], None]) -> bytes:
    book = openpyxl.Workbook()
    write(book)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def _sheet(*rows: list[object]) -> bytes:
    def write(book: Any) -> None:
        for row in rows:
            book.active.append(row)

    return _book(write)


def _unaccounted(document: Document) -> dict[str, int]:
    return {row.unit: row.unaccounted for row in document.ledger}


def test_a_sheet_becomes_row_sentences() -> None:
    document = _parse(_sheet(["name", "age"], ["Ana", 30], ["Rui", None]))
    assert document.text == "name: Ana, age: 30.\nname: Rui.\n\n"
    assert document.blocks[0].locator == "sheet_1/table_1/row_1"
    assert _unaccounted(document) == {"sheet_1": 0}


def test_merged_cells_name_the_columns_and_rows_they_cover() -> None:
    def write(book: Any) -> None:
        sheet = book.active
        sheet["A1"], sheet["B1"] = "Region", "Revenue"
        sheet["B2"], sheet["C2"] = "Q3", "Q4"
        sheet.merge_cells("A1:A2")
        sheet.merge_cells("B1:C1")
        sheet["A3"], sheet["B3"], sheet["C3"] = "North", 5, 6
        sheet["B4"], sheet["C4"] = 7, 8
        sheet.merge_cells("A3:A4")

    document = _parse(_book(write))
    assert [row.cells for row in document.tables[0].rows] == [
        (("Region", "North"), ("Revenue / Q3", "5"), ("Revenue / Q4", "6")),
        (("Region", "North"), ("Revenue / Q3", "7"), ("Revenue / Q4", "8")),
    ]
    assert _unaccounted(document) == {"sheet_1": 0}


def test_each_sheet_has_a_heading_and_a_hidden_one_is_flagged() -> None:
    def write(book: Any) -> None:
        book.active.title = "Sales"
        book.active.append(["k", "v"])
        book.active.append(["a", 1])
        secret = book.create_sheet("Notes")
        secret.sheet_state = "hidden"
        secret.append(["k", "v"])
        secret.append(["b", 2])

    document = _parse(_book(write))
    headings = [b for b in document.blocks if b.kind is BlockKind.HEADING]
    assert [document.text[b.start : b.end].strip() for b in headings] == ["Sales", "Notes"]
    assert [page.route_reason for page in document.pages] == ["", "hidden sheet"]
    assert _unaccounted(document) == {"sheet_1": 0, "sheet_2": 0}


def test_tables_parted_by_empty_rows_have_their_own_headers() -> None:
    document = _parse(
        _sheet(["name", "age"], ["Ana", 30], ["Bo", 4], [], ["code", "label", "n"], ["x", "y", 1])
    )
    assert [t.rows[0].cells[0] for t in document.tables] == [("name", "Ana"), ("code", "x")]


def test_rows_below_a_gap_without_a_header_belong_to_the_table_above() -> None:
    document = _parse(_sheet(["name", "age"], ["Ana", 30], ["Bo", 4], [], ["5", 6], ["7", 8]))
    (table,) = document.tables
    assert table.rows[-1].cells == (("name", "7"), ("age", "8"))


def test_a_lone_cell_is_a_paragraph() -> None:
    document = _parse(_sheet(["All prices in euros"], [], ["part", "price"], ["Bell", 9.8]))
    assert document.blocks[0].kind is BlockKind.PARAGRAPH
    assert len(document.tables) == 1


def test_a_bold_row_is_the_header_of_words() -> None:
    def write(book: Any) -> None:
        sheet = book.active
        for row in (["red", "green"], ["red", "blue"], ["red", "red"]):
            sheet.append(row)
        for cell in sheet[1]:
            cell.font = Font(bold=True)

    assert _parse(_book(write)).tables[0].rows[0].cells == (("red", "red"), ("green", "blue"))


def test_a_formula_without_a_result_shows_itself() -> None:
    document = _parse(_sheet(["item", "sum"], ["a", "=1+1"], ["b", "=A1&A2"]))
    assert "sum: =1+1" in document.text
    assert _unaccounted(document) == {"sheet_1": 0}


def test_comments_are_kept_with_their_address() -> None:
    def write(book: Any) -> None:
        book.active.append(["k", "v"])
        book.active.append(["a", 1])
        book.active["B2"].comment = Comment("checked twice", "me")

    document = _parse(_book(write))
    assert document.blocks[-1].kind is BlockKind.ANNOTATION
    assert document.text.rstrip().endswith("B2: checked twice")
    assert _unaccounted(document) == {"sheet_1": 0}


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (0.25, "0%", "25%"),
        (0.1234, "0.0%", "12.3%"),
        (1234.5, "#,##0.00", "1,234.50"),
        (-5, '"$"#,##0', "-$5"),
        (1234.5, "[$€-407]#,##0.0", "€1,234.5"),
        (7, "00000", "00007"),
        (2.5, "0.##", "2.5"),
        (2.0, "0.##", "2"),
        (2.5, "# ?/?", "2.5"),
        (1234567, "#,##0,", "1234567"),
        (0.1 + 0.2, "General", "0.3"),
        (3.0, "General", "3"),
        (2.675, "0.00", "2.68"),
        (True, "General", "TRUE"),
        (dt.datetime(2024, 1, 2), "d/m/yy", "2024-01-02"),
        (dt.datetime(2024, 1, 2, 3, 4), "d/m/yy h:mm", "2024-01-02 03:04:00"),
        (dt.datetime(2024, 3, 1), "yyyy", "2024"),
        (dt.datetime(2024, 3, 1), "mmm\\-yy", "Mar-24"),
        (dt.datetime(2024, 3, 1), "[$-409]mmmm yyyy;@", "March 2024"),
        (dt.datetime(2024, 3, 1), "[$-416]mmm/yy", "2024-03"),
        (dt.datetime(2024, 3, 1), "mm/yyyy", "03/2024"),
        (dt.datetime(2024, 3, 5), "d mmmm yyyy", "2024-03-05"),
        (dt.time(3, 4), "h:mm", "03:04:00"),
        (dt.timedelta(hours=30), "[h]:mm", "30:00:00"),
        ("007", "General", "007"),
        (None, "General", ""),
    ],
)
def test_values_are_shown_as_their_format_says(
    value: object, number_format: str, text: str
) -> None:
    assert shown(value, number_format) == text


def test_formatted_values_balance_in_the_ledger() -> None:
    def write(book: Any) -> None:
        book.active.append(["when", "share"])
        book.active.append([dt.date(2024, 1, 2), 0.5])
        book.active["B2"].number_format = "0.00%"

    document = _parse(_book(write))
    assert "when: 2024-01-02, share: 50.00%" in document.text
    assert _unaccounted(document) == {"sheet_1": 0}


def test_a_broken_archive_is_damaged() -> None:
    data = _sheet(["a", "b"], [1, 2])
    with pytest.raises(DamagedFileError):
        _parse(data[: len(data) // 2])


def test_a_broken_part_is_damaged() -> None:
    old = zipfile.ZipFile(io.BytesIO(_sheet(["a", "b"], [1, 2])))
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, content[:40] if name.endswith("sheet1.xml") else content)
    with pytest.raises(DamagedFileError):
        _parse(data.getvalue())


def test_a_protected_workbook_asks_for_an_unprotected_copy() -> None:
    with pytest.raises(EncryptedFileError):
        _parse(_OLE + b"\0" * 512 + "EncryptedPackage".encode("utf-16-le") + b"\0" * 512)


def test_a_binary_workbook_is_not_read() -> None:
    with pytest.raises(UnsupportedFormatError):
        _parse(_OLE + b"\0" * 512 + "Workbook".encode("utf-16-le") + b"\0" * 512)


def test_no_bytes_are_an_empty_file() -> None:
    with pytest.raises(EmptyFileError):
        _parse(b"")
