"""Commit a run: the one place where the results of all batches meet the catalog and the index."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from configs.settings import Settings
from parsers.model import Failure, sha256_text
from storage.catalog import Catalog
from storage.committer import Committer
from storage.errors import PartDamagedError
from storage.index import ChunkIndex
from storage.paths import StorePaths
from storage.rows import DocumentRow, DocumentStatus, FailureRow, RunState, now
from tasks.discovery.plan import Plan, PlannedFile, read_plan
from tasks.embedding.encoder import encoder_info
from tasks.indexing.process import BatchResult, Processed, read_result
from tasks.indexing.rows import failure_from, failure_of, failure_row

_STALE = "{message}. The version indexed at {when} is still served."


@dataclass(frozen=True, slots=True)
class CommitResult:
    """What the index holds of a run's sources now.

    Attributes:
        documents: Documents written or removed.
        counts: Documents that were ``new``, ``changed``, ``unchanged``, ``gone``, ``failed`` and
            ``skipped``; each found document counts once.
        failures: Every failure of the sources' documents that stands.
    """

    documents: int
    counts: dict[str, int]
    failures: tuple[Failure, ...]


def open_index(store: StorePaths, settings: Settings) -> ChunkIndex:
    """Return the index of a store, for writing with the settings' encoder."""
    info = encoder_info(settings.encoder)
    return ChunkIndex(store, info.dim, info.id, lease_s=settings.run.lease_s)


def commit_run(
    store: Path, plan_path: str, batches: Sequence[BatchResult], settings: Settings
) -> CommitResult:
    """Write a run's documents to the index and the catalog, and remove those that are gone.

    A document that failed and was indexed before keeps its last good version, and its failure
    says so.

    Raises:
        LeaseBusyError: Another run is committing.
        StorageError: Index or catalog cannot be written.
    """
    paths = StorePaths(store)
    plan = read_plan(plan_path)
    processed = [p for batch in batches for p in read_result(batch.path)]
    good = [p for p in processed if p.part is not None]
    with Catalog(paths) as catalog:
        index = open_index(paths, settings)
        committer = Committer(paths, catalog, index, settings.run.commit_chunks)
        gone_uris = set(plan.gone)
        gone = [r for r in catalog.documents() if r.uri in gone_uris]
        with index.lease:
            committed = committer.commit([_good_row(p, plan.run_id) for p in good])
            committer.remove(gone)
            damaged = {row.uri: error for row, error in committed.damaged}
            for p in good:
                _note_failures(catalog, p, plan.run_id, damaged.get(p.uri))
            failed = [p for p in processed if p.part is None]
            for p in failed:
                _keep_failed(catalog, p, [failure_from(f) for f in p.failures], plan.run_id)
            for file in plan.failed_files:
                rows = [f for f in plan.failures if f.uri == file.uri]
                _keep_failed(catalog, _unprocessed(file), rows, plan.run_id)
            catalog.touch_documents([*plan.unchanged, *plan.failed_before], plan.run_id)
        counts = _counts(plan, processed, damaged, len(gone))
        failures = _standing(catalog, plan, processed)
    return CommitResult(committed.documents + len(gone), counts, failures)


def abandon_run(store: Path, run_id: str) -> None:
    """Note that a run ended with an error; what it had committed stands."""
    with Catalog(StorePaths(store)) as catalog:
        catalog.end_run(run_id, RunState.FAILED, {}, None)


def _good_row(p: Processed, run_id: str) -> DocumentRow:
    status = DocumentStatus.INDEXED if p.n_chunks else DocumentStatus.EMPTY
    return DocumentRow(
        p.uri, sha256_text(p.uri), p.root, p.sha256, p.recipe, p.size_bytes, p.mtime_ns, status,
        p.part, p.n_chunks, p.n_cells, "", run_id, now(),
    )  # fmt: skip


def _note_failures(
    catalog: Catalog, p: Processed, run_id: str, damaged: PartDamagedError | None
) -> None:
    rows = [failure_from(f) for f in p.failures]
    if damaged is not None:
        rows.append(
            Failure(
                p.uri, "commit", None, type(damaged).__name__, damaged.message, damaged.remedy, True
            )
        )
    catalog.replace_failures(p.uri, [_failure_row(f, run_id) for f in rows])


def _unprocessed(file: PlannedFile) -> Processed:
    return Processed(
        file.uri, file.root, file.sha256, file.size_bytes, file.mtime_ns, file.attempt, file.change,
        None, 0, 0, (),
    )  # fmt: skip


def _keep_failed(catalog: Catalog, p: Processed, failures: Sequence[Failure], run_id: str) -> None:
    """Note a failed document; what is indexed of it stays, and its failure says so."""
    before = catalog.document(p.uri)
    served = before is not None and before.part is not None
    row = DocumentRow(
        p.uri, sha256_text(p.uri), p.root, p.sha256, p.recipe, p.size_bytes, p.mtime_ns,
        DocumentStatus.FAILED,
        before.part if before else None,
        before.n_chunks if before else 0,
        before.n_cells if before else 0,
        before.ingested_at if before else "",
        run_id,
        now(),
    )  # fmt: skip
    catalog.upsert_documents([row])
    if served and before is not None:
        failures = [
            dataclasses.replace(
                f, message=_STALE.format(message=f.message.rstrip("."), when=before.ingested_at)
            )
            for f in failures
        ]
    catalog.replace_failures(p.uri, [_failure_row(f, run_id) for f in failures])


def _failure_row(failure: Failure, run_id: str) -> FailureRow:
    return FailureRow(**failure_row(failure), run_id=run_id)


def _counts(
    plan: Plan, processed: Sequence[Processed], damaged: dict[str, PartDamagedError], gone: int
) -> dict[str, int]:
    good = [p for p in processed if p.part is not None and p.uri not in damaged]
    return {
        "new": sum(p.change == "new" for p in good),
        "changed": sum(p.change == "changed" for p in good),
        "unchanged": len(plan.unchanged),
        "gone": gone,
        "failed": len(processed) - len(good) + len(plan.failed_files) + len(plan.failed_before),
        "skipped": len(plan.skipped),
    }


def _standing(catalog: Catalog, plan: Plan, processed: Sequence[Processed]) -> tuple[Failure, ...]:
    """Return the failures of every document found, those of unlisted folders included."""
    uris = {
        *plan.unchanged,
        *plan.failed_before,
        *(p.uri for p in processed),
        *(f.uri for f in plan.failed_files),
    }
    rows = [failure_of(r) for r in catalog.failures_of(uris)]
    return (*rows, *(f for f in plan.failures if f.uri not in uris))
