"""Counting tokens with a copy of a model's tokenizer, which never truncates and never warns.

The model's own tokenizer is left alone: raising its limit to count long texts quietly would turn
truncation off in the model as well, and long inputs then crash it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

PIECE_CHARACTERS = 16_384
"""Length of the pieces a long text is tokenised in. A guess that keeps every core busy and every
piece small; the pieces meet only before white space, so the tokens are those of the whole text."""

_BEFORE_SPACE = re.compile(r"(?<=\S)(?=\s)")


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans that tile ``text``; each begins where white space follows a word."""
    start = 0
    while len(text) - start > PIECE_CHARACTERS:
        found = _BEFORE_SPACE.search(text, start + PIECE_CHARACTERS)
        if found is None:
            break
        yield start, found.start()
        start = found.start()
    yield start, len(text)


class TokenCounter:
    """One tokenizer, for counts and offsets only.

    Args:
        tokenizer: Becomes the property of the counter: truncation and padding are turned off.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    @classmethod
    def from_folder(cls, folder: Path) -> TokenCounter:
        """Read ``tokenizer.json`` of a model folder.

        Raises:
            FileNotFoundError: The folder has none.
        """
        path = folder / "tokenizer.json"
        if not path.is_file():
            raise FileNotFoundError(path)
        return cls(Tokenizer.from_file(str(path)))

    def token_starts(self, text: str) -> NDArray[np.int64]:
        """Return the first code point of every token, ascending, shape (tokens,)."""
        spans = list(_pieces(text))
        encodings = self._tokenizer.encode_batch(
            [text[a:b] for a, b in spans], add_special_tokens=False
        )
        starts = [
            np.fromiter((a + offset[0] for offset in encoding.offsets), np.int64, len(encoding))
            for (a, _), encoding in zip(spans, encodings, strict=True)
        ]
        # normalisers that reorder marks may report an offset a little behind its neighbour's
        return np.maximum.accumulate(np.concatenate(starts))

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Return the number of tokens of each text, shape (n,)."""
        found = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return np.fromiter((len(one) for one in found), np.int64, len(found))

    def input_lengths(self, strings: Sequence[str]) -> NDArray[np.int64]:
        """Return the tokens of each string with the model's special tokens, shape (n,)."""
        found = self._tokenizer.encode_batch_fast(list(strings), add_special_tokens=True)
        return np.fromiter((len(one) for one in found), np.int64, len(found))
