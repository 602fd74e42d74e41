from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from configs.settings import ParsingSettings
from storage.schema import DOCUMENTS
from tasks.indexing.rows import document_from, document_row
from tasks.loading.pool import load

NAMES = (
    "handbook.md",
    "law_en.html",
    "law_pt.html",
    "onboarding_deck.pptx",
    "price_tables.pdf",
    "two_column_report.pdf",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_document_comes_back_from_its_row_as_it_went(samples: Path, name: str) -> None:
    settings = ParsingSettings.model_validate({"ocr": False})
    document = load(str(samples / name), settings, 10_000_000).document
    assert document is not None
    row = document_row(document, "recipe", "encoder", 3, 2)
    (back,) = pa.Table.from_pylist([row], DOCUMENTS).to_pylist()
    assert set(row) == set(DOCUMENTS.names), "from_pylist passes over misspelt keys"
    assert document_from(back) == document
