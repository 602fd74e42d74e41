"""Tables and the text layer are read by two libraries: where they differ nothing is lost."""

from __future__ import annotations

import hashlib
import io
from typing import Any

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.platypus import SimpleDocTemplate
from reportlab.platypus import Table as Flow

from configs.settings import ParsingSettings
from parsers.model import Document, Source
from parsers.pdf import parser, table_pass

ROWS = [["City", "Year", "Riders"], ["Lisboa", "2021", "1,204"], ["Porto", "2022", "987"]]


@pytest.fixture(scope="module")
def ruled() -> bytes:
    data = io.BytesIO()
    grid = Flow(ROWS, style=[("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
    SimpleDocTemplate(data, pagesize=A4).build([grid])
    return data.getvalue()


def _parse(data: bytes) -> Document:
    source = Source("/a.pdf", "application/pdf", len(data), hashlib.sha256(data).hexdigest())
    document = parser.parse(data, source, ParsingSettings(ocr=False))
    assert all(row.unaccounted == 0 for row in document.ledger)
    return document


def _breaks(*_: Any, **__: Any) -> Any:
    raise IndexError("list index out of range")  # as pdfminer, where MuPDF repaired the page tree


@pytest.mark.parametrize("broken", ["page_tables", "plain_bytes"])
def test_tables_that_cannot_be_read_are_text_and_a_failure_of_their_page(
    ruled: bytes, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    assert len(_parse(ruled).tables) == 1
    monkeypatch.setattr(table_pass, broken, _breaks)
    document = _parse(ruled)
    assert document.tables == ()
    assert all(cell in document.text for row in ROWS for cell in row)
    (failure,) = document.failures
    assert (failure.error, failure.page) == ("TableReadError", 1)
    assert failure.remedy


@pytest.mark.parametrize("seen", ["Lisboa", "Lisbo", "Lisboaa"])
def test_a_letter_that_one_library_lacks_stands_in_the_ledger(
    ruled: bytes, monkeypatch: pytest.MonkeyPatch, seen: str
) -> None:
    read = table_pass._read_again

    def read_otherwise(*arguments: Any) -> Any:
        layer = read(*arguments)
        layer.taken = [t.replace("Lisboa", seen) for t in layer.taken]
        difference = len(seen) - len("Lisboa")
        layer.source += difference
        return layer

    monkeypatch.setattr(table_pass, "_read_again", read_otherwise)
    document = _parse(ruled)
    (row,) = document.ledger
    known = row.dropped.get("unlike in the table", 0) - row.generated.get("unlike in the table", 0)
    assert known == len(seen) - len("Lisboa")
