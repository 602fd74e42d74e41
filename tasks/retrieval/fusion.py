"""Evidence: what every level says about a question, standardised and added up on the cells."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tasks.embedding.compose import cell_weights
from tasks.retrieval.corpus import Corpus
from tasks.retrieval.lexical import bm25, coarsen, find_words

_SMALL = 1e-9
"""Added to a deviation, so that a level on which all scores are equal says nothing."""


@dataclass(frozen=True, slots=True)
class LevelScores:
    """Scores of the chunks of one level for one question.

    Attributes:
        dense: Nearness of the vectors, see :meth:`Scorer.evidence`, shape (chunks,).
        lexical: BM25, shape (chunks,).
        evidence: The weighted sum of both, standardised, shape (chunks,).
    """

    dense: NDArray[np.float64]
    lexical: NDArray[np.float64]
    evidence: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a question finds.

    Attributes:
        cells: Evidence of each cell, shape (cells,); minus infinity where it takes no part.
        levels: Scores by level.
    """

    cells: NDArray[np.float64]
    levels: tuple[LevelScores, ...]


class Scorer:
    """Scores questions against a corpus, exactly.

    Args:
        corpus: The arrays.
    """

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.members = [level.member(len(corpus)) for level in corpus.levels]
        firsts = [level.first for level in corpus.levels]
        # levels nest, so sums and words go up, and evidence comes down, one level at a time
        self._children = [np.searchsorted(a, b) for a, b in itertools.pairwise(firsts)]
        self._parents = [
            member[first] for first, member in zip(firsts, self.members[1:], strict=False)
        ]
        self._weights = self._sums(cell_weights(corpus.n_tokens).astype(np.float64))
        self._lengths = self._sums(corpus.postings.lengths.astype(np.float64))
        self._same_document = np.diff(corpus.doc, prepend=-1) == 0  # as the cell before

    def dense(self, question: NDArray[np.float32]) -> list[NDArray[np.float64]]:
        """Return the cosine of every chunk's composed vector with a unit vector of shape (dim,).

        One product with the cells' vectors serves all levels:
        ``dot(q, parent) = sum(w_i * dot(q, cell_i)) / norm(sum(w_i * cell_i))``.
        """
        norms = [level.norms.astype(np.float64) for level in self.corpus.levels]
        return [
            np.divide(sums, norm, out=np.zeros_like(sums), where=norm > 0)
            for sums, norm in zip(self._weighted_sums(question), norms, strict=True)
        ]

    def mean_dense(self, question: NDArray[np.float32]) -> list[NDArray[np.float64]]:
        """Return the token-weighted mean of the cosines of every chunk's cells."""
        sums = self._weighted_sums(question)
        return [total / weight for total, weight in zip(sums, self._weights, strict=True)]

    def _weighted_sums(self, question: NDArray[np.float32]) -> list[NDArray[np.float64]]:
        cosines = (self.corpus.vectors @ question).astype(np.float64)
        return self._sums(cosines * self._weights[0])

    def _sums(self, cells: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Return the sum over the cells of every chunk, by level."""
        sums = [cells]
        for first in self._children:
            sums.append(np.add.reduceat(sums[-1], first))
        return sums

    def lexical(
        self, question: str, cell_mask: NDArray[np.bool_] | None = None
    ) -> list[NDArray[np.float64]]:
        """Return the BM25 scores of every chunk of every level."""
        found = find_words(self.corpus.postings, question, cell_mask)
        scores = []
        for k, lengths in enumerate(self._lengths):
            if k:
                found = coarsen(found, self._parents[k - 1])
            scores.append(bm25(found, lengths, self._chunk_mask(k, cell_mask)))
        return scores

    def _chunk_mask(
        self, level: int, cell_mask: NDArray[np.bool_] | None
    ) -> NDArray[np.bool_] | None:
        """Return which chunks take part; documents do so as a whole, so the first cell tells."""
        return None if cell_mask is None else cell_mask[self.corpus.levels[level].first]

    def evidence(
        self,
        question: str,
        vector: NDArray[np.float32],
        dense_weights: Sequence[float],
        lexical_weights: Sequence[float],
        neighbours: float = 0.0,
        cell_mask: NDArray[np.bool_] | None = None,
        composed: bool = False,
    ) -> Evidence:
        """Return the evidence on the cells.

        A parent is as near as its cells are on average. The cosine of its composed vector would
        divide that by the vector's length, and so favour parents of many different cells: close to
        the mean of everything, they are a little near to every question (on the
        GDPR's questions the mean finds 6 to 17 points more at 350 to 1,500 tokens, on prose it
        loses 0.4 points: benchmarks/fused_search.md).

        Args:
            question: Plain text.
            vector: Its unit vector, shape (dim,).
            dense_weights: Per level, fine to coarse.
            lexical_weights: Per level, fine to coarse.
            neighbours: Share of the evidence of the cell before and of the cell after (same
                document) that is added to a cell's own.
            cell_mask: Cells of the documents that take part; None: all. Means and deviations are
                those of the chunks that take part, as if nothing else were there.
            composed: Take the cosine of the composed vector all the same, as a plain vector search
                of one level does.

        Raises:
            ValueError: There is not one weight per level.
        """
        levels = self.corpus.levels
        if not len(dense_weights) == len(lexical_weights) == len(levels):
            raise ValueError(
                f"{len(dense_weights)} dense and {len(lexical_weights)} lexical weights for "
                f"{len(levels)} levels"
            )
        dense = self.dense(vector) if composed else self.mean_dense(vector)
        lexical = self.lexical(question, cell_mask)
        scores = []
        for k, (near, words) in enumerate(zip(dense, lexical, strict=True)):
            taking_part = self._chunk_mask(k, cell_mask)
            both = _standard(near, dense_weights[k], taking_part)
            both += _standard(words, lexical_weights[k], taking_part)
            scores.append(LevelScores(near, words, both))
        total = scores[-1].evidence.copy()
        for level, parents in zip(reversed(scores[:-1]), reversed(self._parents), strict=True):
            total = level.evidence + total[parents]
        if neighbours:
            total = self._with_neighbours(total, neighbours)
        if cell_mask is not None:
            total[~cell_mask] = -np.inf
        return Evidence(total, tuple(scores))

    def _with_neighbours(self, total: NDArray[np.float64], share: float) -> NDArray[np.float64]:
        joined = self._same_document[1:]
        spread = total.copy()
        spread[1:] += share * total[:-1] * joined
        spread[:-1] += share * total[1:] * joined
        return spread


def _standard(
    scores: NDArray[np.float64], weight: float, taking_part: NDArray[np.bool_] | None
) -> NDArray[np.float64]:
    """Return ``weight`` times the scores less their mean, over their deviation, zeros included."""
    sample = scores if taking_part is None else scores[taking_part]
    if not weight or not len(sample):
        return np.zeros_like(scores)
    return np.asarray((scores - sample.mean()) * (weight / (sample.std() + _SMALL)))
