"""What a chunk touches: blocks and pages, and from them its context, headings and locators."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from parsers.model import Document
from tasks.slicing.layout import leads_on

Sources = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[int, ...]]
"""Context, heading path, locators, pages: the last four fields of a chunk."""


class Provenance:
    """Answers for the chunks of one document.

    Args:
        document: The document; only its blocks and pages are looked at.
    """

    def __init__(self, document: Document) -> None:
        blocks = document.blocks
        self._blocks = blocks
        self._starts = np.array([b.start for b in blocks], dtype=np.int64)
        self._located = any(b.locator for b in blocks)
        self._body = [0] * len(blocks)  # first block at or after each that is no lead
        body = len(blocks)
        for i in range(len(blocks) - 1, -1, -1):
            if not leads_on(blocks, i):
                body = i
            self._body[i] = body
        pages = [(p.start, p.number) for p in document.pages if p.end > p.start]
        if not document.pages:
            pages = [(b.start, b.page) for b in blocks if b.page is not None]
        self._page_starts = np.array([start for start, _ in pages], dtype=np.int64)
        self._page_numbers = [number for _, number in pages]

    def of(self, offsets: NDArray[np.int64], texts: list[str]) -> list[Sources]:
        """Return the sources of the chunks between consecutive ``offsets``."""
        block_from, block_to = _touched(self._starts, offsets)
        page_from, page_to = _touched(self._page_starts, offsets)
        sources: list[Sources] = []
        for i, text in enumerate(texts):
            first, after = block_from[i], block_to[i]
            pages = dict.fromkeys(self._page_numbers[page_from[i] : page_to[i]])
            headers = self._headers(first, after, text)
            sources.append((*headers, self._locators(first, after), tuple(pages)))
        return sources

    def _headers(
        self, first: int, after: int, text: str
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return context and heading path of a chunk: those of its first block that is no lead."""
        if first >= after:
            return (), ()
        body = self._body[first]
        block = self._blocks[body if body < after else first]
        context = block.context or block.heading_path
        return without_present(context, text), block.heading_path

    def _locators(self, first: int, after: int) -> tuple[str, ...]:
        if not self._located:
            return ()
        return tuple(dict.fromkeys(b.locator for b in self._blocks[first:after] if b.locator))


def _touched(starts: NDArray[np.int64], offsets: NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """Return the first and the last + 1 of the tiles that each span between offsets touches."""
    first = np.maximum(np.searchsorted(starts, offsets[:-1], side="right") - 1, 0)
    after = np.searchsorted(starts, offsets[1:], side="left")
    return first.tolist(), after.tolist()


def without_present(context: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Return the lines of ``context`` that do not stand in ``text`` as whole words already."""
    if not context:
        return context
    folded = f" {' '.join(text.split())} "
    return tuple(line for line in context if f" {' '.join(line.split())} " not in folded)
