"""``microtome export``, ``rebuild`` and ``rollback``: the store as a whole."""

from __future__ import annotations

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
from storage.export import export as export_store
from storage.paths import StorePaths
from tasks.indexing.restore import rebuild_store, roll_back


def export(
    directory: Annotated[Path, typer.Argument(help="Folder to write to; made when absent.")],
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Write the published version as documents.parquet and chunks.parquet."""
    manifest = export_store(StorePaths(store), directory)
    if as_json:
        print_json(manifest)
    else:
        for name, file in manifest["files"].items():
            typer.echo(f"{directory / name}: {file['rows']} rows, {file['bytes']} bytes")


def rebuild(
    store: StoreOption = DEFAULT_STORE, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Make the LanceDB index again from the staged parts, and publish it."""
    report = rebuild_store(store, load_settings(config))
    if as_json:
        print_json(
            {
                "version": report.version,
                "documents": report.documents,
                "chunks": report.chunks,
                "damaged": [{"uri": u, "message": m} for u, m in report.damaged],
            }
        )
    else:
        typer.echo(
            f"version {report.version}: {report.documents} documents, {report.chunks} chunks"
        )
        for uri, message in report.damaged:
            Console().print(f"DAMAGED: {uri}: {message}", markup=False)
    if report.damaged:
        raise typer.Exit(EXIT_PARTIAL)


def rollback(
    version: Annotated[int, typer.Argument(help="A version that was published before.")],
    store: StoreOption = DEFAULT_STORE,
    config: ConfigOption = None,
) -> None:
    """Let readers see an earlier published version again."""
    roll_back(store, version, load_settings(config))
    typer.echo(f"version {version} is published")
