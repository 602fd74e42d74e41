"""Cells go through the model once; parents are composed; nothing is cut."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.embedding import vectors as module
from tasks.embedding.cache import VectorCache
from tasks.embedding.compose import compose
from tasks.embedding.encoder import plan_batches
from tasks.embedding.info import TruncationError
from tasks.embedding.vectors import embed_chunks

MakeChunks = Callable[[str, Sequence[str], int], list[Any]]


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[VectorCache]:
    with VectorCache(tmp_path / "vectors.sqlite") as opened:
        yield opened


def test_parents_are_token_weighted_means_of_unit_length(
    fake_encoder: Any, make_chunks: MakeChunks, cache: VectorCache
) -> None:
    cells = ["one", "two words", "now three words", "x"]
    chunks = make_chunks("d", cells, 2)
    vectors, computed, reused = embed_chunks(chunks, cells, fake_encoder, cache)
    assert (computed, reused) == (4, 0)
    own = fake_encoder.encode_passages(cells)
    np.testing.assert_array_equal(vectors[:4], own)
    for row, expected in ((4, own[0] + 2 * own[1]), (5, 3 * own[2] + own[3])):
        np.testing.assert_allclose(vectors[row], expected / np.linalg.norm(expected), atol=1e-6)


def test_only_cells_reach_the_model_and_equal_texts_once(
    fake_encoder: Any, make_chunks: MakeChunks, cache: VectorCache
) -> None:
    cells = ["same", "other", "same", "same"]
    chunks = [*make_chunks("a", cells, 2), *make_chunks("b", cells, 4)]
    vectors, computed, reused = embed_chunks(chunks, cells + cells, fake_encoder, cache)
    assert sorted(fake_encoder.seen) == ["other", "same"]
    assert (computed, reused) == (2, 6)
    np.testing.assert_array_equal(vectors[0], vectors[2])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_a_second_run_computes_nothing_and_gives_the_same(
    fake_encoder: Any, make_chunks: MakeChunks, cache: VectorCache
) -> None:
    cells = [f"cell number {i}" for i in range(9)]
    chunks = make_chunks("d", cells, 3)
    first, *_ = embed_chunks(chunks, cells, fake_encoder, cache)
    fake_encoder.seen.clear()
    cells[4] = "edited"
    second, computed, reused = embed_chunks(chunks, cells, fake_encoder, cache)
    assert fake_encoder.seen == ["edited"]
    assert (computed, reused) == (1, 8)
    changed = {4, 9 + 1}
    same = [i for i in range(len(chunks)) if i not in changed]
    np.testing.assert_array_equal(first[same], second[same])


def test_chunks_may_come_in_any_order(
    fake_encoder: Any, make_chunks: MakeChunks, cache: VectorCache
) -> None:
    cells = [f"cell {i} " + "word " * (i % 4) for i in range(7)]
    chunks = [*make_chunks("a", cells, 3), *make_chunks("b", cells[:5], 2)]
    straight, *_ = embed_chunks(chunks, [*cells, *cells[:5]], fake_encoder, cache)
    order = np.random.default_rng(1).permutation(len(chunks)).tolist()
    mixed = [chunks[i] for i in order]
    texts = [chunk.text for chunk in mixed if chunk.level == 0]
    turned, *_ = embed_chunks(mixed, texts, fake_encoder, cache)
    np.testing.assert_array_equal(straight[order], turned)


def test_a_text_over_the_limit_is_an_error_that_names_it(
    fake_encoder: Any, make_chunks: MakeChunks, cache: VectorCache
) -> None:
    cells = ["fine", "word " * 10]  # with prefix and two specials 13, the model reads 12
    with pytest.raises(TruncationError, match=r"d-0-1 of document d is 13 tokens.*the 12") as info:
        embed_chunks(make_chunks("d", cells, 2), cells, fake_encoder, cache)
    assert fake_encoder.seen == []
    assert str(pickle.loads(pickle.dumps(info.value))) == str(info.value)


def test_a_text_of_exactly_the_limit_passes(
    fake_encoder: Any, make_chunks: MakeChunks, cache: VectorCache
) -> None:
    cells = ["word " * 9]
    embed_chunks(make_chunks("d", cells, 1), cells, fake_encoder, cache)
    assert fake_encoder.seen == cells


def test_what_was_encoded_before_a_failure_is_kept(
    fake_encoder: Any,
    make_chunks: MakeChunks,
    cache: VectorCache,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "GROUP", 2)
    cells = [f"cell {i}" for i in range(6)]
    whole = fake_encoder.encode_passages

    def failing(texts: Sequence[str]) -> Any:
        if len(cache) >= 4:
            raise RuntimeError("killed")
        return whole(texts)

    monkeypatch.setattr(fake_encoder, "encode_passages", failing)
    with pytest.raises(RuntimeError):
        embed_chunks(make_chunks("d", cells, 2), cells, fake_encoder, cache)
    monkeypatch.setattr(fake_encoder, "encode_passages", whole)
    _, computed, reused = embed_chunks(make_chunks("d", cells, 2), cells, fake_encoder, cache)
    assert (computed, reused) == (2, 4)


def test_incomplete_documents_are_refused(
    fake_encoder: Any, make_chunks: MakeChunks, cache: VectorCache
) -> None:
    cells = ["a", "b", "c"]
    chunks = make_chunks("d", cells, 3)
    with pytest.raises(ValueError, match="incomplete"):
        embed_chunks(chunks[:1] + chunks[2:], cells[:1] + cells[2:], fake_encoder, cache)
    with pytest.raises(ValueError, match="2 texts for 3 cells"):
        embed_chunks(chunks, cells[:2], fake_encoder, cache)


@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=12),
    st.integers(1, 5),
    st.integers(0, 2**32 - 1),
)
def test_composed_vectors_have_unit_length(tokens: list[int], width: int, seed: int) -> None:
    cells = np.random.default_rng(seed).normal(size=(len(tokens), 6)).astype(np.float32)
    cells /= np.linalg.norm(cells, axis=1, keepdims=True)
    first = np.arange(0, len(tokens), width)
    end = np.minimum(first + width, len(tokens))
    found = compose(cells, np.array(tokens, np.int64), first, end)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


def test_opposite_cells_give_a_zero_and_no_warning() -> None:
    cells = np.array([[1, 0], [-1, 0]], np.float32)
    one = np.array([1, 1], np.int64)
    assert compose(cells, one, np.array([0]), np.array([2])).tolist() == [[0, 0]]


@given(st.lists(st.tuples(st.integers(1, 600), st.text(max_size=3)), max_size=60))
def test_batches_hold_the_bound_and_everything_once(items: list[tuple[int, str]]) -> None:
    lengths = np.array([length for length, _ in items], np.int64)
    batches = list(plan_batches(lengths, [text for _, text in items], 1000))
    assert sorted(i for batch in batches for i in batch) == list(range(len(items)))
    for batch in batches:
        assert len(batch) * lengths[batch].max() <= 1000 or len(batch) == 1


@given(st.data())
def test_batches_do_not_depend_on_the_order_given(data: st.DataObject) -> None:
    texts = data.draw(st.lists(st.text(max_size=4), unique=True, max_size=30))
    turned = data.draw(st.permutations(texts))

    def composition(strings: Sequence[str]) -> list[list[str]]:
        lengths = np.array([len(s) + 1 for s in strings], np.int64)
        return [[strings[i] for i in batch] for batch in plan_batches(lengths, strings, 12)]

    assert composition(texts) == composition(turned)
