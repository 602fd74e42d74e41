from __future__ import annotations

from collections.abc import Callable

import pytest

from parsers.builder import DocumentBuilder
from parsers.model import Document, Source
from parsers.normalise import count_characters
from parsers.tables.emit import emit_table
from parsers.tables.grid import Grid

Emit = Callable[[Grid], Document]


@pytest.fixture(scope="session")
def emit() -> Emit:
    """Write a grid into a document of its own, counting each source cell once on its page."""

    def write(grid: Grid) -> Document:
        builder = DocumentBuilder(Source("file:///t", "text/plain", 0, "0" * 64), "test", 1)
        pages = sorted({p for p in grid.row_pages if p is not None})
        if pages:
            builder.add_page(pages[0])
        for cell in grid.cells:
            builder.count_source(count_characters(cell.text), grid.page_of(cell.row))
        builder.count_source(count_characters(grid.caption), grid.page_of(0))
        emit_table(builder, grid, page=None)
        for page in pages[1:]:  # as a parser meets them: a table may run on over them
            builder.add_page(page)
        return builder.build(language="en")

    return write
