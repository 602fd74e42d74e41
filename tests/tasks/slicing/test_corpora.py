"""The invariants, and how full chunks are, on the public benchmark's texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from configs.settings import SlicingSettings
from parsers.model import BlockKind, Document
from parsers.normalise import canonical
from tasks.slicing.chunks import slice_document
from tasks.slicing.forest import check_document
from tasks.slicing.tokens import Tokenize

pytestmark = pytest.mark.shared


@pytest.mark.parametrize("name", ["chatlogs", "state_of_the_union", "wikitexts"])
def test_real_texts_fill_their_chunks(
    name: str, shared: Path, make: Callable[..., Document], tokenize: Tokenize
) -> None:
    text = (shared / "eval" / "chunking" / "corpora" / f"{name}.md").read_text("utf-8")
    paragraphs = [(BlockKind.PARAGRAPH, part) for part in canonical(text)[:60_000].split("\n\n")]
    document = make(*paragraphs)
    settings = SlicingSettings()
    chunks = slice_document(document, settings, tokenize)
    assert check_document(document.text, chunks) == []
    for level in range(4):
        fill = [c.n_tokens / c.size_tokens for c in chunks if c.level == level]
        assert max(fill) <= 1
        assert sum(fill) / len(fill) > 0.7  # 0.74 (cells) to 0.84 measured
