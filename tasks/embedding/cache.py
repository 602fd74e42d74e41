"""Vectors by content: one SQLite file, safe with several processes and after a kill."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

_BUSY_S = 60.0
"""Seconds to wait while another process writes. A guess; a write takes milliseconds."""
_KEYS_PER_QUERY = 500
"""Keys in one SELECT: below SQLite's historical limit of 999 variables."""


def vector_key(embedded: str, encoder_id: str) -> bytes:
    """Return the key of an exact embedded string (prefix included) under an encoder, 32 bytes."""
    digest = hashlib.sha256(encoder_id.encode("utf-8"))
    digest.update(b"\0")
    digest.update(embedded.encode("utf-8"))
    return digest.digest()


class VectorCache:
    """A map from :func:`vector_key` to a float32 vector, kept in a file.

    Every ``put_many`` is one transaction in write-ahead mode: after a kill the file holds whole
    batches or nothing of them. Use one object per process and thread.

    Args:
        path: The SQLite file; made with its folder when missing.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
        # switching a new file to write-ahead mode does not wait for others but fails: one at a time
        with FileLock(f"{path}.lock", timeout=_BUSY_S):
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) "
                "WITHOUT ROWID"
            )
        self._connection.execute("PRAGMA synchronous=NORMAL")

    def __enter__(self) -> VectorCache:
        """Return the cache itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()

    def __len__(self) -> int:
        """Return how many vectors are kept."""
        return int(self._connection.execute("SELECT count(*) FROM vectors").fetchone()[0])

    def close(self) -> None:
        """Close the file; the object is of no use afterwards."""
        self._connection.close()

    def get_many(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """Return the vectors that are there, by key, each of shape (dim,) and read-only."""
        found: dict[bytes, NDArray[np.float32]] = {}
        for at in range(0, len(keys), _KEYS_PER_QUERY):
            part = keys[at : at + _KEYS_PER_QUERY]
            marks = ",".join("?" * len(part))
            rows = self._connection.execute(
                f"SELECT key, vector FROM vectors WHERE key IN ({marks})", part
            )
            found.update((key, np.frombuffer(blob, np.float32)) for key, blob in rows)
        return found

    def put_many(self, items: Iterable[tuple[bytes, NDArray[np.float32]]]) -> None:
        """Keep vectors in one transaction; a key that is there keeps the vector it has."""
        rows = [(key, np.ascontiguousarray(vector, np.float32).tobytes()) for key, vector in items]
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
