"""Values parted by commas, semicolons, tabs or bars, as row sentences."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from configs.settings import ParsingSettings
from parsers.base import EmptyFileError
from parsers.builder import DocumentBuilder
from parsers.charset import decode
from parsers.detect import TSV
from parsers.model import Document, Source
from parsers.normalise import canonical, count_characters
from parsers.tables.emit import emit_table
from parsers.tables.grid import grid_of_rows

NAME = "delimited"
VERSION = 2

_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE_LINES = 200
"""Lines on which the delimiter is chosen. A guess: dialects do not change further down."""
_RUNAWAY_LINES = 100
"""Line breaks in one field from which a quote was never closed. A guess; addresses have ten."""
_SEP_LINE = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
_FIELD_LIMIT = 2**31 - 1


def parse(data: bytes, source: Source, settings: ParsingSettings) -> Document:
    """Return the table in a CSV or TSV file as one sentence a row.

    The charset is detected, the delimiter chosen by which gives rows of one length, the header
    found by :mod:`parsers.tables`. Ragged rows keep their values; values beyond the header have no
    name. Rows of several tables below each other, of another width behind an empty line, become
    tables of their own.

    Raises:
        EmptyFileError: The file has no bytes, or white space alone.
    """
    text = decode(data)[0]
    if not text.strip():
        raise EmptyFileError(f"{source.uri} holds no text")
    builder = DocumentBuilder(source, NAME, VERSION)
    builder.count_source(count_characters(text))
    announced = _SEP_LINE.match(text)
    if announced:
        builder.count_dropped("delimiter", announced.group())
        text = text[announced.end() :]
    # canonical before reading: a separator of lines that csv does not know would join two rows
    text = canonical(text)
    delimiter = announced[1] if announced else _delimiter(text, source.media_type == TSV)
    rows = _read(text, delimiter)
    _count_punctuation(builder, text, delimiter, rows)
    for number, part in enumerate(_tables(rows), start=1):
        emit_table(builder, grid_of_rows(part), locator=f"table_{number}")
    return builder.build(doc_type="table")


def _delimiter(text: str, is_tsv: bool) -> str:
    """Return the delimiter under which most rows have the same number of values, over one."""
    sample = "".join(islice(io.StringIO(text), _SAMPLE_LINES))
    scores: dict[str, float] = {}
    for delimiter in _DELIMITERS:
        widths = Counter(len(row) for row in _rows(sample, delimiter, csv.QUOTE_MINIMAL) if row)
        width, rows = max(widths.items(), key=lambda item: (item[0] > 1, item[1]), default=(1, 0))
        if width > 1:
            scores[delimiter] = rows / widths.total() + 0.01 * min(width, 10)
    if is_tsv and "\t" in scores:
        return "\t"
    return max(scores, key=lambda d: scores[d], default=",")


def _read(text: str, delimiter: str) -> list[list[str]]:
    """Return the rows; quotes are plain characters when one is opened and never closed."""
    rows = list(_rows(text, delimiter, csv.QUOTE_MINIMAL))
    if any(value.count("\n") > _RUNAWAY_LINES for row in rows for value in row):
        return list(_rows(text, delimiter, csv.QUOTE_NONE))
    return rows


def _rows(text: str, delimiter: str, quoting: int) -> Iterator[list[str]]:
    before = csv.field_size_limit(_FIELD_LIMIT)
    try:
        yield from csv.reader(
            io.StringIO(text, newline=""),
            delimiter=delimiter,
            quoting=quoting,  # type: ignore[arg-type]
            skipinitialspace=delimiter != "\t",
        )
    finally:
        csv.field_size_limit(before)


def _count_punctuation(
    builder: DocumentBuilder, text: str, delimiter: str, rows: Sequence[Sequence[str]]
) -> None:
    """Count the delimiters and quotes that the values do not hold."""
    if not delimiter.isspace():
        builder.count_dropped("delimiter", sum(len(row) - 1 for row in rows if row))
    quotes = text.count('"') - sum(value.count('"') for row in rows for value in row)
    builder.count_dropped("quote", quotes)


def _tables(rows: Sequence[list[str]]) -> Iterator[list[list[str]]]:
    """Yield runs of rows; an empty line parts two tables only where their widths differ."""
    part: list[list[str]] = []
    gap, width = False, 0
    for row in rows:
        if not any(value.strip() for value in row):
            gap = True
            continue
        if gap and len(part) > 1 and len(row) > 1 and len(row) != width:
            yield part
            part, width = [], 0
        gap, width = False, max(width, len(row))
        part.append(row)
    if part:
        yield part
