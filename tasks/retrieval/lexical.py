"""BM25 at every level from one list of postings over the cells.

A chunk is a run of cells, so the frequency of a term in it is the sum over its cells, its length
is the sum of theirs, and the document frequency of a level is the number of its chunks with a
frequency above zero. Nothing is approximated and nothing is stored per level.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tasks.retrieval.words import words

K1 = 1.2
B = 0.75
"""Robertson and Zaragoza's usual values; those of the prototype that was measured."""


@dataclass(frozen=True, slots=True)
class Postings:
    """Which cells hold which word, as arrays that can be saved and mapped.

    Attributes:
        term_bytes: All words in UTF-8, one after the other, sorted by bytes, uint8.
        term_ends: End of each word in ``term_bytes``, shape (terms,).
        row_ends: End of each word's postings in ``cells``, shape (terms,).
        cells: Cells that hold the word, ascending within a word, shape (postings,).
        counts: How often, shape (postings,).
        lengths: Words of each cell, shape (cells,).
    """

    term_bytes: NDArray[np.uint8]
    term_ends: NDArray[np.int64]
    row_ends: NDArray[np.int64]
    cells: NDArray[np.int32]
    counts: NDArray[np.int32]
    lengths: NDArray[np.int32]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays by name."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Postings:
        """Return the postings that :meth:`to_arrays` took apart."""
        return cls(**{name: arrays[name] for name in cls.__slots__})

    def _term(self, index: int) -> bytes:
        start = int(self.term_ends[index - 1]) if index else 0
        return self.term_bytes[start : int(self.term_ends[index])].tobytes()

    def find(self, word: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return (cells, counts) of a folded word; empty when no cell holds it."""
        wanted, low, high = word.encode("utf-8"), 0, len(self.term_ends)
        while low < high:
            middle = (low + high) // 2
            if self._term(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        if low == len(self.term_ends) or self._term(low) != wanted:
            return self.cells[:0], self.counts[:0]
        start = int(self.row_ends[low - 1]) if low else 0
        end = int(self.row_ends[low])
        return self.cells[start:end], self.counts[start:end]


def build_postings(texts: Sequence[str], continues: Sequence[bool]) -> Postings:
    """Return the postings of the cells.

    Args:
        texts: Texts of the cells, in the order of the corpus.
        continues: Whether a cell begins where the one before it ends (same document): a word cut
            by such a border is one word, of the cell in which it begins.
    """
    terms: dict[str, int] = {}
    term_of: list[int] = []
    cell_of: list[int] = []
    lengths = np.zeros(len(texts), np.int32)
    for first, last in _runs(continues):
        run = texts[first:last]
        ends = np.cumsum([len(text) for text in run])
        cell, cell_end = 0, int(ends[0])
        for offset, word in words("".join(run)):
            while offset >= cell_end:
                cell += 1
                cell_end = int(ends[cell])
            term_of.append(terms.setdefault(word, len(terms)))
            cell_of.append(first + cell)
    cells = np.array(cell_of, np.int64)
    np.add.at(lengths, cells, 1)
    by_bytes = sorted((word.encode("utf-8"), index) for word, index in terms.items())
    rank = np.empty(len(terms), np.int64)
    rank[[index for _, index in by_bytes]] = np.arange(len(terms))
    width = max(len(texts), 1)
    keys, counts = np.unique(rank[np.array(term_of, np.int64)] * width + cells, return_counts=True)
    return Postings(
        term_bytes=np.frombuffer(b"".join(word for word, _ in by_bytes), np.uint8),
        term_ends=np.cumsum([len(word) for word, _ in by_bytes], dtype=np.int64),
        row_ends=np.cumsum(np.bincount(keys // width, minlength=len(terms)), dtype=np.int64),
        cells=(keys % width).astype(np.int32),
        counts=counts.astype(np.int32),
        lengths=lengths,
    )


def _runs(continues: Sequence[bool]) -> Iterable[tuple[int, int]]:
    starts = [at for at, joined in enumerate(continues) if at == 0 or not joined]
    return itertools.pairwise([*starts, len(continues)])


Found = Sequence[tuple[NDArray[np.int32], NDArray[np.int32]]]
"""For each word that occurs: the chunks of a level that hold it, ascending, and how often."""


def find_words(
    postings: Postings, question: str, cell_mask: NDArray[np.bool_] | None = None
) -> Found:
    """Return (cells, counts) of every word of the question that occurs in cells that take part.

    A word that the question repeats counts once.
    """
    found = []
    for word in dict.fromkeys(word for _, word in words(question)):
        cells, counts = postings.find(word)
        if cell_mask is not None:
            kept = cell_mask[cells]
            cells, counts = cells[kept], counts[kept]
        if len(cells):
            found.append((cells, counts))
    return found


def coarsen(found: Found, parents: NDArray[np.int32]) -> Found:
    """Return the words of the next coarser level; ``parents`` is the chunk above each chunk."""
    above = []
    for chunks, counts in found:
        holders = parents[chunks]
        new = np.flatnonzero(np.diff(holders, prepend=-1))
        above.append((holders[new], np.add.reduceat(counts, new)))
    return above


def bm25(
    found: Found, lengths: NDArray[np.float64], taking_part: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """Return the BM25 score of every chunk of a level.

    Args:
        found: The question's words at this level.
        lengths: Words of each chunk, shape (chunks,).
        taking_part: Chunks whose statistics count, as if nothing else were there; None: all.

    Returns:
        Shape (chunks,); 0 where no word of the question occurs.

    Source:
        Robertson & Zaragoza 2009, with the idf ``log(1 + (N - n + 0.5) / (n + 0.5))``.
    """
    scores = np.zeros(len(lengths))
    if not found:
        return scores
    counted = lengths if taking_part is None else lengths[taking_part]
    damping = K1 * (1 - B + B * lengths / counted.mean())
    for chunks, counts in found:
        idf = math.log(1 + (len(counted) - len(chunks) + 0.5) / (len(chunks) + 0.5))
        scores[chunks] += idf * (K1 + 1) * counts / (counts + damping[chunks])
    return scores
