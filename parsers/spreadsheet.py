"""Excel workbooks (.xlsx and kin): a heading a sheet, row sentences for its tables."""

from __future__ import annotations

import io
import re
import warnings
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError
from parsers.builder import DocumentBuilder
from parsers.model import BlockKind, Document, Source
from parsers.normalise import count_characters
from parsers.ooxml_package import open_office
from parsers.spreadsheet_cells import Sheet, raw_cells, read_sheet
from parsers.tables.emit import emit_table
from parsers.tables.grid import Grid, GridCell
from parsers.tables.reading import read_grid

NAME = "spreadsheet"
VERSION = 2

_DEFAULT_NAME = re.compile(r"(?:Sheet|Tabelle|Planilha|Folha|Feuil|Hoja|Foglio|Blad|Лист)\s?\d*$")
"""What programs call a sheet that nobody named: no heading when it is the only one."""


def parse(data: bytes, source: Source, settings: ParsingSettings) -> Document:
    """Return a workbook's sheets as tables of row sentences; sheets are numbered like pages.

    Values are shown as the program shows them (see :mod:`parsers.spreadsheet_values`), formulas by
    their stored result. Runs of rows parted by empty rows are tables of their own, unless they go
    on below the same columns without a header. A hidden sheet is read and flagged in its page's
    ``route_reason``.

    Raises:
        EmptyFileError: The file has no bytes.
        EncryptedFileError: It is protected, and no password of the settings opens it.
        UnsupportedFormatError: It is a binary workbook of 1997-2003.
        DamagedFileError: It is no workbook, or parts of it are broken.
    """
    data = open_office(data, settings, "workbook")
    title, sheets = _sheets(data, raw_cells(data))
    builder = DocumentBuilder(source, NAME, VERSION, unit="sheet")
    for number, sheet in enumerate(sheets, start=1):
        builder.add_page(number, route_reason="hidden sheet" if sheet.hidden else "")
        builder.count_source(sheet.source + count_characters(sheet.title), number)
        for reason, count in sheet.dropped.items():
            builder.count_dropped(reason, count, number)
        for reason, count in sheet.generated.items():
            builder.count_generated(reason, count, number)
        _add_sheet(builder, sheet, number, alone=len(sheets) == 1)
    return builder.build(title=title, doc_type="table")


def _sheets(data: bytes, raw: dict[str, dict[str, str]]) -> tuple[str, list[Sheet]]:
    """Return the title in the file's properties and the sheets."""
    import openpyxl

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # parts openpyxl would lose on saving; nothing is saved
            book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
        sheets = [read_sheet(sheet, raw.get(sheet.title, {})) for sheet in book.worksheets]
        return book.properties.title or "", sheets
    except Exception as error:  # openpyxl raises what its XML reader and its own checks raise
        raise DamagedFileError(f"the workbook cannot be read: {error}") from error


def _add_sheet(builder: DocumentBuilder, sheet: Sheet, number: int, *, alone: bool) -> None:
    if alone and _DEFAULT_NAME.match(sheet.title):
        builder.count_dropped("default_sheet_name", sheet.title, number)
    else:
        builder.add_block(
            BlockKind.HEADING, sheet.title, page=number, level=1, locator=f"sheet_{number}"
        )
    tables = 0
    for cells in _joined(list(_runs_of_rows(sheet.cells))):
        if len({c.col for c in cells}) == 1 and all(c.col_span == 1 for c in cells):
            for cell in cells:
                builder.add_block(
                    BlockKind.PARAGRAPH, cell.text, page=number, locator=f"sheet_{number}"
                )
            continue
        tables += 1
        emit_table(builder, _grid(cells), page=number, locator=f"sheet_{number}/table_{tables}")
    for address, text in sheet.notes:
        builder.count_source(count_characters(text), number)
        builder.count_generated("cell_address", f"{address}:", number)
        builder.add_block(
            BlockKind.ANNOTATION, f"{address}: {text}", page=number,
            locator=f"sheet_{number}/{address.lower()}",
        )  # fmt: skip


def _runs_of_rows(cells: Sequence[GridCell]) -> Iterator[list[GridCell]]:
    """Yield cells (in order of rows) in runs that no empty row parts."""
    run: list[GridCell] = []
    end = 0
    for cell in cells:
        if run and cell.row > end:
            yield run
            run = []
        run.append(cell)
        end = max(end, cell.row + cell.row_span)
    if run:
        yield run


def _joined(runs: Sequence[list[GridCell]]) -> Iterator[list[GridCell]]:
    """Yield the runs, one that goes on with the table above it (after a gap) joined to that."""
    table: list[GridCell] = []
    for run in runs:
        if table and _goes_on(table, run):
            table += run
            continue
        if table:
            yield table
        table = run
    if table:
        yield table


def _goes_on(table: Sequence[GridCell], run: Sequence[GridCell]) -> bool:
    columns = {c.col for c in run}
    if len(columns) < 2 or not columns <= {c.col for c in table}:
        return False
    return read_grid(_grid(table)).header_rows > 0 == read_grid(_grid(run)).header_rows


def _grid(cells: Sequence[GridCell]) -> Grid:
    """Return cells as a grid without the sheet's empty rows and columns around and between them."""
    rows = sorted({c.row for c in cells})
    cols = sorted({c.col for c in cells})
    placed = []
    for cell in cells:
        row, col = bisect_left(rows, cell.row), bisect_left(cols, cell.col)
        down = bisect_left(rows, cell.row + cell.row_span) - row
        across = bisect_left(cols, cell.col + cell.col_span) - col
        placed.append(replace(cell, row=row, col=col, row_span=down, col_span=across))
    return Grid(tuple(placed))
