from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from storage.committer import Committer
from storage.errors import NothingPublishedError, PartDamagedError, StorageError
from storage.export import export
from storage.reader import PublishedIndex
from storage.rebuild import rebuild
from storage.rows import DocumentStatus

CORPUS = {f"/in/{i}.txt": " ".join(f"w{j}" for j in range(i * 7)) for i in range(12)}


def digests(store: Any, folder: Path) -> dict[str, str]:
    return {name: file["sha256"] for name, file in export(store.paths, folder)["files"].items()}


def test_the_export_holds_every_row_once_in_order(store: Any, tmp_path: Path) -> None:
    store.ingest(CORPUS)
    manifest = export(store.paths, tmp_path / "out")
    chunks = pq.read_table(tmp_path / "out" / "chunks.parquet")
    documents = pq.read_table(tmp_path / "out" / "documents.parquet")
    assert chunks.num_rows == PublishedIndex(store.paths).count_rows()
    assert documents.column("uri").to_pylist() == sorted(CORPUS)
    keys = chunks.select(["uri", "level", "start"]).to_pylist()
    assert keys == sorted(keys, key=lambda row: tuple(row.values()))
    texts = {row["uri"]: row["text"] for row in documents.to_pylist()}
    for row in chunks.to_pylist():
        assert row["text"] == texts[row["uri"]][row["start"] : row["end"]]
    assert json.loads((tmp_path / "out" / "manifest.json").read_bytes()) == manifest
    for name, file in manifest["files"].items():
        content = (tmp_path / "out" / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file["sha256"]


def test_history_leaves_no_trace_in_the_export(
    store: Any, tmp_path: Path, make_store: Callable[..., Any]
) -> None:
    store.ingest({uri: text + " edited" for uri, text in list(CORPUS.items())[::-1]})
    store.ingest({"/in/other.txt": "something else"})
    store.ingest(CORPUS)
    fresh = make_store(tmp_path / "fresh")
    fresh.ingest(CORPUS)
    assert digests(store, tmp_path / "a") == digests(fresh, tmp_path / "b")


def test_an_export_that_fails_has_no_manifest(store: Any, tmp_path: Path) -> None:
    store.ingest(CORPUS)
    export(store.paths, tmp_path / "out")
    part = PublishedIndex(store.paths).documents().column("part")[3].as_py()
    store.paths.part_document(part).unlink()
    with pytest.raises(PartDamagedError):
        export(store.paths, tmp_path / "out")
    assert not (tmp_path / "out" / "manifest.json").exists()
    assert not list((tmp_path / "out").glob(".*"))


def test_nothing_published_is_nothing_to_export(store: Any, tmp_path: Path) -> None:
    with pytest.raises(NothingPublishedError):
        export(store.paths, tmp_path / "out")


def rebuilt(store: Any) -> Any:
    done = rebuild(store.paths, store.catalog)
    Committer(store.paths, store.catalog, done.index).publish()
    return done


@pytest.mark.parametrize("loss", ["nothing", "index", "manifests", "rows"])
def test_the_index_is_made_again_from_the_parts(store: Any, tmp_path: Path, loss: str) -> None:
    first = store.ingest(CORPUS)
    before = digests(store, tmp_path / "before")
    if loss == "index":
        shutil.rmtree(store.paths.index)
    elif loss == "manifests":
        for path in (store.paths.table / "_versions").glob("*.manifest"):
            path.write_bytes(b"damaged")
    elif loss == "rows":
        store.index.delete_documents([store.catalog.documents()[3].doc_id])
    done = rebuilt(store)
    assert (done.documents, done.damaged) == (len(CORPUS), ())
    assert digests(store, tmp_path / "after") == before
    if loss in ("nothing", "rows"):
        assert PublishedIndex(store.paths).version > first
        assert PublishedIndex(store.paths, first).count_rows() == done.chunks
    assert done.index.health().unindexed == 0


def test_readers_keep_the_old_version_until_the_rebuilt_one_is_published(store: Any) -> None:
    store.ingest(CORPUS)
    before = PublishedIndex(store.paths)
    rebuild(store.paths, store.catalog)
    assert PublishedIndex(store.paths).version == before.version
    assert before.count_rows() == PublishedIndex(store.paths).count_rows()


def test_a_rebuild_leaves_out_a_damaged_part_and_says_so(store: Any) -> None:
    store.ingest(CORPUS)
    victim = store.catalog.document("/in/5.txt")
    store.paths.part_chunks(victim.part).write_bytes(b"damaged")
    done = rebuilt(store)
    assert [row.uri for row, _ in done.damaged] == ["/in/5.txt"]
    row = store.catalog.document("/in/5.txt")
    assert (row.status, row.part, row.sha256) == (DocumentStatus.FAILED, None, "")
    assert "/in/5.txt" not in PublishedIndex(store.paths).documents().column("uri").to_pylist()


def test_a_rebuild_takes_a_store_to_another_encoder(
    store: Any, make_store: Callable[..., Any]
) -> None:
    old = store.ingest(CORPUS)
    other = make_store(store.paths.root, dim=16, encoder="encoder-b")
    rows = [other.row(uri, text, "recipe-2") for uri, text in CORPUS.items()]
    other.catalog.upsert_documents(rows[:5])
    with pytest.raises(StorageError, match=r"encoder-a.*backfill|encoder-b.*backfill"):
        rebuild(store.paths, other.catalog)
    other.catalog.upsert_documents(rows)
    rebuilt(other)
    assert PublishedIndex(store.paths).encoder == "encoder-b"
    assert PublishedIndex(store.paths).dim == 16
    assert PublishedIndex(store.paths, old).encoder == "encoder-a"
