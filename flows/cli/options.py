"""Options that several commands share, and the one way to print JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

ConfigOption = Annotated[
    Path | None, typer.Option("--config", help="YAML file with settings.", show_default=False)
]
StoreOption = Annotated[
    Path, typer.Option("--store", help="Folder of the index.", envvar="MICROTOME_STORE")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]

DEFAULT_STORE = Path("microtome-store")

EXIT_PARTIAL = 3
"""The run finished, but some documents failed."""


def print_json(value: dict[str, Any]) -> None:
    """Write ``value`` to standard output as one JSON object on one line, in UTF-8."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    sys.stdout.buffer.write(text.encode("utf-8") + b"\n")
    sys.stdout.flush()
