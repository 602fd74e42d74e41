"""The cuts people know from other libraries, for comparison at equal tokens.

Each follows its model as far as chunks that tile the text allow: white space is never stripped,
tokens are those of the one tokenisation of the document, sentences are ours. Where that makes a
difference to the model's own chunks is said in DECISIONS.md and measured in the tests.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from configs.settings import SlicingSettings
from parsers.model import Document
from tasks.slicing.graphemes import keep_boundaries
from tasks.slicing.hard import grapheme_limit, hard_cuts
from tasks.slicing.packing import fill
from tasks.slicing.sentences import sentence_ends
from tasks.slicing.tokens import TokenGrid

VERSION = 1
"""Raise it when the same document gives other cuts by any strategy of this module."""

_SEPARATORS = ("\n\n", "\n", " ")
"""Of LangChain's RecursiveCharacterTextSplitter, before single characters."""

Row = NDArray[np.int64]
"""Cut offsets of one level."""


def cut_sentences(
    document: Document, settings: SlicingSettings, tokens: TokenGrid
) -> tuple[Row, ...]:
    """Pack whole sentences up to the size, from the start: LlamaIndex's SentenceSplitter.

    Its model packs sentences of one paragraph before it looks at the next and never looks ahead.
    """
    size = settings.sizes[0]
    ends = sentence_cuts(document, tokens, size)
    forced = [False] * len(ends)
    return (ends[fill(tokens.before(ends).tolist(), forced, size)],)


def cut_sentence_window(
    document: Document, settings: SlicingSettings, tokens: TokenGrid
) -> tuple[Row, ...]:
    """Let every sentence be a cell: LlamaIndex's SentenceWindowNodeParser.

    The window around a hit is a way of searching (``window:3``), not of cutting: windows overlap.
    """
    return (sentence_cuts(document, tokens, settings.sizes[0]),)


def cut_hierarchical(
    document: Document, settings: SlicingSettings, tokens: TokenGrid
) -> tuple[Row, ...]:
    """Cut the biggest size first, then each chunk on its own: LlamaIndex's HierarchicalNodeParser.

    Its model lets neighbours of a size overlap by 20 tokens; here they do not, or no chunk would
    have one parent.
    """
    row = np.array([0, len(document.text)] if document.text else [0], dtype=np.int64)
    levels: list[Row] = []
    for size in reversed(settings.sizes):
        ends = np.union1d(sentence_cuts(document, tokens, size), row)
        forced = np.isin(ends, row).tolist()
        row = ends[fill(tokens.before(ends).tolist(), forced, size)]
        levels.insert(0, row)
    return tuple(levels)


def cut_recursive(
    document: Document, settings: SlicingSettings, tokens: TokenGrid
) -> tuple[Row, ...]:
    """Cut at blank lines, within what is too big at line breaks, then at spaces, then anywhere.

    LangChain's RecursiveCharacterTextSplitter with the separator kept at the start of what follows
    (its default) and a length in tokens, which is summed over the pieces as the model does.
    """
    cuts = [0, *_recursive(document.text, tokens, 0, len(document.text), settings.sizes[0], 0)]
    return (keep_boundaries(document.text, np.unique(np.array(cuts, dtype=np.int64))),)


def sentence_cuts(document: Document, tokens: TokenGrid, size: int) -> Row:
    """Return the ends of sentences, 0 first, with cuts inside those above ``size`` tokens."""
    text = document.text
    ends = np.concatenate([[0, len(text)], sentence_ends(text, document.language)])
    natural = keep_boundaries(text, np.unique(ends).astype(np.int64))
    counts = np.diff(tokens.before(natural))
    extra = [
        hard
        for i in np.flatnonzero(counts > size).tolist()
        for hard in hard_cuts(text, tokens, int(natural[i]), int(natural[i + 1]), size, size)
    ]
    return np.union1d(natural, np.array(extra, dtype=np.int64))


def _recursive(
    text: str, tokens: TokenGrid, start: int, end: int, size: int, separator: int
) -> list[int]:
    """Return the ends of the chunks of ``text[start:end]``, ascending."""
    while separator < len(_SEPARATORS) and text.find(_SEPARATORS[separator], start, end) < 0:
        separator += 1
    ends: list[int] = []
    if separator == len(_SEPARATORS):
        while tokens.count(start, end) > size:
            start = min(grapheme_limit(text, tokens, start, size), end)
            ends.append(start)
        return [*ends, end] if start < end else ends
    edges = [start, *_occurrences(text, _SEPARATORS[separator], start, end), end]
    counts = np.diff(tokens.before(np.array(edges, dtype=np.int64))).tolist()
    began, held = start, 0
    for (at, to), count in zip(itertools.pairwise(edges), counts, strict=True):
        if count >= size:  # LangChain splits a piece of exactly the size as well
            if at > began:
                ends.append(at)
            ends += _recursive(text, tokens, at, to, size, separator + 1)
            began, held = to, 0
        elif held + count > size:
            ends.append(at)
            began, held = at, count
        else:
            held += count
    return [*ends, end] if end > began else ends


def _occurrences(text: str, separator: str, start: int, end: int) -> list[int]:
    """Return where ``separator`` stands after ``start``, without overlaps, from the left."""
    found = []
    at = text.find(separator, start, end)
    while at >= 0:
        if at > start:
            found.append(at)
        at = text.find(separator, at + len(separator), end)
    return found
