"""Chunks: the one place where offsets become text, fingerprints, parents and provenance."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from configs.settings import SlicingSettings
from parsers.model import Document
from tasks.slicing.cuts import STRATEGY_VERSIONS, Cuts, CutsError, cut
from tasks.slicing.provenance import Provenance
from tasks.slicing.semantic import Embed
from tasks.slicing.tokens import TokenGrid, Tokenize


@dataclass(frozen=True, slots=True)
class Chunk:
    """A span of a document at one level.

    Attributes:
        chunk_id: Identity, see :func:`chunk_id`.
        doc_id: Of the document.
        level: 0 is the finest (cells).
        size_tokens: The size configured for the level, in tokens.
        start: First code point in the document's text.
        end: After its last code point.
        cell_start: Ordinal of its first cell.
        cell_end: After the ordinal of its last cell.
        n_tokens: Tokens of the document's one tokenisation that begin in it.
        text: ``document.text[start:end]``.
        fingerprint: SHA-256 of the text's UTF-8 bytes: content, where ``chunk_id`` is identity.
        markers: Fingerprints of the next finer chunks it is made of, in order; none at level 0.
        parent_id: ``chunk_id`` of the chunk of the next coarser level that holds it.
        context: Header lines that its own text lacks, outermost first.
        heading_path: Headings above it, outermost first.
        locators: Of every block it touches, in order, each once.
        pages: 1-based pages it touches, ascending.
    """

    chunk_id: str
    doc_id: str
    level: int
    size_tokens: int
    start: int
    end: int
    cell_start: int
    cell_end: int
    n_tokens: int
    text: str
    fingerprint: str
    markers: tuple[str, ...]
    parent_id: str | None
    context: tuple[str, ...]
    heading_path: tuple[str, ...]
    locators: tuple[str, ...]
    pages: tuple[int, ...]


def fingerprint(text: str) -> str:
    """Return the SHA-256 of ``text`` in UTF-8, 64 hex digits."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def chunk_id(
    doc_id: str, text_sha256: str, strategy: str, version: int, level: int, start: int, end: int
) -> str:
    """Return the identity of a chunk: the same only for the same place in the same text."""
    parts = (doc_id, text_sha256, f"{strategy}/{version}", str(level), str(start), str(end))
    return hashlib.sha256("\n".join(parts).encode("utf-8")).hexdigest()


def slice_document(
    document: Document,
    settings: SlicingSettings,
    tokenize: Tokenize,
    embed: Embed | None = None,
) -> list[Chunk]:
    """Tokenise, cut and build: all chunks of ``document``, ordered by level and start."""
    tokens = TokenGrid.of(document.text, tokenize)
    return build_chunks(document, cut(document, settings, tokens, embed), tokens, settings)


def build_chunks(
    document: Document, cuts: Cuts, tokens: TokenGrid, settings: SlicingSettings
) -> list[Chunk]:
    """Return the chunks of every level, ordered by (level, start).

    Raises:
        CutsError: The cuts end elsewhere than the text, or have another number of levels than
            the settings have sizes.
    """
    text = document.text
    if cuts.text_length != len(text) or len(cuts.levels) != len(settings.sizes):
        raise CutsError(
            f"{document.source.uri}: cuts of {len(cuts.levels)} levels up to {cuts.text_length} "
            f"for a text of {len(text)} and {len(settings.sizes)} sizes"
        )
    provenance = Provenance(document)
    identity = (document.doc_id, document.text_sha256, settings.strategy)
    version = STRATEGY_VERSIONS[settings.strategy]
    ids = [
        [chunk_id(*identity, version, level, *span) for span in _spans(offsets)]
        for level, offsets in enumerate(cuts.levels)
    ]
    chunks: list[Chunk] = []
    finer: list[str] = []  # fingerprints of the level below
    for level, offsets in enumerate(cuts.levels):
        spans = _spans(offsets)
        texts = [text[start:end] for start, end in spans]
        prints = [fingerprint(own) for own in texts]
        cells = np.searchsorted(cuts.levels[0], offsets).tolist()
        below = np.searchsorted(cuts.levels[level - 1], offsets).tolist() if level else []
        counts = np.diff(tokens.before(offsets)).tolist()
        parents = _parents(cuts, level, ids)
        sources = provenance.of(offsets, texts)
        for i, (start, end) in enumerate(spans):
            chunks.append(
                Chunk(
                    ids[level][i],
                    identity[0],
                    level,
                    settings.sizes[level],
                    start,
                    end,
                    cells[i],
                    cells[i + 1],
                    counts[i],
                    texts[i],
                    prints[i],
                    tuple(finer[below[i] : below[i + 1]]) if level else (),
                    parents[i],
                    *sources[i],
                )
            )
        finer = prints
    return chunks


def _spans(offsets: NDArray[np.int64]) -> list[tuple[int, int]]:
    return list(itertools.pairwise(offsets.tolist()))


def _parents(cuts: Cuts, level: int, ids: list[list[str]]) -> list[str | None]:
    """Return the id of the chunk of the next level that holds each chunk of this one."""
    offsets = cuts.levels[level]
    if level + 1 == len(cuts.levels):
        return [None] * (len(offsets) - 1)
    above = np.searchsorted(cuts.levels[level + 1], offsets[:-1], side="right") - 1
    return [ids[level + 1][i] for i in above.tolist()]
