"""The published index as the arrays that search computes with: made at publish, mapped at open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.settings import EncoderSettings, Settings
from storage.parts import read_document
from storage.paths import StorePaths
from storage.reader import PublishedIndex
from storage.sidecar import load_arrays, save_arrays
from tasks.embedding.encoder import load_encoder
from tasks.retrieval.corpus import LAYOUT_VERSION, ChunkColumns, Corpus, build_corpus
from tasks.retrieval.results import ChunkRow, DocumentMeta
from tasks.retrieval.search import Searcher

_SIDECAR = f"corpus-{LAYOUT_VERSION}"
_COLUMNS = (
    "chunk_id", "doc_id", "level", "start", "end", "cell_start", "cell_end", "n_tokens",
    "fingerprint",
)  # fmt: skip
_CELL_COLUMNS = ("chunk_id", "text", "context", "locators", "vector")


def prepare_search(paths: StorePaths, index: PublishedIndex, encoder: EncoderSettings) -> Corpus:
    """Write what search needs of a version beside it, and return it.

    Args:
        paths: The store.
        index: The version.
        encoder: The encoder of the index: its tokenizer counts the context lines.
    """
    chunks = index.to_arrow(_COLUMNS)
    cells = index.to_arrow(_CELL_COLUMNS, "level = 0")
    at = {chunk_id: i for i, chunk_id in enumerate(cells.column("chunk_id").to_pylist())}
    contexts = ["\n".join(lines or ()) for lines in cells.column("context").to_pylist()]
    counts = load_encoder(encoder).counts(contexts) if contexts else np.zeros(0, np.int64)
    texts: list[Any] = cells.column("text").to_pylist()
    locators = cells.column("locators").to_pylist()
    flat: Any = cells.column("vector").combine_chunks()
    vectors: NDArray[np.float32] = flat.flatten().to_numpy().reshape(len(texts), index.dim)
    columns: dict[str, Any] = {name: chunks.column(name).to_pylist() for name in _COLUMNS}
    rows = [at.get(chunk_id) for chunk_id in columns["chunk_id"]]
    corpus = build_corpus(
        ChunkColumns(
            **columns,
            text=["" if i is None else texts[i] for i in rows],
            context_tokens=[0 if i is None else int(counts[i]) for i in rows],
            locators=[() if i is None else locators[i] or () for i in rows],
        ),
        vectors[[i for i in rows if i is not None]],
    )
    save_arrays(paths, index.version, _SIDECAR, corpus.to_arrays())
    return corpus


def load_corpus(paths: StorePaths, index: PublishedIndex, encoder: EncoderSettings) -> Corpus:
    """Return the arrays of a version, made anew where they are missing."""
    arrays = load_arrays(paths, index.version, _SIDECAR)
    if arrays is None:
        return prepare_search(paths, index, encoder)
    return Corpus.from_arrays(arrays)


class _Store:
    """Texts from the parts, provenance from the index, of one published version."""

    def __init__(self, paths: StorePaths, index: PublishedIndex) -> None:
        self._paths = paths
        self._index = index
        self._parts = {d["doc_id"]: str(d["part"]) for d in index.documents().to_pylist()}
        self._texts: dict[str, str] = {}

    def passage_text(self, doc_id: str, start: int, end: int) -> str:
        if doc_id not in self._texts:
            document = read_document(self._paths, self._parts[doc_id])
            self._texts[doc_id] = str(document.column("text")[0].as_py())
        return self._texts[doc_id][start:end]

    def chunk_rows(self, chunk_ids: Sequence[str]) -> Sequence[ChunkRow]:
        columns = ["pages", "locators", "heading_path", "context"]
        rows = self._index.rows_by_ids(chunk_ids, columns).to_pylist()
        return [SimpleNamespace(**{k: v or () for k, v in row.items()}) for row in rows]


def open_searcher(store: Path, settings: Settings) -> Searcher:
    """Return a searcher over the published version of a store.

    Raises:
        NothingPublishedError: Nothing has been published.
        EncoderError: The index was made with another encoder than the settings'.
    """
    paths = StorePaths(store)
    index = PublishedIndex(paths)
    encoder = load_encoder(settings.encoder)
    kinds = index.to_arrow(["doc_id", "uri", "language", "doc_type", "date"], "level = 0")
    documents = {
        row["doc_id"]: DocumentMeta(
            row["doc_id"],
            row["uri"],
            row["language"] or "und",
            row["doc_type"] or "unknown",
            row["date"] or "",
        )
        for row in kinds.group_by(kinds.column_names).aggregate([]).to_pylist()
    }
    return Searcher(
        load_corpus(paths, index, settings.encoder),
        documents,
        encoder,
        settings.search,
        _Store(paths, index),
        index.encoder,
    )
