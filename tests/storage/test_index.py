from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import lancedb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import (
    EncoderMismatchError,
    IndexMismatchError,
    NothingPublishedError,
    StorageError,
)
from storage.index import KEPT_VERSIONS
from storage.reader import PublishedIndex
from storage.sidecar import save_arrays
from storage.sql import is_in, sql_literal

LONG = " ".join(f"word{i}" for i in range(30))
NASTY = [
    "/in/O'Brien.pdf",
    "/in/x' OR 1=1 --.pdf",
    '/in/a"b.pdf',
    "/in/100%_\\.pdf",
    "/in/Ação ‘ü’.md",
]


def column(table: pa.Table, name: str) -> list[Any]:
    return list(table.column(name).to_pylist())


def texts(store: Any, uri: str | None = None) -> list[str]:
    index = PublishedIndex(store.paths)
    where = None if uri is None else is_in("uri", [uri])
    return sorted(column(index.to_arrow(["text"], where), "text"))


def test_a_document_is_replaced_in_one_version_and_its_vanished_chunks_go(store: Any) -> None:
    store.ingest({"/in/a.txt": LONG, "/in/b.txt": "the other document stays as it is"})
    before = store.index.health().latest
    done = store.commit({"/in/a.txt": "short now"})
    assert store.index.health().latest == before + 1
    assert (done.commits, done.counts.inserted, done.counts.deleted) == (1, 2, 15)
    store.committer.publish()
    assert texts(store, "/in/a.txt") == ["short now", "short now"]  # a cell and its parent
    assert len(texts(store, "/in/b.txt")) == 5


def test_two_documents_with_equal_text_are_two_and_deleting_one_leaves_the_other(
    store: Any,
) -> None:
    store.ingest({"/in/a.txt": "the same licence", "/in/b.txt": "the same licence"})
    index = PublishedIndex(store.paths)
    rows = index.to_arrow(["chunk_id", "fingerprint", "level"], "level = 0")
    assert len(rows.column("chunk_id").unique()) == 2
    assert len(rows.column("fingerprint").unique()) == 1
    store.ingest({"/in/b.txt": "the same licence"})
    left = PublishedIndex(store.paths).to_arrow(["uri"])
    assert set(column(left, "uri")) == {"/in/b.txt"}


@pytest.mark.parametrize("uri", NASTY)
def test_only_the_named_document_goes_whatever_its_name_holds(store: Any, uri: str) -> None:
    everything = {name: f"text of {i}" for i, name in enumerate(NASTY)}
    store.ingest(everything)
    assert texts(store, uri) == [everything[uri]] * 2
    rest = {name: text for name, text in everything.items() if name != uri}
    store.ingest(rest)
    left = PublishedIndex(store.paths).to_arrow(["uri"])
    assert set(column(left, "uri")) == set(rest)


def test_any_string_is_found_by_its_literal_and_nothing_else_is(tmp_path: Path) -> None:
    import lance

    @given(st.lists(st.text(st.characters(codec="utf-8"), max_size=12), min_size=1, unique=True))
    def check(values: list[str]) -> None:
        table = pa.table({"value": pa.array(values, pa.string())})
        dataset = lance.write_dataset(table, str(tmp_path / "any.lance"), mode="overwrite")
        for value in values:
            found = dataset.to_table(filter=f"value = {sql_literal(value)}")
            assert column(found, "value") == [value]

    check()


def test_readers_see_a_commit_only_once_it_is_published(store: Any) -> None:
    store.ingest({"/in/a.txt": "first"})
    open_before = PublishedIndex(store.paths)
    store.commit({"/in/a.txt": "second", "/in/b.txt": "new"})
    for reader in (open_before, PublishedIndex(store.paths)):
        assert set(column(reader.to_arrow(["text"]), "text")) == {"first"}
        assert column(reader.documents(), "uri") == ["/in/a.txt"]
    store.committer.publish()
    assert set(column(open_before.to_arrow(["text"]), "text")) == {"first"}
    assert set(texts(store)) == {"second", "new"}


def test_publishing_nothing_new_makes_no_version(store: Any) -> None:
    first = store.ingest({"/in/a.txt": "first"})
    again = store.committer.publish()
    assert (again.version, again.changed) == (first, False)
    assert store.index.health().latest == first


