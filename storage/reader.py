"""The published version of a store, read only.

Readers open the tag and nothing else, so they see neither half a run nor half an index. A version
is kept until three more have been published; a process that reads for days opens it anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from storage.errors import NothingPublishedError, StorageError, storage_errors
from storage.paths import StorePaths
from storage.schema import check_version, encoder_of, vector_dim
from storage.sql import is_in

PUBLISHED_TAG = "prod"
_IDS_PER_QUERY = 500


def open_dataset(paths: StorePaths, version: int | str | None = None) -> Any:
    """Return the Lance dataset of the chunks at a version number or tag (None: the latest)."""
    os.environ.setdefault("LANCE_LOG", "error")  # its warnings are not for our users
    import lance

    return lance.dataset(str(paths.table), version=version)


def has_versions(paths: StorePaths) -> bool:
    """Return whether the table was ever made (a killed process may leave its empty folder)."""
    return any((paths.table / "_versions").glob("*.manifest"))


class PublishedIndex:
    """Chunks and documents of one version.

    Args:
        paths: The store.
        version: A version number still kept; None is the published one.

    Attributes:
        version: Number of the version that is open.
        encoder: Id of the encoder that made the vectors.
        dim: Their length.

    Raises:
        NothingPublishedError: The store has no published version.
        StorageError: There is no such version, or it was written under another schema.
    """

    def __init__(self, paths: StorePaths, version: int | None = None) -> None:
        self._paths = paths
        if not has_versions(paths):
            raise NothingPublishedError(f"nothing published in {paths.root}.")
        try:
            self._dataset = open_dataset(paths, PUBLISHED_TAG if version is None else version)
        except ValueError as error:
            if version is None and "tag" in str(error):
                raise NothingPublishedError(f"nothing published in {paths.root}.") from error
            raise StorageError(f"{paths.table}: {error}.") from error
        check_version(self._dataset.schema, str(paths.table))
        self.version = int(self._dataset.version)
        self.encoder = encoder_of(self._dataset.schema)
        self.dim = vector_dim(self._dataset.schema)

    @property
    def schema(self) -> pa.Schema:
        """Schema of the chunks."""
        schema: pa.Schema = self._dataset.schema
        return schema

    def count_rows(self, where: str | None = None) -> int:
        """Return how many chunks match the SQL filter (see ``storage.sql`` for its values)."""
        with storage_errors(f"cannot read {self._paths.table}"):
            return int(self._dataset.count_rows(filter=where))

    def to_arrow(self, columns: Sequence[str] | None = None, where: str | None = None) -> pa.Table:
        """Return the chunks that match the SQL filter, in no order that means anything."""
        with storage_errors(f"cannot read {self._paths.table}"):
            table: pa.Table = self._dataset.to_table(columns=_listed(columns), filter=where)
            return table

    def batches(
        self, columns: Sequence[str] | None = None, where: str | None = None, rows: int = 4096
    ) -> Iterator[pa.RecordBatch]:
        """Yield the chunks that match the SQL filter in batches of up to ``rows``."""
        with storage_errors(f"cannot read {self._paths.table}"):
            yield from self._dataset.to_batches(
                columns=_listed(columns), filter=where, batch_size=rows, batch_readahead=2
            )

    def rows_by_ids(self, ids: Sequence[str], columns: Sequence[str] | None = None) -> pa.Table:
        """Return the chunks with these ids, in the order of ``ids`` (repeats included).

        Raises:
            StorageError: One of them is not in this version.
        """
        names = list(columns) if columns is not None else self.schema.names
        asked = names if "chunk_id" in names else [*names, "chunk_id"]
        unique = list(dict.fromkeys(ids))
        found = pa.concat_tables(
            self.to_arrow(asked, is_in("chunk_id", unique[first : first + _IDS_PER_QUERY]))
            for first in range(0, max(len(unique), 1), _IDS_PER_QUERY)
        ).combine_chunks()
        positions = pc.index_in(pa.array(ids, pa.string()), found.column("chunk_id"))
        if positions.null_count:
            missing = ids[positions.is_null().to_pylist().index(True)]
            raise StorageError(f"chunk {missing} is not in version {self.version}.")
        return found.take(positions).select(names)

    def rows_of_documents(
        self, doc_ids: Iterable[str], columns: Sequence[str] | None = None
    ) -> pa.Table:
        """Return the chunks of these documents."""
        return self.to_arrow(columns, is_in("doc_id", doc_ids))

    def documents(self) -> pa.Table:
        """Return the documents of this version (schema ``SNAPSHOT``), by URI."""
        path = self._paths.documents_of(self.version)
        with storage_errors(f"cannot read {path}"):
            return pq.read_table(path, partitioning=None)


def _listed(columns: Sequence[str] | None) -> list[str] | None:
    return None if columns is None else list(columns)
