"""The cells of a sheet: openpyxl for what they mean, the XML itself for what the file holds."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pptx.opc.package import OpcPackage
from pptx.oxml import parse_xml

from parsers.base import DamagedFileError
from parsers.normalise import count_characters, one_line
from parsers.ooxml import local_name, part_root, parts_of_kind
from parsers.spreadsheet_values import shown
from parsers.tables.grid import GridCell

FORMATTED = "number_format"
UNDER_MERGED = "under_merged_cell"


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A sheet in the package: a grid of cells, or a chart or dialog that fills a sheet."""

    name: str
    hidden: bool
    is_grid: bool
    part: Any


@dataclass(frozen=True, slots=True)
class Sheet:
    """A worksheet as read.

    Attributes:
        title: Its name.
        source: Characters the XML holds for its cells.
        dropped: Reason to characters that are not shown.
        generated: Reason to characters shown that the XML has otherwise.
        cells: With text, at 0-based positions of the sheet, merged ones with their spans.
    """

    title: str
    source: int
    dropped: dict[str, int]
    generated: dict[str, int]
    cells: tuple[GridCell, ...]


def read_sheet(worksheet: Any, raw: dict[str, str]) -> Sheet:
    """Return a worksheet.

    Args:
        worksheet: Of openpyxl, opened with ``data_only``.
        raw: From :func:`raw_cells`.
    """
    spans = {
        (r.min_row, r.min_col): (r.max_row - r.min_row + 1, r.max_col - r.min_col + 1)
        for r in worksheet.merged_cells.ranges
    }
    headers = set(_header_addresses(worksheet))
    cells: list[GridCell] = []
    bold: set[int] = set()
    plain: set[int] = set()
    dropped = {FORMATTED: 0, UNDER_MERGED: 0}
    generated = {FORMATTED: 0}
    for address, stored in raw.items():
        cell = worksheet[address]
        text = stored if stored.startswith("=") else shown(cell.value, cell.number_format)
        if not one_line(text):
            dropped[UNDER_MERGED] += count_characters(stored)
            continue
        if one_line(text) != one_line(stored):
            dropped[FORMATTED] += count_characters(stored)
            generated[FORMATTED] += count_characters(text)
        height, width = spans.get((cell.row, cell.column), (1, 1))
        (bold if cell.font is not None and cell.font.b else plain).add(cell.row - 1)
        cells.append(
            GridCell(cell.row - 1, cell.column - 1, text, height, width, address in headers)
        )
    cells.sort(key=lambda c: (c.row, c.col))
    return Sheet(
        worksheet.title,
        sum(map(count_characters, raw.values())),
        dropped,
        generated,
        tuple(_with_bold_headers(cells, bold - plain)),
    )


def _header_addresses(worksheet: Any) -> Iterator[str]:
    """Yield the addresses of the header cells of the sheet's own tables ("format as table")."""
    for table in worksheet.tables.values():
        if table.headerRowCount == 0:
            continue
        for cell in worksheet[table.ref][0]:
            yield cell.coordinate


def _with_bold_headers(cells: Sequence[GridCell], bold: set[int]) -> Iterator[GridCell]:
    """Flag the cells of rows all in bold that begin a run of rows and have a plain one below."""
    rows = sorted({c.row for c in cells})
    heads: set[int] = set()
    for row in rows:
        if row in bold and row - 1 not in rows and row + 1 in rows and row + 1 not in bold:
            heads.add(row)
    wide = {r for r in heads if sum(c.row == r for c in cells) > 1}
    for cell in cells:
        if cell.row in wide and not cell.is_header:
            yield GridCell(cell.row, cell.col, cell.text, cell.row_span, cell.col_span, True)
        else:
            yield cell


def open_parts(data: bytes) -> tuple[Any, list[SheetPart]]:
    """Return the main part of a workbook and its sheets in order, sheets of charts included.

    Read by python-pptx, whose reader of packages reads those of all kinds.

    Raises:
        DamagedFileError: The workbook lacks its parts or they are not well-formed.
    """
    try:
        main = OpcPackage.open(io.BytesIO(data)).main_document_part
    except Exception as error:  # no error of its own for a damaged package
        raise DamagedFileError(f"the file is not a readable workbook: {error}") from error
    sheets = []
    for sheet in part_root(main, parse_xml).iterfind("{*}sheets/{*}sheet"):
        key = next((str(v) for k, v in sheet.attrib.items() if str(k).endswith("}id")), "")
        link = main.rels.get(key)
        kind = "" if link is None else link.reltype.rpartition("/")[2]
        if link is not None and kind in ("worksheet", "chartsheet", "dialogsheet"):
            name, state = str(sheet.get("name", "")), sheet.get("state", "visible")
            is_grid = kind == "worksheet"
            sheets.append(SheetPart(name, state != "visible", is_grid, link.target_part))
    if not sheets:
        raise DamagedFileError("the workbook has no sheet")
    return main, sheets


def raw_cells(main: Any, sheets: Sequence[SheetPart]) -> dict[str, dict[str, str]]:
    """Return the stored text of each cell by sheet name and address.

    The text of strings, the digits of numbers, dates among them, "=FORMULA" where a program left no
    result. Read from the XML alone.

    Raises:
        DamagedFileError: A part is not well-formed.
    """
    strings: list[str] = []
    for part in parts_of_kind(main, "sharedStrings"):
        strings = [_string(si) for si in part_root(part, parse_xml).iterfind("{*}si")]
    return {
        sheet.name: dict(_stored(part_root(sheet.part, parse_xml), strings))
        for sheet in sheets
        if sheet.is_grid
    }


def _string(element: Any) -> str:
    """Return the text of a string item, without its phonetic reading."""
    parts = []
    for child in element:
        if local_name(child) == "t":
            parts.append(child.text or "")
        elif local_name(child) == "r":
            parts += [t.text or "" for t in child.iterfind("{*}t")]
    return "".join(parts)


def _stored(root: Any, strings: Sequence[str]) -> Iterator[tuple[str, str]]:
    row_number = 0
    for row in root.iterfind("{*}sheetData/{*}row"):
        row_number = int(row.get("r") or row_number + 1)
        column = 0
        for cell in row.iterfind("{*}c"):
            address = cell.get("r") or f"{_letters(column + 1)}{row_number}"
            column = _column(str(address))
            text = _value(cell, strings)
            if one_line(text):
                yield str(address), text


def _value(cell: Any, strings: Sequence[str]) -> str:
    kind = cell.get("t", "n")
    inline = cell.find("{*}is")
    if inline is not None:
        return _string(inline)
    value = cell.findtext("{*}v")
    if not value:
        formula = cell.findtext("{*}f")
        return f"={formula}" if formula else ""
    if kind == "s" and value.strip().isdecimal() and int(value) < len(strings):
        return strings[int(value)]
    if kind == "b":
        return "TRUE" if value.strip() == "1" else "FALSE"
    return str(value)


def _column(address: str) -> int:
    number = 0
    for letter in (c for c in address.upper() if c.isalpha()):
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _letters(number: int) -> str:
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
