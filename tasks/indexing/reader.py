"""The published index as the arrays that search computes with: made at publish, mapped at open."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.settings import EncoderSettings
from storage.paths import StorePaths
from storage.reader import PublishedIndex
from storage.sidecar import load_arrays, save_arrays
from tasks.embedding.encoder import load_encoder
from tasks.retrieval.corpus import ChunkColumns, Corpus, build_corpus

_SIDECAR = "corpus"
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
    texts = cells.column("text").to_pylist()
    locators = cells.column("locators").to_pylist()
    flat: Any = cells.column("vector").combine_chunks()
    vectors: NDArray[np.float32] = flat.flatten().to_numpy().reshape(len(texts), index.dim)
    columns = {name: chunks.column(name).to_pylist() for name in _COLUMNS}
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
