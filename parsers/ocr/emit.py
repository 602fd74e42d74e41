"""Write a recognised page into a document: paragraphs, headings, and tables as row sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from configs.settings import ParsingSettings
from parsers.builder import DocumentBuilder
from parsers.model import BoundingBox
from parsers.ocr.figures import with_one_notation
from parsers.ocr.page import OcrLine, OcrPage, OcrWord, around, mean_confidence
from parsers.ocr.paragraphs import Paragraph, paragraphs_of
from parsers.ocr.tables import aligned_tables, ruled_grid
from parsers.tables.emit import emit_table
from parsers.tables.grid import Grid

GENERATED = "ocr"
"""The ledger's reason: recognised characters are in no layer of the file."""


@dataclass(frozen=True, slots=True)
class _PlacedGrid:
    grid: Grid
    bbox: BoundingBox


def emit_ocr_page(
    builder: DocumentBuilder, ocr: OcrPage, *, page: int, settings: ParsingSettings
) -> None:
    """Append what OCR read on a page; the caller has declared the page with ``add_page``.

    Every character is counted as generated ("ocr"), so the page balances when the caller counts
    the page's own layer as source and, as far as it is not in the text, as dropped.

    Args:
        builder: Receives the blocks, in Tesseract's reading order, tables between them.
        ocr: From :func:`parsers.ocr.engine.recognise`.
        page: 1-based number.
        settings: ``tables`` off keeps table text as lines.
    """
    lines = list(ocr.lines)
    placed: list[_PlacedGrid] = []
    if settings.tables:
        placed = [
            _PlacedGrid(with_one_notation(ruled_grid(table)), table.bbox) for table in ocr.tables
        ]
        for found in aligned_tables(lines):
            placed.append(_PlacedGrid(with_one_notation(found.grid), found.bbox))
            lines = _without(lines, found.words)
    else:
        cells = (cell for table in ocr.tables for cell in table.cells)
        lines += [line for cell in cells for line in cell.lines]
    placed = [item for item in placed if any(cell.text for cell in item.grid.cells)]
    number = 0
    for item in _in_order(paragraphs_of(lines), placed):
        if isinstance(item, Paragraph):
            block = builder.add_block(
                item.kind, item.text, page=page, bbox=item.bbox, level=item.level
            )
            if block is not None:
                builder.count_generated(GENERATED, item.text, page)
        else:
            number += 1
            for cell in item.grid.cells:
                builder.count_generated(GENERATED, cell.text, page)
            emit_table(builder, item.grid, page=page, locator=f"page_{page}/table_{number}")


def _without(lines: Sequence[OcrLine], words: frozenset[OcrWord]) -> list[OcrLine]:
    kept: list[OcrLine] = []
    for line in lines:
        rest = tuple(word for word in line.words if word not in words)
        if len(rest) == len(line.words):
            kept.append(line)
        elif rest:
            text = " ".join(word.text for word in rest)
            box = around([word.bbox for word in rest])
            kept.append(
                replace(line, text=text, bbox=box, words=rest, confidence=mean_confidence(rest))
            )
    return kept


def _in_order(
    paragraphs: Sequence[Paragraph], placed: Sequence[_PlacedGrid]
) -> list[Paragraph | _PlacedGrid]:
    """Put each table behind the last paragraph that stands above it in its own column."""
    ordered: list[Paragraph | _PlacedGrid] = list(paragraphs)
    for item in sorted(placed, key=lambda p: (p.bbox.top, p.bbox.x0), reverse=True):
        above = [
            i
            for i, other in enumerate(ordered)
            if isinstance(other, Paragraph)
            and (other.bbox.top + other.bbox.bottom) / 2 <= item.bbox.top
            and other.bbox.x0 < item.bbox.x1
            and other.bbox.x1 > item.bbox.x0
        ]
        ordered.insert(above[-1] + 1 if above else 0, item)
    return ordered