def test_rollback_holds_until_the_next_commit(store: Any) -> None:
    first = store.ingest({"/in/a.txt": "first"})
    second = store.ingest({"/in/a.txt": "second"})
    store.index.rollback(first)
    assert texts(store) == ["first"] * 2
    assert not store.committer.publish().changed
    assert texts(store) == ["first"] * 2
    assert PublishedIndex(store.paths).documents().num_rows == 1
    store.index.rollback(second)
    assert texts(store) == ["second"] * 2
    with pytest.raises(StorageError, match=f"Choose one of \\[{first}, {second}\\]"):
        store.index.rollback(12345)


def test_a_store_without_a_publication_says_what_to_run(store: Any, tmp_path: Path) -> None:
    with pytest.raises(NothingPublishedError, match=r"nothing published in .*microtome ingest"):
        PublishedIndex(store.paths)
    store.commit({"/in/a.txt": "committed, not published"})
    with pytest.raises(NothingPublishedError, match=r"nothing published in .*microtome ingest"):
        PublishedIndex(store.paths)


def test_an_empty_run_publishes_an_empty_index(store: Any) -> None:
    store.ingest({})
    assert PublishedIndex(store.paths).count_rows() == 0
    assert PublishedIndex(store.paths).documents().num_rows == 0


@pytest.mark.parametrize(("dim", "encoder"), [(8, "encoder-b"), (16, "encoder-b")])
def test_another_encoder_is_refused_with_both_names(
    store: Any, make_store: Callable[..., Any], dim: int, encoder: str
) -> None:
    store.ingest({"/in/a.txt": "first"})
    other = make_store(store.paths.root, dim=dim, encoder=encoder)
    with pytest.raises(EncoderMismatchError, match=r"encoder-a.*encoder-b"):
        other.commit({"/in/b.txt": "second"})


def test_thirty_small_runs_leave_few_versions_and_every_row_indexed(store: Any) -> None:
    documents = {f"/in/{i}.txt": f"{LONG} {i}" for i in range(20)}
    store.ingest(documents)
    size = store.index.health().disk_bytes
    for run in range(30):
        documents[f"/in/{run % 20}.txt"] = f"{LONG} run{run}"
        store.ingest(documents) if run == 0 else (
            store.commit({f"/in/{run % 20}.txt": documents[f"/in/{run % 20}.txt"]}),
            store.committer.publish(),
        )
    health = store.index.health()
    assert health.unindexed == 0
    assert health.versions <= KEPT_VERSIONS
    assert health.fragments <= 17
    assert health.temp_files == 0
    assert health.disk_bytes < 6 * size  # measured 2.5: three versions, each with its indices
    assert len(list(store.paths.published.iterdir())) == KEPT_VERSIONS
    index = PublishedIndex(store.paths)
    ids = index.to_arrow(["chunk_id"]).column("chunk_id")
    assert len(ids.unique()) == len(ids) == sum(column(index.documents(), "n_chunks"))


def test_upserts_still_match_after_the_key_is_indexed_and_optimised(store: Any) -> None:
    store.ingest({"/in/a.txt": LONG})
    for _ in range(2):  # lancedb #3177: after optimize, matched nothing and said nothing
        done = store.commit({"/in/a.txt": LONG})
        assert (done.counts.updated, done.counts.inserted, done.counts.deleted) == (15, 0, 0)
        store.committer.publish()
    assert len(texts(store)) == 15


def test_full_text_search_finds_words_that_came_after_the_index(store: Any) -> None:
    store.ingest({})
    store.ingest({"/in/a.txt": "Segurança social"})
    store.ingest({"/in/a.txt": "Segurança social", "/in/b.txt": "a xylophone of Ação"})
    table = lancedb.connect(str(store.paths.index)).open_table("chunks")
    table.checkout("prod")

    def found(words: str) -> set[str]:
        return set(column(table.search(words, query_type="fts").limit(9).to_arrow(), "uri"))

    assert found("xylophone") == {"/in/b.txt"}
    assert found("acao") == {"/in/b.txt"}
    assert found("seguranca") == {"/in/a.txt"}
    assert found("of") == {"/in/b.txt"}


