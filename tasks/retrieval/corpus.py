"""Everything a search computes with, as arrays over the cells: no texts, no objects, no store.

Cells stand in order of (document, position). Chunks of every level are runs of cells, so that a
level is told by the first cell of each of its chunks. What is stored of a parent is the length of
its vector before normalisation; its direction follows from the cells.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tasks.embedding.compose import cell_weights
from tasks.retrieval.lexical import Postings, build_postings

LAYOUT_VERSION = 1
"""Raise it when the arrays of a corpus change: those stored beside an index are then made anew."""
_UNIT = re.compile(r"(?:art|rct)_[^/]+|slide_[^/]+|(?:[^/]+/)*row_[^/]+")
"""Locators of units that a reader wants whole: an article, a recital, a slide, a table's row."""
_NORM_BLOCK = 16_384
"""Cells whose weighted vectors are held at a time while norms are computed (25 MB at 384)."""


@dataclass(frozen=True, slots=True)
class ChunkColumns:
    """Rows of the chunks table, column by column; any order, all levels, whole documents.

    Attributes:
        chunk_id: 64 hex digits.
        doc_id: 64 hex digits.
        level: 0 the finest.
        start: First code point.
        end: After the last code point.
        cell_start: First cell, counted in the document.
        cell_end: After the last cell.
        n_tokens: In the document's tokenisation.
        fingerprint: SHA-256 of the text; read for cells only.
        text: Read for cells only, may be "" for the others.
        context_tokens: Tokens of the context lines; read for cells only.
        locators: Read for cells only.
    """

    chunk_id: Sequence[str]
    doc_id: Sequence[str]
    level: Sequence[int]
    start: Sequence[int]
    end: Sequence[int]
    cell_start: Sequence[int]
    cell_end: Sequence[int]
    n_tokens: Sequence[int]
    fingerprint: Sequence[str]
    text: Sequence[str]
    context_tokens: Sequence[int]
    locators: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Level:
    """The chunks of one level, in order.

    Attributes:
        first: First cell of each chunk, shape (chunks,).
        norms: Length of ``sum(w_i * cell_i)`` over the chunk's cells, shape (chunks,).
        chunk_ids: Shape (chunks,), 64 ASCII bytes each.
    """

    first: NDArray[np.int32]
    norms: NDArray[np.float32]
    chunk_ids: NDArray[np.bytes_]

    def __len__(self) -> int:
        """Return the number of chunks."""
        return len(self.first)

    def member(self, n_cells: int) -> NDArray[np.int32]:
        """Return the chunk of each cell, ascending, shape (cells,)."""
        counts = np.diff(self.first, append=n_cells)
        return np.repeat(np.arange(len(self.first), dtype=np.int32), counts)


