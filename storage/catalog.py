"""The catalog: what the store knows about documents, failures and runs, in SQLite.

Every change is one transaction in WAL mode, so a killed process leaves the state before or after
it, never between. A :class:`Catalog` is one connection: each thread opens its own.
"""

from __future__ import annotations

import dataclasses
import json
import os
import socket
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import psutil
import pyarrow as pa

from storage.errors import CatalogBusyError, StorageError
from storage.paths import StorePaths
from storage.rows import DocumentRow, DocumentStatus, FailureRow, RunRow, RunState, now
from storage.schema import SNAPSHOT

_VERSION = 1
_SCHEMA = """
CREATE TABLE runs (
    run_id TEXT PRIMARY KEY, started TEXT NOT NULL, ended TEXT, state TEXT NOT NULL,
    counts TEXT NOT NULL, version INTEGER, settings TEXT NOT NULL, encoder TEXT NOT NULL,
    host TEXT NOT NULL, pid INTEGER NOT NULL
) STRICT;
CREATE TABLE documents (
    uri TEXT PRIMARY KEY, doc_id TEXT NOT NULL UNIQUE, root TEXT NOT NULL, sha256 TEXT NOT NULL,
    recipe TEXT NOT NULL, size_bytes INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('indexed', 'failed', 'skipped', 'empty')),
    part TEXT, n_chunks INTEGER NOT NULL, n_cells INTEGER NOT NULL, ingested_at TEXT NOT NULL,
    run_id TEXT NOT NULL REFERENCES runs, checked_at TEXT NOT NULL, reason TEXT NOT NULL
) STRICT;
CREATE INDEX documents_by_root ON documents (root);
CREATE TABLE failures (
    uri TEXT NOT NULL, stage TEXT NOT NULL, page INTEGER, error TEXT NOT NULL,
    message TEXT NOT NULL, remedy TEXT NOT NULL, transient INTEGER NOT NULL,
    run_id TEXT NOT NULL REFERENCES runs
) STRICT;
CREATE INDEX failures_by_uri ON failures (uri);
CREATE TABLE pending (doc_id TEXT PRIMARY KEY) STRICT;
"""
_DOCUMENT = [field.name for field in dataclasses.fields(DocumentRow)]
_FAILURE = [field.name for field in dataclasses.fields(FailureRow)]
_RUN = [field.name for field in dataclasses.fields(RunRow)]
_UPSERT = (
    f"INSERT INTO documents ({', '.join(_DOCUMENT)}) VALUES ({', '.join('?' * len(_DOCUMENT))}) "
    f"ON CONFLICT (uri) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _DOCUMENT if name != "uri")
)