def test_a_vector_index_comes_with_the_rows_that_need_one(
    tmp_path: Path, make_store: Callable[..., Any]
) -> None:
    store = make_store(tmp_path / "big", vector_index_rows=300)
    store.ingest({"/in/a.txt": " ".join(f"w{i}" for i in range(900))})
    store.ingest(
        {"/in/a.txt": " ".join(f"w{i}" for i in range(900)), "/in/b.txt": "only one like this"}
    )
    table = lancedb.connect(str(store.paths.index)).open_table("chunks")
    assert "IvfFlat" in {index.index_type for index in table.list_indices()}
    assert store.index.health().unindexed == 0
    row = PublishedIndex(store.paths).to_arrow(["chunk_id", "vector"], "text = 'only one like '")
    query = np.array(row.column("vector")[0].as_py(), np.float32)
    best = table.search(query).limit(1).select(["chunk_id", "_distance"]).to_arrow()
    assert column(best, "chunk_id") == column(row, "chunk_id")


def test_rows_come_in_the_order_of_their_ids(store: Any) -> None:
    store.ingest({"/in/a.txt": LONG})
    index = PublishedIndex(store.paths)
    ids = sorted(column(index.to_arrow(["chunk_id"]), "chunk_id"))
    asked = [*ids[5:8], ids[0], ids[5]]
    assert column(index.rows_by_ids(asked, ["chunk_id"]), "chunk_id") == asked
    assert index.rows_by_ids(asked).schema.names == index.schema.names
    assert index.rows_by_ids([]).num_rows == 0
    with pytest.raises(StorageError, match="chunk beef is not in version"):
        index.rows_by_ids([ids[0], "beef"])


def test_nothing_is_published_when_index_and_catalog_disagree(store: Any) -> None:
    version = store.ingest({"/in/a.txt": LONG})
    store.catalog.remove_documents(["/in/a.txt"])
    store.index.delete_documents(["nobody"])
    with pytest.raises(IndexMismatchError, match="microtome rebuild"):
        store.committer.publish()
    assert PublishedIndex(store.paths).version == version


def test_chunks_of_a_stranger_or_twice_are_refused(
    store: Any, make_part: Callable[..., tuple[pa.Table, pa.Table]]
) -> None:
    _, chunks = make_part("/in/a.txt", LONG)
    with pytest.raises(StorageError, match="other documents"):
        store.index.commit({"somebody else": chunks})
    doc_id = chunks.column("doc_id")[0].as_py()
    with pytest.raises(StorageError, match="two chunks"):
        store.index.commit({doc_id: pa.concat_tables([chunks, chunks])})


def test_what_readers_need_is_made_before_they_see_the_version(store: Any) -> None:
    first = store.ingest({"/in/a.txt": "first"})
    save_arrays(store.paths, first, "statistics", {"counts": np.arange(3)})
    seen: list[tuple[int, int, int]] = []

    def prepare(index: PublishedIndex) -> None:
        seen.append((index.version, index.count_rows(), PublishedIndex(store.paths).version))
        save_arrays(store.paths, index.version, "statistics", {"counts": np.arange(3)})

    store.commit({"/in/b.txt": "second"})
    version = store.committer.publish(prepare).version
    assert seen == [(version, 4, first)]
    for run in range(KEPT_VERSIONS):
        store.ingest({"/in/a.txt": f"run {run}"})
    assert list(store.paths.search.iterdir()) == []


def test_a_failing_preparation_leaves_the_published_version(store: Any) -> None:
    first = store.ingest({"/in/a.txt": "first"})
    store.commit({"/in/a.txt": "second"})

    def prepare(index: PublishedIndex) -> None:
        raise KeyError("no statistics")

    with pytest.raises(KeyError):
        store.committer.publish(prepare)
    assert PublishedIndex(store.paths).version == first
    assert store.committer.publish().changed


def test_a_table_folder_without_a_version_is_no_table(store: Any) -> None:
    (store.paths.table / "data").mkdir(parents=True)  # killed while it was made
    store.ingest({"/in/a.txt": "first"})
    assert texts(store) == ["first"] * 2
