"""Ways to choose passages; each gives runs of cells with scores. New ones get a line in the table.

Baselines (a level alone, a window, auto-merging) follow their usual form but keep the budget.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from configs.settings import SearchSettings
from tasks.retrieval.budget import MISFITS, Duplicates, Run, Selection, by_evidence
from tasks.retrieval.fused import choose_fused
from tasks.retrieval.fusion import Evidence, Scorer
from tasks.retrieval.results import SearchError

MERGE_ABOVE = 0.5
"""Share of a parent's children above which auto-merging takes the parent: LlamaIndex's default."""

_NAME = re.compile(r"(?P<name>fused|level|hybrid|window|automerge)(?::(?P<number>\d+))?")


@dataclass(frozen=True, slots=True)
class Ask:
    """A question as a strategy sees it.

    Attributes:
        text: The question.
        vector: Its unit vector, shape (dim,).
        budget: Most tokens, or None.
        passages: Most passages, or None.
        cell_mask: Cells that take part, or None for all.
    """

    text: str
    vector: NDArray[np.float32]
    budget: int | None
    passages: int | None
    cell_mask: NDArray[np.bool_] | None


@dataclass(frozen=True, slots=True)
class Found:
    """Passages as runs of cells, the best first.

    Attributes:
        runs: Disjoint.
        scores: Score of each run.
        best: The cell that speaks for each run.
        tokens: Of all runs, contexts included.
        evidence: Scores behind them.
        duplicates: What was left out as a repeat.
    """

    runs: tuple[Run, ...]
    scores: tuple[float, ...]
    best: tuple[int, ...]
    tokens: int
    evidence: Evidence
    duplicates: Duplicates


Strategy = Callable[[Scorer, Ask, SearchSettings, int], Found]


def parse_strategy(name: str, n_levels: int) -> tuple[Strategy, int]:
    """Return the strategy called ``name`` and its number.

    Raises:
        SearchError: There is none, or it names a level that the index lacks.
    """
    found = _NAME.fullmatch(name)
    if found is None or (found["number"] is None) != (found["name"] in ("fused", "automerge")):
        raise SearchError(
            f"there is no strategy {name!r}; there are fused, level:N, hybrid:N, window:N and "
            "automerge"
        )
    number = int(found["number"] or 0)
    if found["name"] in ("level", "hybrid") and number >= n_levels:
        raise SearchError(f"{name}: this index has the levels 0 to {n_levels - 1}")
    return _STRATEGIES[found["name"]], number


def _fused(scorer: Scorer, ask: Ask, settings: SearchSettings, _: int) -> Found:
    evidence = scorer.evidence(
        ask.text,
        ask.vector,
        *settings.weights(len(scorer.corpus.levels)),
        settings.neighbours,
        ask.cell_mask,
    )
    selection, duplicates = choose_fused(
        scorer.corpus, evidence.cells, ask.budget, ask.passages, settings.trade_up
    )
    return _joined(selection, evidence, duplicates)


def _one_level(
    scorer: Scorer, ask: Ask, settings: SearchSettings, level: int, lexical: float = 0.0
) -> Found:
    """Choose the best chunks of one level, each a passage of its own."""
    corpus, evidence = scorer.corpus, _evidence_of(scorer, ask, level, lexical)
    bounds = [*corpus.levels[level].first.tolist(), len(corpus)]
    scores = evidence.cells[corpus.levels[level].first]
    duplicates, used, misfits = Duplicates(corpus), 0, 0
    runs: list[Run] = []
    kept: list[float] = []
    for chunk in by_evidence(scores):
        run = Run(bounds[chunk], bounds[chunk + 1])
        if len(runs) == ask.passages or misfits > MISFITS:
            break
        if duplicates.repeats(run.first, run.end):
            continue
        tokens = _tokens(scorer, run)
        if ask.budget is not None and used + tokens > ask.budget:
            misfits += 1
            continue
        duplicates.keep(run.first, run.end)
        runs.append(run)
        kept.append(float(scores[chunk]))
        used += tokens
    best = tuple(run.first for run in runs)
    return Found(tuple(runs), tuple(kept), best, used, evidence, duplicates)


def _hybrid(scorer: Scorer, ask: Ask, settings: SearchSettings, level: int) -> Found:
    return _one_level(scorer, ask, settings, level, lexical=1.0)


def _window(scorer: Scorer, ask: Ask, _: SearchSettings, width: int) -> Found:
    """Choose the nearest cells with ``width`` cells around each."""
    doc = scorer.corpus.doc

    def around(cell: int) -> Run:
        first = max(cell - width, int(np.searchsorted(doc, doc[cell], "left")))
        end = min(cell + width + 1, int(np.searchsorted(doc, doc[cell], "right")))
        return Run(first, end)

    return _grown(scorer, ask, around)


def _automerge(scorer: Scorer, ask: Ask, _: SearchSettings, __: int) -> Found:
    """Choose the nearest cells; a parent with most of its children chosen takes their place."""
    members = scorer.members
    # children: the chunk above of the first cell of each chunk
    above = [members[k + 1][level.first] for k, level in enumerate(scorer.corpus.levels[:-1])]
    counts = [np.bincount(parents) for parents in above]
    chosen: list[set[int]] = [set() for _ in scorer.corpus.levels]
    children: list[dict[int, int]] = [{} for _ in scorer.corpus.levels]

    def merged(cell: int) -> Run:
        level, chunk = 0, cell
        while chunk not in chosen[level]:
            chosen[level].add(chunk)
            if level + 1 == len(chosen):
                break
            parent = int(above[level][chunk])
            children[level][parent] = children[level].get(parent, 0) + 1
            if children[level][parent] / int(counts[level][parent]) <= MERGE_ABOVE:
                break
            level, chunk = level + 1, parent
        bounds = scorer.corpus.levels[level].first
        end = int(bounds[chunk + 1]) if chunk + 1 < len(bounds) else len(scorer.corpus)
        return Run(int(bounds[chunk]), end)

    return _grown(scorer, ask, merged)


def _grown(scorer: Scorer, ask: Ask, grow: Callable[[int], Run]) -> Found:
    """Choose cells by their vectors alone, each grown to a run."""
    corpus, evidence = scorer.corpus, _evidence_of(scorer, ask, 0, 0.0)
    selection, duplicates = Selection(corpus, ask.budget), Duplicates(corpus)
    misfits = 0
    for cell in by_evidence(evidence.cells):
        if selection.passages == ask.passages or misfits > MISFITS or selection.full:
            break
        if duplicates.repeats(cell, cell + 1) or selection.chosen[cell]:
            continue
        run = grow(cell)
        if selection.add(run.first, run.end):
            duplicates.keep(cell, cell + 1)
        else:
            misfits += 1
    return _joined(selection, evidence, duplicates)


def _evidence_of(scorer: Scorer, ask: Ask, level: int, lexical: float) -> Evidence:
    """Return the evidence of one level alone, by the vectors that are stored for it."""
    here = [float(k == level) for k in range(len(scorer.corpus.levels))]
    return scorer.evidence(
        ask.text,
        ask.vector,
        here,
        [lexical * w for w in here],
        cell_mask=ask.cell_mask,
        composed=True,
    )


def _tokens(scorer: Scorer, run: Run) -> int:
    corpus = scorer.corpus
    own = corpus.n_tokens[run.first : run.end].sum()
    return int(own + corpus.context_tokens[run.first])


def _joined(selection: Selection, evidence: Evidence, duplicates: Duplicates) -> Found:
    """Return a selection's passages, the one with the strongest cell first."""
    scored: list[tuple[float, int, Run]] = []
    for run in selection.runs():
        best = run.first + int(np.argmax(evidence.cells[run.first : run.end]))
        scored.append((-float(evidence.cells[best]), best, run))
    scored.sort(key=lambda one: one[:2])
    runs: Sequence[Run] = [run for _, _, run in scored]
    return Found(
        tuple(runs),
        tuple(-score for score, _, _ in scored),
        tuple(best for _, best, _ in scored),
        selection.tokens,
        evidence,
        duplicates,
    )


_STRATEGIES: dict[str, Strategy] = {
    "fused": _fused,
    "level": _one_level,
    "hybrid": _hybrid,
    "window": _window,
    "automerge": _automerge,
}
