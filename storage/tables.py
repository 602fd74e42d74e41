"""Arrow tables from plain rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from storage.errors import StorageError
from storage.schema import DOCUMENTS, chunks_schema


def document_table(row: Mapping[str, Any]) -> pa.Table:
    """Return the table of one document from a dictionary with the columns of ``DOCUMENTS``."""
    return _table([row], DOCUMENTS)


def chunks_table(
    rows: Sequence[Mapping[str, Any]], vectors: npt.NDArray[np.float32], encoder: str
) -> pa.Table:
    """Return the table of a document's chunks.

    Args:
        rows: One dictionary a chunk, with the columns of ``chunks_schema`` but ``vector``.
        vectors: Their vectors, shape (rows, dim).
        encoder: Id of the encoder that made them.

    Raises:
        StorageError: Not one vector a chunk, a number that is not finite, or a wrong row.
    """
    if vectors.ndim != 2 or len(vectors) != len(rows) or not np.isfinite(vectors).all():
        raise StorageError(
            f"{len(rows)} chunks need that many finite vectors, got an array of {vectors.shape}."
        )
    schema = chunks_schema(vectors.shape[1], encoder)
    scalars = pa.schema([field for field in schema if field.name != "vector"])
    flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).reshape(-1))
    column = pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
    return _table(rows, scalars).append_column(schema.field("vector"), column).cast(schema)


def _table(rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> pa.Table:
    names = set(schema.names)
    for row in rows:
        if row.keys() != names:
            raise StorageError(
                f"a row has the wrong columns: {sorted(row.keys() ^ names)} differ from the schema."
            )
    try:
        return pa.Table.from_pylist(list(rows), schema=schema)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise StorageError(f"a row does not fit its schema: {error}.") from error
