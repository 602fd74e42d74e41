from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np
import pytest

from configs.settings import SlicingSettings
from parsers.model import BlockKind, Document
from tasks.slicing.chunks import build_chunks, chunk_id, fingerprint, slice_document
from tasks.slicing.cuts import Cuts, CutsError, cut
from tasks.slicing.embedded import embedded_text, shorten
from tasks.slicing.tokens import TokenGrid, TokenGridError, Tokenize

Make = Callable[..., Document]
SETTINGS = SlicingSettings(sizes=(16, 32))
LEAD_IN = "The controller shall do all of the following without undue delay:"


def ints(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)


def words(text: str) -> int:
    return len(text.split())


def test_a_fingerprint_is_the_sha256_of_the_utf8_bytes() -> None:
    # NIST, "Example values", SHA-256 of "abc"
    assert fingerprint("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert fingerprint("ção") == hashlib.sha256("ção".encode()).hexdigest()


def test_a_chunk_id_depends_on_every_part() -> None:
    base = ("d", "t", "grid", 1, 0, 0, 10)
    changed = [("e", "t", "grid", 1, 0, 0, 10), ("d", "u", "grid", 1, 0, 0, 10),
               ("d", "t", "snapped", 1, 0, 0, 10), ("d", "t", "grid", 2, 0, 0, 10),
               ("d", "t", "grid", 1, 1, 0, 10), ("d", "t", "grid", 1, 0, 1, 10),
               ("d", "t", "grid", 1, 0, 0, 11)]  # fmt: skip
    assert len({chunk_id(*parts) for parts in [base, *changed]}) == 8


def test_equal_texts_in_two_files_have_two_ids_and_one_fingerprint(
    make: Make, tokenize: Tokenize
) -> None:
    one, two = (
        slice_document(make((BlockKind.PARAGRAPH, "Licence."), uri=uri), SETTINGS, tokenize)
        for uri in ("file:///1", "file:///2")
    )
    assert [c.fingerprint for c in one] == [c.fingerprint for c in two]
    assert not {c.chunk_id for c in one} & {c.chunk_id for c in two}


def test_repeated_passages_keep_their_own_offsets(make: Make, tokenize: Tokenize) -> None:
    document = make(*[(BlockKind.CODE, f"A{'x' * (n % 2)}. B.") for n in range(20)])
    chunks = slice_document(document, SETTINGS, tokenize)
    for level in (0, 1):
        starts = [c.start for c in chunks if c.level == level]
        assert starts == sorted(set(starts))
    assert all(document.text[c.start : c.end] == c.text for c in chunks)


def test_context_is_that_of_the_first_block_that_is_no_heading(
    make: Make, tokenize: Tokenize
) -> None:
    document = make(
        (BlockKind.HEADING, "Rights", {"level": 1}),
        (BlockKind.PARAGRAPH, "Everyone has one. " * 8),
        (BlockKind.HEADING, "Duties", {"level": 1}),
    )
    chunks = [c for c in slice_document(document, SETTINGS, tokenize) if c.level == 0]
    assert chunks[0].context == ()  # "Rights" stands in its own text
    assert chunks[1].context == ("Rights",)
    assert chunks[1].heading_path == ("Rights",)
    assert chunks[-1].text == "Duties\n\n"
    assert chunks[-1].heading_path == ()


def test_a_context_line_is_left_out_only_where_it_stands_as_whole_words(
    make: Make, tokenize: Tokenize
) -> None:
    def context_of(text: str) -> tuple[str, ...]:
        block = (BlockKind.PARAGRAPH, text, {"context": ("Article 1", "Right to  erasure")})
        return slice_document(make(block), SETTINGS, tokenize)[0].context

    assert context_of("Article 12 applies.") == ("Article 1", "Right to  erasure")
    assert context_of("Article 1\nRight to\nerasure\nYes.") == ()


def test_a_chunk_over_a_page_break_names_both_pages(make: Make, tokenize: Tokenize) -> None:
    document = make(
        (BlockKind.PARAGRAPH, "One here.", {"page": 1, "page_breaks": [(4, 2)]}),
        (BlockKind.PARAGRAPH, "Two.", {"page": 3}),
    )
    assert slice_document(document, SETTINGS, tokenize)[-1].pages == (1, 3)
    document = make(
        (BlockKind.PARAGRAPH, "First.", {"page": 1}),
        (BlockKind.PARAGRAPH, "One here.", {"page": 2}),
    )
    assert slice_document(document, SETTINGS, tokenize)[-1].pages == (1, 2)


def test_context_takes_at_most_its_share_and_the_text_stays_whole(
    make: Make, tokenize: Tokenize
) -> None:
    block = (BlockKind.POINT, "erase the data;", {"context": ("Article 17", LEAD_IN)})
    chunk = slice_document(make(block), SETTINGS, tokenize)[0]
    for share, lines in ((0.0, 0), (0.25, 1), (0.5, 2)):
        settings = SlicingSettings(sizes=(16, 32), context_share=share)
        got = embedded_text(chunk, words, settings)
        assert got.endswith(chunk.text)
        context = got.removesuffix(chunk.text)
        assert words(context) <= share * 16
        assert context.count("\n") == lines


def test_a_short_title_survives_beside_a_long_lead_in() -> None:
    assert shorten(("Article 17", LEAD_IN), words, 8) == (
        "Article 17",
        "The controller shall do all of",
    )
    assert shorten(("Article 17", LEAD_IN), words, 100) == ("Article 17", LEAD_IN)
    assert shorten(tuple("abcdefgh"), words, 8) == ("g", "h")
    assert shorten((), words, 8) == ()
    assert shorten(("x",), lambda _: 99, 8) == ()


@pytest.mark.parametrize(
    "levels",
    [
        (),
        (ints(),),
        (ints(1, 5),),
        (ints(0, 5, 5),),
        (ints(0, 5, 4),),
        (ints(0, 3, 5), ints(0, 2, 5)),
        (ints(0, 5), ints(0, 3, 5)),
        (ints(0, 3, 5), ints(0, 3)),
    ],
)
def test_cuts_that_are_not_laminar_are_refused(
    levels: tuple[np.ndarray[tuple[int], np.dtype[np.int64]], ...],
) -> None:
    with pytest.raises(CutsError):
        Cuts(levels)


def test_cuts_and_tokens_of_another_text_are_refused(make: Make, tokenize: Tokenize) -> None:
    document = make((BlockKind.PARAGRAPH, "Some text."))
    with pytest.raises(CutsError, match="file:///a"):
        cut(document, SETTINGS, TokenGrid(ints(0), 3))
    tokens = TokenGrid.of(document.text, tokenize)
    with pytest.raises(CutsError, match="1 levels"):
        build_chunks(document, Cuts((ints(0, len(document.text)),)), tokens, SETTINGS)
    with pytest.raises(CutsError, match="up to 3"):
        build_chunks(document, Cuts((ints(0, 3), ints(0, 3))), tokens, SETTINGS)


@pytest.mark.parametrize("starts", [ints(3, 1), ints(-1, 1), ints(0, 9)])
def test_token_starts_that_are_no_grid_are_refused(
    starts: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> None:
    with pytest.raises(TokenGridError):
        TokenGrid(starts, 5)


def test_token_counts_are_of_the_tokens_that_begin_in_a_span() -> None:
    tokens = TokenGrid(ints(0, 2, 2, 4, 6), 6)  # two at 2, one of no width at the end
    assert [tokens.count(0, 2), tokens.count(2, 4), tokens.count(4, 6)] == [1, 2, 2]
    assert tokens.count(1, 2) == 0
    assert tokens.offset_after(0, 1) == 2
    assert tokens.offset_after(0, 2) == 2  # the second token at 2 would be the third
    assert tokens.offset_after(2, 2) == 4
    assert tokens.offset_after(0, 99) == 6
    assert TokenGrid(ints(0), 0).count(0, 0) == 0
