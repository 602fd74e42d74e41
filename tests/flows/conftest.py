"""What the tests of whole runs share: a corpus to edit, settings with a tiny encoder, a runner."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RULE = "Bicycles left for more than thirty days are removed from the rack."
HANDBOOK = f"# Handbook\n\n## Parking\n\n{RULE}\n\nThis does not apply to staff on sick leave.\n"

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Three documents and one file of unknown type."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "handbook.md").write_text(HANDBOOK, "utf-8")
    (folder / "notes.txt").write_text("The archive moves to the cellar in May.\n" * 8, "utf-8")
    (folder / "prices.csv").write_text("Article,Price\nLock,12.50\nPump,8.90\n", "utf-8")
    (folder / "tool.exe").write_bytes(b"MZ\x00\x01")
    return folder


@pytest.fixture
def environment(tiny_encoder: Path) -> dict[str, str]:
    """Environment of a command: the tiny encoder, no Prefect server, no network."""
    return {
        **{k: v for k, v in os.environ.items() if not k.startswith(("PREFECT_", "MICROTOME_"))},
        "MICROTOME_ENCODER__REF": str(tiny_encoder),
        "MICROTOME_PARSING__WORKERS": "1",
        "HF_HUB_OFFLINE": "1",
    }


@pytest.fixture
def microtome(environment: dict[str, str], tmp_path: Path) -> Command:
    """Run the command line in a process of its own, as a user does."""

    def run(*arguments: str | Path, check: int | None = None) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "microtome", *map(str, arguments)],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        if check is not None:
            assert done.returncode == check, done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def ingest(microtome: Command, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Ingest with ``--json`` into ``store`` and return the object, after checking the exit code."""

    def run(*sources: Path, code: int = 0, options: tuple[str, ...] = ()) -> dict[str, Any]:
        store = ("--store", tmp_path / "store")
        done = microtome("ingest", *sources, *store, "--json", *options, check=code)
        value: dict[str, Any] = json.loads(done.stdout)
        return value

    return run


@pytest.fixture
def texts(microtome: Command, tmp_path: Path) -> Callable[[], dict[str, set[str]]]:
    """Return the texts of the finest chunks by file name, from an export."""

    def read() -> dict[str, set[str]]:
        import pyarrow.parquet as pq

        microtome("export", tmp_path / "out", "--store", tmp_path / "store", check=0)
        rows = pq.read_table(tmp_path / "out" / "chunks.parquet").to_pylist()
        found: dict[str, set[str]] = {}
        for row in rows:
            if row["level"] == 0:
                found.setdefault(Path(row["uri"]).name, set()).add(row["text"])
        return found

    return read
