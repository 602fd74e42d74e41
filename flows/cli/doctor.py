"""``microtome doctor``: what is installed, what is missing, and what to do about it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from configs.settings import Settings, load_settings
from flows.cli.options import DEFAULT_STORE, ConfigOption, JsonOption, StoreOption, print_json
from microtome import MicrotomeError
from parsers.base import MissingToolError
from parsers.ocr.engine import language_remedy, missing_languages
from parsers.registry import parser_versions
from storage.paths import StorePaths
from tasks.embedding.encoder import encoder_info
from tasks.enrichment.endpoint import Endpoint, EndpointError
from tasks.indexing.commit import open_index

_PACKAGES = (
    "prefect", "lancedb", "pylance", "pyarrow", "torch", "sentence-transformers", "pymupdf",
    "pdfplumber", "python-pptx", "python-docx", "pytesseract",
)  # fmt: skip
_LOW_DISK = 5_000_000_000
"""Bytes free below which the disk is reported: room for a few builds of a large index (a guess)."""


_PROBE_S = 5.0
"""Seconds the endpoint has to list its models (a guess)."""
_MODELS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. ``ok`` None means: not needed, only worth knowing."""

    name: str
    ok: bool | None
    found: str
    remedy: str = ""


def doctor(
    store: StoreOption = DEFAULT_STORE, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Check the installation: packages, Tesseract, the encoder, Prefect, the disk, the store."""
    settings = load_settings(config)
    checks = list(_checks(settings, store))
    ok = all(c.ok is not False for c in checks)
    if as_json:
        print_json(
            {
                "ok": ok,
                "checks": [
                    {"name": c.name, "ok": c.ok, "found": c.found, "remedy": c.remedy}
                    for c in checks
                ],
            }
        )
    else:
        table = Table("", "what", "found", "what to do")
        for c in checks:
            mark = {True: "[green]ok[/]", False: "[red]NO[/]", None: "–"}[c.ok]
            table.add_row(mark, c.name, c.found.replace("[", r"\["), c.remedy)
        Console().print(table)
    if not ok:
        raise typer.Exit(1)


def _checks(settings: Settings, store: Path) -> Iterator[Check]:
    yield Check(
        "Python", sys.version_info >= (3, 11), platform.python_version(), "Use Python 3.11 or newer"
    )
    for package in _PACKAGES:
        yield _package(package)
    versions = ", ".join(f"{name} {number}" for name, number in parser_versions().items())
    yield Check("parsers", True, versions)
    yield from _tesseract(settings)
    yield _guarded("encoder", lambda: _encoder(settings), "Check encoder.ref in the settings")
    yield _language_model(settings)
    yield _prefect()
    yield _disk(store)
    if StorePaths(store).table.is_dir():
        yield _guarded("store", lambda: _store(store, settings), "Run `microtome verify`")
    else:
        yield Check("store", None, f"none in {store}", "`microtome ingest` makes it")


def _package(name: str) -> Check:
    try:
        return Check(name, True, version(name))
    except PackageNotFoundError:
        return Check(name, False, "missing", f"pip install {name}")


def _tesseract(settings: Settings) -> Iterator[Check]:
    wanted = (*settings.parsing.ocr_languages, "osd")
    try:
        missing = missing_languages(wanted)
    except MissingToolError as error:
        yield Check("Tesseract", False, "missing", error.remedy)
        return
    yield Check("Tesseract", True, ", ".join(w for w in wanted if w not in missing))
    for language in missing:
        yield Check(f"Tesseract data {language}", False, "missing", language_remedy([language]))


def _encoder(settings: Settings) -> str:
    info = encoder_info(settings.encoder)
    return f"{info.name}, {info.dim} numbers a vector, {info.max_tokens} tokens"


def _language_model(settings: Settings) -> Check:
    """Say where text would go; asks the endpoint for its list of models, which sends none."""
    uses = {
        "irregular tables": settings.enrichment.table_model,
        "pictures of slides": settings.enrichment.picture_model,
    }
    named = {what: model for what, model in uses.items() if model}
    if not named:
        return Check("language model", None, "off: no text leaves this machine")
    limits = settings.endpoint.model_copy(update={"timeout_s": _PROBE_S})
    with Endpoint(limits) as endpoint:
        receives = ", ".join(f"{what} ({model})" for what, model in named.items())
        found = f"{endpoint.host} receives {receives}"
        try:
            offered = endpoint.models()
        except EndpointError as error:
            return Check("language model", False, f"{found}: {error}", error.remedy)
    missing = [m for m in dict.fromkeys(named.values()) if m not in offered]
    if missing and offered:
        names = ", ".join(offered[:_MODELS_SHOWN])
        return Check(
            "language model", None, f"{found}, but lists no {', '.join(missing)}",
            f"It offers {names}; some servers take any name",
        )  # fmt: skip
    return Check("language model", True, found)


def _prefect() -> Check:
    from flows.prefect_engine import server_answers

    url = server_answers()
    return Check(
        "Prefect API",
        None,
        url or "none answers",
        "" if url else "Not needed: runs use the local engine. `prefect server start` for the UI",
    )


def _disk(store: Path) -> Check:
    folder = next(p for p in (store.absolute(), *store.absolute().parents) if p.exists())
    free = shutil.disk_usage(folder).free
    writable = os.access(folder, os.W_OK)
    return Check(
        "disk",
        free > _LOW_DISK and writable,
        f"{free / 1e9:.0f} GB free at {folder}{'' if writable else ', not writable'}",
        "" if free > _LOW_DISK and writable else "Free some space or choose another --store",
    )


def _store(store: Path, settings: Settings) -> str:
    health = open_index(StorePaths(store), settings).health()
    return (
        f"version {health.published}, {health.rows} chunks, {health.unindexed} unindexed, "
        f"{health.fragments} fragments, {health.versions} versions, "
        f"{health.disk_bytes / 1e6:.0f} MB"
    )


def _guarded(name: str, look: Callable[[], str], remedy: str) -> Check:
    try:
        return Check(name, True, look())
    except MicrotomeError as error:
        return Check(name, False, str(error), remedy)
