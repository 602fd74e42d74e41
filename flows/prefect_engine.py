"""The Prefect side of a run: steps as task runs, artifacts, events, the health of the API."""

from __future__ import annotations

import os
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from prefect import task
from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.cache_policies import NO_CACHE
from prefect.events import emit_event
from prefect.logging import get_run_logger

from flows.dag import IngestSummary, sent_lines
from flows.progress import ProgressReport
from flows.runners import Handle
from microtome import TransientError

PUBLISHED = "microtome.index.published"
"""Our event: the evaluation deployment is triggered by it."""
_RETRIES = 2
_RETRY_DELAY_S = [5.0, 30.0]
_MAX_ROWS = 1_000
"""Rows of the failures artifact; more slow the UI down, and the catalog holds them all."""


class PrefectRunner:
    """Makes each step a task run of the current flow run."""

    name = "prefect"

    def submit(self, name: str, detail: str, step: Callable[..., Any], *args: Any) -> Handle:
        """Submit the step; handles among the arguments become the edges of the DAG.

        Idempotence is our own (parts that exist are skipped), so Prefect caches nothing. Only a
        :class:`TransientError` is retried.
        """
        as_task: Any = task(
            name=name,
            task_run_name=_braces_escaped(f"{name}: {detail}"),
            cache_policy=NO_CACHE,
            persist_result=False,
            retries=_RETRIES,
            retry_delay_seconds=_RETRY_DELAY_S,
            retry_condition_fn=_is_transient,
        )
        return cast("Handle", as_task(step).submit(*args))


def _braces_escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")  # Prefect formats the name


def _is_transient(_task: Any, _run: Any, state: Any) -> bool:
    return isinstance(state.result(raise_on_failure=False), TransientError)


class ArtifactProgress:
    """A progress artifact in the UI, beside the terminal's bar; updated per hundredth."""

    def __init__(self, terminal: ProgressReport) -> None:
        self._terminal = terminal
        self._total = 0
        self._done = 0
        self._shown = 0
        self._artifact: Any = None

    def total(self, documents: int) -> None:
        """Create the artifact."""
        self._total = documents
        self._terminal.total(documents)
        if documents:
            self._artifact = create_progress_artifact(
                progress=0.0, key="documents", description=f"{documents} documents to process"
            )

    def document(self, uri: str, outcome: str) -> None:
        """Count one document; called from task threads, where the artifact may be updated too."""
        self._done += 1
        self._terminal.document(uri, outcome)
        logger = get_run_logger()
        (logger.warning if outcome == "failed" else logger.info)("%s: %s", outcome, uri)
        percent = 100 * self._done // max(self._total, 1)
        if percent > self._shown and self._artifact is not None:
            self._shown = percent
            update_progress_artifact(artifact_id=self._artifact, progress=float(percent))

    def stage(self, name: str) -> None:
        """Log the stage."""
        self._terminal.stage(name)
        get_run_logger().info("stage: %s", name)


def report_artifacts(summary: IngestSummary, store: Path) -> None:
    """Write the run's summary and its failures as artifacts of the flow run."""
    create_markdown_artifact(
        markdown=summary_markdown(summary, store),
        key="ingest-summary",
        description="What the run did",
    )
    if summary.failures:
        create_table_artifact(
            table=[
                {
                    "document": f.uri,
                    "page": f.page or "",
                    "stage": f.stage,
                    "error": f.error,
                    "what happened": f.message,
                    "what to do": f.remedy,
                }
                for f in summary.failures[:_MAX_ROWS]
            ],
            key="failed-documents",
            description=f"{len(summary.failures)} failures (`microtome ledger` lists all)",
        )


def summary_markdown(summary: IngestSummary, store: Path) -> str:
    """Return the run's summary as Markdown, for people."""
    d = summary.documents
    failed = d.get("failed", 0)
    headline = (
        f"**{failed} documents failed**, the rest is indexed."
        if failed
        else "Every document is indexed."
    )
    if not failed and summary.failures:
        headline = f"Every document is indexed, **{len(summary.failures)} parts of them failed**."
    documents = "".join(f"| {name} | {count} |\n" for name, count in d.items())
    pages = "".join(f"| {name} | {count} |\n" for name, count in sorted(summary.pages.items()))
    seconds = "".join(f"| {name} | {value:.1f} |\n" for name, value in summary.seconds.items())
    return (
        f"# microtome ingest {summary.run_id}\n\n{headline}\n\n"
        f"Store `{store}`, published version {summary.version}.\n\n"
        f"| documents | |\n|---|---:|\n{documents}\n"
        f"{summary.chunks} chunks written, {summary.cells} of them cells; "
        f"{summary.vectors_computed} vectors computed, {summary.vectors_reused} reused.\n\n"
        + "".join(f"Sent: {line}.\n\n" for line in sent_lines(summary.sent))
        + (f"| pages read as | |\n|---|---:|\n{pages}\n" if pages else "")
        + f"| stage | seconds |\n|---|---:|\n{seconds}"
    )


def announce(summary: IngestSummary, store: Path) -> None:
    """Emit our event for a published version."""
    emit_event(
        event=PUBLISHED,
        resource={"prefect.resource.id": f"microtome.index.{store.name}"},
        payload={"version": summary.version, "store": str(store), "run_id": summary.run_id},
    )


def server_answers(timeout_s: float = 3.0) -> str | None:
    """Return the API's address when a Prefect server is configured and answers, else None."""
    from prefect.settings import PREFECT_API_URL

    url = os.environ.get("PREFECT_API_URL") or PREFECT_API_URL.value()
    if not url:
        return None
    try:
        with urllib.request.urlopen(f"{url.rstrip('/')}/health", timeout=timeout_s) as answer:
            return url if answer.status == 200 else None
    except (urllib.error.URLError, OSError, ValueError):
        return None
