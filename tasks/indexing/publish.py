"""Publish the index: check it, prepare what search needs, move the tag, sweep what is stale."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from configs.settings import Settings
from storage.catalog import Catalog
from storage.committer import Committer
from storage.paths import StorePaths
from storage.reader import PublishedIndex
from storage.rows import RunState
from tasks.indexing.commit import CommitResult, open_index
from tasks.indexing.reader import prepare_search


@dataclass(frozen=True, slots=True)
class PublishResult:
    """The version that readers see, and whether it is a new one."""

    version: int
    changed: bool


def publish(store: Path, settings: Settings, run_id: str, committed: CommitResult) -> PublishResult:
    """Make what is committed visible to readers, and end the run.

    Nothing is published when nothing was committed since the last time.

    Raises:
        IndexMismatchError: Index and catalog disagree; readers keep the version they had.
        LeaseBusyError: Another run is committing.
    """
    paths = StorePaths(store)

    def prepare(published: PublishedIndex) -> None:
        prepare_search(paths, published, settings.encoder)

    with Catalog(paths) as catalog:
        index = open_index(paths, settings)
        committer = Committer(paths, catalog, index, settings.run.commit_chunks)
        publication = committer.publish(prepare)
        committer.sweep_parts()
        state = RunState.COMPLETED_WITH_ERRORS if committed.failures else RunState.COMPLETED
        catalog.end_run(run_id, state, committed.counts, publication.version)
    return PublishResult(publication.version, publication.changed)
