"""What an encoder is: its identity, its protocol and its errors. No model is imported here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from microtome import MicrotomeError


class EncoderError(MicrotomeError):
    """A model cannot be found, loaded or used.

    Attributes:
        message: What happened, with the reference of the model.
        remedy: What the reader can do about it.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        """Keep every argument, so that the error crosses a process boundary whole."""
        super().__init__(message, remedy)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        """Return the message and what to do."""
        return f"{self.message} {self.remedy}".rstrip()


class TruncationError(EncoderError):
    """A string is longer than the model reads; nothing is ever cut silently."""


@dataclass(frozen=True, slots=True)
class EncoderInfo:
    """Identity of an encoder: equal infos give comparable vectors.

    Attributes:
        name: Short name of the model, for people.
        revision: Commit or release of the model.
        weights_sha256: SHA-256 over the files that decide the vectors, 64 hex digits.
        dim: Length of a vector.
        max_tokens: Longest input the model reads, prefix and special tokens included.
        passage_prefix: Put before every passage.
        query_prefix: Put before every question.
        dtype: Number format the model computes in.
    """

    name: str
    revision: str
    weights_sha256: str
    dim: int
    max_tokens: int
    passage_prefix: str
    query_prefix: str
    dtype: str

    @property
    def id(self) -> str:
        """``name@revision#sha256``: readable, and different whenever any field differs."""
        content = json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)
        digest = hashlib.sha256(content.encode("utf-8")).hexdigest()
        return f"{self.name}@{self.revision}#{digest}"

    def passage(self, text: str) -> str:
        """Return the exact string that is embedded for a passage: prefix and trimmed text."""
        return self.passage_prefix + text.strip()

    def query(self, text: str) -> str:
        """Return the exact string that is embedded for a question: prefix and trimmed text."""
        return self.query_prefix + text.strip()


class Encoder(Protocol):
    """Texts in, unit vectors out; and one tokenisation for slicing and for budgets."""

    @property
    def info(self) -> EncoderInfo:
        """Identity of the encoder."""
        ...

    def encode_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one L2-normalised vector per text, shape (n, dim), in the order given.

        Raises:
            TruncationError: A text with its prefix exceeds ``info.max_tokens``.
        """
        ...

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one L2-normalised vector per question, shape (n, dim), in the order given."""
        ...

    def token_starts(self, text: str) -> NDArray[np.int64]:
        """Return the first code point of every token of ``text``, ascending, no specials."""
        ...

    def count(self, text: str) -> int:
        """Return how many tokens ``text`` has, without prefix and specials."""
        ...

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Return :meth:`count` of every text, shape (n,)."""
        ...

    def embedded_length(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Return the exact input length of every passage, prefix and specials included."""
        ...
