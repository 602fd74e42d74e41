"""Care of the table's files and indices. Called by ``storage.index`` under its lease."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from storage.durable import sweep_temps
from storage.paths import StorePaths
from storage.sidecar import drop_sidecars

VECTOR_INDEX_ROWS = 50_000
"""Below it every vector is compared (152 ms at 100,000 rows was measured), above it IVF_FLAT
answers (5.5 ms, nothing lost with 20 of 256 lists probed, on clustered synthetic vectors)."""
_FRAGMENT_ROWS = 262_144  # so that a big fragment is not written again for a small run (a guess)
_LOOSE_FRAGMENTS = 16  # fragments beyond the full ones before they are joined (a guess)
_DELETED_SHARE = 0.2  # of all rows, before the files are written without them (a guess)


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """State of the table's files.

    Attributes:
        rows: Chunks in the latest version.
        fragments: Data files of the latest version.
        versions: Versions that are kept.
        unindexed: Rows not covered, summed over the indices.
        disk_bytes: Size of all files.
        temp_files: Partial files that a killed process left; the next publish deletes them.
        latest: Number of the latest version.
        published: Number of the version that readers see, None before the first publication.
    """

    rows: int
    fragments: int
    versions: int
    unindexed: int
    disk_bytes: int
    temp_files: int
    latest: int
    published: int | None


def unindexed_rows(table: Any) -> int:
    """Return the rows that an index does not cover yet, summed over the indices."""
    return sum(index.num_unindexed_rows for index in table.list_indices())


def optimise(table: Any, vector_index_rows: int) -> None:
    """Join small fragments when there are many, make missing indices, index what is new.

    The work follows what has changed, not the size of the table, but for a join now and then.
    """
    dataset = table.to_lance()
    stats = dataset.stats.dataset_stats()
    rows = table.count_rows()
    if (
        stats["num_fragments"] > _LOOSE_FRAGMENTS + rows // _FRAGMENT_ROWS
        or stats["num_deleted_rows"] > _DELETED_SHARE * rows
    ):
        dataset.optimize.compact_files(target_rows_per_fragment=_FRAGMENT_ROWS)
        table.checkout_latest()
    indexed = {column for index in table.list_indices() for column in index.columns}
    for column, config in _index_configs(rows, vector_index_rows).items():
        if rows and column not in indexed:  # an index trained on nothing would learn nothing
            table.create_index(column, config=config)
    if unindexed_rows(table):
        table.to_lance().optimize.optimize_indices()
        table.checkout_latest()


def _index_configs(rows: int, vector_index_rows: int) -> dict[str, Any]:
    """Return the index of each column that has one."""
    from lancedb.index import FTS, Bitmap, BTree, IvfFlat

    configs: dict[str, Any] = {
        "chunk_id": BTree(),
        "doc_id": BTree(),
        "level": Bitmap(),
        # any language: no stemming, no stop words; accents folded
        "text": FTS(stem=False, remove_stop_words=False, ascii_folding=True),
    }
    if rows >= vector_index_rows:
        configs["vector"] = IvfFlat(distance_type="cosine", num_partitions=max(1, round(rows**0.5)))
    return configs


def drop_old_versions(paths: StorePaths, table: Any, keep: Collection[int]) -> None:
    """Delete every version without a tag, and what belongs to versions not in ``keep``.

    Readers open tagged versions and nobody else writes, so all other versions, and files that no
    version names, belong to the past or to a killed process.
    """
    table.to_lance().cleanup_old_versions(
        older_than=dt.timedelta(0), delete_unverified=True, error_if_tagged_old_versions=False
    )
    for path in (paths.table / "data").glob(".tmp*"):  # Lance's own cleaning passes over these
        path.unlink(missing_ok=True)
    for path in paths.published.glob("v*.parquet"):
        if int(path.stem[1:]) not in keep:
            path.unlink(missing_ok=True)
    sweep_temps(paths.published, min_age_s=0)
    drop_sidecars(paths, keep)


def measure(paths: StorePaths, table: Any, published: int | None) -> IndexHealth:
    """Return the state of the table's files."""
    files = [path for path in paths.table.rglob("*") if path.is_file()]
    return IndexHealth(
        rows=table.count_rows(),
        fragments=table.to_lance().stats.dataset_stats()["num_fragments"],
        versions=len(table.list_versions()),
        unindexed=unindexed_rows(table),
        disk_bytes=sum(path.stat().st_size for path in files),
        temp_files=sum(path.name.startswith(".tmp") for path in files),
        latest=int(table.version),
        published=published,
    )
