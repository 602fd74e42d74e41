"""Cut where the meaning turns: LlamaIndex's SemanticSplitterNodeParser.

Each sentence is embedded with its neighbours; where the cosine distance from one to the next is
above a percentile of the document's distances, a chunk ends. The model knows no largest size and
makes chunks of thousands of tokens; here sentences are packed up to the size between two turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from configs.settings import SlicingSettings
from parsers.model import Document
from tasks.slicing.baselines import sentence_cuts
from tasks.slicing.packing import fill
from tasks.slicing.tokens import TokenGrid

VERSION = 1
"""Raise it when the same document gives other cuts."""

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to unit vectors, shape (n, dim); longer ones may be cut."""

BUFFER = 1
"""Sentences on either side that are embedded with one: LlamaIndex's ``buffer_size``."""


def cut_semantic(
    document: Document, settings: SlicingSettings, tokens: TokenGrid, embed: Embed
) -> tuple[NDArray[np.int64], ...]:
    """Return the cuts of the one level."""
    size = settings.sizes[0]
    ends = sentence_cuts(document, tokens, size)
    turns = turning_distances(document.text, ends, embed)
    forced = np.zeros(len(ends), dtype=np.bool_)
    if len(turns):
        forced[1:-1] = turns > np.percentile(turns, settings.percentile)
    return (ends[fill(tokens.before(ends).tolist(), forced.tolist(), size)],)


def turning_distances(
    text: str, ends: NDArray[np.int64], embed: Embed, buffer: int = BUFFER
) -> NDArray[np.float64]:
    """Return the cosine distance over each inner end, shape (sentences - 1,).

    Args:
        text: The document's text.
        ends: Ends of its sentences, 0 first.
        embed: Gives the vectors.
        buffer: Sentences on either side that are embedded with each.
    """
    n = len(ends) - 1
    if n < 2:
        return np.zeros(0)
    groups = [text[ends[max(0, i - buffer)] : ends[min(n, i + buffer + 1)]] for i in range(n)]
    vectors = embed(groups).astype(np.float64)
    return np.asarray(1.0 - (vectors[:-1] * vectors[1:]).sum(axis=1))
