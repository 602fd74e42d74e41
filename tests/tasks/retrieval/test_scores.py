"""Scores from the cells are the scores of the chunks themselves, at every level."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tasks.retrieval.corpus import ChunkColumns, Corpus, build_corpus
from tasks.retrieval.fusion import Scorer
from tasks.retrieval.lexical import build_postings
from tasks.retrieval.words import words

Worlds = st.SearchStrategy[Any]
QUESTIONS = st.sampled_from(["data law", "ACAO? data", "本語", "nothing here", "o o quick x1 fee"])
UNIT = st.integers(0, 2**32 - 1)


def unit(seed: int) -> NDArray[np.float32]:
    vector = np.random.default_rng(seed).normal(size=6)
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


def naive_bm25(texts: Sequence[str], question: str) -> list[float]:
    """BM25 as in the books, over whole texts."""
    bags = [Counter(word for _, word in words(text)) for text in texts]
    mean = sum(bag.total() for bag in bags) / len(bags)
    scores = [0.0] * len(bags)
    for word in {word for _, word in words(question)}:
        n = sum(word in bag for bag in bags)
        idf = math.log(1 + (len(bags) - n + 0.5) / (n + 0.5))
        for at, bag in enumerate(bags):
            if bag[word]:
                damping = 1.2 * (1 - 0.75 + 0.75 * bag.total() / mean)
                scores[at] += idf * bag[word] * 2.2 / (bag[word] + damping)
    return scores


def mean_cosine(
    world: Any, question: NDArray[np.float32], doc_id: str, first: int, end: int
) -> float:
    """The mean over the cells, by tokens, an empty cell counting as one."""
    weights = [max(world.tokens(doc_id, at, at + 1), 1) for at in range(first, end)]
    cosines = [world.vector(doc_id, at) @ question for at in range(first, end)]
    return float(np.average(cosines, weights=weights))


@given(data=st.data(), seed=UNIT)
def test_dense_scores_of_parents_are_those_of_their_composed_vectors(
    worlds: Worlds, data: st.DataObject, seed: int
) -> None:
    world = data.draw(worlds)
    question = unit(seed)
    for level, scores in enumerate(Scorer(world.corpus()).dense(question)):
        direct = [world.composed(*chunk) @ question for chunk in world.chunks(level)]
        np.testing.assert_allclose(scores, direct, atol=2e-5)


def test_a_parent_of_strangers_is_not_nearer_than_its_cells(plain_world: Any) -> None:
    world = plain_world({"d": [f"word {i} " for i in range(40)]})
    scorer, question = Scorer(world.corpus()), unit(3)
    cells, *parents = scorer.mean_dense(question)
    assert all(scores.max() <= cells.max() for scores in parents)
    # the composed vector of everything is short: over its length, a small mean looks large
    assert abs(scorer.dense(question)[-1][0]) > 2 * abs(parents[-1][0])


@given(data=st.data(), question=QUESTIONS)
def test_bm25_of_every_level_is_that_of_the_chunks_texts(
    worlds: Worlds, data: st.DataObject, question: str
) -> None:
    world = data.draw(worlds)
    for level, scores in enumerate(Scorer(world.corpus()).lexical(question)):
        texts = [world.chunk_text(*chunk) for chunk in world.chunks(level)]
        np.testing.assert_allclose(scores, naive_bm25(texts, question), atol=1e-9)


@given(data=st.data(), question=QUESTIONS, seed=UNIT, near=st.sampled_from([0.0, 0.1, 0.5]))
def test_fused_evidence_equals_brute_force(
    worlds: Worlds, data: st.DataObject, question: str, seed: int, near: float
) -> None:
    world = data.draw(worlds)
    vector, dense_w, lexical_w = unit(seed), (2.0, 1.0, 0.5), (0.2, 0.4, 0.6)
    evidence = Scorer(world.corpus()).evidence(question, vector, dense_w, lexical_w, near)
    place = {(doc, at): i for i, (doc, at, _) in enumerate(world.chunks(0))}
    total = np.zeros(len(place))
    for level in range(3):
        chunks = world.chunks(level)
        dense = np.array([mean_cosine(world, vector, *chunk) for chunk in chunks])
        lexical = np.array(naive_bm25([world.chunk_text(*chunk) for chunk in chunks], question))
        for weight, scores in ((dense_w[level], dense), (lexical_w[level], lexical)):
            deviation = scores.std()
            if deviation < 1e-6:
                return  # nothing to compare: rounding, over a deviation of rounding
            for (doc, a, b), score in zip(chunks, scores, strict=True):
                for at in range(a, b):
                    total[place[doc, at]] += weight * (score - scores.mean()) / deviation
    spread = total.copy()
    for (doc, at), i in place.items():
        for other in (place.get((doc, at - 1)), place.get((doc, at + 1))):
            if other is not None:
                spread[i] += near * total[other]
    np.testing.assert_allclose(evidence.cells, spread, atol=0.02)


@given(data=st.data(), question=QUESTIONS, seed=UNIT)
def test_a_filtered_search_is_a_search_of_a_smaller_corpus(
    worlds: Worlds, data: st.DataObject, question: str, seed: int
) -> None:
    world = data.draw(worlds)
    whole = world.corpus()
    kept = data.draw(st.lists(st.sampled_from(world.doc_ids), unique=True, min_size=1))
    small = type(world)({d: world.cells[d] for d in kept}, world.groups, world.contexts)
    mask = np.isin(whole.doc_ids[whole.doc], np.array(kept, "S64"))
    weights = ((2.0, 1.0, 0.5), (0.2, 0.4, 0.6), 0.1)
    masked = Scorer(whole).evidence(question, unit(seed), *weights, cell_mask=mask)
    alone = Scorer(small.corpus()).evidence(question, unit(seed), *weights)
    assert np.isneginf(masked.cells[~mask]).all()
    np.testing.assert_allclose(masked.cells[mask], alone.cells, atol=1e-3)


@given(data=st.data(), question=QUESTIONS, seed=UNIT)
def test_the_order_of_the_rows_plays_no_part(
    worlds: Worlds, data: st.DataObject, question: str, seed: int
) -> None:
    world = data.draw(worlds)
    first, second = world.corpus().to_arrays(), world.corpus(shuffle=seed + 1).to_arrays()
    assert first.keys() == second.keys()
    for name, array in first.items():
        np.testing.assert_array_equal(array, second[name], err_msg=name)


@given(data=st.data())
def test_a_corpus_survives_being_saved(
    worlds: Worlds, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    corpus = data.draw(worlds).corpus()
    folder = tmp_path_factory.mktemp("arrays")
    for name, array in corpus.to_arrays().items():
        assert re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", name), "fit for a file's name"
        np.save(folder / f"{name}.npy", array, allow_pickle=False)
    mapped = Corpus.from_arrays(
        {path.stem: np.load(path, mmap_mode="r") for path in Path(folder).glob("*.npy")}
    )
    ask = ("data o", unit(1), (1.0,) * 3, (1.0,) * 3, 0.1)
    np.testing.assert_array_equal(
        Scorer(corpus).evidence(*ask).cells, Scorer(mapped).evidence(*ask).cells
    )


def test_a_word_cut_by_a_border_is_one_word_of_the_first_cell() -> None:
    postings = build_postings(["the contro", "ller", " pays"], [False, True, True])
    assert [cells.tolist() for cells, _ in map(postings.find, ("controller", "ller"))] == [[0], []]
    assert postings.lengths.tolist() == [2, 0, 1]


def test_words_do_not_run_from_one_document_into_the_next() -> None:
    postings = build_postings(["contro", "ller"], [False, False])
    assert [postings.find(word)[0].tolist() for word in ("contro", "ller")] == [[0], [1]]


def test_chunks_that_leave_a_gap_are_refused(plain_world: Any) -> None:
    world = plain_world({"d": ["a ", "b ", "c "]})
    doc_id = world.doc_ids[0]
    world.groups[doc_id][1] = [(0, 1), (2, 3)]
    with pytest.raises(ValueError, match="level 1 do not tile"):
        world.corpus()
    world.groups[doc_id][1:] = [[(0, 2), (2, 3)], [(0, 1), (1, 3)]]
    with pytest.raises(ValueError, match="level 2 cut through those of level 1"):
        world.corpus()
    world.groups[doc_id] = [[(0, 1), (2, 3)]]
    with pytest.raises(ValueError, match="missing or stand twice"):
        world.corpus()


def test_an_empty_corpus_is_one() -> None:
    columns = ChunkColumns(*([] for _ in ChunkColumns.__slots__))
    corpus = build_corpus(columns, np.zeros((0, 6), np.float32))
    assert len(corpus) == 0
    assert corpus.levels == ()
