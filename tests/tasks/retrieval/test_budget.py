"""What a selection costs, which order evidence gives, and what completes a parent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tasks.retrieval import budget as module
from tasks.retrieval.budget import Selection, by_evidence
from tasks.retrieval.corpus import Corpus
from tasks.retrieval.fused import choose_fused

Worlds = st.SearchStrategy[Any]


def true_tokens(corpus: Corpus, chosen: list[int]) -> int:
    """Tokens of the cells, and the context of each cell that begins a passage."""
    total = 0
    for cell in chosen:
        total += int(corpus.n_tokens[cell])
        before = cell - 1 in chosen and corpus.doc[cell - 1] == corpus.doc[cell]
        total += 0 if before else int(corpus.context_tokens[cell])
    return total


@given(data=st.data(), budget=st.none() | st.integers(0, 30))
def test_a_selection_knows_its_cost_and_keeps_its_budget(
    worlds: Worlds, data: st.DataObject, budget: int | None
) -> None:
    corpus = data.draw(worlds).corpus()
    selection = Selection(corpus, budget)
    for _ in range(data.draw(st.integers(1, 8))):
        first = data.draw(st.integers(0, len(corpus) - 1))
        last = int(np.searchsorted(corpus.doc, corpus.doc[first], "right"))
        end = data.draw(st.integers(first + 1, last))
        before, cost = selection.tokens, selection.cost(first, end)
        added = selection.add(first, end)
        assert selection.tokens == before + (cost if added else 0)
        chosen = np.flatnonzero(selection.chosen).tolist()
        assert selection.tokens == true_tokens(corpus, chosen)
        assert budget is None or selection.tokens <= budget
        assert selection.passages == len(selection.runs())
    cells = [cell for run in selection.runs() for cell in range(run.first, run.end)]
    assert cells == np.flatnonzero(selection.chosen).tolist()
    for run in selection.runs():
        assert corpus.doc[run.first] == corpus.doc[run.end - 1]


@given(st.lists(st.sampled_from([-np.inf, -1.5, 0.0, 0.25, 3.0]), max_size=40), st.integers(1, 9))
def test_evidence_gives_a_stable_order(values: list[float], window: int) -> None:
    evidence = np.array(values)
    expected = sorted(
        (i for i, value in enumerate(values) if np.isfinite(value)), key=lambda i: (-values[i], i)
    )
    whole = module._FIRST_CANDIDATES
    try:
        module._FIRST_CANDIDATES = window
        assert list(by_evidence(evidence)) == expected
    finally:
        module._FIRST_CANDIDATES = whole


def choose(corpus: Corpus, evidence: list[float], budget: int, trade_up: float = 0.5) -> list[int]:
    selection, _ = choose_fused(corpus, np.array(evidence), budget, None, trade_up)
    return np.flatnonzero(selection.chosen).tolist()


def test_a_parent_mostly_chosen_is_completed_before_a_stranger_is_taken(
    plain_world: Callable[..., Any],
) -> None:
    corpus = plain_world({"d": ["a b c ", "d ", "e f g h ", "i ", "j "]}).corpus()
    # cells of 3, 1, 4, 1, 1 tokens; level 1: (0, 1), (2, 3), (4). The third does not fit any more.
    evidence = [9.0, 0.0, 8.0, 1.0, 7.0]
    assert choose(corpus, evidence, 4) == [0, 1]
    assert choose(corpus, evidence, 4, trade_up=0.9) == [0, 4]


def test_one_cell_does_not_pull_in_the_whole_document(plain_world: Callable[..., Any]) -> None:
    cells = ["a b ", "c d ", "e f ", "g h i j k l m n o p "]
    corpus = plain_world({"d": cells}).corpus()
    # completing (0, 1) makes half of the document's first half; that is no reason to go on
    assert choose(corpus, [9.0, 1.0, 2.0, 8.0], 5) == [0, 1]


def test_a_structural_unit_is_completed_first(plain_world: Callable[..., Any]) -> None:
    world = plain_world({"d": ["a b ", "c ", "d ", "e ", "f g h i j "]})
    world.locators[world.doc_ids[0]] = ["art_1/par_1", "", "art_2/par_1", "art_2/par_2", ""]
    corpus = world.corpus()
    evidence = [7.0, 0.0, 0.1, 8.0, 6.0]
    # level 1 would complete (0, 1), two thirds chosen; the article (2, 3) is only half chosen
    assert choose(corpus, evidence, 4) == [0, 2, 3]


def test_units_end_with_the_document(plain_world: Callable[..., Any]) -> None:
    world = plain_world({"a": ["x ", "y "], "b": ["z ", "w "]})
    for doc_id in world.doc_ids:
        world.locators[doc_id] = ["page_1/table_1/row_1", "page_1/table_1/row_1"]
    corpus = world.corpus()
    assert corpus.unit_first.tolist() == [0, 0, 2, 2]
    assert corpus.unit_end.tolist() == [2, 2, 4, 4]


def test_what_is_left_of_a_budget_goes_to_shorter_cells(plain_world: Callable[..., Any]) -> None:
    corpus = plain_world({"d": ["a b c ", "d e f g h ", "i ", "j "]}).corpus()
    assert choose(corpus, [9.0, 8.0, 1.0, 7.0], 4, trade_up=1.0) == [0, 3]


def test_contexts_count_once_per_passage(plain_world: Callable[..., Any]) -> None:
    world = plain_world({"d": ["a ", "b ", "c "]})
    world.contexts[world.doc_ids[0]] = [2, 2, 2]
    corpus = world.corpus()
    assert choose(corpus, [3.0, 2.0, 1.0], 5) == [0, 1, 2]  # 3 tokens and one context
    selection = Selection(corpus, None)
    selection.add(0, 1)
    selection.add(2, 3)
    assert selection.tokens == 6
    assert selection.cost(1, 2) == -1  # joining two passages saves a context
