"""Questions in, passages out: the face of retrieval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from configs.settings import SearchSettings
from tasks.embedding.info import Encoder, EncoderError
from tasks.retrieval.budget import Duplicates, Run
from tasks.retrieval.corpus import Corpus
from tasks.retrieval.fusion import Evidence, Scorer
from tasks.retrieval.results import (
    ChunkRow,
    ChunkStore,
    DocumentMeta,
    Filters,
    Passage,
    SearchError,
    SearchResult,
)
from tasks.retrieval.strategies import Ask, Found, parse_strategy

__all__ = [
    "ChunkRow",
    "ChunkStore",
    "DocumentMeta",
    "Filters",
    "Found",
    "Passage",
    "SearchError",
    "SearchResult",
    "Searcher",
]


class Searcher:
    """Answers questions from one index, exactly and deterministically.

    Args:
        corpus: The arrays of the index.
        documents: Its documents, by doc_id.
        encoder: Embeds the questions.
        settings: Weights, budget and trade-up.
        store: Gives texts and provenance of what was found.
        index_encoder: Id of the encoder that made the index's vectors.

    Raises:
        EncoderError: The index was made with another encoder; vectors would not be comparable.
        SearchError: The settings do not have one weight per level.
    """

    def __init__(
        self,
        corpus: Corpus,
        documents: Mapping[str, DocumentMeta],
        encoder: Encoder,
        settings: SearchSettings,
        store: ChunkStore,
        index_encoder: str,
    ) -> None:
        if index_encoder != encoder.info.id:
            raise EncoderError(
                f"The index was made with {index_encoder}, the question would be embedded with "
                f"{encoder.info.id}.",
                "Set encoder.ref to the index's model, or ingest again into another store.",
            )
        if len(corpus):
            try:
                settings.weights(len(corpus.levels))
            except ValueError as error:
                raise SearchError(f"the index has other levels: {error}") from error
        self._corpus = corpus
        self._documents = [documents[doc_id.decode("ascii")] for doc_id in corpus.doc_ids]
        self._encoder = encoder
        self._settings = settings
        self._store = store
        self._scorer = Scorer(corpus)

    def search(
        self,
        question: str,
        *,
        budget: int | None = None,
        k: int | None = None,
        strategy: str = "fused",
        filters: Filters | None = None,
    ) -> SearchResult:
        """Return the passages for a question.

        Args:
            question: Plain text.
            budget: Most tokens, context lines included. None: the settings' when there is no
                ``k`` either, else no limit.
            k: Most passages, or None. Cells are taken in order of evidence, joined where adjacent,
                until there are so many.
            strategy: ``fused``, ``level:N``, ``hybrid:N``, ``window:N`` or ``automerge``.
            filters: Which documents take part; the others count in no statistic.

        Raises:
            SearchError: The question is empty, or the strategy is unknown.
            TruncationError: The question is longer than the model reads.
        """
        found = self.find(question, budget=budget, k=k, strategy=strategy, filters=filters)
        return SearchResult(question, found.tokens, self._passages(found) if found.runs else ())

    def find(
        self,
        question: str,
        *,
        budget: int | None = None,
        k: int | None = None,
        strategy: str = "fused",
        filters: Filters | None = None,
        vector: NDArray[np.float32] | None = None,
    ) -> Found:
        """Return what :meth:`search` would, as runs of cells, without asking the store.

        Args:
            question: Plain text.
            budget: As for :meth:`search`.
            k: As for :meth:`search`.
            strategy: As for :meth:`search`.
            filters: As for :meth:`search`.
            vector: The question's unit vector when it is known, shape (dim,).

        Raises:
            SearchError: The question is empty, or the strategy is unknown.
            TruncationError: The question is longer than the model reads.
        """
        if not question.strip():
            raise SearchError("the question is empty")
        for name, limit in (("budget", budget), ("k", k)):
            if limit is not None and limit < 1:
                raise SearchError(f"{name} must be 1 or more, got {limit}")
        if not len(self._corpus):
            nothing = Evidence(np.zeros(0), ())
            return Found((), (), (), 0, nothing, Duplicates(self._corpus))
        chosen, number = parse_strategy(strategy, len(self._corpus.levels))
        if budget is None and k is None:
            budget = self._settings.budget
        if vector is None:
            vector = self._encoder.encode_queries([question])[0]
        ask = Ask(question, vector, budget, k, self._mask(filters))
        return chosen(self._scorer, ask, self._settings, number)

    def _mask(self, filters: Filters | None) -> NDArray[np.bool_] | None:
        if filters is None or filters == Filters():
            return None
        known = {name for d in self._documents for name in (d.uri, d.doc_id)}
        if missing := [name for name in filters.documents if name not in known]:
            raise SearchError(f"the index has no document {', '.join(missing)}")
        admitted = np.array([filters.admit(document) for document in self._documents], bool)
        return admitted[self._corpus.doc]

    def _passages(self, found: Found) -> tuple[Passage, ...]:
        corpus = self._corpus
        ids = corpus.levels[0].chunk_ids
        wanted = [ids[at].decode("ascii") for run in found.runs for at in range(run.first, run.end)]
        rows = iter(self._store.chunk_rows(wanted))
        return tuple(
            self._passage(found, at, [next(rows) for _ in range(run.first, run.end)])
            for at, run in enumerate(found.runs)
        )

    def _passage(self, found: Found, at: int, rows: Sequence[ChunkRow]) -> Passage:
        corpus, run, best = self._corpus, found.runs[at], found.best[at]
        document = self._documents[corpus.doc[run.first]]
        start, end = int(corpus.starts[run.first]), int(corpus.ends[run.end - 1])
        cover = cover_run(corpus, run)
        tokens = corpus.n_tokens[run.first : run.end].sum() + corpus.context_tokens[run.first]
        return Passage(
            rank=at + 1,
            score=found.scores[at],
            doc_id=document.doc_id,
            uri=document.uri,
            start=start,
            end=end,
            level=max(level for level, _ in cover),
            tokens=int(tokens),
            text=self._store.passage_text(document.doc_id, start, end),
            pages=tuple(sorted({int(page) for row in rows for page in row.pages})),
            locators=tuple(dict.fromkeys(one for row in rows for one in row.locators)),
            heading_path=tuple(rows[0].heading_path),
            context=tuple(rows[0].context),
            chunk_ids=tuple(
                corpus.levels[level].chunk_ids[chunk].decode("ascii") for level, chunk in cover
            ),
            scores_by_level={
                str(k): {
                    "dense": float(scores.dense[member[best]]),
                    "lexical": float(scores.lexical[member[best]]),
                    "evidence": float(scores.evidence[member[best]]),
                }
                for k, (scores, member) in enumerate(
                    zip(found.evidence.levels, self._scorer.members, strict=True)
                )
            },
            also_in=tuple(self._documents[doc].uri for doc in found.duplicates.others(run)),
        )


def cover_run(corpus: Corpus, run: Run) -> list[tuple[int, int]]:
    """Return the fewest (level, chunk) that make up a run of cells, in order."""
    cover = []
    at = run.first
    while at < run.end:
        for k in range(len(corpus.levels) - 1, -1, -1):
            first = corpus.levels[k].first
            chunk = int(np.searchsorted(first, at))
            if chunk == len(first) or first[chunk] != at:
                continue
            end = int(first[chunk + 1]) if chunk + 1 < len(first) else len(corpus)
            if end <= run.end:
                cover.append((k, chunk))
                at = end
                break
    return cover
