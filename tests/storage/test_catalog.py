from __future__ import annotations

import dataclasses
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from microtome import TransientError
from storage.catalog import Catalog
from storage.errors import CatalogBusyError, StorageError
from storage.paths import StorePaths
from storage.rows import DocumentStatus, RunState
from storage.schema import SNAPSHOT


def uris(rows: list[Any]) -> list[str]:
    return [row.uri for row in rows]


def test_rows_come_back_as_they_went_in(store: Any) -> None:
    row = dataclasses.replace(store.row("/in/O'Brien.txt", "a b c"), reason="ação \U0001f600")
    store.catalog.upsert_documents([row])
    assert store.catalog.document(row.uri) == row
    assert store.catalog.document(row.doc_id) == row
    changed = dataclasses.replace(row, status=DocumentStatus.FAILED, part=None)
    store.catalog.upsert_documents([changed])
    assert store.catalog.documents() == [changed]
    assert store.catalog.counts() == {"failed": 1}
    assert store.catalog.document("/in/nobody") is None


def test_documents_under_a_root_are_those_below_it_and_no_neighbour(store: Any) -> None:
    names = ["/in/a.txt", "/in/b/c.txt", "/in/b/d/e.txt", "/in/b", "/in/bb.txt", "/in/b0", "/in/b_",
             "/in/b-1/x.txt", "https://example.org/b/c.txt"]  # fmt: skip
    store.catalog.upsert_documents(
        [dataclasses.replace(store.row(name, "text"), root="elsewhere") for name in names]
    )
    below = ["/in/b", "/in/b/c.txt", "/in/b/d/e.txt"]
    assert uris(store.catalog.documents_under(["/in/b"])) == below
    assert uris(store.catalog.documents_under(["/in/b/"])) == below[1:]
    assert uris(store.catalog.documents_under(["/in/a.txt", "/in/b/d"])) == ["/in/a.txt", below[2]]
    assert len(store.catalog.documents_under(["/"])) == len(names) - 1
    assert uris(store.catalog.documents_under(["https://example.org"])) == [names[-1]]
    assert store.catalog.documents_under(["/in/%"]) == []
    assert len(store.catalog.documents_under(["elsewhere"])) == len(names)


def test_failures_are_replaced_per_document_and_go_with_it(store: Any) -> None:
    store.catalog.upsert_documents([store.row("/in/a", "x"), store.row("/in/b", "y")])
    old, new = store.failure("/in/a", "old"), store.failure("/in/a", "new")
    other = store.failure("/in/b", "other")
    store.catalog.replace_failures("/in/a", [old, old])
    store.catalog.replace_failures("/in/b", [other])
    store.catalog.replace_failures("/in/a", [new])
    assert store.catalog.failures_of() == [new, other]
    assert store.catalog.failures_of(["/in/b", "/in/c"]) == [other]
    store.catalog.remove_documents(["/in/a"])
    assert store.catalog.failures_of() == [other]


def test_a_run_tells_how_it_ended(store: Any) -> None:
    store.catalog.end_run(store.run_id, RunState.COMPLETED_WITH_ERRORS, {"failed": 2}, 7)
    (run,) = store.catalog.runs()
    assert (run.state, run.counts, run.version) == (
        RunState.COMPLETED_WITH_ERRORS, {"failed": 2}, 7,
    )  # fmt: skip
    assert run.ended is not None
    assert run.ended >= run.started


def test_only_the_runs_of_dead_processes_are_closed(store: Any) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    store.catalog.start_run("dead", {})
    with sqlite3.connect(store.paths.catalog) as connection:
        connection.execute("UPDATE runs SET pid = ? WHERE run_id = 'dead'", (dead.pid,))
    connection.close()
    assert store.catalog.close_dead_runs() == ["dead"]
    states = {run.run_id: run.state for run in store.catalog.runs()}
    assert states == {"dead": RunState.CRASHED, store.run_id: RunState.RUNNING}


def test_a_transaction_that_fails_leaves_nothing(store: Any) -> None:
    good = store.row("/in/a", "x")
    bad = dataclasses.replace(store.row("/in/b", "y"), run_id="no such run")
    with pytest.raises(StorageError, match="FOREIGN KEY"):
        store.catalog.upsert_documents([good, bad])
    assert store.catalog.documents() == []


def test_several_threads_may_open_a_new_catalog_at_once(tmp_path: Path) -> None:
    def use(number: int) -> None:
        with Catalog(StorePaths(tmp_path)) as catalog:
            catalog.start_run(f"run-{number}", {"n": number})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(24)))
    with Catalog(StorePaths(tmp_path)) as catalog:
        assert len(catalog.runs()) == 24


def test_a_catalog_that_stays_locked_is_a_transient_error(store: Any) -> None:
    other = sqlite3.connect(store.paths.catalog, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(CatalogBusyError) as caught, Catalog(store.paths, busy_s=0.05) as catalog:
        catalog.start_run("another", {})
    assert isinstance(caught.value, TransientError)
    other.close()


@pytest.mark.parametrize("content", [b"this is no database, whatever its name says" * 30])
def test_a_file_that_is_no_catalog_is_refused(tmp_path: Path, content: bytes) -> None:
    paths = StorePaths(tmp_path)
    paths.catalog.write_bytes(content)
    with pytest.raises(StorageError, match=r"catalog.sqlite: file is not a database"):
        Catalog(paths)


def test_a_catalog_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    paths = StorePaths(tmp_path)
    Catalog(paths).close()
    connection = sqlite3.connect(paths.catalog)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StorageError, match="has version 99"):
        Catalog(paths)


def test_the_snapshot_lists_what_the_index_must_hold(store: Any) -> None:
    rows = [store.row("/in/b", "x y"), store.row("/in/a", ""), store.row("/in/c", "z")]
    rows[2] = dataclasses.replace(rows[2], part=None, status=DocumentStatus.FAILED, n_chunks=0)
    store.catalog.upsert_documents(rows)
    snapshot = store.catalog.snapshot()
    assert snapshot.schema.equals(SNAPSHOT, check_metadata=True)
    assert snapshot.column("uri").to_pylist() == ["/in/a", "/in/b"]
    assert snapshot.column("n_chunks").to_pylist() == [0, 2]


def test_an_empty_catalog_has_empty_tables(tmp_path: Path, make_store: Callable[..., Any]) -> None:
    store = make_store(tmp_path / "empty")
    assert store.catalog.snapshot().num_rows == 0
    assert store.catalog.failures_of() == []
    assert store.catalog.documents_under([]) == []
