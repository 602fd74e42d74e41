"""The ingestion DAG, written once: plan, process batches, commit, publish.

Nothing here knows Prefect. :func:`run_ingest` is called by the local engine as it stands and by the
Prefect flow inside a flow run; the runner decides what a step is.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from configs.settings import Settings
from flows.progress import ProgressReport
from flows.runners import Runner
from parsers.model import Failure
from tasks.discovery.plan import Plan, make_plan
from tasks.indexing.commit import CommitResult, abandon_run, commit_run
from tasks.indexing.process import BatchResult, process_batch
from tasks.indexing.publish import PublishResult, publish
from tasks.indexing.rows import failure_row


@dataclass(frozen=True, slots=True)
class IngestSummary:
    """What a run did.

    Attributes:
        run_id: Name of the run; its manifests lie in ``runs/RUN_ID`` of the store.
        engine: ``local`` or ``prefect``.
        version: Published version of the index, None when nothing has ever been published.
        documents: How many were new, changed, unchanged, gone, failed and skipped; each document
            that was found is counted once.
        chunks: Chunks written, all levels.
        cells: Cells written (chunks of the finest level).
        vectors_computed: Vectors the encoder computed.
        vectors_reused: Vectors taken from the cache or from an equal text.
        pages: Pages read, by where their text came from.
        sent: What each host of a language model received: requests, characters, pictures.
        failures: What failed, in this run or before and still unresolved.
        skipped: (uri, reason) of files of unknown type.
        seconds: Wall-clock seconds by stage.
    """

    run_id: str
    engine: str
    version: int | None
    documents: dict[str, int]
    chunks: int
    cells: int
    vectors_computed: int
    vectors_reused: int
    pages: dict[str, int]
    sent: dict[str, dict[str, int]]
    failures: tuple[Failure, ...]
    skipped: tuple[tuple[str, str], ...]
    seconds: dict[str, float] = field(default_factory=dict)


def run_ingest(
    sources: Sequence[str],
    store: Path,
    settings: Settings,
    runner: Runner,
    progress: ProgressReport,
    retry_failed: bool = False,
) -> IngestSummary:
    """Bring the index in line with ``sources`` and publish it.

    Args:
        sources: Files, folders, globs or URLs.
        store: Folder of the index; made when absent.
        settings: All settings.
        runner: Runs the steps.
        progress: Told about every document and stage.
        retry_failed: Try again what failed before and has not changed.

    Raises:
        SourceError: A source names nothing.
        LeaseBusyError: Another run is committing and did not finish in time.
    """
    began = time.monotonic()
    progress.stage("looking for changed documents")
    plan: Plan = runner.submit(
        "plan", ", ".join(sources), make_plan, tuple(sources), store, settings, retry_failed
    ).result()
    try:
        return _carry_out(plan, began, store, settings, runner, progress)
    except BaseException:
        abandon_run(store, plan.run_id)
        raise


def _carry_out(
    plan: Plan,
    began: float,
    store: Path,
    settings: Settings,
    runner: Runner,
    progress: ProgressReport,
) -> IngestSummary:
    planned = time.monotonic()
    progress.total(plan.to_process)
    handles = [
        runner.submit(
            "process",
            f"batch {number} of {len(plan.batches)}, {batch.documents} documents",
            process_batch,
            store,
            batch.path,
            settings,
            progress.document,
        )
        for number, batch in enumerate(plan.batches, start=1)
    ]
    results: list[BatchResult] = [h.result() for h in handles]
    processed = time.monotonic()
    progress.stage("committing")
    commit = runner.submit(
        "commit", f"{plan.to_process} documents", commit_run, store, plan.path, handles, settings
    )
    committed: CommitResult = commit.result()
    done = time.monotonic()
    progress.stage("publishing")
    published: PublishResult = runner.submit(
        "publish",
        f"after {committed.documents} documents",
        publish,
        store,
        settings,
        plan.run_id,
        commit,
    ).result()
    finished = time.monotonic()
    seconds = {
        "plan": planned - began,
        "process": processed - planned,
        **_summed(r.seconds for r in results),  # of the processing, summed over batches
        "commit": done - processed,
        "publish": finished - done,
        "total": finished - began,
    }
    return IngestSummary(
        run_id=plan.run_id,
        engine=runner.name,
        version=published.version,
        documents=committed.counts,
        chunks=sum(r.chunks for r in results),
        cells=sum(r.cells for r in results),
        vectors_computed=sum(r.vectors_computed for r in results),
        vectors_reused=sum(r.vectors_reused for r in results),
        pages={k: int(n) for k, n in _summed(r.pages for r in results).items()},
        sent={
            host: {k: int(n) for k, n in _summed(r.sent.get(host, {}) for r in results).items()}
            for host in sorted({host for r in results for host in r.sent})
        },
        failures=committed.failures,
        skipped=plan.skipped,
        seconds={k: round(v, 3) for k, v in seconds.items()},
    )


def _summed(counts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for count in counts:
        for name, value in count.items():
            total[name] = total.get(name, 0) + value
    return total


def sent_lines(sent: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Yield what each host of a language model received, for people."""
    for host, counts in sorted(sent.items()):
        yield (
            f"{counts['characters']} characters and {counts['pictures']} pictures to {host} "
            f"in {counts['requests']} requests"
        )


def as_object(summary: IngestSummary) -> dict[str, Any]:
    """Return the object that ``ingest --json`` prints (design, section 9)."""
    return {
        "run_id": summary.run_id,
        "engine": summary.engine,
        "version": summary.version,
        "documents": summary.documents,
        "chunks": summary.chunks,
        "cells": summary.cells,
        "vectors_computed": summary.vectors_computed,
        "vectors_reused": summary.vectors_reused,
        "pages": summary.pages,
        "sent": summary.sent,
        "failures": [failure_row(f) for f in summary.failures],
        "skipped": [{"uri": uri, "reason": reason} for uri, reason in summary.skipped],
        "seconds": summary.seconds,
    }
