"""``microtome parse``: what one file becomes, before any slicing."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from configs.settings import load_settings
from flows.cli.options import EXIT_PARTIAL, ConfigOption, JsonOption, print_json
from flows.dag import sent_lines
from parsers.model import Document, Failure, LedgerRow
from tasks.discovery.sources import absolute_uri
from tasks.enrichment.enrich import Enricher
from tasks.indexing.rows import failure_row, page_row
from tasks.loading.pool import LoaderPool


def parse(
    file: Annotated[str, typer.Argument(help="A file or URL.")],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Parse one file and print its text, pages, tables and ledger."""
    settings = load_settings(Path(config) if config else None)
    parsing = settings.parsing.model_copy(update={"workers": 1})
    uri = absolute_uri(file)
    pictures = bool(settings.enrichment.picture_model)
    with LoaderPool(parsing, settings.run.max_file_bytes, pictures) as pool:
        loaded = next(iter(pool.load_all([uri])))
    document = loaded.document
    failures = (*((loaded.failure,) if loaded.failure else ()),)
    sent: dict[str, dict[str, int]] = {}
    if document is not None:
        with Enricher(settings.endpoint, settings.enrichment) as enricher:
            document = enricher.enrich(document, loaded.pictures)
            sent = enricher.sent
        failures += document.failures
    if as_json:
        print_json({**as_object(uri, document, failures), "sent": sent})
    else:
        _print(document, failures)
        for line in sent_lines(sent):
            Console(stderr=True).print(f"sent: {line}", markup=False)
    if failures:
        raise typer.Exit(EXIT_PARTIAL)


def as_object(uri: str, document: Document | None, failures: tuple[Failure, ...]) -> dict[str, Any]:
    """Return the object that ``parse --json`` prints (design, section 9)."""
    if document is None:
        source: dict[str, Any] = {"uri": uri}
        empty: dict[str, Any] = {"title": "", "language": "und", "doc_type": "unknown", "text": ""}
        lists: dict[str, Any] = {k: [] for k in ("pages", "blocks", "tables", "ledger")}
        return {
            "source": source,
            **empty,
            **lists,
            "failures": [failure_row(f) for f in failures],
        }
    s = document.source
    return {
        "source": {
            "uri": s.uri,
            "media_type": s.media_type,
            "size_bytes": s.size_bytes,
            "sha256": s.sha256,
        },
        "title": document.title,
        "language": document.language,
        "doc_type": document.doc_type,
        "text": document.text,
        "pages": [page_row(p) for p in document.pages],
        "blocks": [
            {
                "kind": b.kind.value,
                "start": b.start,
                "end": b.end,
                "page": b.page,
                "locator": b.locator,
                "heading_path": list(b.heading_path),
                "context": list(b.context),
            }
            for b in document.blocks
        ],
        "tables": [
            {
                "pages": list(t.pages),
                "caption": t.caption,
                "irregular": t.irregular,
                "rows": [
                    {"start": r.start, "end": r.end, "cells": [list(c) for c in r.cells]}
                    for r in t.rows
                ],
            }
            for t in document.tables
        ],
        "ledger": [ledger_object(row) for row in document.ledger],
        "failures": [failure_row(f) for f in failures],
    }


def ledger_object(row: LedgerRow) -> dict[str, Any]:
    """Return a row of the ledger as JSON, what it leaves unaccounted for included."""
    return {**dataclasses.asdict(row), "unaccounted": row.unaccounted}


def _print(document: Document | None, failures: tuple[Failure, ...]) -> None:
    out, err = Console(soft_wrap=True), Console(stderr=True)
    if document is not None:
        out.print(document.text, markup=False, highlight=False)
        table = Table("unit", "source", "dropped", "generated", "text", "unaccounted", "route")
        for row in document.ledger:
            table.add_row(
                row.unit,
                str(row.source),
                str(sum(row.dropped.values())),
                str(sum(row.generated.values())),
                str(row.text),
                str(row.unaccounted),
                row.route,
            )
        err.print(table)
    for f in failures:
        where = f" (page {f.page})" if f.page else ""
        err.print(f"{f.error}{where}: {f.message}\n  → {f.remedy}", markup=False)
