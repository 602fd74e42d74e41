"""Bring an index back: from the parts, or to an earlier version."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from configs.settings import Settings
from storage.catalog import Catalog
from storage.paths import StorePaths
from storage.reader import PublishedIndex
from storage.rebuild import rebuild
from storage.rows import FailureRow
from tasks.indexing.commit import open_index
from tasks.indexing.reader import prepare_search


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """What a rebuild made.

    Attributes:
        version: The version now published.
        documents: Documents in it.
        chunks: Chunks in it.
        damaged: (uri, message) of documents whose part was damaged; the next ingest makes them
            again.
    """

    version: int
    documents: int
    chunks: int
    damaged: tuple[tuple[str, str], ...]


def rebuild_store(store: Path, settings: Settings) -> RebuildReport:
    """Write the index anew from the parts that the catalog names, and publish it.

    Raises:
        StorageError: No part can be read, or the disk refuses.
        LeaseBusyError: Another run is committing.
    """
    paths = StorePaths(store)
    with Catalog(paths) as catalog:
        built = rebuild(paths, catalog, settings.run.lease_s)
        for row, error in built.damaged:
            failure = FailureRow(
                row.uri, "rebuild", None, type(error).__name__, error.message, error.remedy, True,
                row.run_id,
            )  # fmt: skip
            catalog.replace_failures(row.uri, [failure])

        def prepare(index: PublishedIndex) -> None:
            prepare_search(paths, index, settings.encoder)

        published = built.index.publish(catalog.snapshot(), prepare)
    return RebuildReport(
        published.version,
        built.documents,
        built.chunks,
        tuple((row.uri, error.message) for row, error in built.damaged),
    )


def roll_back(store: Path, version: int, settings: Settings) -> None:
    """Move the published tag to ``version``.

    Raises:
        StorageError: That version is not kept.
    """
    open_index(StorePaths(store), settings).rollback(version)
