"""Finds the tables of a document and takes their text out of the pages' runs.

pdfplumber is opened only for a page that shows evidence of a table: it is forty times slower than
the text layer.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from parsers.pdf.document import plain_bytes
from parsers.pdf.layout import Run
from parsers.pdf.reading_order import FIGURE
from parsers.pdf.tables import PdfTable, join_continued, page_tables
from parsers.pdf.text_layer import PageLayer, read_page


def find_document_tables(pdf: Any, data: bytes, layers: Sequence[PageLayer]) -> list[PdfTable]:
    """Return the tables of a document, those that run over pages joined.

    Args:
        pdf: The open PyMuPDF document.
        data: The file.
        layers: Pages that show evidence of a table.
    """
    if not layers:
        return []
    import pdfplumber

    found: list[PdfTable] = []
    with pdfplumber.open(io.BytesIO(plain_bytes(pdf, data))) as plumber:
        for layer in layers:
            found += page_tables(plumber, layer.number)
            plumber.pages[layer.number - 1].close()  # its cache would grow with the document
    return join_continued(found, {layer.number: layer.height for layer in layers})


def take_out(pdf: Any, layer: PageLayer, tables: Sequence[PdfTable]) -> PageLayer:
    """Return a page read again without the glyphs of its tables."""
    areas = [area for t in tables for page, area in t.covers if page == layer.number]
    if not areas:
        return layer
    return read_page(pdf.load_page(layer.number - 1), layer.number, areas)


def with_obstacles(layer: PageLayer, tables: Sequence[PdfTable]) -> list[Run]:
    """Return the runs of a page and obstacles: its figures, and the tables that begin on it."""
    return [
        *layer.runs,
        *(
            Run("", t.bbox, 0.0, False, t.bbox, index)
            for index, t in enumerate(tables)
            if t.page == layer.number
        ),
        *(Run("", box, 0.0, False, box, FIGURE) for box in layer.figures),
    ]
