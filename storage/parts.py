"""Staged parts: one document and its chunks as two Parquet files. They are the truth.

A part is named by what made it (document, bytes of the source, recipe), so one that exists need
not be made again, and an edited document gets a new part while the old one still serves. The
chunks are written first; the document's file, written last, says that the part is complete and
which bytes its chunks must have.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from storage.durable import atomic_file, sweep_temps
from storage.errors import PartDamagedError, StorageError, storage_errors
from storage.paths import StorePaths
from storage.schema import (
    DOCUMENTS,
    check_version,
    chunks_schema,
    conform,
    distinct,
    encoder_of,
    vector_dim,
)
from storage.seal import parquet_bytes, seal, seal_holds

_CHUNKS_SHA256 = b"microtome.chunks_sha256"
PART_AGE_S = 3600.0
"""A guess: longer than any batch takes from staging its parts to their entry in the catalog."""


@dataclass(frozen=True, slots=True)
class PartKey:
    """What a part was made from.

    Attributes:
        doc_id: Id of the document.
        sha256: Of the source's bytes.
        recipe: Hash of everything that turned the bytes into chunks and vectors.
    """

    doc_id: str
    sha256: str
    recipe: str

    @property
    def name(self) -> str:
        """Name of the part: SHA-256 of the key, 64 hex digits."""
        joined = "\n".join((self.doc_id, self.sha256, self.recipe))
        return hashlib.sha256(joined.encode()).hexdigest()


def part_exists(paths: StorePaths, name: str) -> bool:
    """Return whether part ``name`` is complete (its bytes are checked when it is read)."""
    return paths.part_document(name).is_file() and paths.part_chunks(name).is_file()


def write_part(paths: StorePaths, document: pa.Table, chunks: pa.Table) -> str:
    """Write a part and return its name. The same input writes the same bytes.

    Args:
        paths: The store.
        document: One row, as :data:`storage.schema.DOCUMENTS` says.
        chunks: Its chunks, as :func:`storage.schema.chunks_schema` says; may be empty.

    Raises:
        StorageError: The tables are not what the schema demands, or cannot be written; then no
            part of this name is there, unless it was there before.
    """
    document = conform(document, DOCUMENTS, "document row")
    if document.num_rows != 1:
        raise StorageError(f"a part holds one document, not {document.num_rows}.")
    row = {name: document.column(name)[0].as_py() for name in _ROW_COLUMNS}
    what = f"part of {row['uri']}"
    schema = chunks_schema(vector_dim(chunks.schema), row["encoder"])
    chunks = conform(chunks, schema, what)
    _check_rows(row, chunks, what)
    name = PartKey(row["doc_id"], row["sha256"], row["recipe"]).name
    with storage_errors(f"cannot write the {what} in {paths.parts}"):
        content = seal(parquet_bytes(chunks))
        with atomic_file(paths.part_chunks(name), sync_name=False) as file:
            file.write(content)  # the name becomes durable with that of the document, below
        digest = hashlib.sha256(content).hexdigest().encode()
        content = seal(parquet_bytes(document, {_CHUNKS_SHA256: digest}))
        with atomic_file(paths.part_document(name)) as file:
            file.write(content)
    return name


_ROW_COLUMNS = ("doc_id", "uri", "sha256", "recipe", "encoder", "n_chunks")


def _check_rows(row: dict[str, object], chunks: pa.Table, what: str) -> None:
    if chunks.num_rows != row["n_chunks"]:
        raise StorageError(f"{what} says {row['n_chunks']} chunks and brings {chunks.num_rows}.")
    for column in ("doc_id", "uri"):
        others = distinct(chunks, column) - {row[column]}
        if others:
            raise StorageError(f"{what} brings chunks of another {column}: {sorted(others)[:3]}.")
    vectors = chunks.column("vector")
    if vectors.null_count or not np.isfinite(pc.list_flatten(vectors).to_numpy()).all():
        raise StorageError(f"{what} brings a vector that is missing or not finite.")
    if len(chunks.column("chunk_id").unique()) != chunks.num_rows:
        raise StorageError(f"{what} brings the same chunk_id twice.")


def read_document(paths: StorePaths, name: str) -> pa.Table:
    """Return the document of part ``name``: one row.

    Raises:
        PartDamagedError: The part is not there, not complete, or its bytes have changed.
    """
    return _read(paths.part_document(name)).cast(DOCUMENTS)


def read_chunks(paths: StorePaths, name: str) -> pa.Table:
    """Return the chunks of part ``name``.

    Raises:
        PartDamagedError: The part is not there, not complete, or its bytes have changed.
    """
    digest = _open(paths.part_document(name)).schema_arrow.metadata.get(_CHUNKS_SHA256, b"")
    path = paths.part_chunks(name)
    chunks = _read(path, digest.decode())
    encoder, dim = part_encoder(chunks)
    return chunks.cast(chunks_schema(dim, encoder))


def read_part(paths: StorePaths, name: str) -> tuple[pa.Table, pa.Table]:
    """Return (document, chunks) of part ``name``.

    Raises:
        PartDamagedError: The part is not there, not complete, or its bytes have changed.
    """
    return read_document(paths, name), read_chunks(paths, name)


def _open(path: Path, digest: str | None = None) -> pq.ParquetFile:
    """Open a file of a part after checking every byte of it, against ``digest`` when given."""
    try:
        content = path.read_bytes()
        if not seal_holds(content):
            raise PartDamagedError(f"{path} does not have the bytes that were written.")
        if digest is not None and hashlib.sha256(content).hexdigest() != digest:
            raise PartDamagedError(f"{path} is not the file that its document names.")
        file = pq.ParquetFile(pa.BufferReader(content))
    except (OSError, pa.ArrowException) as error:
        raise PartDamagedError(f"{path}: {error}.") from error
    check_version(file.schema_arrow, str(path))
    return file


def _read(path: Path, digest: str | None = None) -> pa.Table:
    return _open(path, digest).read(use_threads=False)  # parts are small: threads cost more


def part_encoder(chunks: pa.Table) -> tuple[str, int]:
    """Return (encoder id, vector length) of a part's chunks."""
    return encoder_of(chunks.schema), vector_dim(chunks.schema)


