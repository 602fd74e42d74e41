"""Flow: bring the index in line with its sources. The entrypoint of deployments.

Needs a Prefect API (a flow cannot start without one). Parameters are recorded and shown in the UI,
so passwords are never parameters: they come from the settings file or the worker's environment.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect import flow
from prefect.states import Completed, Failed
from prefect.task_runners import ThreadPoolTaskRunner

from configs.settings import Settings, load_settings
from flows.dag import IngestSummary, run_ingest
from flows.prefect_engine import ArtifactProgress, PrefectRunner, announce, report_artifacts
from flows.progress import ProgressReport, TerminalProgress

COMPLETED_WITH_ERRORS = "CompletedWithErrors"
"""Name of the state of a run in which some documents failed: never plain success."""

_summaries: dict[str, IngestSummary] = {}
"""Summaries by flow-run id, for a caller in the same process (the command line)."""


def _run_name() -> str:
    """Return a name that tells what is read and where it goes."""
    from prefect.runtime import flow_run

    parameters = flow_run.parameters
    return f"ingest {', '.join(parameters['sources'])} into {Path(parameters['store']).name}"


@flow(
    name="ingest",
    flow_run_name=_run_name,
    task_runner=ThreadPoolTaskRunner(max_workers=1),  # type: ignore[arg-type]
    validate_parameters=True,
)
def ingest(
    sources: list[str], store: str, config: str | None = None, retry_failed: bool = False
) -> Any:
    """Ingest ``sources`` into ``store``.

    Args:
        sources: Files, folders, globs or URLs, as the worker sees them.
        store: Folder of the index.
        config: Path of a settings file; environment variables apply over it.
        retry_failed: Try again what failed before and has not changed.

    Returns:
        The state: ``Completed``, ``CompletedWithErrors``, or ``Failed`` when more than
        ``run.fail_above`` of the documents failed.
    """
    settings = load_settings(Path(config) if config else None)
    with TerminalProgress() as bar:
        summary = _run(sources, Path(store), settings, bar, retry_failed)
    return _state(summary, settings)


def _run(
    sources: list[str], store: Path, settings: Settings, bar: ProgressReport, retry_failed: bool
) -> IngestSummary:
    from prefect.runtime import flow_run

    summary = run_ingest(
        sources, store, settings, PrefectRunner(), ArtifactProgress(bar), retry_failed
    )
    report_artifacts(summary, store)
    announce(summary, store)
    _summaries[str(flow_run.id)] = summary
    return summary


def _state(summary: IngestSummary, settings: Settings) -> Any:
    counts = summary.documents
    failed = counts.get("failed", 0)
    found = sum(n for name, n in counts.items() if name not in ("gone", "skipped"))
    message = f"{found - failed} of {found} documents indexed, version {summary.version}"
    if found and failed / found > settings.run.fail_above:
        return Failed(message=f"{failed} documents failed; {message}")
    if summary.failures:
        return Completed(
            name=COMPLETED_WITH_ERRORS, message=f"{len(summary.failures)} failures; {message}"
        )
    return Completed(message=message)


def take_summary(flow_run_id: str) -> IngestSummary | None:
    """Return, once, the summary of a flow run that ran in this process."""
    return _summaries.pop(flow_run_id, None)
