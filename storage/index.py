"""The index of all chunks in one LanceDB table: the only module that writes it.

All levels are in one table, so a document changes in one version. Versions are private until
:meth:`ChunkIndex.publish` has indexed and checked the latest and moved the tag to it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from storage.durable import atomic_file
from storage.errors import (
    EncoderMismatchError,
    IndexMismatchError,
    NothingPublishedError,
    StorageError,
    storage_errors,
)
from storage.lease import Lease
from storage.maintenance import (
    VECTOR_INDEX_ROWS,
    IndexHealth,
    drop_old_versions,
    measure,
    optimise,
    unindexed_rows,
)
from storage.paths import StorePaths
from storage.reader import PUBLISHED_TAG, PublishedIndex, has_versions
from storage.schema import (
    SNAPSHOT,
    check_version,
    chunks_schema,
    conform,
    distinct,
    encoder_of,
    vector_dim,
)
from storage.sql import is_in

KEPT_VERSIONS = 3
"""Published versions kept for rollback and for readers that still have them open (a guess)."""
_TABLE = "chunks"
_KEPT_TAG = re.compile(r"published-(\d+)")


@dataclass(frozen=True, slots=True)
class CommitCounts:
    """Rows that one commit inserted, updated and deleted."""

    inserted: int = 0
    updated: int = 0
    deleted: int = 0

    def __add__(self, other: CommitCounts) -> CommitCounts:
        """Return the sums."""
        return CommitCounts(
            self.inserted + other.inserted,
            self.updated + other.updated,
            self.deleted + other.deleted,
        )


@dataclass(frozen=True, slots=True)
class Publication:
    """What is published. ``changed`` is False when it was published before."""

    version: int
    changed: bool


class ChunkIndex:
    """The table of chunks, for its one committer. It is made at the first use.

    Args:
        paths: The store.
        dim: Length of the vectors.
        encoder: Id of the encoder that makes them.
        lease_s: Seconds to wait for another committer.
        vector_index_rows: Rows from which a vector index is made.

    Attributes:
        lease: Every method that writes takes it; hold it (``with index.lease:``) over several
            calls that belong together.
        schema: Schema of the chunks.

    Raises:
        EncoderMismatchError: From any method: the table was made with another encoder.
        LeaseBusyError: From any method that writes: another process is committing.
        StorageError: From any method: the table cannot be read or written.
    """

    def __init__(
        self,
        paths: StorePaths,
        dim: int,
        encoder: str,
        *,
        lease_s: float = 60.0,
        vector_index_rows: int = VECTOR_INDEX_ROWS,
    ) -> None:
        self._paths = paths
        self.schema = chunks_schema(dim, encoder)
        self._vector_index_rows = vector_index_rows
        self._opened: Any = None
        self.lease = Lease(paths, lease_s)

    def _connect(self) -> Any:
        os.environ.setdefault("LANCE_LOG", "error")
        import lancedb

        return lancedb.connect(str(self._paths.index))

    def _table(self) -> Any:
        """Return the table at its latest version."""
        if self._opened is None:
            with storage_errors(f"cannot open {self._paths.table}"):
                if has_versions(self._paths):
                    table = self._connect().open_table(_TABLE)
                elif self.lease.held:
                    table = self._connect().create_table(_TABLE, schema=self.schema)
                else:
                    raise NothingPublishedError(f"there is no index in {self._paths.root}.")
            check_version(table.schema, str(self._paths.table))
            self._check_encoder(table.schema, "the index")
            self._opened = table
        self._opened.checkout_latest()
        return self._opened

    def _check_encoder(self, found: pa.Schema, what: str) -> None:
        theirs = (encoder_of(found), vector_dim(found))
        ours = (encoder_of(self.schema), vector_dim(self.schema))
        if theirs != ours:
            raise EncoderMismatchError(
                f"{what} in {self._paths.root} was made with encoder {theirs[0]} "
                f"({theirs[1]} numbers a vector), not with {ours[0]} ({ours[1]})."
            )

    def commit(self, documents: Mapping[str, pa.Table]) -> CommitCounts:
        """Make the chunks given per doc_id the only chunks of those documents, in one version.

        Raises:
            StorageError: The chunks do not conform, or were not all found afterwards.
        """
        what = f"commit to {self._paths.table}"
        for table in documents.values():
            self._check_encoder(table.schema, "a commit")
        tables = [conform(table, self.schema, what) for table in documents.values()]
        rows = pa.concat_tables([self.schema.empty_table(), *tables])
        strangers = distinct(rows, "doc_id") - set(documents)
        if strangers or len(rows.column("chunk_id").unique()) != rows.num_rows:
            raise StorageError(
                f"{what}: {f'chunks of {sorted(strangers)[:3]}' if strangers else 'a chunk_id'} "
                f"came with {'other documents' if strangers else 'two chunks'}."
            )
        if not rows.num_rows:
            return self.delete_documents(documents)
        theirs = is_in("doc_id", documents)
        with self.lease, storage_errors(what):
            table = self._table()
            merge = table.merge_insert("chunk_id").when_matched_update_all()
            merge = merge.when_not_matched_insert_all().when_not_matched_by_source_delete(theirs)
            result = merge.execute(rows)
            found = table.count_rows(theirs)
        if found != rows.num_rows:
            raise StorageError(f"{what}: {found} of {rows.num_rows} chunks were found afterwards.")
        return CommitCounts(
            result.num_inserted_rows, result.num_updated_rows, result.num_deleted_rows
        )

    def delete_documents(self, doc_ids: Iterable[str]) -> CommitCounts:
        """Delete all chunks of these documents, in one version."""
        theirs = is_in("doc_id", doc_ids)
        with self.lease, storage_errors(f"delete from {self._paths.table}"):
            table = self._table()
            if not table.count_rows(theirs):
                return CommitCounts()
            return CommitCounts(deleted=table.delete(theirs).num_deleted_rows)

    def replace_all(self, chunks: Iterator[pa.Table]) -> None:
        """Make ``chunks`` the whole table, in one version, whatever was in it.

        The published version stays readable, even if encoder and dimension change.
        """
        what = f"rebuild of {self._paths.table}"
        batches = (
            batch for table in chunks for batch in conform(table, self.schema, what).to_batches()
        )
        with self.lease, storage_errors(what):
            self._opened = self._connect().create_table(
                _TABLE,
                data=pa.RecordBatchReader.from_batches(self.schema, batches),
                schema=self.schema,
                mode="overwrite",
            )

    def publish(
        self,
        documents: pa.Table,
        prepare: Callable[[PublishedIndex], None] | None = None,
    ) -> Publication:
        """Index and check the latest version, move the tag to it, and clean up.

        Nothing happens when nothing was committed since the last publication, also after a
        rollback: the tag then stays where the rollback put it.

        Args:
            documents: What the table must hold (schema ``SNAPSHOT``, by URI).
            prepare: Called with the new version before readers see it, to make what they need.

        Raises:
            IndexMismatchError: The table holds other documents or other numbers of chunks, a
                chunk twice, or rows that no index covers; the tag stays.
        """
        documents = conform(documents, SNAPSHOT, "list of published documents")
        with self.lease, storage_errors(f"publish {self._paths.table}"):
            table = self._table()
            if table.version == max(self._kept(table), default=None):
                return self._republish(table.version, documents)
            optimise(table, self._vector_index_rows)
            self._verify(table, documents)
            version = int(table.version)
            self._write_documents(version, documents)
            if prepare is not None:
                prepare(PublishedIndex(self._paths, version))
            _set_tag(table, PUBLISHED_TAG, version)
            _set_tag(table, f"published-{version}", version)
            self._clean(table)
            return Publication(version, True)

    def _republish(self, version: int, documents: pa.Table) -> Publication:
        """Bring the list of documents up to date: one without chunks may have come or gone."""
        if not PublishedIndex(self._paths, version).documents().equals(documents):
            self._verify(self._table(), documents)
            self._write_documents(version, documents)
        return Publication(version, False)

    def _write_documents(self, version: int, documents: pa.Table) -> None:
        with atomic_file(self._paths.documents_of(version)) as file:
            pq.write_table(documents, file, compression="zstd")

    def _verify(self, table: Any, documents: pa.Table) -> None:
        rows = table.to_lance().to_table(columns=["chunk_id", "doc_id"])
        twice = rows.num_rows - len(rows.column("chunk_id").unique())
        counts = pc.value_counts(rows.column("doc_id"))
        found = {pair["values"]: pair["counts"] for pair in counts.to_pylist()}
        wanted = {
            row["doc_id"]: row["n_chunks"] for row in documents.to_pylist() if row["n_chunks"]
        }
        differ = [doc for doc in found | wanted if found.get(doc) != wanted.get(doc)]
        unindexed = unindexed_rows(table)
        if differ or twice or unindexed:
            raise IndexMismatchError(
                f"{self._paths.table}: {len(differ)} documents whose chunks are not those of the "
                f"catalog (such as {differ[:1]}), {twice} chunks twice, {unindexed} rows that an "
                "index does not cover; nothing was published."
            )

    def _kept(self, table: Any) -> list[int]:
        """Return the published versions that are kept, ascending."""
        matches = map(_KEPT_TAG.fullmatch, table.tags.list())
        return sorted(int(match[1]) for match in matches if match)

    def published_versions(self) -> list[int]:
        """Return the versions that :meth:`rollback` can go to, ascending."""
        with storage_errors(f"cannot read {self._paths.table}"):
            return self._kept(self._table())

    def _clean(self, table: Any) -> None:
        kept = self._kept(table)
        current = table.tags.get_version(PUBLISHED_TAG)
        for version in kept[:-KEPT_VERSIONS]:
            if version != current:
                table.tags.delete(f"published-{version}")
        drop_old_versions(self._paths, table, {*kept[-KEPT_VERSIONS:], current})

    def rollback(self, version: int) -> None:
        """Move the tag to a version published before; the next commit moves it forward again.

        Raises:
            StorageError: That version is not kept.
        """
        with self.lease, storage_errors(f"rollback of {self._paths.table}"):
            table = self._table()
            kept = self._kept(table)
            if version not in kept:
                raise StorageError(
                    f"version {version} is not kept in {self._paths.root}.",
                    f"Choose one of {kept}." if kept else "Nothing was published yet.",
                )
            _set_tag(table, PUBLISHED_TAG, version)

    def health(self) -> IndexHealth:
        """Return the state of the table's files."""
        with storage_errors(f"cannot read {self._paths.table}"):
            table = self._table()
            tags = table.tags.list()
            published = tags[PUBLISHED_TAG]["version"] if PUBLISHED_TAG in tags else None
            return measure(self._paths, table, published)


def _set_tag(table: Any, tag: str, version: int) -> None:
    if tag in table.tags.list():
        table.tags.update(tag, version)
    else:
        table.tags.create(tag, version)
