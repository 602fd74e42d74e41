"""Killed anywhere, the next run ends like an uninterrupted one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

TOLERANCE = 1e-5
"""Of each number of a vector: other batches change the last bits of a float32 sum."""
ROUNDS = 5


def _words(seed: int) -> str:
    rng = random.Random(seed)
    stock = [
        "archive",
        "bicycle",
        "cellar",
        "contract",
        "deposit",
        "evidence",
        "fee",
        "guarantee",
        "helmet",
        "invoice",
    ]
    return "\n\n".join(
        " ".join(rng.choice(stock) for _ in range(12)).capitalize() + "." for _ in range(120)
    )


@pytest.fixture
def many(tmp_path: Path) -> Path:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(40):
        (folder / f"{number:02d}.txt").write_text(_words(number), "utf-8")
    (folder / "broken.pdf").write_bytes(b"nothing")
    return folder


def _export(microtome: Any, store: Path, out: Path) -> pa.Table:
    microtome("verify", "--store", store, check=0)
    microtome("export", out, "--store", store, check=0)
    return pq.read_table(out / "chunks.parquet")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_killed_run_leaves_nothing_that_the_next_one_does_not_mend(
    many: Path, tmp_path: Path, environment: dict[str, str], microtome: Any
) -> None:
    microtome("ingest", many, "--store", tmp_path / "whole", check=3)
    wanted = _export(microtome, tmp_path / "whole", tmp_path / "whole-out")
    store = tmp_path / "store"
    rng = random.Random(7)
    killed = 0
    for _ in range(ROUNDS):
        run = subprocess.Popen(
            [sys.executable, "-m", "microtome", "ingest", str(many), "--store", str(store)],
            env=environment,
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 60
        while not (store / "runs").is_dir() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(rng.uniform(0.2, 6))
        children = psutil.Process(run.pid).children(recursive=True) if run.poll() is None else []
        if run.poll() is None:
            os.kill(run.pid, signal.SIGKILL)
            killed += 1
        run.wait()
        _, alive = psutil.wait_procs(children, timeout=20)
        assert not alive, "parsing processes outlived the run that started them"
    assert killed, "no run was caught alive: the test proves nothing"
    microtome("ingest", many, "--store", store, check=3)
    found = _export(microtome, store, tmp_path / "out")
    assert found.drop(["vector"]).equals(wanted.drop(["vector"]))
    mended, whole = (np.array(t.column("vector").to_pylist(), np.float32) for t in (found, wanted))
    np.testing.assert_allclose(mended, whole, atol=TOLERANCE)
    again = microtome("ingest", many, "--store", store, check=3)
    assert "40 unchanged" in again.stdout
    assert not list(store.rglob("*.tmp"))
