from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from storage.errors import PartDamagedError
from storage.parts import list_parts, part_exists
from storage.reader import PublishedIndex
from storage.rows import DocumentStatus

LONG = " ".join(f"word{i}" for i in range(60))


def published(store: Any) -> dict[str, int]:
    index = PublishedIndex(store.paths)
    rows = index.documents().to_pylist()
    assert sum(row["n_chunks"] for row in rows) == index.count_rows()
    return {str(row["uri"]): int(row["n_chunks"]) for row in rows}


def test_commits_take_whole_documents_in_groups(store: Any) -> None:
    done = store.commit({f"/in/{i}.txt": f"{LONG} {i}" for i in range(6)})  # 32 chunks each
    assert (done.documents, done.commits, done.counts.inserted) == (6, 3, 6 * 32)
    store.committer.publish()
    assert published(store) == {f"/in/{i}.txt": 32 for i in range(6)}


def test_a_row_without_a_part_leaves_the_index_and_stays_in_the_catalog(store: Any) -> None:
    store.ingest({"/in/a.txt": LONG, "/in/b.txt": LONG})
    (row, _) = store.catalog.documents()
    failed = dataclasses.replace(row, status=DocumentStatus.FAILED, part=None, n_chunks=0)
    store.committer.commit([failed])
    store.committer.publish()
    assert list(published(store)) == ["/in/b.txt"]
    assert store.catalog.document("/in/a.txt").status is DocumentStatus.FAILED


def test_a_damaged_part_is_reported_and_the_rest_is_committed(store: Any) -> None:
    store.ingest({"/in/a.txt": "the good old version"})
    rows = [store.row("/in/a.txt", LONG), store.row("/in/b.txt", LONG)]
    store.paths.part_chunks(rows[0].part).write_bytes(b"PAR1")
    done = store.committer.commit(rows)
    assert done.documents == 1
    ((row, error),) = done.damaged
    assert row.uri == "/in/a.txt"
    assert isinstance(error, PartDamagedError)
    assert not part_exists(store.paths, rows[0].part)  # so the next run makes it again
    store.committer.publish()
    assert published(store) == {"/in/a.txt": 3, "/in/b.txt": 30}


def test_an_empty_document_is_published_without_chunks(store: Any) -> None:
    store.ingest({"/in/a.txt": LONG})
    version = store.ingest({"/in/a.txt": LONG, "/in/empty.txt": ""})
    assert published(store) == {"/in/a.txt": 30, "/in/empty.txt": 0}
    assert store.ingest({"/in/a.txt": LONG}) >= version
    assert published(store) == {"/in/a.txt": 30}


def test_parts_of_kept_versions_stay_for_the_rollback(store: Any) -> None:
    first = store.ingest({"/in/a.txt": "version 0"})
    for number in range(1, 5):
        last = store.ingest({"/in/a.txt": f"version {number}"})
    assert len(list(list_parts(store.paths))) == 5
    store.committer.sweep_parts(min_age_s=0)
    assert len(list(list_parts(store.paths))) == 3
    assert first not in store.index.published_versions()
    assert last in store.index.published_versions()
    for version in store.index.published_versions():
        for name in PublishedIndex(store.paths, version).documents().column("part").to_pylist():
            assert part_exists(store.paths, str(name))


def test_a_commit_that_was_cut_short_is_undone_before_the_next_publication(
    store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.ingest({"/in/a.txt": "as it was", "/in/b.txt": "also here"})

    with monkeypatch.context() as patch:
        patch.setattr(store.catalog, "end_commit", _interrupt)
        acts: tuple[Callable[[], Any], ...] = (
            lambda: store.commit({"/in/a.txt": "as it is"}),  # as many chunks as before
            lambda: store.commit({"/in/c.txt": "came"}),
            lambda: store.committer.remove([store.catalog.document("/in/b.txt")]),
        )
        for act in acts:
            with pytest.raises(KeyboardInterrupt):
                act()
    assert len(store.catalog.pending()) == 3
    assert store.committer.recover() == 3
    store.committer.publish()
    texts = PublishedIndex(store.paths).to_arrow(["text"]).column("text").to_pylist()
    assert set(texts) == {"as it was", "also here"}
    assert store.catalog.pending() == []


def test_a_lost_part_does_not_keep_a_store_from_healing(
    store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.ingest({"/in/a.txt": LONG, "/in/b.txt": LONG})
    old = store.catalog.document("/in/a.txt").part
    with monkeypatch.context() as patch:
        patch.setattr(store.catalog, "end_commit", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            store.commit({"/in/a.txt": "new"})
    store.paths.part_chunks(old).write_bytes(b"damaged")
    store.committer.publish()
    assert list(published(store)) == ["/in/b.txt"]
    row = store.catalog.document("/in/a.txt")
    assert (row.status, row.part, row.sha256) == (DocumentStatus.FAILED, None, "")
    assert [f.error for f in store.catalog.failures_of(["/in/a.txt"])] == ["PartDamagedError"]
    store.commit({"/in/a.txt": "new"})
    store.committer.publish()
    assert published(store) == {"/in/a.txt": 2, "/in/b.txt": 30}


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
