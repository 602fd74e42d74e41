"""Answers by request: the same question is asked once, and a second run gives the same text."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

_BUSY_S = 60.0
"""Seconds to wait while another process writes. A guess; a write takes milliseconds."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's words and why it stopped (``stop``, ``length``, …)."""

    content: str
    finish_reason: str


def request_key(body: Mapping[str, Any], prompt_version: int) -> bytes:
    """Return the key of a request, 32 bytes: all of its content, the model and the prompt.

    The endpoint's address is not part of it: a model is known by its name.
    """
    content = json.dumps([prompt_version, body], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(content.encode("utf-8")).digest()


class AnswerCache:
    """A map from :func:`request_key` to a reply, kept in a file.

    Answers that were refused are kept too: the same request would give them again. Use one object
    per process and thread.

    Args:
        path: The SQLite file, made with its folder when missing; None keeps nothing on disk.
    """

    def __init__(self, path: Path | None) -> None:
        if path is None:
            self._connection = sqlite3.connect(":memory:", isolation_level=None)
            self._create()
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
        # switching a new file to write-ahead mode does not wait for others but fails: one at a time
        with FileLock(f"{path}.lock", timeout=_BUSY_S):
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._create()

    def _create(self) -> None:
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, model TEXT NOT NULL, "
            "content TEXT NOT NULL, finish_reason TEXT NOT NULL) WITHOUT ROWID"
        )

    def __enter__(self) -> AnswerCache:
        """Return the cache itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close the file."""
        self._connection.close()

    def get(self, key: bytes) -> Reply | None:
        """Return the reply to a request that was made before, or None."""
        row = self._connection.execute(
            "SELECT content, finish_reason FROM answers WHERE key = ?", (key,)
        ).fetchone()
        return None if row is None else Reply(*row)

    def keep(self, key: bytes, model: str, reply: Reply) -> Reply:
        """Keep a reply and return the one kept: another process may have been first."""
        content = reply.content.encode("utf-8", "replace").decode("utf-8")  # no lone surrogates
        self._connection.execute(
            "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)",
            (key, model, content, reply.finish_reason),
        )
        kept = self.get(key)
        assert kept is not None
        return kept
