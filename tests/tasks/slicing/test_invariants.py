"""What must hold for every document, tokenizer, strategy and size."""

from __future__ import annotations

import itertools

import regex
from hypothesis import given
from hypothesis import strategies as st

from configs.settings import SlicingSettings
from parsers.model import Document
from tasks.slicing.chunks import Chunk, slice_document
from tasks.slicing.cuts import cut
from tasks.slicing.forest import Forest, audit_document, contains
from tasks.slicing.tokens import TokenGrid, Tokenize


def _draw(
    data: st.DataObject,
    documents: st.SearchStrategy[Document],
    slicings: st.SearchStrategy[SlicingSettings],
    tokenizers: st.SearchStrategy[Tokenize],
) -> tuple[Document, SlicingSettings, Tokenize, list[Chunk]]:
    document, settings = data.draw(documents), data.draw(slicings)
    tokenize = data.draw(tokenizers)
    return document, settings, tokenize, slice_document(document, settings, tokenize)


def _clusters(text: str) -> list[str]:
    return list(regex.findall(r"\X", text))


@given(data=st.data())
def test_every_invariant_of_the_forest_holds(
    data: st.DataObject,
    documents: st.SearchStrategy[Document],
    slicings: st.SearchStrategy[SlicingSettings],
    tokenizers: st.SearchStrategy[Tokenize],
) -> None:
    document, _, _, chunks = _draw(data, documents, slicings, tokenizers)
    assert audit_document(document.text, chunks).violations == []


@given(data=st.data())
def test_each_level_concatenates_to_the_text(
    data: st.DataObject,
    documents: st.SearchStrategy[Document],
    slicings: st.SearchStrategy[SlicingSettings],
    tokenizers: st.SearchStrategy[Tokenize],
) -> None:
    document, settings, _, chunks = _draw(data, documents, slicings, tokenizers)
    for level in range(len(settings.sizes)):
        assert "".join(c.text for c in chunks if c.level == level) == document.text
    assert [(c.level, c.start) for c in chunks] == sorted((c.level, c.start) for c in chunks)


@given(data=st.data())
def test_no_chunk_exceeds_its_size_except_a_single_grapheme(
    data: st.DataObject,
    documents: st.SearchStrategy[Document],
    slicings: st.SearchStrategy[SlicingSettings],
    tokenizers: st.SearchStrategy[Tokenize],
) -> None:
    _, settings, _, chunks = _draw(data, documents, slicings, tokenizers)
    for chunk in chunks:
        assert chunk.size_tokens == settings.sizes[chunk.level]
        assert chunk.n_tokens <= chunk.size_tokens or len(_clusters(chunk.text)) == 1


@given(data=st.data())
def test_cuts_never_fall_inside_a_grapheme(
    data: st.DataObject,
    documents: st.SearchStrategy[Document],
    slicings: st.SearchStrategy[SlicingSettings],
    tokenizers: st.SearchStrategy[Tokenize],
) -> None:
    document, _, _, chunks = _draw(data, documents, slicings, tokenizers)
    boundaries = {0, *itertools.accumulate(map(len, _clusters(document.text)))}
    assert {c.start for c in chunks} <= boundaries


@given(data=st.data())
def test_the_same_input_gives_the_same_chunks(
    data: st.DataObject,
    documents: st.SearchStrategy[Document],
    slicings: st.SearchStrategy[SlicingSettings],
    tokenizers: st.SearchStrategy[Tokenize],
) -> None:
    document, settings, tokenize, chunks = _draw(data, documents, slicings, tokenizers)
    assert slice_document(document, settings, tokenize) == chunks


@given(data=st.data())
def test_token_counts_add_up_and_cells_are_numbered(
    data: st.DataObject,
    documents: st.SearchStrategy[Document],
    slicings: st.SearchStrategy[SlicingSettings],
    tokenizers: st.SearchStrategy[Tokenize],
) -> None:
    document, settings, tokenize, chunks = _draw(data, documents, slicings, tokenizers)
    cells = [c for c in chunks if c.level == 0]
    total = len(tokenize(document.text)) if document.text else 0
    for level in range(len(settings.sizes)):
        own = [c for c in chunks if c.level == level]
        assert sum(c.n_tokens for c in own) == total
        for chunk in own:
            inside = cells[chunk.cell_start : chunk.cell_end]
            assert "".join(cell.text for cell in inside) == chunk.text
            assert sum(cell.n_tokens for cell in inside) == chunk.n_tokens


@given(data=st.data())
def test_equal_text_has_equal_fingerprint_and_no_two_chunks_share_an_id(
    data: st.DataObject,
    documents: st.SearchStrategy[Document],
    slicings: st.SearchStrategy[SlicingSettings],
    tokenizers: st.SearchStrategy[Tokenize],
) -> None:
    _, _, _, chunks = _draw(data, documents, slicings, tokenizers)
    prints: dict[str, str] = {}
    for chunk in chunks:
        assert prints.setdefault(chunk.text, chunk.fingerprint) == chunk.fingerprint
    assert len(set(prints.values())) == len(prints)
    assert len({c.chunk_id for c in chunks}) == len(chunks)


@given(data=st.data())
def test_markers_alone_rebuild_the_forest(
    data: st.DataObject,
    documents: st.SearchStrategy[Document],
    slicings: st.SearchStrategy[SlicingSettings],
    tokenizers: st.SearchStrategy[Tokenize],
) -> None:
    _, settings, _, chunks = _draw(data, documents, slicings, tokenizers)
    forest = Forest(chunks)
    assert forest.cells_from_markers() == [c.fingerprint for c in chunks if c.level == 0]
    assert forest.edges_from_markers() == forest.edges_from_offsets()
    for chunk in chunks:
        above = list(forest.ancestors(chunk))
        assert [a.level for a in above] == list(range(chunk.level + 1, len(settings.sizes)))
        assert all(contains(a, chunk) for a in above)


@given(data=st.data())
def test_provenance_is_that_of_the_blocks_and_pages_touched(
    data: st.DataObject,
    documents: st.SearchStrategy[Document],
    slicings: st.SearchStrategy[SlicingSettings],
    tokenizers: st.SearchStrategy[Tokenize],
) -> None:
    document, _, _, chunks = _draw(data, documents, slicings, tokenizers)
    for chunk in chunks:
        touched = [b for b in document.blocks if b.start < chunk.end and chunk.start < b.end]
        locators = [b.locator for b in touched if b.locator]
        assert chunk.locators == tuple(dict.fromkeys(locators))
        pages = [
            p.number
            for p in document.pages
            if p.start < p.end and p.start < chunk.end and chunk.start < p.end
        ]
        assert chunk.pages == tuple(pages)
        assert chunk.heading_path in {b.heading_path for b in touched}


@given(data=st.data())
def test_coarser_cuts_are_among_the_finer_ones(
    data: st.DataObject,
    documents: st.SearchStrategy[Document],
    slicings: st.SearchStrategy[SlicingSettings],
    tokenizers: st.SearchStrategy[Tokenize],
) -> None:
    document, settings, tokenize, _ = _draw(data, documents, slicings, tokenizers)
    levels = cut(document, settings, TokenGrid.of(document.text, tokenize)).levels
    for finer, coarser in itertools.pairwise(levels):
        assert set(coarser.tolist()) <= set(finer.tolist())
