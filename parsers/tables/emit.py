"""Write a grid into a document: a caption, one sentence per row, and the account of both."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.builder import DocumentBuilder
from parsers.tables.grid import Grid


def emit_table(
    builder: DocumentBuilder,
    grid: Grid,
    *,
    page: int | None = None,
    locator: str = "table_1",
    context: Sequence[str] = (),
) -> None:
    """Append the table to the document as row sentences.

    Adds a caption block (if there is a caption), one ``TABLE_ROW`` block per body row
    ("Header: value, Header: value."), registers the :class:`~parsers.model.Table`, and writes the
    generated and dropped counts, so that a unit balances when the parser counted the text of each
    source cell (and the caption) once as source.

    Args:
        builder: Receives the blocks.
        grid: The cells.
        page: 1-based page of rows whose page ``grid.row_pages`` does not give.
        locator: Address of the table; rows are ``{locator}/row_{n}``, n from 1.
        context: Header lines of the rows' chunks, outermost first; the heading path when empty.
            The caption and the label of the row's group are appended.
    """
    raise NotImplementedError
