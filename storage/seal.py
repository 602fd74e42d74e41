"""Parquet files that carry the hash of their own bytes.

Parquet's page checksums leave the footer out, and in a small file the footer is most of it. So
the footer's metadata holds a SHA-256, taken over the whole file with zeros in its place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.parquet as pq

_KEY = b"microtome.seal"
_MARK = b"microtome.seal:"  # last of its kind in the file: only the footer's tail follows
_ZEROS = b"0" * 64
_DICTIONARY = ["doc_id", "uri", "language", "doc_type", "date"]  # the columns that repeat


def parquet_bytes(table: pa.Table, metadata: Mapping[bytes, bytes] | None = None) -> bytes:
    """Return ``table`` as a Parquet file with room for a seal; equal tables give equal bytes."""
    known = {**(table.schema.metadata or {}), **(metadata or {}), _KEY: _MARK + _ZEROS}
    sink = pa.BufferOutputStream()
    pq.write_table(
        table.replace_schema_metadata(known),
        sink,
        compression="zstd",
        use_dictionary=[name for name in _DICTIONARY if name in table.schema.names],  # type: ignore[arg-type]
    )
    return sink.getvalue().to_pybytes()


def seal(content: bytes) -> bytes:
    """Put the hash of ``content`` (from :func:`parquet_bytes`) into it."""
    place = content.rindex(_MARK + _ZEROS) + len(_MARK)
    digest = hashlib.sha256(content).hexdigest().encode()
    return content[:place] + digest + content[place + len(digest) :]


def seal_holds(content: bytes) -> bool:
    """Return whether sealed ``content`` is what was sealed, to the bit."""
    place = content.rfind(_MARK) + len(_MARK)
    digest = content[place : place + len(_ZEROS)]
    unsealed = content[:place] + _ZEROS + content[place + len(_ZEROS) :]
    return hashlib.sha256(unsealed).hexdigest().encode() == digest
