"""Vectors of strings that only steer a cut: what a model cannot read of one is left out.

Nothing that is stored is embedded this way; there a string over the limit is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tasks.embedding.info import Encoder


def clipping(encoder: Encoder) -> Callable[[Sequence[str]], NDArray[np.float32]]:
    """Return a function from texts to unit vectors, shape (n, dim), that takes texts of any length.

    A text over the model's limit loses tokens at its end until it fits.
    """
    limit = encoder.info.max_tokens

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        lengths = encoder.embedded_length(texts).tolist()
        return encoder.encode_passages(
            [
                text if length <= limit else _clip(encoder, text, length - limit)
                for text, length in zip(texts, lengths, strict=True)
            ]
        )

    def _clip(encoder: Encoder, text: str, over: int) -> str:
        while over > 0 and text:
            starts = encoder.token_starts(text)
            text = text[: starts[max(0, len(starts) - over)]]
            over = int(encoder.embedded_length([text])[0]) - limit
        return text

    return embed
