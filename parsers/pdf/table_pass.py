"""Finds the tables of a document and takes their text out of the pages' runs.

pdfplumber is opened only for a page that shows evidence of a table: it is forty times slower than
the text layer.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from parsers.model import BoundingBox
from parsers.pdf.document import plain_bytes
from parsers.pdf.layout import Run
from parsers.pdf.reading_order import FIGURE
from parsers.pdf.tables import PdfTable, has_table_evidence, join_continued, page_tables
from parsers.pdf.text_layer import PageLayer


def find_document_tables(pdf: Any, data: bytes, layers: Sequence[PageLayer]) -> list[PdfTable]:
    """Return the tables of a document, those that run over pages joined.

    Args:
        pdf: The open PyMuPDF document.
        data: The file.
        layers: Pages to look at.
    """
    marked = [layer for layer in layers if layer.upright and _evidence(layer)]
    if not marked:
        return []
    import pdfplumber

    found: list[PdfTable] = []
    with pdfplumber.open(io.BytesIO(plain_bytes(pdf, data))) as plumber:
        for layer in marked:
            found += page_tables(plumber, layer.number, None)
            plumber.pages[layer.number - 1].close()  # its cache would grow with the document
    return join_continued(found)


def _evidence(layer: PageLayer) -> bool:
    return bool(layer.runs) and has_table_evidence(layer.rules, [r.box for r in layer.runs])


def without_tables(layer: PageLayer, tables: Sequence[PdfTable]) -> list[Run]:
    """Return the runs of a page that stand in no table, an obstacle in place of each table.

    The obstacle of a table stands on its first page only; figures are obstacles as well.
    """
    areas = [area for t in tables for page, area in t.covers if page == layer.number]
    kept = [run for run in layer.runs if not any(_inside(run.box, area) for area in areas)]
    kept += [
        Run("", t.bbox, 0.0, False, t.bbox, index)
        for index, t in enumerate(tables)
        if t.page == layer.number
    ]
    kept += [Run("", box, 0.0, False, box, FIGURE) for box in layer.figures]
    return kept


def _inside(box: BoundingBox, area: BoundingBox) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.top + box.bottom) / 2
    return area.x0 <= x <= area.x1 and area.top <= y <= area.bottom
