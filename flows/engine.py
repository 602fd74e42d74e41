"""Which engine carries a run out: Prefect where its API answers, else this process."""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from configs.settings import load_settings
from flows.dag import IngestSummary, run_ingest
from flows.progress import TerminalProgress
from flows.runners import LocalRunner
from microtome import MicrotomeError


class Engine(StrEnum):
    """How a run is carried out."""

    AUTO = "auto"
    PREFECT = "prefect"
    LOCAL = "local"


class EngineError(MicrotomeError):
    """The engine that was asked for cannot be used."""


def choose_engine(asked: Engine) -> tuple[Engine, str]:
    """Return the engine to use and, for people, why.

    Raises:
        EngineError: Prefect was asked for and no API answers.
    """
    if asked is Engine.LOCAL:
        return Engine.LOCAL, "as asked"
    if asked is Engine.AUTO and not _prefect_configured():
        return Engine.LOCAL, "no Prefect API is configured (PREFECT_API_URL)"
    from flows.prefect_engine import server_answers

    if url := server_answers():
        return Engine.PREFECT, f"the API at {url} answers"
    if asked is Engine.PREFECT:
        raise EngineError(
            "no Prefect API answers: start one (`prefect server start`), set PREFECT_API_URL, "
            "or use --engine local"
        )
    return Engine.LOCAL, "the configured Prefect API does not answer"


def _prefect_configured() -> bool:
    """Look for an API address without paying for the import of Prefect."""
    if os.environ.get("PREFECT_API_URL"):
        return True
    home = Path(os.environ.get("PREFECT_HOME", "~/.prefect")).expanduser()
    return any(
        "PREFECT_API_URL" in f.read_text("utf-8", errors="replace")
        for f in (home / "profiles.toml", Path("prefect.toml"))
        if f.is_file()
    )


def ingest_with(
    engine: Engine,
    sources: Sequence[str],
    store: Path,
    config: Path | None,
    retry_failed: bool,
    quiet: bool,
) -> IngestSummary:
    """Run an ingest on ``engine`` and return its summary.

    Raises:
        MicrotomeError: Whatever the run raised, on either engine.
    """
    if engine is Engine.LOCAL:
        with TerminalProgress(quiet) as bar:
            return run_ingest(
                sources, store, load_settings(config), LocalRunner(), bar, retry_failed
            )
    from flows.ingest import ingest, take_summary

    state: Any = ingest(
        list(sources), str(store), str(config) if config else None, retry_failed, return_state=True
    )
    flow_run_id = str(state.state_details.flow_run_id)
    summary = take_summary(flow_run_id)
    if summary is None:
        error = state.result(raise_on_failure=False)
        if isinstance(error, MicrotomeError):
            raise error
        raise EngineError(f"flow run {flow_run_id} ended {state.name}: {state.message or error}")
    return summary
