"""Where the tokens of a document begin: the one unit in which every size is counted.

A document is tokenised once. A span holds the tokens that *begin* in it, so counts add up: the
tokens of a chunk are the sum of the tokens of its cells, whatever the tokenizer does at edges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microtome import MicrotomeError

Tokenize = Callable[[str], NDArray[np.int64]]
"""Text to the code-point offsets at which its tokens begin, shape (n_tokens,), non-decreasing."""


class TokenGridError(MicrotomeError, ValueError):
    """A tokenizer gave offsets that are no grid: not sorted, or outside the text."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenGrid:
    """The token starts of one text.

    Attributes:
        starts: Code-point offset at which each token begins, shape (n_tokens,), non-decreasing.
            Several tokens may begin at one offset (byte pieces of an emoji). A token at the very
            end of the text (one of no width) is counted with the last code point.
        text_length: Length of the text in code points.

    Raises:
        TokenGridError: ``starts`` is not sorted or leaves the text.
    """

    starts: NDArray[np.int64]
    text_length: int

    def __post_init__(self) -> None:
        """Check the offsets once, so that no later search can go wrong in silence."""
        starts = self.starts
        if starts.ndim != 1 or starts.dtype != np.int64:
            raise TokenGridError(f"token starts: int64 of one axis, got {starts.dtype}")
        if len(starts) and (starts[0] < 0 or starts[-1] > self.text_length):
            raise TokenGridError(
                f"token starts {starts[0]}..{starts[-1]} leave a text of {self.text_length}"
            )
        if bool(np.any(starts[1:] < starts[:-1])):
            raise TokenGridError("token starts must not decrease")
        last = self.text_length - 1  # a token of no width at the very end belongs to what it ends
        inside = np.minimum(starts, last) if last >= 0 else starts[:0]
        object.__setattr__(self, "starts", inside)

    @classmethod
    def of(cls, text: str, tokenize: Tokenize) -> TokenGrid:
        """Tokenise ``text``."""
        return cls(np.asarray(tokenize(text), dtype=np.int64), len(text))

    def before(self, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many tokens begin before each offset; differences are counts of spans."""
        return np.searchsorted(self.starts, offsets).astype(np.int64)

    def count(self, start: int, end: int) -> int:
        """Return the number of tokens that begin in ``[start, end)``; additive over spans."""
        return self._before(end) - self._before(start)

    def offset_after(self, start: int, n: int) -> int:
        """Return the furthest offset such that ``[start, offset)`` holds at most ``n`` tokens."""
        first = self._before(start) + n
        return int(self.starts[first]) if first < len(self.starts) else self.text_length

    def _before(self, offset: int) -> int:
        return int(self.starts.searchsorted(offset))
