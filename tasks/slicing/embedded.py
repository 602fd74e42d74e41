"""The exact string that is embedded for a chunk: its context, cut short, over its text."""

from __future__ import annotations

from collections.abc import Callable

from configs.settings import SlicingSettings
from tasks.slicing.chunks import Chunk

_MIN_LINE = 4
"""Tokens below which a context line says nothing: outer lines go first (a guess)."""

Count = Callable[[str], int]
"""Token count of a string."""


def embedded_text(chunk: Chunk, count: Count, settings: SlicingSettings) -> str:
    """Return context and text of ``chunk`` as the encoder gets them.

    Context takes at most ``context_share`` of the finest size in tokens and is shortened first;
    the text is never touched. Without context, the text alone.
    """
    room = int(settings.context_share * settings.sizes[0])
    context = shorten(chunk.context, count, room)
    return "\n".join((*context, chunk.text)) if context else chunk.text


def shorten(context: tuple[str, ...], count: Count, room: int) -> tuple[str, ...]:
    """Return ``context`` in at most ``room`` tokens, counted as it will stand, lines joined.

    Outer lines go while there are too many; then the longest lines lose words at their end, so that
    a short title survives beside a long lead-in.
    """
    context = tuple(line for line in context if line.strip())[-max(1, room // _MIN_LINE) :]
    if not context or count("\n".join(context)) <= room:
        return context
    words = [line.split() for line in context]
    longest = max(map(len, words))
    low, high = 0, longest  # most words a line may keep: low fits, high does not
    while high - low > 1:
        middle = (low + high) // 2
        if count(_clip(words, middle)) <= room:
            low = middle
        else:
            high = middle
    return tuple(line for line in _clip(words, low).split("\n") if line)


def _clip(words: list[list[str]], most: int) -> str:
    return "\n".join(" ".join(line[:most]) for line in words)
