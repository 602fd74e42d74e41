"""The data contract: Arrow schemas of everything a store holds, with a version.

Offsets are 0-based, half-open, in code points of the document's text; pages are 1-based.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from storage.errors import StorageError

SCHEMA_VERSION = 2
"""Raise it when a column is added, removed or means something else."""

VERSION_KEY = b"microtome.schema_version"
ENCODER_KEY = b"microtome.encoder"
PRIMARY_KEY = {b"lance-schema:unenforced-primary-key": b"true"}
"""Field metadata that makes Lance detect two writers inserting the same key (without it, two
writers made 1,600 silent duplicates in a test of 9,000 keys)."""

_METADATA: dict[bytes | str, bytes | str] = {VERSION_KEY: str(SCHEMA_VERSION).encode()}
_STRINGS = pa.list_(pa.string())
_COUNTS = pa.list_(pa.struct([("reason", pa.string()), ("count", pa.int64())]))


def _required(name: str, kind: pa.DataType) -> pa.Field[Any]:
    return pa.field(name, kind, nullable=False)


def chunks_schema(dim: int, encoder: str | None = None) -> pa.Schema:
    """Return the schema of chunks with vectors of ``dim`` float32, made by ``encoder``."""
    metadata = dict(_METADATA)
    if encoder is not None:
        metadata[ENCODER_KEY] = encoder.encode()
    return pa.schema(
        [
            pa.field("chunk_id", pa.string(), nullable=False, metadata=PRIMARY_KEY),
            _required("doc_id", pa.string()),
            _required("uri", pa.string()),
            _required("level", pa.int8()),  # 0 the finest
            _required("size_tokens", pa.int32()),  # the level's nominal size
            _required("start", pa.int64()),
            _required("end", pa.int64()),
            _required("cell_start", pa.int32()),
            _required("cell_end", pa.int32()),
            _required("n_tokens", pa.int32()),
            _required("text", pa.string()),
            _required("fingerprint", pa.string()),
            pa.field("markers", _STRINGS),
            pa.field("parent_id", pa.string()),  # null on the coarsest level
            pa.field("context", _STRINGS),
            pa.field("heading_path", _STRINGS),
            pa.field("locators", _STRINGS),
            pa.field("pages", pa.list_(pa.int32())),
            pa.field("language", pa.string()),
            pa.field("doc_type", pa.string()),
            pa.field("date", pa.string()),  # ISO 8601, "" where not stated
            pa.field("vector", pa.list_(pa.float32(), dim)),
        ],
        metadata=metadata,
    )


FAILURE = pa.struct(
    [
        ("uri", pa.string()),
        ("stage", pa.string()),
        ("page", pa.int32()),
        ("error", pa.string()),
        ("message", pa.string()),
        ("remedy", pa.string()),
        ("transient", pa.bool_()),
    ]
)

BLOCK = pa.struct(
    [
        ("kind", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("page", pa.int32()),
        ("level", pa.int32()),
        ("heading_path", _STRINGS),
        ("locator", pa.string()),
        ("context", _STRINGS),
        # points, origin at the top left; null where not known
        ("bbox", pa.struct([(side, pa.float64()) for side in ("x0", "top", "x1", "bottom")])),
    ]
)

PAGE = pa.struct(
    [
        ("number", pa.int32()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("text_source", pa.string()),
        ("route_reason", pa.string()),
        ("ocr_confidence", pa.float64()),
        ("rotation", pa.int32()),
    ]
)

TABLE_ROW = pa.struct(
    [
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("page", pa.int32()),
        ("cells", pa.list_(pa.struct([("header", pa.string()), ("value", pa.string())]))),
    ]
)

TABLE = pa.struct(
    [
        ("pages", pa.list_(pa.int32())),
        ("caption", pa.string()),
        ("n_rows", pa.int32()),
        ("n_cols", pa.int32()),
        ("header_rows", pa.int32()),
        ("irregular", pa.bool_()),
        ("rows", pa.list_(TABLE_ROW)),
    ]
)

LEDGER_ROW = pa.struct(
    [
        ("unit", pa.string()),
        ("source", pa.int64()),
        ("dropped", _COUNTS),
        ("generated", _COUNTS),
        ("text", pa.int64()),
        ("route", pa.string()),
    ]
)

DOCUMENTS = pa.schema(
    [
        _required("doc_id", pa.string()),
        _required("uri", pa.string()),
        pa.field("media_type", pa.string()),
        pa.field("size_bytes", pa.int64()),
        _required("sha256", pa.string()),  # of the source's bytes
        pa.field("title", pa.string()),
        pa.field("language", pa.string()),
        pa.field("doc_type", pa.string()),
        pa.field("date", pa.string()),  # ISO 8601, "" where not stated
        _required("text", pa.string()),
        _required("text_sha256", pa.string()),
        pa.field("parser", pa.string()),
        pa.field("parser_version", pa.int32()),
        _required("recipe", pa.string()),
        _required("encoder", pa.string()),
        _required("n_chunks", pa.int64()),
        _required("n_cells", pa.int64()),
        pa.field("blocks", pa.list_(BLOCK)),
        pa.field("pages", pa.list_(PAGE)),
        pa.field("tables", pa.list_(TABLE)),
        pa.field("ledger", pa.list_(LEDGER_ROW)),
        pa.field("failures", pa.list_(FAILURE)),
    ],
    metadata=_METADATA,
)

SNAPSHOT = pa.schema(
    [
        _required("uri", pa.string()),
        _required("doc_id", pa.string()),
        _required("part", pa.string()),
        _required("n_chunks", pa.int64()),
        _required("n_cells", pa.int64()),
    ],
    metadata=_METADATA,
)
"""The documents of one published version, by URI, with the part that each came from."""


def conform(table: pa.Table, schema: pa.Schema, what: str) -> pa.Table:
    """Return ``table`` with exactly ``schema``, metadata included.

    Raises:
        StorageError: A column is missing or too many, has another type, or holds a null where
            none may be.
    """
    missing = set(schema.names) - set(table.schema.names)
    extra = set(table.schema.names) - set(schema.names)
    if missing or extra:
        raise StorageError(
            f"{what}: columns missing: {sorted(missing)}, not known: {sorted(extra)}."
        )
    table = table.select(schema.names)
    for field in schema:
        if not field.nullable and table.column(field.name).null_count:
            raise StorageError(f"{what}: column {field.name!r} holds a null.")
    try:
        return table.cast(schema)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise StorageError(f"{what}: {error}.") from error


def distinct(table: pa.Table, column: str) -> set[str]:
    """Return the strings that occur in a column."""
    return {str(value) for value in table.column(column).unique().to_pylist()}


def vector_dim(schema: pa.Schema) -> int:
    """Return the length of the vectors in a schema of chunks."""
    return int(schema.field("vector").type.list_size)


def encoder_of(schema: pa.Schema) -> str:
    """Return the id of the encoder that a schema of chunks names, "" when it names none."""
    return (schema.metadata or {}).get(ENCODER_KEY, b"").decode()


def check_version(schema: pa.Schema, what: str) -> None:
    """Raise StorageError when ``what`` was written under another version of the contract."""
    found = (schema.metadata or {}).get(VERSION_KEY, b"none").decode()
    if found != str(SCHEMA_VERSION):
        raise StorageError(
            f"{what} has schema version {found}, this microtome reads {SCHEMA_VERSION}.",
            "Use the microtome that wrote it, or ingest into a new --store.",
        )
