"""The same DAG as a flow run of a real Prefect server on 127.0.0.1."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.prefect, pytest.mark.slow, pytest.mark.timeout(400)]


def _ask(url: str, path: str, body: dict[str, Any] | None = None) -> Any:
    request = urllib.request.Request(
        f"{url}/{path}",
        data=json.dumps(body or {}).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read())


def _healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=3) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The API address of a server of our own, stopped afterwards."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = tmp_path_factory.mktemp("prefect-home")
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith("PREFECT_")},
        "PREFECT_HOME": str(home),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
    }
    command = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1"]
    with (home / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--port", str(port)],
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    url = f"http://127.0.0.1:{port}/api"
    deadline = time.monotonic() + 120
    while not _healthy(url):
        assert process.poll() is None, (home / "server.log").read_text()
        assert time.monotonic() < deadline, "the server did not start in time"
        time.sleep(0.5)
    yield url
    os.killpg(process.pid, signal.SIGTERM)
    process.wait(timeout=60)


def test_an_ingest_is_a_flow_run_with_its_dag_and_artifacts(
    server: str, corpus: Path, tmp_path: Path, environment: dict[str, str], microtome: Any
) -> None:
    (corpus / "broken.pdf").write_bytes(b"not a pdf at all")
    environment["PREFECT_API_URL"] = server
    environment["PREFECT_HOME"] = str(tmp_path / "client-home")
    environment["MICROTOME_PARSING__PASSWORDS"] = '["open sesame"]'
    environment["MICROTOME_RUN__BATCH_DOCUMENTS"] = "2"
    store = tmp_path / "store"
    done = microtome("ingest", corpus, "--store", store, "--json", check=3)
    summary = json.loads(done.stdout)
    assert summary["engine"] == "prefect"
    assert summary["documents"]["new"] == 3
    assert "broken.pdf" in summary["failures"][0]["uri"]
    microtome("verify", "--store", store, check=0)

    (run,) = _ask(server, "flow_runs/filter")
    assert run["state"]["name"] == "CompletedWithErrors"
    assert run["name"] == f"ingest {corpus} into store"
    assert "open sesame" not in json.dumps(run)
    tasks = _wait_for_tasks(server, 5)
    assert [t.split(":")[0] for t in sorted(tasks)] == [
        "commit",
        "plan",
        "process",
        "process",
        "publish",
    ]
    assert {t["state"]["name"] for t in tasks.values()} == {"Completed"}
    commit = next(t for name, t in tasks.items() if name.startswith("commit"))
    assert len(commit["task_inputs"]["batches"]) == 2, "the batches are the edges of the DAG"

    artifacts = {a["key"]: a for a in _ask(server, "artifacts/filter")}
    assert set(artifacts) == {"documents", "ingest-summary", "failed-documents"}
    assert "1 documents failed" in artifacts["ingest-summary"]["data"]
    failed = json.loads(artifacts["failed-documents"]["data"])
    assert failed[0]["error"] == "DamagedFileError"
    assert failed[0]["what to do"]


def _wait_for_tasks(server: str, number: int) -> dict[str, Any]:
    """Return the task runs once the server has recorded them: it lags behind the run."""
    deadline = time.monotonic() + 60
    while True:
        tasks = {t["name"]: t for t in _ask(server, "task_runs/filter")}
        settled = all(t["state"] and t["state"]["type"] == "COMPLETED" for t in tasks.values())
        if (len(tasks) >= number and settled) or time.monotonic() > deadline:
            return tasks
        time.sleep(1)


def test_an_engine_that_is_not_there_is_an_error_or_the_local_one(
    corpus: Path, tmp_path: Path, environment: dict[str, str], microtome: Any
) -> None:
    environment["PREFECT_API_URL"] = "http://127.0.0.1:9/api"
    environment["PREFECT_HOME"] = str(tmp_path / "client-home")
    asked = microtome("ingest", corpus, "--store", tmp_path / "s", "--engine", "prefect", check=1)
    assert "prefect server start" in asked.stderr
    auto = microtome("ingest", corpus, "--store", tmp_path / "s", "--json", check=0)
    assert "does not answer" in auto.stderr
    assert json.loads(auto.stdout)["engine"] == "local"
