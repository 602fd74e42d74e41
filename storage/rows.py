"""Rows of the catalog, typed."""

from __future__ import annotations

import dataclasses
import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


def now() -> str:
    """Return the time in UTC, ISO 8601, to the millisecond."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")


class DocumentStatus(StrEnum):
    """What became of a document."""

    INDEXED = "indexed"
    FAILED = "failed"
    SKIPPED = "skipped"
    EMPTY = "empty"


class RunState(StrEnum):
    """What became of a run."""

    RUNNING = "running"
    COMPLETED = "completed"
    COMPLETED_WITH_ERRORS = "completed_with_errors"
    FAILED = "failed"
    CRASHED = "crashed"
    """Its process died before it could say how it ended."""


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """One document as the last run left it.

    Attributes:
        uri: Its address.
        doc_id: Its id.
        root: The source on the command line under which it was found.
        sha256: Of its bytes, "" when they could not be read.
        recipe: Hash of everything that turns bytes into chunks and vectors.
        size_bytes: Length of the file.
        mtime_ns: Time of its last change, nanoseconds since 1970; 0 where not known.
        status: See :class:`DocumentStatus`.
        part: Name of the part that the index holds, None when it holds nothing of the document.
            A failed document may keep the part of its last good version.
        n_chunks: Chunks in that part.
        n_cells: Cells in that part.
        ingested_at: When the part was committed (UTC, ISO 8601), "" when there is none.
        run_id: The run that wrote this row.
        checked_at: When a run last looked at the source (UTC, ISO 8601).
        reason: Why it was skipped, or "".
    """

    uri: str
    doc_id: str
    root: str
    sha256: str
    recipe: str
    size_bytes: int
    mtime_ns: int
    status: DocumentStatus
    part: str | None
    n_chunks: int
    n_cells: int
    ingested_at: str
    run_id: str
    checked_at: str
    reason: str = ""

    def without_part(self) -> DocumentRow:
        """Return the row of a document whose part is lost: the next ingest makes it anew."""
        return dataclasses.replace(
            self, status=DocumentStatus.FAILED, part=None, sha256="", n_chunks=0, n_cells=0,
            ingested_at="", reason="its part was damaged",
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class FailureRow:
    """One failure of one document (fields of ``parsers.model.Failure`` and the run)."""

    uri: str
    stage: str
    page: int | None
    error: str
    message: str
    remedy: str
    transient: bool
    run_id: str


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run.

    Attributes:
        run_id: Its id.
        started: UTC, ISO 8601.
        ended: UTC, ISO 8601; None while it runs.
        state: See :class:`RunState`.
        counts: What it did, such as ``{"new": 3, "failed": 1}``.
        version: The version it published, None when it published none.
        settings: The settings it ran with.
        encoder: Id of its encoder, or "".
        host: Name of the machine.
        pid: Its process there.
    """

    run_id: str
    started: str
    ended: str | None
    state: RunState
    counts: dict[str, Any]
    version: int | None
    settings: dict[str, Any]
    encoder: str
    host: str
    pid: int
