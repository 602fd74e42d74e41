"""``microtome ingest``: bring the index in line with its sources."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from configs.settings import load_settings
from flows.cli.options import (
    DEFAULT_STORE,
    EXIT_PARTIAL,
    ConfigOption,
    JsonOption,
    StoreOption,
    print_json,
)
from flows.dag import IngestSummary, as_object, sent_lines
from flows.engine import Engine, choose_engine, ingest_with
from tasks.discovery.sources import absolute_uri


def ingest(
    sources: Annotated[list[str], typer.Argument(help="Files, folders, globs or URLs.")],
    store: StoreOption = DEFAULT_STORE,
    config: ConfigOption = None,
    engine: Annotated[
        Engine, typer.Option(help="prefect, local, or auto: Prefect where its API answers.")
    ] = Engine.AUTO,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Try again what failed and has not changed.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Parse, slice, embed and index what is new or changed; remove what is gone."""
    load_settings(config)  # a wrong setting is reported before anything starts
    chosen, why = choose_engine(engine)
    err = Console(stderr=True)
    err.print(f"engine: {chosen.value} ({why})", markup=False, highlight=False)
    summary = ingest_with(
        chosen,
        [absolute_uri(s) for s in sources],
        Path(absolute_uri(str(store))),
        Path(absolute_uri(str(config))) if config else None,
        retry_failed,
        quiet=False,
    )
    if as_json:
        print_json(as_object(summary))
    else:
        _print(summary)
    if summary.failures:
        raise typer.Exit(EXIT_PARTIAL)


def _print(summary: IngestSummary) -> None:
    out = Console(soft_wrap=True, highlight=False)
    counts = ", ".join(f"{n} {name}" for name, n in summary.documents.items() if n) or "nothing"
    out.print(f"documents: {counts}", markup=False)
    if summary.pages:
        pages = ", ".join(f"{n} {name}" for name, n in sorted(summary.pages.items()))
        out.print(f"pages:     {pages}", markup=False)
    out.print(
        f"chunks:    {summary.chunks} written, {summary.cells} of them cells; "
        f"{summary.vectors_computed} vectors computed, {summary.vectors_reused} reused",
        markup=False,
    )
    for line in sent_lines(summary.sent):
        out.print(f"sent:      {line}", markup=False)
    out.print(
        f"published: version {summary.version} in {summary.seconds.get('total', 0):.1f} s",
        markup=False,
    )
    reasons = Counter(reason for _, reason in summary.skipped)
    for reason, number in sorted(reasons.items()):
        out.print(f"skipped:   {number} files, {reason} (--json names them)", markup=False)
    for f in summary.failures:
        page = f", page {f.page}" if f.page else ""
        out.print(f"FAILED:    {f.uri}{page}: {f.error}: {f.message}", markup=False)
        out.print(f"           → {f.remedy}", markup=False)
