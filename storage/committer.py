"""The one way documents get into the index and out of it: catalog and index change together.

SQLite and Lance have no common transaction. So the catalog first notes which documents are about
to change, then the index changes in one version, then the catalog takes the new rows and drops the
note in one transaction. A note that is still there tells the next run that a process died in
between: it puts the index back to what the catalog says, from the parts, before it publishes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.parquet as pq

from storage.catalog import Catalog
from storage.errors import PartDamagedError
from storage.index import ChunkIndex, CommitCounts, Publication
from storage.parts import PART_AGE_S, drop_part, read_chunks, sweep_parts
from storage.paths import StorePaths
from storage.reader import PublishedIndex
from storage.rows import DocumentRow, FailureRow, now
from storage.schema import distinct

_DOCUMENTS_PER_COMMIT = 500
"""The filter names each document: 5,000 names made a commit of 10,000 small rows take 3 s."""


@dataclass(frozen=True, slots=True)
class Committed:
    """What :meth:`Committer.commit` did.

    Attributes:
        documents: Rows now in the catalog.
        commits: Versions of the index made.
        counts: Chunks inserted, updated and deleted.
        damaged: Documents left as they were because their part was damaged, with the error; the
            part was deleted, so the next run makes it again.
    """

    documents: int = 0
    commits: int = 0
    counts: CommitCounts = field(default_factory=CommitCounts)
    damaged: tuple[tuple[DocumentRow, PartDamagedError], ...] = ()


class Committer:
    """Commits, removes and publishes documents of one store.

    Args:
        paths: The store.
        catalog: Its catalog, opened by this thread.
        index: Its index; ``with index.lease:`` around several calls keeps other runs out.
        commit_chunks: Chunks per commit at which a new one is begun (whole documents only).
    """

    def __init__(
        self, paths: StorePaths, catalog: Catalog, index: ChunkIndex, commit_chunks: int = 10_000
    ) -> None:
        self._paths = paths
        self._catalog = catalog
        self._index = index
        self._commit_chunks = commit_chunks

    def commit(self, rows: Sequence[DocumentRow]) -> Committed:
        """Make index and catalog hold ``rows``, each with the chunks of its part.

        A row without a part takes its document out of the index and stays in the catalog.

        Raises:
            LeaseBusyError: Another process is committing.
            StorageError: Index or catalog cannot be written; the groups committed so far stand.
        """
        done = Committed()
        with self._index.lease:
            for group in self._groups(rows):
                done = self._commit_group(group, done)
        return done

    def _groups(self, rows: Sequence[DocumentRow]) -> Iterator[list[DocumentRow]]:
        group: list[DocumentRow] = []
        chunks = 0
        for row in rows:
            full = len(group) >= _DOCUMENTS_PER_COMMIT or chunks >= self._commit_chunks
            if group and full:
                yield group
                group, chunks = [], 0
            group.append(row)
            chunks += row.n_chunks
        if group:
            yield group

    def _commit_group(self, group: list[DocumentRow], done: Committed) -> Committed:
        parts: dict[str, pa.Table] = {}
        rows: list[DocumentRow] = []
        damaged = list(done.damaged)
        for row in group:
            try:
                parts[row.doc_id] = self._chunks_of(row)
            except PartDamagedError as error:
                if row.part is not None:
                    drop_part(self._paths, row.part)
                damaged.append((row, error))
            else:
                rows.append(dataclasses.replace(row, ingested_at=now() if row.part else ""))
        if not rows:
            return dataclasses.replace(done, damaged=tuple(damaged))
        self._catalog.begin_commit(parts)
        counts = self._index.commit(parts)
        self._catalog.end_commit(parts, rows, ())
        return Committed(
            done.documents + len(rows), done.commits + 1, done.counts + counts, tuple(damaged)
        )

    def _chunks_of(self, row: DocumentRow) -> pa.Table:
        if row.part is None:
            return self._index.schema.empty_table()
        chunks = read_chunks(self._paths, row.part)
        if chunks.num_rows != row.n_chunks:
            raise PartDamagedError(
                f"part of {row.uri} holds {chunks.num_rows} chunks, its row says {row.n_chunks}."
            )
        return chunks

    def remove(self, rows: Sequence[DocumentRow]) -> CommitCounts:
        """Take documents out of index and catalog, their failures with them."""
        counts = CommitCounts()
        with self._index.lease:
            for first in range(0, len(rows), _DOCUMENTS_PER_COMMIT):
                group = rows[first : first + _DOCUMENTS_PER_COMMIT]
                doc_ids = [row.doc_id for row in group]
                self._catalog.begin_commit(doc_ids)
                counts += self._index.delete_documents(doc_ids)
                self._catalog.end_commit(doc_ids, (), [row.uri for row in group])
        return counts

    def recover(self) -> int:
        """Put the index back to what the catalog says where a killed process left them apart.

        A document whose part is damaged leaves the index; its row and a failure say so.

        Returns:
            How many documents that was.
        """
        with self._index.lease:
            pending = self._catalog.pending()
            for first in range(0, len(pending), _DOCUMENTS_PER_COMMIT):
                doc_ids = pending[first : first + _DOCUMENTS_PER_COMMIT]
                chunks = {doc_id: self._index.schema.empty_table() for doc_id in doc_ids}
                lost: list[DocumentRow] = []
                for row in filter(None, map(self._catalog.document, doc_ids)):
                    try:
                        chunks[row.doc_id] = self._chunks_of(row)
                    except PartDamagedError as error:
                        lost.append(row.without_part())
                        self._note_loss(row, error)
                self._index.commit(chunks)
                self._catalog.end_commit(doc_ids, lost, ())
        return len(pending)

    def _note_loss(self, row: DocumentRow, error: PartDamagedError) -> None:
        failure = FailureRow(
            row.uri, "commit", None, type(error).__name__, error.message, error.remedy, True,
            row.run_id,
        )  # fmt: skip
        self._catalog.replace_failures(row.uri, [failure])

    def sweep_parts(self, min_age_s: float = PART_AGE_S) -> int:
        """Delete parts that neither the catalog nor a kept version names; return how many files.

        Args:
            min_age_s: Younger files stay: another process may have staged them just now.
        """
        with self._index.lease:
            keep = distinct(self._catalog.snapshot(), "part")
            for path in self._paths.published.glob("v*.parquet"):
                keep |= distinct(pq.read_table(path, partitioning=None), "part")
            return sweep_parts(self._paths, keep, min_age_s)

    def publish(self, prepare: Callable[[PublishedIndex], None] | None = None) -> Publication:
        """Publish what the catalog says, after :meth:`recover`; see :meth:`ChunkIndex.publish`."""
        with self._index.lease:
            self.recover()
            return self._index.publish(self._catalog.snapshot(), prepare)
