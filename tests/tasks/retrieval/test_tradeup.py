"""Trade-up chooses the best that fits, drops nothing and never exceeds the budget."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from tasks.retrieval.budget import Selection
from tasks.retrieval.corpus import Corpus, Level
from tasks.retrieval.fused import choose_fused
from tasks.retrieval.lexical import build_postings
from tasks.retrieval.tradeup import Node, best_nodes, candidates, trade_up

FORESTS = 4_000  # the same loop over 100,000 forests was run once: no difference found


def forest(rng: np.random.Generator, most_cells: int) -> Corpus:
    """Return some documents of random cells, levels, contexts and units; no texts or vectors."""
    n = int(rng.integers(1, most_cells + 1))
    doc = np.sort(rng.integers(0, 3, n))
    new_doc = np.flatnonzero(np.diff(doc, prepend=-1))
    first: NDArray[np.int64] = np.arange(n)
    levels = []
    for _ in range(int(rng.integers(1, 5))):
        ids = np.zeros(len(first), "S64")
        levels.append(Level(first.astype(np.int32), np.ones(len(first), np.float32), ids))
        first = first[(rng.random(len(first)) < 0.5) | np.isin(first, new_doc)]
    unit_first = np.maximum.accumulate(
        np.where((rng.random(n) < 0.6) | np.isin(np.arange(n), new_doc), np.arange(n), 0)
    )
    unit_end = np.searchsorted(unit_first, unit_first, "right")
    tokens = rng.integers(0, 9, n)
    ends = np.cumsum(tokens)
    return Corpus(
        doc_ids=np.array([b"a", b"b", b"c"], "S64"),
        vectors=np.zeros((n, 1), np.float32),
        n_tokens=tokens.astype(np.int32),
        context_tokens=rng.integers(0, 6, n).astype(np.int32),
        doc=doc.astype(np.int32),
        starts=ends - tokens,
        ends=ends,
        unit_first=unit_first.astype(np.int32),
        unit_end=unit_end.astype(np.int32),
        fingerprints=np.array([str(i).encode() for i in range(n)], "S64"),
        levels=tuple(levels),
        postings=build_postings([""] * n, [False] * n),
    )


def taken_at_random(rng: np.random.Generator, corpus: Corpus) -> Selection:
    selection = Selection(corpus, int(rng.integers(0, 90)))
    for cell in rng.permutation(len(corpus))[: int(rng.integers(1, 8))].tolist():
        selection.add(cell, cell + 1)
    return selection


def by_trying_all(corpus: Corpus, selection: Selection, nodes: list[Node]) -> float:
    """Return the most value of any disjoint nodes that fit, each choice priced as it stands."""
    best = 0.0
    for n in range(1, len(nodes) + 1):
        for some in itertools.combinations(nodes, n):
            runs = sorted((node.first, node.end) for node in some)
            if any(a[1] > b[0] for a, b in itertools.pairwise(runs)):
                continue
            trial = Selection(corpus, None)
            before = [(int(c), int(c) + 1) for c in np.flatnonzero(selection.chosen)]
            trial.add_all([*before, *runs])
            if trial.tokens - selection.tokens <= (selection.room or 0):
                best = max(best, sum(node.value for node in some))
    return best


def test_no_other_choice_that_fits_is_worth_more() -> None:
    rng = np.random.default_rng(0)
    compared = gained = 0
    while compared < 400:
        corpus = forest(rng, 10)
        selection = taken_at_random(rng, corpus)
        nodes = candidates(corpus, selection, 0.2)
        if not 1 < len(nodes) < 9:
            continue
        chosen = best_nodes(corpus, nodes, selection.room or 0)
        value = sum(nodes[at].value for at in chosen)
        assert value == pytest.approx(by_trying_all(corpus, selection, nodes))
        compared += 1
        gained += value > 0
    assert gained > 100


def test_the_budget_holds_and_nothing_taken_is_dropped() -> None:
    rng = np.random.default_rng(1)
    grown = 0
    for _ in range(FORESTS):
        corpus = forest(rng, 24)
        selection = taken_at_random(rng, corpus)
        before = selection.chosen.copy()
        trade_up(corpus, selection, float(rng.random()))
        assert selection.chosen[before].all()
        assert selection.room is not None
        assert selection.room >= 0
        again = Selection(corpus, None)
        again.add_all([(int(c), int(c) + 1) for c in np.flatnonzero(selection.chosen)])
        assert again.tokens == selection.tokens
        grown += int(selection.chosen.sum() > before.sum())
    assert grown > FORESTS // 10


def test_a_search_never_exceeds_its_budget() -> None:
    rng = np.random.default_rng(2)
    for _ in range(FORESTS // 4):
        corpus = forest(rng, 24)
        budget = int(rng.integers(0, 60))
        evidence = rng.normal(size=len(corpus))
        selection, _ = choose_fused(corpus, evidence, budget, None, 0.5)
        assert selection.tokens <= budget


def test_nothing_is_traded_up_without_a_budget() -> None:
    corpus = forest(np.random.default_rng(3), 24)
    selection = Selection(corpus, None)
    selection.add(0, 1)
    trade_up(corpus, selection, 0.0)
    assert selection.chosen.sum() == 1


def test_a_seam_between_two_parents_saves_a_context() -> None:
    # two parents side by side; the outer cells are taken, the inner ones are not
    n = 4
    zeros = np.zeros(n, np.int32)
    corpus = Corpus(
        doc_ids=np.array([b"a"], "S64"),
        vectors=np.zeros((n, 1), np.float32),
        n_tokens=np.array([5, 5, 5, 5], np.int32),
        context_tokens=np.array([3, 3, 3, 3], np.int32),
        doc=zeros,
        starts=np.arange(n) * 5,
        ends=np.arange(n) * 5 + 5,
        unit_first=np.arange(n, dtype=np.int32),
        unit_end=np.arange(1, n + 1, dtype=np.int32),
        fingerprints=np.array([b"a", b"b", b"c", b"d"], "S64"),
        levels=(
            Level(np.arange(n, dtype=np.int32), np.ones(n, np.float32), np.zeros(n, "S64")),
            Level(np.array([0, 2], np.int32), np.ones(2, np.float32), np.zeros(2, "S64")),
        ),
        postings=build_postings([""] * n, [False] * n),
    )
    selection = Selection(corpus, 23)  # all four cells and one context
    selection.add_all([(0, 1), (3, 4)])
    assert selection.tokens == 16
    trade_up(corpus, selection, 0.5)
    assert selection.chosen.all()
    assert selection.tokens == 23
