"""Write a grid into a document: a caption, one sentence per row, and the account of both."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.builder import DocumentBuilder
from parsers.model import BlockKind, Table, TableRow
from parsers.normalise import one_line
from parsers.tables.account import TableAccount
from parsers.tables.grid import Grid
from parsers.tables.reading import Line, LineKind, read_grid


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

    A label that fills the width of the table in its middle is a line of its own and goes into the
    context of the rows below it, not into their sentences: there it would be a value nobody wrote.

    Args:
        builder: Receives the blocks.
        grid: The cells.
        page: 1-based page of rows whose page ``grid.row_pages`` does not give.
        locator: Address of the table; rows are ``{locator}/row_{n}``, n from 1.
        context: Header lines of the rows' chunks, outermost first; the heading path when empty.
            The caption and the label of the row's group are appended.
    """
    reading = read_grid(grid)
    caption = one_line(grid.caption)
    if caption:
        builder.add_block(
            BlockKind.CAPTION, caption, page=grid.page_of(0, page), locator=f"{locator}/caption"
        )
    titles = [caption] if caption else []
    titles += [line.text for line in reading.lines if line.kind is LineKind.CAPTION]
    account = TableAccount(builder, grid, page)
    rows: list[TableRow] = []
    for line in reading.lines:
        text = line.text
        account.add(line, text)
        end = "\n\n" if line is reading.lines[-1] else "\n"
        if line.kind is LineKind.ROW:
            above = _context(builder, context, (*titles, line.group))
            start = builder.position
            builder.add_block(
                BlockKind.TABLE_ROW, text, page=grid.page_of(line.row, page),
                locator=f"{locator}/row_{len(rows) + 1}", context=above, separator=end,
            )  # fmt: skip
            rows.append(_table_row(line, start, len(text), grid.page_of(line.row, page)))
        else:
            builder.add_block(
                BlockKind.CAPTION, text, page=grid.page_of(line.row, page),
                locator=f"{locator}/{line.kind}", separator=end,
            )  # fmt: skip
    account.close()
    if not reading.lines and not caption:
        return
    pages = {grid.page_of(r, page) for r in range(grid.n_rows)} or {page}
    builder.add_table(
        Table(
            pages=tuple(sorted(p for p in pages if p is not None)),
            caption=" – ".join(titles),
            n_rows=grid.n_rows,
            n_cols=grid.n_cols,
            header_rows=reading.header_rows,
            rows=tuple(rows),
            irregular=reading.irregular,
        )
    )


def _table_row(line: Line, start: int, length: int, page: int | None) -> TableRow:
    pairs = tuple((pair.name.text, pair.value) for pair in line.pairs)
    return TableRow(start, start + length, page, pairs)


def _context(
    builder: DocumentBuilder, given: Sequence[str], labels: Sequence[str]
) -> tuple[str, ...]:
    """Return the lines above a row; without anything to add, those given (or none)."""
    above = list(given) or list(builder.heading_path)
    added = [label for label in labels if label and label not in above]
    return (*above, *added) if added else tuple(given)
