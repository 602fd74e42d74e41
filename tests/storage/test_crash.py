from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from storage.export import export
from storage.index import KEPT_VERSIONS
from storage.reader import PublishedIndex


def exported(store: Any, folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each exported file."""
    return {name: file["sha256"] for name, file in export(store.paths, folder)["files"].items()}


def wait_for(path: Path, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < end, f"{path} did not come"
        time.sleep(0.005)


@pytest.mark.slow
@pytest.mark.parametrize(
    "step",
    [
        "storage.catalog Catalog.end_commit",  # the index has changed, the catalog has not
        "storage.index ChunkIndex._verify",  # optimised, not published
        "storage.index _set_tag",  # checked, not published
        "storage.index drop_old_versions",  # published, not cleaned
    ],
)
def test_the_run_after_a_kill_ends_where_an_uninterrupted_one_does(
    step: str,
    tmp_path: Path,
    make_store: Callable[..., Any],
    make_corpus: Callable[[int], dict[str, str]],
    child: Callable[..., Any],
) -> None:
    store, untouched = make_store(tmp_path / "killed"), make_store(tmp_path / "untouched")
    first = store.ingest(make_corpus(0))
    process = child(store.paths.root, "kill", *step.split())
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    published = PublishedIndex(store.paths)
    assert published.documents().num_rows in {len(make_corpus(0)), len(make_corpus(1))}
    assert published.version >= first
    # a run that does not touch the same documents must heal them all the same
    store.committer.publish()
    for some in (store, untouched):
        some.ingest(make_corpus(1))
    assert exported(store, tmp_path / "a") == exported(untouched, tmp_path / "b")
    assert store.catalog.pending() == []
    assert store.index.health().versions <= KEPT_VERSIONS


@pytest.mark.slow
def test_kills_at_random_moments_lose_and_double_nothing(
    tmp_path: Path,
    make_store: Callable[..., Any],
    make_corpus: Callable[[int], dict[str, str]],
    child: Callable[..., Any],
) -> None:
    store, untouched = make_store(tmp_path / "killed"), make_store(tmp_path / "untouched")
    chance = random.Random(7)
    for round_ in range(4):
        ready = tmp_path / f"ready-{round_}"
        process = child(store.paths.root, ready)
        wait_for(ready)
        time.sleep(chance.uniform(0.05, 1.2))
        process.kill()
        process.communicate(timeout=60)
        store.committer.publish()  # must not raise, whatever was half done
    for some in (store, untouched):
        some.ingest(make_corpus(3))
    assert exported(store, tmp_path / "a") == exported(untouched, tmp_path / "b")
    health = store.index.health()
    assert (health.unindexed, health.temp_files) == (0, 0)
    assert health.versions <= KEPT_VERSIONS
    assert health.disk_bytes < 4 * untouched.index.health().disk_bytes
    assert len(store.catalog.close_dead_runs()) == 4


def test_partial_files_of_killed_writers_are_swept(store: Any) -> None:
    store.ingest({"/in/a.txt": "first"})
    orphan = store.paths.table / "data" / ".tmp123abc"
    orphan.write_bytes(b"half a file")
    assert store.index.health().temp_files == 1
    store.ingest({"/in/a.txt": "second"})
    assert not orphan.exists()
