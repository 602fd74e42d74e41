"""Searches as users see them: passages true to their documents, never over budget, explained."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.embedding.info import EncoderError
from tasks.retrieval.corpus import ChunkColumns, build_corpus
from tasks.retrieval.results import DocumentMeta, Filters
from tasks.retrieval.search import Searcher, SearchError

Worlds = st.SearchStrategy[Any]
MakeSearcher = Callable[..., Searcher]
STRATEGIES = [
    "fused", "level:0", "level:1", "level:2", "hybrid:0", "hybrid:2", "window:0", "window:2",
    "automerge",
]  # fmt: skip


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(data=st.data(), budget=st.none() | st.integers(1, 40), k=st.none() | st.integers(1, 4))
def test_passages_keep_every_promise(
    worlds: Worlds,
    make_searcher: MakeSearcher,
    strategy: str,
    data: st.DataObject,
    budget: int | None,
    k: int | None,
) -> None:
    world = data.draw(worlds)
    question = data.draw(st.sampled_from(["data law?", "ação", "zzz"]))
    searcher = make_searcher(world)
    result = searcher.search(question, budget=budget, k=k, strategy=strategy)
    assert result == make_searcher(world).search(question, budget=budget, k=k, strategy=strategy)
    limit = 12 if budget is None and k is None else budget
    assert limit is None or result.tokens <= limit
    assert k is None or len(result.passages) <= k
    counted, spans = 0, []
    for rank, passage in enumerate(result.passages, start=1):
        assert passage.rank == rank
        assert passage.text == world.text(passage.doc_id)[passage.start : passage.end]
        words = len(passage.text.split()) + len(passage.context)
        assert passage.tokens == words
        counted += words
        spans.append((passage.doc_id, passage.start, passage.end))
        assert list(passage.scores_by_level) == ["0", "1", "2"]
        assert passage.chunk_ids
        assert passage.pages == tuple(sorted(set(passage.pages)))
    assert counted == result.tokens
    assert [p.score for p in result.passages] == sorted(
        (p.score for p in result.passages), reverse=True
    )
    spans.sort()
    for (doc, _, end), (other, start, _) in itertools.pairwise(spans):
        assert doc != other or end <= start


@given(data=st.data())
def test_the_chunks_of_a_passage_make_it_up(
    worlds: Worlds, make_searcher: MakeSearcher, data: st.DataObject
) -> None:
    world = data.draw(worlds)
    corpus = world.corpus()
    place = {}
    for level in corpus.levels:
        ends = [*level.first[1:].tolist(), len(corpus)]
        for first, end, name in zip(level.first.tolist(), ends, level.chunk_ids, strict=True):
            place[name.decode()] = (int(corpus.starts[first]), int(corpus.ends[end - 1]))
    for passage in make_searcher(world).search("data o law").passages:
        spans = [place[name] for name in passage.chunk_ids]
        assert (spans[0][0], spans[-1][1]) == (passage.start, passage.end)
        assert all(a[1] == b[0] for a, b in itertools.pairwise(spans))


def test_a_whole_parent_is_named_as_one_chunk(
    plain_world: Callable[..., Any], make_searcher: MakeSearcher
) -> None:
    world = plain_world({"d": ["a ", "b ", "c ", "d "]})
    (passage,) = make_searcher(world).search("a", budget=4).passages
    assert passage.level == 2
    assert len(passage.chunk_ids) == 1


def test_equal_texts_of_other_documents_are_returned_once(
    plain_world: Callable[..., Any], make_searcher: MakeSearcher
) -> None:
    world = plain_world({"a": ["Same licence text. "], "b": ["Same licence text. "], "c": ["x "]})
    result = make_searcher(world).search("licence", budget=100)
    texts = [passage.text for passage in result.passages]
    assert texts.count("Same licence text. ") == 1
    first = result.passages[texts.index("Same licence text. ")]
    assert len(first.also_in) == 1
    assert first.uri not in first.also_in


def test_repeats_within_a_document_are_all_returned(
    plain_world: Callable[..., Any], make_searcher: MakeSearcher
) -> None:
    world = plain_world({"a": ["same ", "other ", "same "]})
    result = make_searcher(world).search("same", budget=100)
    assert [passage.text for passage in result.passages] == ["same other same "]


def test_scores_are_those_of_the_chunks_that_hold_the_best_cell(
    plain_world: Callable[..., Any], make_searcher: MakeSearcher
) -> None:
    world = plain_world({"a": ["needle ", "hay ", "hay ", "straw "]})
    (passage,) = make_searcher(world, dense_weights=(0.0,) * 3).search("needle", budget=1).passages
    assert passage.text == "needle "
    lexical = [scores["lexical"] for scores in passage.scores_by_level.values()]
    assert lexical[0] > lexical[1] > lexical[2] > 0


def test_portuguese_is_found_with_and_without_accents(
    plain_world: Callable[..., Any], make_searcher: MakeSearcher
) -> None:
    world = plain_world({"a": ["os dados do titular ", "proteção de dados ", "nada disto "]})
    searcher = make_searcher(world, dense_weights=(0.0,) * 3)
    for question in ("PROTEÇÃO", "protecao"):
        assert searcher.search(question, k=1).passages[0].text.startswith("proteção")


def test_filters_keep_other_documents_out(
    plain_world: Callable[..., Any], make_searcher: MakeSearcher
) -> None:
    world = plain_world({"a": ["word "], "b": ["word more "], "c": ["word again "]})
    searcher = make_searcher(world)

    def uris(filters: Filters) -> set[str]:
        return {p.uri for p in searcher.search("word", budget=99, filters=filters).passages}

    assert uris(Filters()) == {"/d/0.txt", "/d/1.txt", "/d/2.txt"}
    assert uris(Filters(documents=("/d/1.txt",))) == {"/d/1.txt"}
    assert uris(Filters(documents=(world.doc_ids[2],))) == {"/d/2.txt"}
    assert uris(Filters(languages=("PT",))) == {"/d/1.txt"}
    assert uris(Filters(doc_types=("slides",))) == set()
    assert uris(Filters(since="2021-01-01", until="2021")) == {"/d/1.txt"}


def test_a_document_without_a_date_passes_no_date() -> None:
    undated = DocumentMeta("id", "/d")
    assert Filters().admit(undated)
    assert not Filters(until="2030").admit(undated)
    assert not Filters(since="1990").admit(undated)


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        ("fusion", "there is no strategy"), ("level", "there is no strategy"),
        ("fused:1", "there is no strategy"), ("level:x", "there is no strategy"),
        ("level:3", "levels 0 to 2"), ("hybrid:9", "levels 0 to 2"),
    ],
)  # fmt: skip
def test_an_unknown_strategy_is_wrong_use(
    plain_world: Callable[..., Any], make_searcher: MakeSearcher, strategy: str, message: str
) -> None:
    searcher = make_searcher(plain_world({"a": ["b "]}))
    with pytest.raises(SearchError, match=message):
        searcher.search("b", strategy=strategy)


def test_k_passages_are_k_when_there_are_so_many(
    plain_world: Callable[..., Any], make_searcher: MakeSearcher
) -> None:
    world = plain_world({str(i): [f"needle {i} "] for i in range(9)})
    searcher = make_searcher(world)
    assert [len(searcher.search("needle", k=k).passages) for k in (1, 4, 20)] == [1, 4, 9]


def test_an_empty_index_has_no_answers(
    plain_world: Callable[..., Any], make_searcher: MakeSearcher
) -> None:
    made = make_searcher(plain_world({"a": ["b "]}))
    columns = ChunkColumns(*([] for _ in ChunkColumns.__slots__))
    empty = build_corpus(columns, np.zeros((0, 6), np.float32))
    store = made._store
    searcher = Searcher(empty, {}, made._encoder, made._settings, store, made._encoder.info.id)
    assert searcher.search("anything").passages == ()


@pytest.mark.parametrize("given", [{"question": " \n"}, {"budget": 0}, {"k": 0}])
def test_senseless_questions_are_refused(
    plain_world: Callable[..., Any], make_searcher: MakeSearcher, given: dict[str, Any]
) -> None:
    searcher = make_searcher(plain_world({"a": ["b "]}))
    with pytest.raises(SearchError):
        searcher.search(**{"question": "b", **given})


def test_another_encoder_is_refused_by_both_names(
    plain_world: Callable[..., Any], make_searcher: MakeSearcher
) -> None:
    world = plain_world({"a": ["b "]})
    made = make_searcher(world)
    with pytest.raises(EncoderError, match=r"made with other@2#.*fake@1#"):
        Searcher(
            made._corpus,
            {m.doc_id: m for m in made._documents},
            made._encoder,
            made._settings,
            world,
            "other@2#abc",
        )


def test_weights_must_match_the_levels(
    plain_world: Callable[..., Any], make_searcher: MakeSearcher
) -> None:
    with pytest.raises(SearchError, match="3 levels"):
        make_searcher(plain_world({"a": ["b "]}), dense_weights=(1.0,), lexical_weights=(1.0,))