@dataclass(frozen=True, slots=True)
class Corpus:
    """The arrays of one index.

    Attributes:
        doc_ids: Documents in order, 64 ASCII bytes each.
        vectors: Unit vectors of the cells, shape (cells, dim).
        n_tokens: Tokens of each cell.
        context_tokens: Tokens of each cell's context lines.
        doc: Index into ``doc_ids`` of each cell, ascending.
        starts: First code point of each cell in its document.
        ends: After the last.
        unit_first: First cell of each cell's structural unit (article, slide, row); the cell
            itself where it has none. A unit's cells are consecutive.
        unit_end: After the last cell of the unit.
        fingerprints: Of the cells' texts, 64 ASCII bytes each.
        levels: From the finest (one chunk a cell) to the coarsest. A document with fewer levels
            than another has its coarsest chunks at all levels above.
        postings: Words of the cells.
    """

    doc_ids: NDArray[np.bytes_]
    vectors: NDArray[np.float32]
    n_tokens: NDArray[np.int32]
    context_tokens: NDArray[np.int32]
    doc: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    unit_first: NDArray[np.int32]
    unit_end: NDArray[np.int32]
    fingerprints: NDArray[np.bytes_]
    levels: tuple[Level, ...]
    postings: Postings

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.doc)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays by name, fit for ``numpy.savez`` or for single files."""
        arrays = {
            name: getattr(self, name)
            for name in self.__slots__
            if name not in ("levels", "postings")
        }
        for k, level in enumerate(self.levels):
            for name in Level.__slots__:
                arrays[f"level{k}.{name}"] = getattr(level, name)
        for name, array in self.postings.to_arrays().items():
            arrays[f"postings.{name}"] = array
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Corpus:
        """Return the corpus that :meth:`to_arrays` took apart; arrays may be mapped files."""
        n_levels = sum(name.endswith(".first") for name in arrays)
        levels = tuple(
            Level(**{name: arrays[f"level{k}.{name}"] for name in Level.__slots__})
            for k in range(n_levels)
        )
        prefix = "postings."
        postings = Postings.from_arrays(
            {name.removeprefix(prefix): a for name, a in arrays.items() if name.startswith(prefix)}
        )
        own = {name: arrays[name] for name in cls.__slots__ if name not in ("levels", "postings")}
        return cls(**own, levels=levels, postings=postings)


def build_corpus(columns: ChunkColumns, vectors: NDArray[np.float32]) -> Corpus:
    """Return the corpus of some whole documents.

    Args:
        columns: All their chunks, in any order.
        vectors: Vectors of the chunks of level 0, in the order of ``columns``, shape (cells, dim).

    Raises:
        ValueError: A document's chunks of a level do not tile its cells, or cut through chunks
            of the next finer level.
    """
    level = np.asarray(columns.level, np.int32)
    doc_names, doc = np.unique(np.asarray(columns.doc_id, "S64"), return_inverse=True)
    cell_start = np.asarray(columns.cell_start, np.int64)
    rows = np.flatnonzero(level == 0)
    order = np.lexsort((cell_start[rows], doc[rows]))
    rows = rows[order]
    cell_doc = doc[rows].astype(np.int32)
    counts = np.bincount(cell_doc, minlength=len(doc_names))
    base = np.cumsum(counts) - counts
    if not np.array_equal(cell_start[rows] + base[cell_doc], np.arange(len(rows))):
        raise ValueError("the cells of a document are missing or stand twice")
    starts = np.asarray(columns.start, np.int64)[rows]
    ends = np.asarray(columns.end, np.int64)[rows]
    new_doc = np.diff(cell_doc, prepend=-1) != 0
    continues = ~new_doc & (starts == np.concatenate([[-1], ends[:-1]]))
    n_tokens = np.asarray(columns.n_tokens, np.int32)[rows]
    cell_vectors = np.ascontiguousarray(vectors[order], np.float32)
    picked = rows.tolist()
    unit_first, unit_end = _unit_runs([columns.locators[i] for i in picked], new_doc)
    return Corpus(
        doc_ids=doc_names,
        vectors=cell_vectors,
        n_tokens=n_tokens,
        context_tokens=np.asarray(columns.context_tokens, np.int32)[rows],
        doc=cell_doc,
        starts=starts,
        ends=ends,
        unit_first=unit_first,
        unit_end=unit_end,
        fingerprints=np.array([columns.fingerprint[i] for i in picked], "S64"),
        levels=_levels(columns, level, doc, base, cell_vectors, n_tokens),
        postings=build_postings([columns.text[i] for i in picked], continues.tolist()),
    )


def _levels(
    columns: ChunkColumns,
    level: NDArray[np.int32],
    doc: NDArray[np.int64],
    base: NDArray[np.int64],
    vectors: NDArray[np.float32],
    n_tokens: NDArray[np.int32],
) -> tuple[Level, ...]:
    first_cell = np.asarray(columns.cell_start, np.int64) + base[doc]
    end_cell = np.asarray(columns.cell_end, np.int64) + base[doc]
    chunk_ids = np.asarray(columns.chunk_id, "S64")
    levels: list[Level] = []
    coarsest = np.full(int(doc.max(initial=-1)) + 1, -1, np.int32)
    np.maximum.at(coarsest, doc, level)
    for k in range(int(level.max(initial=-1)) + 1):
        # a document that was cut at fewer sizes stands at those above with its coarsest chunks
        rows = np.flatnonzero(level == np.minimum(k, coarsest[doc]))
        rows = rows[np.argsort(first_cell[rows], kind="stable")]
        first, end = first_cell[rows], end_cell[rows]
        if not np.array_equal(end, np.append(first[1:], len(n_tokens))) or first[0] != 0:
            raise ValueError(f"the chunks of level {k} do not tile the cells")
        if levels and not np.isin(first, levels[-1].first).all():
            raise ValueError(f"the chunks of level {k} cut through those of level {k - 1}")
        norms = composed_norms(vectors, n_tokens, first)
        levels.append(Level(first.astype(np.int32), norms, chunk_ids[rows]))
    return tuple(levels)


def composed_norms(
    vectors: NDArray[np.float32], n_tokens: NDArray[np.int32], first: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Return the length of the weighted sum of each chunk's cells, shape (chunks,)."""
    weights = cell_weights(n_tokens)
    norms = np.empty(len(first), np.float32)
    at = 0
    while at < len(first):
        # whole chunks, about a block of cells at a time
        to = max(int(np.searchsorted(first, first[at] + _NORM_BLOCK, "left")), at + 1)
        a, b = int(first[at]), int(first[to]) if to < len(first) else len(vectors)
        sums = np.add.reduceat(vectors[a:b] * weights[a:b, None], first[at:to] - a, axis=0)
        norms[at:to] = np.linalg.norm(sums, axis=1)
        at = to
    return norms


def _unit_runs(
    locators: Sequence[Sequence[str]], new_doc: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return first cell and end of the run of cells whose first locator names the same unit."""
    names = [_UNIT.match(own[0]) if own else None for own in locators]
    found = [
        at
        for at, name in enumerate(names)
        if name is None or new_doc[at] or (before := names[at - 1]) is None or before[0] != name[0]
    ]
    firsts = np.array(found, np.int32)
    ends = np.append(firsts[1:], np.int32(len(names)))[: len(firsts)]
    lengths = ends - firsts
    return np.repeat(firsts, lengths), np.repeat(ends, lengths)