class Catalog:
    """One connection to a store's catalog, made where there is none.

    Args:
        paths: The store.
        busy_s: Seconds to wait for another process's transaction.

    Raises:
        StorageError: The file is no catalog, or of a newer microtome.
        CatalogBusyError: From any method: another process held the catalog for ``busy_s``.
    """

    def __init__(self, paths: StorePaths, busy_s: float = 30.0) -> None:
        self._paths = paths
        paths.root.mkdir(parents=True, exist_ok=True)
        with self._errors():
            self._connection = sqlite3.connect(paths.catalog, timeout=busy_s, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA foreign_keys = ON")
        self._create()

    def _create(self) -> None:
        with self._transaction() as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in _SCHEMA.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {_VERSION}")
            elif version != _VERSION:
                raise StorageError(
                    f"{self._paths.catalog} has version {version}, this microtome reads "
                    f"{_VERSION}.",
                    "Use the microtome that wrote it, or ingest into a new --store.",
                )

    def __enter__(self) -> Catalog:
        """Return the catalog itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the connection."""
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            message = f"{self._paths.catalog}: {error}."
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in (
                sqlite3.SQLITE_BUSY,
                sqlite3.SQLITE_LOCKED,
            ):
                raise CatalogBusyError(message) from error
            raise StorageError(message, "Check the disk; `microtome doctor` says more.") from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._errors():
            return self._connection.execute(sql, values).fetchall()

    # documents

    def documents(self) -> list[DocumentRow]:
        """Return every document, by URI."""
        return self._documents("ORDER BY uri")

    def document(self, uri_or_id: str) -> DocumentRow | None:
        """Return the document with this URI or doc_id."""
        found = self._documents("WHERE uri = ? OR doc_id = ?", (uri_or_id, uri_or_id))
        return found[0] if found else None

    def documents_under(self, roots: Iterable[str]) -> list[DocumentRow]:
        """Return the documents found under any of ``roots``, by URI.

        A root is a source as given (a file, a folder, a glob, a URL): its documents are those it
        brought in, the one of that very URI, and those whose URI lies below it.
        """
        found: dict[str, DocumentRow] = {}
        for root in roots:
            folder = root.rstrip("/")  # every URI below lies between "folder/" and "folder0"
            below = (root, root, f"{folder}/", f"{folder}0")
            for row in self._documents(
                "WHERE root = ? OR uri = ? OR (uri >= ? AND uri < ?)", below
            ):
                found[row.uri] = row
        return [found[uri] for uri in sorted(found)]

    def _documents(self, condition: str, values: Sequence[Any] = ()) -> list[DocumentRow]:
        rows = self._query(f"SELECT {', '.join(_DOCUMENT)} FROM documents {condition}", values)
        return [
            DocumentRow(**(row | {"status": DocumentStatus(row["status"])}))
            for row in _named(_DOCUMENT, rows)
        ]

    def upsert_documents(self, rows: Iterable[DocumentRow]) -> None:
        """Insert rows or replace those of the same URI.

        A row whose part differs from the one in the index goes through ``storage.committer``.
        """
        values = [dataclasses.astuple(row) for row in rows]
        with self._transaction() as connection:
            connection.executemany(_UPSERT, values)

    def touch_documents(self, uris: Iterable[str], run_id: str) -> None:
        """Note that a run looked at these documents now and found them unchanged."""
        checked = now()
        with self._transaction() as connection:
            connection.executemany(
                "UPDATE documents SET checked_at = ?, run_id = ? WHERE uri = ?",
                [(checked, run_id, uri) for uri in uris],
            )

    def remove_documents(self, uris: Iterable[str]) -> None:
        """Forget documents and their failures.

        One that the index holds goes through ``storage.committer``.
        """
        values = [(uri,) for uri in uris]
        with self._transaction() as connection:
            for table in ("documents", "failures"):
                connection.executemany(f"DELETE FROM {table} WHERE uri = ?", values)

    def snapshot(self) -> pa.Table:
        """Return the documents whose parts the index must hold (schema ``SNAPSHOT``), by URI."""
        rows = self._query(
            f"SELECT {', '.join(SNAPSHOT.names)} FROM documents WHERE part IS NOT NULL ORDER BY uri"
        )
        return _arrow(rows, SNAPSHOT)

    def counts(self) -> dict[str, int]:
        """Return how many documents have each status."""
        return dict(self._query("SELECT status, count(*) FROM documents GROUP BY 1 ORDER BY 1"))

    # commits under way

    def begin_commit(self, doc_ids: Iterable[str]) -> None:
        """Note the documents whose rows in the index are about to change."""
        with self._transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO pending VALUES (?)", [(doc_id,) for doc_id in doc_ids]
            )

    def pending(self) -> list[str]:
        """Return the doc_ids of commits begun and not ended, because their process died."""
        return [str(row[0]) for row in self._query("SELECT doc_id FROM pending ORDER BY doc_id")]

    def end_commit(
        self, doc_ids: Iterable[str], changed: Iterable[DocumentRow], gone: Iterable[str]
    ) -> None:
        """Note in one transaction that the index now holds what the catalog says.

        Args:
            doc_ids: The documents whose commit is settled.
            changed: Their new rows.
            gone: URIs of those that were removed.
        """
        removed = [(uri,) for uri in gone]
        with self._transaction() as connection:
            connection.executemany(_UPSERT, [dataclasses.astuple(row) for row in changed])
            for table in ("documents", "failures"):
                connection.executemany(f"DELETE FROM {table} WHERE uri = ?", removed)
            connection.executemany(
                "DELETE FROM pending WHERE doc_id = ?", [(doc_id,) for doc_id in doc_ids]
            )

    # failures

    def failures_of(self, uris: Iterable[str] | None = None) -> list[FailureRow]:
        """Return the failures of these documents, or all of them, by URI and page."""
        rows = self._query(
            f"SELECT {', '.join(_FAILURE)} FROM failures ORDER BY uri, page, stage, rowid"
        )
        wanted = None if uris is None else set(uris)
        return [
            FailureRow(**(row | {"transient": bool(row["transient"])}))
            for row in _named(_FAILURE, rows)
            if wanted is None or row["uri"] in wanted
        ]

    def replace_failures(self, uri: str, rows: Iterable[FailureRow]) -> None:
        """Make ``rows`` the failures of ``uri``; none clears them."""
        values = [dataclasses.astuple(row) for row in rows]
        with self._transaction() as connection:
            connection.execute("DELETE FROM failures WHERE uri = ?", (uri,))
            connection.executemany(
                f"INSERT INTO failures VALUES ({', '.join('?' * len(_FAILURE))})", values
            )

    # runs

    def start_run(self, run_id: str, settings: dict[str, Any], encoder: str = "") -> None:
        """Note that a run of this process has started."""
        values = (
            run_id, now(), None, RunState.RUNNING.value, "{}", None,
            json.dumps(settings, sort_keys=True), encoder, socket.gethostname(), os.getpid(),
        )  # fmt: skip
        with self._transaction() as connection:
            connection.execute(
                f"INSERT INTO runs ({', '.join(_RUN)}) VALUES ({', '.join('?' * len(_RUN))})",
                values,
            )

    def end_run(
        self, run_id: str, state: RunState, counts: dict[str, Any], version: int | None
    ) -> None:
        """Note how a run ended and which version it published."""
        values = (now(), state.value, json.dumps(counts, sort_keys=True), version, run_id)
        with self._transaction() as connection:
            connection.execute(
                "UPDATE runs SET ended = ?, state = ?, counts = ?, version = ? WHERE run_id = ?",
                values,
            )

    def close_dead_runs(self) -> list[str]:
        """Mark runs of this machine whose process is gone as crashed; return their ids."""
        dead = [
            run.run_id
            for run in self.runs(RunState.RUNNING)
            if run.host == socket.gethostname() and not psutil.pid_exists(run.pid)
        ]
        with self._transaction() as connection:
            connection.executemany(
                "UPDATE runs SET ended = ?, state = ? WHERE run_id = ?",
                [(now(), RunState.CRASHED.value, run_id) for run_id in dead],
            )
        return dead

    def runs(self, state: RunState | None = None) -> list[RunRow]:
        """Return the runs (in this state), the latest first."""
        rows = self._query(f"SELECT {', '.join(_RUN)} FROM runs ORDER BY started DESC, rowid DESC")
        runs = []
        for values in _named(_RUN, rows):
            values["state"] = RunState(values["state"])
            values["counts"] = json.loads(values["counts"])
            values["settings"] = json.loads(values["settings"])
            runs.append(RunRow(**values))
        return [run for run in runs if state is None or run.state is state]


def _named(names: list[str], rows: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in rows]


def _arrow(rows: Sequence[Sequence[Any]], schema: pa.Schema) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