def list_parts(paths: StorePaths) -> Iterator[str]:
    """Yield the names of the complete parts, in order."""
    for path in sorted(paths.parts.glob("??/*.document.parquet")):
        name = path.name.split(".")[0]
        if part_exists(paths, name):
            yield name


def drop_part(paths: StorePaths, name: str) -> None:
    """Delete a part, its mark of completeness first."""
    with storage_errors(f"cannot delete part {name} in {paths.parts}"):
        paths.part_document(name).unlink(missing_ok=True)
        paths.part_chunks(name).unlink(missing_ok=True)


def sweep_parts(paths: StorePaths, keep: Collection[str], min_age_s: float = PART_AGE_S) -> int:
    """Delete parts not in ``keep``, halves of parts, and temporary files.

    Args:
        paths: The store.
        keep: Names of the parts that the catalog or a published version needs.
        min_age_s: Younger files stay, since another process may have staged them just now.

    Returns:
        How many files were deleted.
    """
    swept = 0
    oldest = time.time() - min_age_s
    with storage_errors(f"cannot sweep {paths.parts}"):
        for folder in sorted(paths.parts.glob("??")):
            swept += sweep_temps(folder, min_age_s)
            with os.scandir(folder) as entries:
                stale = [
                    entry.path
                    for entry in entries
                    if entry.name.endswith(".parquet")
                    and entry.name.split(".")[0] not in keep
                    and entry.stat().st_mtime <= oldest
                ]
            for file in sorted(stale, reverse=True):  # X.document before X.chunks
                Path(file).unlink(missing_ok=True)
            swept += len(stale)
    return swept
