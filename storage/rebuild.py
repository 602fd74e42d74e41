"""Make the index again from the parts that the catalog names."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from storage.catalog import Catalog
from storage.errors import PartDamagedError, StorageError
from storage.index import ChunkIndex
from storage.parts import drop_part, part_encoder, read_chunks
from storage.paths import StorePaths
from storage.reader import has_versions, open_dataset
from storage.rows import DocumentRow


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What :func:`rebuild` did.

    Attributes:
        index: The new index, not published yet.
        documents: Documents in it.
        chunks: Chunks in it.
        damaged: Documents whose part was damaged, with the error. They are out of the index and
            marked as failed; the next ingest makes them again.
    """

    index: ChunkIndex
    documents: int
    chunks: int
    damaged: tuple[tuple[DocumentRow, PartDamagedError], ...]


def rebuild(paths: StorePaths, catalog: Catalog, lease_s: float = 60.0) -> Rebuilt:
    """Write the whole index anew, in one version; the published version serves until publish.

    Encoder and dimension are those of the parts, so this is also how a store changes its encoder.

    Raises:
        LeaseBusyError: Another process is committing.
        StorageError: No part can be read, or the parts were made by several encoders.
    """
    rows = [row for row in catalog.documents() if row.part is not None]
    damaged: list[tuple[DocumentRow, PartDamagedError]] = []
    encoder, dim = _encoder(paths, rows)
    index = ChunkIndex(paths, dim, encoder, lease_s=lease_s)
    chunks = 0

    def tables() -> Iterator[pa.Table]:
        nonlocal chunks
        for row in rows:
            assert row.part is not None  # filtered above
            try:
                table = read_chunks(paths, row.part)
            except PartDamagedError as error:
                damaged.append((row, error))
                continue
            if part_encoder(table) != (encoder, dim):
                raise StorageError(
                    f"{row.uri} was made with encoder {part_encoder(table)[0]}, others with "
                    f"{encoder}.",
                    "Run `microtome backfill` to embed all documents with one encoder.",
                )
            chunks += table.num_rows
            yield table

    with index.lease:
        _discard_if_unreadable(paths)
        index.replace_all(tables())
        for row, _ in damaged:
            drop_part(paths, row.part or "")
        lost = [row.without_part() for row, _ in damaged]
        catalog.end_commit([*catalog.pending(), *(row.doc_id for row in rows)], lost, ())
    return Rebuilt(index, len(rows) - len(damaged), chunks, tuple(damaged))


def _discard_if_unreadable(paths: StorePaths) -> None:
    """Delete an index that cannot be opened any more, and all that belongs to its versions.

    Versions count from 1 again afterwards, and nothing is published until the next publish.
    """
    try:
        if has_versions(paths):
            open_dataset(paths)
    except (OSError, RuntimeError, ValueError):
        for folder in (paths.index, paths.published, paths.search):
            if folder.exists():
                shutil.rmtree(folder)


def _encoder(paths: StorePaths, rows: list[DocumentRow]) -> tuple[str, int]:
    """Return encoder and dimension of the first part that can be read."""
    for row in rows:
        try:
            return part_encoder(read_chunks(paths, row.part or ""))
        except PartDamagedError:
            continue
    raise StorageError(
        f"no part in {paths.parts} can be read.", "Run `microtome ingest` on the sources again."
    )
