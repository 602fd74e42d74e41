from __future__ import annotations

from collections.abc import Callable

from configs.settings import SlicingSettings
from parsers.model import BlockKind, Document
from tasks.slicing.chunks import Chunk, slice_document
from tasks.slicing.tokens import Tokenize

Make = Callable[..., Document]


def sizes(chunks: list[Chunk], level: int) -> list[int]:
    return [c.n_tokens for c in chunks if c.level == level]


def test_a_grid_is_full_at_every_level(make: Make, tokenize: Tokenize) -> None:
    settings = SlicingSettings(strategy="grid", sizes=(8, 16, 64))
    chunks = slice_document(make((BlockKind.PARAGRAPH, "word " * 100)), settings, tokenize)
    assert sizes(chunks, 0) == [8] * 12 + [4]
    assert sizes(chunks, 1) == [16] * 6 + [4]
    assert sizes(chunks, 2) == [64, 36]


def test_a_shift_puts_a_stub_before_every_level(make: Make, tokenize: Tokenize) -> None:
    settings = SlicingSettings(strategy="grid", sizes=(8, 16), shift=3)
    chunks = slice_document(make((BlockKind.PARAGRAPH, "word " * 40)), settings, tokenize)
    assert sizes(chunks, 0) == [3, 8, 8, 8, 8, 5]
    assert sizes(chunks, 1) == [3, 16, 16, 5]


def test_a_grid_may_start_again_with_each_page(make: Make, tokenize: Tokenize) -> None:
    settings = SlicingSettings(strategy="grid", sizes=(8, 16), origin="page")
    pages = [(BlockKind.PARAGRAPH, "word " * 11, {"page": page}) for page in (1, 2, 3)]
    chunks = slice_document(make(*pages), settings, tokenize)
    assert sizes(chunks, 0) == [8, 3] * 3
    assert sizes(chunks, 1) == [11] * 3
    assert all(len(c.pages) == 1 for c in chunks)


def test_a_grid_may_start_again_with_each_section(make: Make, tokenize: Tokenize) -> None:
    settings = SlicingSettings(strategy="grid", sizes=(8, 16), origin="section")
    section = [
        (BlockKind.HEADING, "Part one", {"level": 1}),
        (BlockKind.ARTICLE, "Article one"),
        (BlockKind.PARAGRAPH, "word " * 7),
    ]
    chunks = slice_document(make(*section, *section), settings, tokenize)
    starts = [c.text[:8] for c in chunks if c.level == 1]
    assert starts == ["Part one", "Part one"]


def test_a_cut_inside_a_grapheme_moves_back_to_its_start(make: Make) -> None:
    import numpy as np

    def characters(text: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.arange(len(text), dtype=np.int64)

    settings = SlicingSettings(strategy="grid", sizes=(4, 8))
    document = make((BlockKind.PARAGRAPH, "abc🇵🇹def🇧🇷"))
    cells = [c.text for c in slice_document(document, settings, characters) if c.level == 0]
    assert cells == ["abc", "🇵🇹de", "f🇧🇷\n", "\n"]
