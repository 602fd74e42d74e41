"""Excel workbooks (.xlsx and kin): a heading a sheet, row sentences for its tables."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Mapping

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError
from parsers.builder import DocumentBuilder
from parsers.model import BlockKind, Document, Source
from parsers.normalise import count_characters
from parsers.ooxml_package import open_office
from parsers.slides.pictures import PictureReader
from parsers.spreadsheet_cells import Sheet, open_parts, raw_cells, read_sheet
from parsers.spreadsheet_extras import Extras, ExtrasReader, Workbook, read_persons
from parsers.spreadsheet_tables import tables_of
from parsers.tables.emit import emit_table

NAME = "spreadsheet"
VERSION = 3

_DEFAULT_NAME = re.compile(r"(?:Sheet|Tabelle|Planilha|Folha|Feuil|Hoja|Foglio|Blad|Лист)\s?\d*$")
"""What programs call a sheet that nobody named: no heading when it is the only one."""


def parse(data: bytes, source: Source, settings: ParsingSettings) -> Document:
    """Return a workbook's sheets as tables of row sentences; sheets are numbered like pages.

    Values are shown as the program shows them (see :mod:`parsers.spreadsheet_values`), formulas by
    their stored result. Runs of rows parted by empty rows are tables of their own, unless they go
    on below the same columns without a header; so are blocks side by side. Behind the cells stand
    drawings, charts and comments. A hidden sheet is read and flagged in its page's
    ``route_reason``.

    Raises:
        EmptyFileError: The file has no bytes.
        EncryptedFileError: It is protected, and no password of the settings opens it.
        UnsupportedFormatError: It is a binary workbook of 1997-2003.
        DamagedFileError: It is no workbook, or parts of it are broken.
    """
    data = open_office(data, settings, "workbook")
    main, parts = open_parts(data)
    title, sheets = _sheets(data, raw_cells(main, parts))
    names = frozenset(part.name for part in parts)
    book = Workbook(source.uri, names, PictureReader(settings), read_persons(main))
    builder = DocumentBuilder(source, NAME, VERSION, unit="sheet")
    for number, part in enumerate(parts, start=1):
        builder.add_page(number, route_reason="hidden sheet" if part.hidden else "")
        _add_name(builder, part.name, number, alone=len(parts) == 1)
        if part.name in sheets:
            _add_cells(builder, sheets[part.name], number)
        _add_extras(builder, ExtrasReader(book, part.part, number).read(), number)
    for error in book.pictures.tool_errors.values():
        builder.add_failure(error.as_failure(source.uri))
    return builder.build(title=title, doc_type="table")


def _sheets(data: bytes, raw: dict[str, dict[str, str]]) -> tuple[str, dict[str, Sheet]]:
    """Return the title in the file's properties and the sheets with cells by name."""
    import openpyxl

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # parts openpyxl would lose on saving; nothing is saved
            book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
        sheets = {s.title: read_sheet(s, raw.get(s.title, {})) for s in book.worksheets}
        return book.properties.title or "", sheets
    except Exception as error:  # openpyxl raises what its XML reader and its own checks raise
        raise DamagedFileError(f"the workbook cannot be read: {error}") from error


def _add_name(builder: DocumentBuilder, name: str, number: int, *, alone: bool) -> None:
    builder.count_source(count_characters(name), number)
    if alone and _DEFAULT_NAME.match(name):
        builder.count_dropped("default_sheet_name", name, number)
    else:
        builder.add_block(BlockKind.HEADING, name, page=number, level=1, locator=f"sheet_{number}")


def _add_cells(builder: DocumentBuilder, sheet: Sheet, number: int) -> None:
    builder.count_source(sheet.source, number)
    _count(builder, sheet.dropped, sheet.generated, number)
    tables = 0
    for grid in tables_of(sheet.cells):
        if grid.n_cols == 1 and all(c.col_span == 1 for c in grid.cells):
            for cell in grid.cells:
                builder.add_block(
                    BlockKind.PARAGRAPH, cell.text, page=number, locator=f"sheet_{number}"
                )
            continue
        tables += 1
        emit_table(builder, grid, page=number, locator=f"sheet_{number}/table_{tables}")


def _add_extras(builder: DocumentBuilder, extras: Extras, number: int) -> None:
    builder.count_source(extras.source, number)
    _count(builder, extras.dropped, extras.generated, number)
    for item in extras.items:
        builder.add_block(
            item.kind, item.text, page=number, level=item.level,
            locator=f"sheet_{number}/{item.locator}",
        )  # fmt: skip
    for failure in extras.failures:
        builder.add_failure(failure)


def _count(
    builder: DocumentBuilder, dropped: Mapping[str, int], generated: Mapping[str, int], number: int
) -> None:
    for reason, count in dropped.items():
        builder.count_dropped(reason, count, number)
    for reason, count in generated.items():
        builder.count_generated(reason, count, number)
