"""Vectors for the chunks of a batch: cells through the model once, parents composed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tasks.embedding.cache import VectorCache, vector_key
from tasks.embedding.compose import compose
from tasks.embedding.info import Encoder, TruncationError

GROUP = 1024
"""Strings encoded between two writes of the cache: what a kill can cost. A guess (about ten
seconds of work on two cores)."""


class ChunkSpan(Protocol):
    """What of a chunk this module reads; :class:`tasks.slicing.Chunk` has it."""

    @property
    def chunk_id(self) -> str:
        """Identity of the chunk."""
        ...

    @property
    def doc_id(self) -> str:
        """Document of the chunk."""
        ...

    @property
    def level(self) -> int:
        """0 for a cell."""
        ...

    @property
    def cell_start(self) -> int:
        """First cell, counted in the document."""
        ...

    @property
    def cell_end(self) -> int:
        """After the last cell."""
        ...

    @property
    def n_tokens(self) -> int:
        """Tokens of the chunk in the document's tokenisation."""
        ...


def embed_chunks(
    chunks: Sequence[ChunkSpan],
    embedded_texts: Sequence[str],
    encoder: Encoder,
    cache: VectorCache,
) -> tuple[NDArray[np.float32], int, int]:
    """Return a vector for every chunk, and how many strings were computed and how many reused.

    Args:
        chunks: Chunks of whole documents, in any order.
        embedded_texts: The text to embed (context included, prefix not) of each chunk of level 0,
            in the order in which those stand in ``chunks``.
        encoder: The model.
        cache: Where vectors are looked up and kept.

    Returns:
        Vectors of shape (len(chunks), dim), float32, of unit length; the distinct strings that
        went through the model; the cells that did not, because their string was known or stands
        twice.

    Raises:
        TruncationError: A cell's string is longer than the model reads.
        ValueError: Texts and cells differ in number, or a document's cells are incomplete.
    """
    cells = [index for index, chunk in enumerate(chunks) if chunk.level == 0]
    if len(cells) != len(embedded_texts):
        raise ValueError(f"{len(embedded_texts)} texts for {len(cells)} cells")
    _refuse_over_long(chunks, cells, embedded_texts, encoder)
    cell_vectors, computed = _encode(embedded_texts, encoder, cache)
    vectors = np.empty((len(chunks), encoder.info.dim), np.float32)
    vectors[cells] = cell_vectors
    _fill_parents(chunks, cells, vectors)
    return vectors, computed, len(cells) - computed


def _refuse_over_long(
    chunks: Sequence[ChunkSpan], cells: Sequence[int], texts: Sequence[str], encoder: Encoder
) -> None:
    limit = encoder.info.max_tokens
    lengths = encoder.embedded_length(texts)
    for index, length in zip(cells, lengths.tolist(), strict=True):
        if length > limit:
            chunk = chunks[index]
            raise TruncationError(
                f"Chunk {chunk.chunk_id} of document {chunk.doc_id} is {length} tokens with its "
                f"context, over the {limit} that {encoder.info.name} reads.",
                "Use a smaller finest size in slicing.sizes, or an encoder that reads more.",
            )


def _encode(
    texts: Sequence[str], encoder: Encoder, cache: VectorCache
) -> tuple[NDArray[np.float32], int]:
    """Return one vector per text and how many strings the model saw; equal strings go once."""
    info = encoder.info
    keys = [vector_key(info.passage(text), info.id) for text in texts]
    by_key = dict(zip(keys, texts, strict=True))
    known = cache.get_many(list(by_key))
    missing = [key for key in by_key if key not in known]
    # by length first, so that a group needs little padding; by key, so that order plays no part
    missing.sort(key=lambda key: (-len(by_key[key]), key))
    for at in range(0, len(missing), GROUP):
        group = missing[at : at + GROUP]
        fresh = encoder.encode_passages([by_key[key] for key in group])
        cache.put_many(zip(group, fresh, strict=True))
        known.update(zip(group, fresh, strict=True))
    vectors = np.empty((len(texts), info.dim), np.float32)
    for row, key in enumerate(keys):
        vectors[row] = known[key]
    return vectors, len(missing)


def _fill_parents(
    chunks: Sequence[ChunkSpan], cells: Sequence[int], vectors: NDArray[np.float32]
) -> None:
    """Write the composed vector of every chunk above level 0 into ``vectors``."""
    of_document: dict[str, list[int]] = {}
    for index in cells:
        of_document.setdefault(chunks[index].doc_id, []).append(index)
    parents: dict[str, list[int]] = {}
    for index, chunk in enumerate(chunks):
        if chunk.level > 0:
            parents.setdefault(chunk.doc_id, []).append(index)
    for doc_id, above in parents.items():
        own = sorted(of_document.get(doc_id, []), key=lambda index: chunks[index].cell_start)
        if [chunks[index].cell_start for index in own] != list(range(len(own))):
            raise ValueError(f"the cells of document {doc_id} are incomplete")
        first = np.array([chunks[index].cell_start for index in above], np.int64)
        end = np.array([chunks[index].cell_end for index in above], np.int64)
        if len(own) < int(end.max()):
            raise ValueError(f"the cells of document {doc_id} are incomplete")
        tokens = np.array([chunks[index].n_tokens for index in own], np.int64)
        vectors[above] = compose(vectors[own], tokens, first, end)
