"""Small corpora as hypothesis draws them, and everything a searcher needs around them."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs.settings import SearchSettings
from tasks.embedding.info import EncoderInfo
from tasks.retrieval.corpus import ChunkColumns, Corpus, build_corpus
from tasks.retrieval.results import DocumentMeta
from tasks.retrieval.search import Searcher

DIM = 6
WORDS = ("law", "data", "Data", "fee", "ação", "acao", "o", "quick", "日本語", "x1")


@dataclass(frozen=True)
class Row:
    """Provenance of a cell."""

    pages: tuple[int, ...]
    locators: tuple[str, ...]
    heading_path: tuple[str, ...]
    context: tuple[str, ...]


@dataclass
class World:
    """Documents as cells, and what follows from them; ``groups`` are the runs of each level."""

    cells: dict[str, list[str]]
    groups: dict[str, list[list[tuple[int, int]]]]
    contexts: dict[str, list[int]]
    locators: dict[str, list[str]] = field(default_factory=dict)

    @property
    def doc_ids(self) -> list[str]:
        return sorted(self.cells)

    def vector(self, doc_id: str, at: int) -> NDArray[np.float32]:
        seed = hashlib.sha256(self.cells[doc_id][at].encode()).digest()[:8]
        vector = np.random.default_rng(int.from_bytes(seed, "big")).normal(size=DIM)
        return np.asarray(vector / np.linalg.norm(vector), np.float32)

    def text(self, doc_id: str) -> str:
        return "".join(self.cells[doc_id])

    def tokens(self, doc_id: str, a: int, b: int) -> int:
        return sum(len(text.split()) for text in self.cells[doc_id][a:b])

    def chunks(self, level: int) -> list[tuple[str, int, int]]:
        """All chunks of a level, in order."""
        return [(doc, a, b) for doc in self.doc_ids for a, b in self.groups[doc][level]]

    def chunk_text(self, doc_id: str, a: int, b: int) -> str:
        return "".join(self.cells[doc_id][a:b])

    def composed(self, doc_id: str, a: int, b: int) -> NDArray[np.float64]:
        total = sum(
            max(self.tokens(doc_id, i, i + 1), 1) * self.vector(doc_id, i).astype(np.float64)
            for i in range(a, b)
        )
        return np.asarray(total / np.linalg.norm(total), np.float64)

    def corpus(self, shuffle: int = 0) -> Corpus:
        rows = []
        for doc_id in self.doc_ids:
            bounds = np.cumsum([0, *map(len, self.cells[doc_id])]).tolist()
            for level, runs in enumerate(self.groups[doc_id]):
                for a, b in runs:
                    text = self.chunk_text(doc_id, a, b)
                    name = hashlib.sha256(f"{doc_id}/{level}/{a}".encode()).hexdigest()
                    locator = self.locators.get(doc_id, [""] * b)[a]
                    rows.append(
                        (
                            name, doc_id, level, bounds[a], bounds[b], a, b,
                            self.tokens(doc_id, a, b),
                            hashlib.sha256(text.encode()).hexdigest(),
                            text if level == 0 else "",
                            self.contexts[doc_id][a],
                            [locator] if locator else [],
                        )
                    )  # fmt: skip
        order = (
            np.random.default_rng(shuffle).permutation(len(rows)) if shuffle else range(len(rows))
        )
        rows = [rows[i] for i in order]
        vectors = [self.vector(row[1], row[5]) for row in rows if row[2] == 0]
        columns = ChunkColumns(*(list(column) for column in zip(*rows, strict=True)))
        return build_corpus(columns, np.array(vectors, np.float32).reshape(-1, DIM))

    # what a ChunkStore must do
    def passage_text(self, doc_id: str, start: int, end: int) -> str:
        return self.text(doc_id)[start:end]

    def chunk_rows(self, chunk_ids: Sequence[str]) -> list[Row]:
        rows = {
            hashlib.sha256(f"{doc_id}/0/{at}".encode()).hexdigest(): Row(
                (at // 3 + 1,),
                tuple(filter(None, [self.locators.get(doc_id, [""] * 999)[at]])),
                (f"Heading of {at}",),
                ("context",) * self.contexts[doc_id][at],
            )
            for doc_id, cells in self.cells.items()
            for at in range(len(cells))
        }
        return [rows[one] for one in chunk_ids]


class QuestionEncoder:
    """A vector per question, from its hash."""

    info = EncoderInfo("fake", "1", "0" * 64, DIM, 99, "", "", "float32")

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = []
        for text in texts:
            seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
            row = np.random.default_rng(seed).normal(size=DIM)
            rows.append(row / np.linalg.norm(row))
        return np.array(rows, np.float32)

    def encode_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError("a search embeds no passages")

    def token_starts(self, text: str) -> NDArray[np.int64]:
        raise AssertionError

    def count(self, text: str) -> int:
        return len(text.split())

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        return np.array([self.count(text) for text in texts], np.int64)

    def embedded_length(self, texts: Sequence[str]) -> NDArray[np.int64]:
        return self.counts(texts)


def draw_world(draw: st.DrawFn, max_documents: int = 3, n_levels: int = 3) -> World:
    cells: dict[str, list[str]] = {}
    groups: dict[str, list[list[tuple[int, int]]]] = {}
    contexts: dict[str, list[int]] = {}
    for number in range(draw(st.integers(1, max_documents))):
        doc_id = hashlib.sha256(str(number).encode()).hexdigest()
        count = draw(st.integers(1, 12))
        cells[doc_id] = [
            " ".join(draw(st.lists(st.sampled_from(WORDS), max_size=5))) + " " for _ in range(count)
        ]
        contexts[doc_id] = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
        bounds = list(range(count + 1))
        groups[doc_id] = []
        for _ in range(n_levels):
            groups[doc_id].append(list(itertools.pairwise(bounds)))
            inner = bounds[1:-1]
            kept = draw(st.lists(st.booleans(), min_size=len(inner), max_size=len(inner)))
            bounds = [0, *(b for b, keep in zip(inner, kept, strict=True) if keep), count]
    return World(cells, groups, contexts)


@pytest.fixture(scope="session")
def worlds() -> st.SearchStrategy[World]:
    """Corpora of one to three documents with three levels."""
    return st.composite(draw_world)()


MakeSearcher = Callable[..., Searcher]


@pytest.fixture(scope="session")
def make_searcher() -> MakeSearcher:
    """Return a searcher over a world; keywords override the settings."""

    def make(world: World, **settings: object) -> Searcher:
        metas = {
            doc_id: DocumentMeta(
                doc_id, f"/d/{n}.txt", ("en", "pt-BR")[n % 2], "law", f"202{n}-05-01"
            )
            for n, doc_id in enumerate(world.doc_ids)
        }
        chosen = SearchSettings.model_validate(
            {
                "dense_weights": (2.0, 1.0, 0.5),
                "lexical_weights": (0.2, 0.4, 0.6),
                "budget": 12,
                **settings,
            }
        )
        encoder = QuestionEncoder()
        return Searcher(world.corpus(), metas, encoder, chosen, world, encoder.info.id)

    return make


@pytest.fixture(scope="session")
def plain_world() -> Callable[[dict[str, list[str]]], World]:
    """Return a world of given cells: level 1 pairs them, level 2 is the document."""

    def make(documents: dict[str, list[str]]) -> World:
        named = {
            hashlib.sha256(name.encode()).hexdigest(): cells for name, cells in documents.items()
        }
        groups = {
            doc_id: [
                [(i, min(i + width, len(cells))) for i in range(0, len(cells), width)]
                for width in (1, 2, max(len(cells), 1))
            ]
            for doc_id, cells in named.items()
        }
        return World(named, groups, {doc_id: [0] * len(cells) for doc_id, cells in named.items()})

    return make
