"""Trade-up: give the cells that were taken their surroundings, as much as the budget allows.

A node is a chunk above the cells, or a structural unit (an article, a slide, a table's row). Nodes
nest, so a choice of nodes of which none lies in another is a choice of disjoint runs of cells.
Taking a node adds the cells of it that were not taken; all that was taken stays. The choice is the
best there is: dynamic programming over the nodes in order of their ends, keeping for every cost the
choice of most value.

Value of a node: the tokens it adds, times the share of it that was taken for its own evidence,
twice as much for a structural unit, since a reader wants those whole. A quarter of a chapter is
therefore worth less than the missing sentence of a paragraph. (A definition, not a finding: what it
does to recall is measured in benchmarks/fused_search.md.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tasks.retrieval.budget import Selection
from tasks.retrieval.corpus import Corpus

_UNIT_VALUE = 2.0
"""Worth of a token that completes a structural unit, in tokens that complete a chunk (a guess)."""


@dataclass(frozen=True, slots=True)
class Node:
    """A run of cells that may be taken whole.

    Attributes:
        first: First cell.
        end: After the last.
        cost: Tokens it adds, contexts included; below 0 where it joins passages.
        value: What it is worth.
        open_start: Its first cell was not taken.
        open_end: Its last cell was not taken.
    """

    first: int
    end: int
    cost: int
    value: float
    open_start: bool
    open_end: bool


@dataclass(frozen=True, slots=True)
class _Choice:
    """Some nodes, the last of them and the choice it was added to."""

    cost: int
    value: float
    node: int
    before: _Choice | None

    def nodes(self) -> Iterator[int]:
        at: _Choice | None = self
        while at is not None and at.node >= 0:
            yield at.node
            at = at.before


_NOTHING = _Choice(0, 0.0, -1, None)


def trade_up(corpus: Corpus, selection: Selection, least: float) -> None:
    """Take the nodes of most value that still fit; without a budget nothing is taken.

    Args:
        corpus: The cells.
        selection: What was taken; grows.
        least: Share of a node's tokens that must have been taken.
    """
    if selection.room is None:
        return
    nodes = candidates(corpus, selection, least)
    best = best_nodes(corpus, nodes, selection.room)
    selection.add_all([(nodes[at].first, nodes[at].end) for at in best])


def candidates(corpus: Corpus, selection: Selection, least: float) -> list[Node]:
    """Return the nodes that hold cells taken, and others, in order of their ends."""
    taken = selection.chosen
    cells = np.flatnonzero(taken)
    spans = dict.fromkeys(_chunks(corpus, cells), 1.0)
    for first, end in _units(corpus, cells):
        if not any(_cross(first, end, *span) for span in spans):
            spans[first, end] = _UNIT_VALUE
    nodes = []
    for (first, end), worth in sorted(spans.items(), key=lambda span: (span[0][1], span[0][0])):
        own = taken[first:end]
        tokens = np.maximum(corpus.n_tokens[first:end], 1)
        share = float(tokens[own].sum() / tokens.sum())
        if own.all() or share < least:
            continue
        nodes.append(
            Node(
                first,
                end,
                selection.cost(first, end),
                worth * share * float(tokens[~own].sum()),
                not own[0],
                not own[-1],
            )
        )
    return nodes


def best_nodes(corpus: Corpus, nodes: list[Node], room: int) -> list[int]:
    """Return the disjoint nodes of most value whose cost is at most ``room``, in order.

    Costs add up but for one case: two nodes side by side whose cells at the seam were both not
    taken make one passage, so that the second one's context is saved.

    Args:
        corpus: The cells.
        nodes: In order of their ends.
        room: Tokens that are left.
    """
    ends = np.array([node.end for node in nodes])
    upto: list[list[_Choice]] = [[_NOTHING]]  # best choices among the first n nodes
    of_last: list[list[_Choice]] = []  # best choices that end with node n
    cheapest = sum(min(node.cost, 0) for node in nodes) - sum(
        int(corpus.context_tokens[node.first]) for node in nodes if node.open_start
    )
    for at, node in enumerate(nodes):
        before = upto[int(np.searchsorted(ends, node.first, "right"))]
        grown = [_Choice(c.cost + node.cost, c.value + node.value, at, c) for c in before]
        if node.open_start:
            saved = int(corpus.context_tokens[node.first])
            for other in range(int(np.searchsorted(ends, node.first)), at):
                if nodes[other].end == node.first and nodes[other].open_end:
                    if corpus.doc[nodes[other].first] != corpus.doc[node.first]:
                        continue
                    grown += [
                        _Choice(c.cost + node.cost - saved, c.value + node.value, at, c)
                        for c in of_last[other]
                    ]
        own = _frontier([c for c in grown if c.cost + cheapest <= room])
        of_last.append(own)
        upto.append(_frontier([*upto[-1], *own]))
    fitting = [choice for choice in upto[-1] if choice.cost <= room]
    return sorted(fitting[-1].nodes()) if fitting else []


def _frontier(choices: list[_Choice]) -> list[_Choice]:
    """Return the choices that no cheaper one is worth as much as, by cost; earlier ones first."""
    best: list[_Choice] = []
    for choice in sorted(choices, key=lambda c: (c.cost, -c.value)):
        if not best or choice.value > best[-1].value:
            best.append(choice)
    return best


def _chunks(corpus: Corpus, cells: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    for level in corpus.levels[1:]:
        for chunk in np.unique(np.searchsorted(level.first, cells, "right") - 1).tolist():
            end = int(level.first[chunk + 1]) if chunk + 1 < len(level) else len(corpus)
            yield int(level.first[chunk]), end


def _units(corpus: Corpus, cells: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    yield from dict.fromkeys(
        zip(corpus.unit_first[cells].tolist(), corpus.unit_end[cells].tolist(), strict=True)
    )


def _cross(first: int, end: int, other_first: int, other_end: int) -> bool:
    """Whether two runs overlap and neither holds the other."""
    return first < other_first < end < other_end or other_first < first < other_end < end
