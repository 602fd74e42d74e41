"""Encoders: what a model is, and the sentence-transformers adapter. Torch loads at first use."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.settings import EncoderSettings
from tasks.embedding.info import Encoder, EncoderError, EncoderInfo, TruncationError
from tasks.embedding.resolve import ResolvedModel, resolve
from tasks.embedding.tokens import TokenCounter

__all__ = [
    "Encoder",
    "EncoderError",
    "EncoderInfo",
    "SentenceEncoder",
    "TruncationError",
    "encoder_info",
    "load_encoder",
    "plan_batches",
]


_ONE_THREAD_TOKENS = 256
"""A question: threads that wait for each other on a busy machine cost more than they save.
Measured with E5 on two cores that others used too: 69 ms (95 %: 630) with two threads, 27 (40) with
one."""


def encoder_info(settings: EncoderSettings) -> EncoderInfo:
    """Return the identity of the encoder, without importing torch or building the model.

    Raises:
        EncoderError: The model cannot be found.
    """
    return resolve(settings).info


def load_encoder(settings: EncoderSettings) -> SentenceEncoder:
    """Return the encoder of the settings; the same object for equal settings in one process.

    Its tokenizer is ready; the network is loaded when the first text is encoded.

    Raises:
        EncoderError: The model cannot be found, or has no fast tokenizer.
    """
    return _load(settings)


@functools.cache
def _load(settings: EncoderSettings) -> SentenceEncoder:
    return SentenceEncoder(resolve(settings), settings.device, settings.batch_tokens)


def plan_batches(
    lengths: NDArray[np.int64], strings: Sequence[str], batch_tokens: int
) -> Iterator[list[int]]:
    """Yield batches of indices, long strings first, none over ``batch_tokens`` padding included.

    Ties are settled by the strings themselves, so the same set of strings gives the same batches
    in whatever order it comes. A single string longer than the bound is a batch of its own.
    """
    order = sorted(range(len(strings)), key=lambda i: (-int(lengths[i]), strings[i]))
    batch: list[int] = []
    for index in order:
        # sorted, so that the first of a batch is its longest
        if batch and (len(batch) + 1) * int(lengths[batch[0]]) > batch_tokens:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


@contextlib.contextmanager
def _threads_for(tokens: int) -> Iterator[None]:
    """Let a short input be computed by one thread, and anything else by as many as torch likes."""
    if not 0 < tokens <= _ONE_THREAD_TOKENS:
        yield
        return
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


class SentenceEncoder:
    """Any sentence-transformers folder, in float32.

    Args:
        model: The resolved model.
        device: ``auto`` (a GPU when there is one), ``cpu``, ``cuda`` or ``cuda:N``.
        batch_tokens: Most tokens in a batch, padding included.
    """

    def __init__(self, model: ResolvedModel, device: str, batch_tokens: int) -> None:
        self._resolved = model
        self._device = device
        self._batch_tokens = batch_tokens
        self._network: Any = None
        self._lock = threading.Lock()
        folder = model.folder()
        try:
            self._counter = TokenCounter.from_folder(folder)
        except FileNotFoundError as error:
            raise EncoderError(
                f"The model {self.info.name} has no tokenizer.json in {folder}.",
                "Save it once with a recent transformers (AutoTokenizer(...).save_pretrained).",
            ) from error

    @property
    def info(self) -> EncoderInfo:
        """Identity of the encoder."""
        return self._resolved.info

    def encode_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one L2-normalised vector per text, shape (n, dim), in the order given.

        Raises:
            TruncationError: A text with its prefix exceeds ``info.max_tokens``.
        """
        return self._encode([self.info.passage(text) for text in texts])

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one L2-normalised vector per question, shape (n, dim), in the order given.

        Raises:
            TruncationError: A question with its prefix exceeds ``info.max_tokens``.
        """
        return self._encode([self.info.query(text) for text in texts])

    def token_starts(self, text: str) -> NDArray[np.int64]:
        """Return the first code point of every token of ``text``, ascending, no specials."""
        return self._counter.token_starts(text)

    def count(self, text: str) -> int:
        """Return how many tokens ``text`` has, without prefix and specials."""
        return int(self._counter.counts([text])[0])

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Return :meth:`count` of every text, shape (n,)."""
        return self._counter.counts(texts)

    def embedded_length(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Return the exact input length of every passage, prefix and specials included."""
        return self._counter.input_lengths([self.info.passage(text) for text in texts])

    def _encode(self, strings: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.empty((len(strings), self.info.dim), np.float32)
        lengths = self._counter.input_lengths(strings)
        if int(lengths.max(initial=0)) > self.info.max_tokens:
            worst = int(lengths.argmax())
            raise TruncationError(
                f"A text of {lengths[worst]} tokens exceeds the {self.info.max_tokens} that "
                f"{self.info.name} reads: {strings[worst][:80]!r}…",
                "Shorten it (smaller slicing.sizes for a passage) or use a longer encoder.",
            )
        if not len(strings):
            return vectors
        network = self._model()
        with _threads_for(int(lengths.sum())):
            for batch in plan_batches(lengths, strings, self._batch_tokens):
                vectors[batch] = network.encode(
                    [strings[i] for i in batch],
                    prompt="",  # the prefix is in the string; a default prompt would add another
                    batch_size=len(batch),
                    normalize_embeddings=True,
                    convert_to_numpy=True,
                    show_progress_bar=False,
                )
        return vectors

    def _model(self) -> Any:
        with self._lock:
            if self._network is None:
                self._network = self._load_network()
            return self._network

    def _load_network(self) -> Any:
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as transformers_logging

        device = self._device
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            model = SentenceTransformer(
                str(self._resolved.folder()),
                device=device,
                local_files_only=True,
                model_kwargs={"dtype": torch.float32},
            )
        except Exception as error:  # many libraries, many errors, one answer
            raise EncoderError(
                f"The model {self.info.name} could not be loaded on {device}: {error}",
                "Check encoder.ref and encoder.device; `microtome doctor` shows what is there.",
            ) from error
        dim = model.get_embedding_dimension()
        if dim != self.info.dim:
            raise EncoderError(
                f"The model {self.info.name} gives vectors of {dim}, its folder says "
                f"{self.info.dim}.",
                "Save the model again with SentenceTransformer.save.",
            )
        return model.eval()
