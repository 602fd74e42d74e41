"""Finds the tables of a document and takes their text out of the pages' runs.

pdfplumber is opened only for a page that shows evidence of a table: it is forty times slower than
the text layer.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from parsers.base import ParserError
from parsers.builder import DocumentBuilder
from parsers.model import BoundingBox
from parsers.normalise import canonical, count_characters
from parsers.pdf.document import plain_bytes
from parsers.pdf.layout import Run
from parsers.pdf.reading_order import FIGURE, mixes_columns
from parsers.pdf.tables import PdfTable, join_continued, page_tables
from parsers.pdf.text_layer import PageLayer, read_page
from parsers.tables.grid import Correction

_AGREEMENT = 0.95
"""Share of letters that a table and the text layer must have in common (a guess: sound tables of
the corpus have all of them, formulas read as tables under 0.9)."""
_DOTS = ".…·"
_UNLIKE = "unlike in the table"
"""Letters that pdfminer and MuPDF place or decode differently: clipped, doubled, unmapped ones."""


class TableReadError(ParserError):
    """The tables of a page could not be looked for."""

    default_remedy = "Save the file again with a PDF editor or print it to PDF, and ingest again."


def find_document_tables(
    pdf: Any, data: bytes, layers: Sequence[PageLayer], builder: DocumentBuilder
) -> list[PdfTable]:
    """Return the tables of a document, those that run over pages joined.

    pdfminer refuses some files, and finds fewer pages in others, that MuPDF repairs: tables are
    then read as text, and each page concerned is a failure.

    Args:
        pdf: The open PyMuPDF document.
        data: The file.
        layers: Pages that show evidence of a table.
        builder: Receives the failures.
    """
    if not layers:
        return []
    import pdfplumber

    def read_as_text(number: int, why: object) -> None:
        error = TableReadError(f"tables are read as text: {why!r}", page=number)
        builder.add_failure(error.as_failure(builder.source.uri))

    found: list[PdfTable] = []
    try:
        plumber = pdfplumber.open(io.BytesIO(plain_bytes(pdf, data)))
    except Exception as error:  # whatever a damaged file makes pdfminer raise
        for layer in layers:
            read_as_text(layer.number, error)
        return []
    with plumber:
        for layer in layers:
            try:
                found += page_tables(plumber, layer.number)
                plumber.pages[layer.number - 1].close()  # its cache would grow with the document
            except Exception as error:
                read_as_text(layer.number, error)
    return join_continued(found, {layer.number: layer.height for layer in layers})


def take_out(
    pdf: Any, layers: dict[int, PageLayer], tables: Sequence[PdfTable]
) -> tuple[list[PdfTable], dict[int, PageLayer]]:
    """Read the pages that hold tables again without the tables' glyphs.

    A table is given up where it takes in prose of two columns, or where its cells do not hold
    what the text layer has in its areas: its fonts were read differently, or its border runs
    through text. The page's text says more then.

    Returns:
        The tables that stay, and the pages, those without tables as they were.
    """
    found: dict[int, PageLayer] = {}
    texts: list[dict[int, str]] = [{} for _ in tables]
    for number, layer in layers.items():
        areas = _areas(tables, number)
        found[number] = _read_again(pdf, layer, [area for _, area in areas])
        for (index, _), text in zip(areas, found[number].taken, strict=True):
            texts[index][number] = texts[index].get(number, "") + text
    kept = [
        _balanced(t, own)
        for t, own in zip(tables, texts, strict=True)
        if _agrees(t, "".join(own.values()))
        and not any(
            mixes_columns(area, layers[number].runs)
            for number, area in t.covers
            if number in layers
        )
    ]
    stay = {(t.page, t.bbox) for t in kept}
    given_up = {page for t in tables if (t.page, t.bbox) not in stay for page, _ in t.covers}
    for number in given_up & layers.keys():
        areas = _areas(kept, number)
        found[number] = _read_again(pdf, layers[number], [area for _, area in areas])
    return kept, found


def _areas(tables: Sequence[PdfTable], number: int) -> list[tuple[int, BoundingBox]]:
    return [(i, area) for i, t in enumerate(tables) for page, area in t.covers if page == number]


def _read_again(pdf: Any, layer: PageLayer, areas: Sequence[BoundingBox]) -> PageLayer:
    if not areas:
        return layer
    return read_page(pdf.load_page(layer.number - 1), layer.number, areas)


def _agrees(table: PdfTable, text: str) -> bool:
    """Tell whether cells and text layer have the same letters, up to a few; leaders are no cell."""
    cells = Counter(table.grid.caption + "".join(c.text for c in table.grid.cells))
    layer = Counter(canonical(text))
    for counts in (cells, layer):
        for character in [c for c in counts if c.isspace() or c in _DOTS]:
            del counts[character]
    return (cells & layer).total() >= _AGREEMENT * max(cells.total(), layer.total())


def _balanced(table: PdfTable, layer: Mapping[int, str]) -> PdfTable:
    """Enter in the table's account the few letters that cells and text layer do not share."""
    grid = table.grid
    cells = Counter({table.page: count_characters(canonical(grid.caption))})
    for cell in grid.cells:
        cells[grid.page_of(cell.row, table.page) or table.page] += count_characters(
            canonical(cell.text)
        )
    for entry in grid.corrections:
        cells[entry.page or table.page] += entry.dropped - entry.generated
    more = []
    for page, text in layer.items():
        over = count_characters(canonical(text)) - cells[page]
        if over:
            more.append(Correction(_UNLIKE, page, max(over, 0), max(-over, 0)))
    if not more:
        return table
    return replace(table, grid=replace(grid, corrections=(*grid.corrections, *more)))


def with_obstacles(layer: PageLayer, tables: Sequence[PdfTable]) -> list[Run]:
    """Return the runs of a page and obstacles: its figures, and the tables that begin on it."""
    return [
        *layer.runs,
        *(
            Run("", t.bbox, 0.0, False, t.bbox, index)
            for index, t in enumerate(tables)
            if t.page == layer.number
        ),
        *(Run("", box, 0.0, False, box, FIGURE) for box in layer.drawings.figures),
    ]
