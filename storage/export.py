"""The published version as plain Parquet, the same bytes for the same documents."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from storage.durable import atomic_file
from storage.errors import storage_errors
from storage.parts import read_document
from storage.paths import StorePaths
from storage.reader import PublishedIndex
from storage.schema import DOCUMENTS, SCHEMA_VERSION, chunks_schema, conform

_ROWS = 20_000  # chunks held in memory at a time, about 40 MB with 384 numbers a vector
_DOCUMENTS = 200  # documents named in one query, and rows of a group in documents.parquet
_MANIFEST = "manifest.json"


def export(paths: StorePaths, out_dir: Path) -> dict[str, Any]:
    """Write ``documents.parquet``, ``chunks.parquet`` and, last, ``manifest.json``.

    Rows are in the order of URI, then level, then position, whatever the history of the store, so
    two stores with the same documents export the same bytes. A folder without a manifest is not
    complete; an older export in it is replaced.

    Returns:
        The manifest: version, encoder, dimension, and rows, bytes and SHA-256 of each file.

    Raises:
        NothingPublishedError: There is nothing to export.
        PartDamagedError: The part of a document is damaged.
        StorageError: A file cannot be written.
    """
    index = PublishedIndex(paths)
    schema = chunks_schema(index.dim, index.encoder)  # Lance keeps its metadata in no order
    listed = index.documents()
    with storage_errors(f"cannot export to {out_dir}"):
        out_dir.mkdir(parents=True, exist_ok=True)
        (out_dir / _MANIFEST).unlink(missing_ok=True)
        documents = out_dir / "documents.parquet"
        chunks = out_dir / "chunks.parquet"
        files = {
            documents.name: _write(documents, DOCUMENTS, _documents(paths, listed)),
            chunks.name: _write(chunks, schema, _chunks(index, listed, schema)),
        }
        manifest = {
            "schema_version": SCHEMA_VERSION,
            "version": index.version,
            "encoder": index.encoder,
            "dim": index.dim,
            "files": files,
        }
        with atomic_file(out_dir / _MANIFEST) as file:
            file.write(json.dumps(manifest, indent=2).encode())
    return manifest


def _write(path: Path, schema: pa.Schema, tables: Iterable[pa.Table]) -> dict[str, Any]:
    rows = 0
    with atomic_file(path) as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table, row_group_size=max(table.num_rows, 1))
            rows += table.num_rows
    with path.open("rb") as written:
        digest = hashlib.file_digest(written, "sha256").hexdigest()
    return {"rows": rows, "bytes": path.stat().st_size, "sha256": digest}


def _documents(paths: StorePaths, listed: pa.Table) -> Iterator[pa.Table]:
    names = [row["part"] for row in listed.select(["part"]).to_pylist()]
    for first in range(0, len(names), _DOCUMENTS):
        group = [read_document(paths, name) for name in names[first : first + _DOCUMENTS]]
        yield pa.concat_tables(group).combine_chunks()


def _chunks(index: PublishedIndex, listed: pa.Table, schema: pa.Schema) -> Iterator[pa.Table]:
    for doc_ids in _groups(listed):
        table = conform(index.rows_of_documents(doc_ids), schema, "export")
        yield table.sort_by(
            [("uri", "ascending"), ("level", "ascending"), ("start", "ascending")]
        ).combine_chunks()


def _groups(listed: pa.Table) -> Iterator[list[str]]:
    """Yield doc_ids in the order of their URIs, so many that their chunks fit in memory."""
    group: list[str] = []
    rows = 0
    for row in listed.select(["doc_id", "n_chunks"]).to_pylist():
        if group and (len(group) >= _DOCUMENTS or rows + row["n_chunks"] > _ROWS):
            yield group
            group, rows = [], 0
        group.append(row["doc_id"])
        rows += row["n_chunks"]
    if group:
        yield group
