from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microtome import TransientError
from storage.errors import LeaseBusyError
from storage.lease import Lease
from storage.paths import StorePaths


def held_by_child(store: Any, child: Callable[..., Any], ready: Path) -> Any:
    process = child(store.paths.root, "hold", ready)
    end = time.monotonic() + 60
    while not ready.exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert ready.exists()
    return process


def test_a_second_committer_is_told_who_holds_the_lease(
    tmp_path: Path, make_store: Callable[..., Any], child: Callable[..., Any]
) -> None:
    store = make_store(tmp_path / "store", lease_s=0.2)
    process = held_by_child(store, child, tmp_path / "ready")
    with pytest.raises(LeaseBusyError, match=rf"process {process.pid} on .* since .*lease_s"):
        store.commit({"/in/a.txt": "text"})
    process.kill()  # the lock dies with its process
    process.wait()
    store.commit({"/in/a.txt": "text"})


def test_a_second_committer_waits_for_the_first(
    tmp_path: Path, make_store: Callable[..., Any], child: Callable[..., Any]
) -> None:
    store = make_store(tmp_path / "store", lease_s=30)
    process = held_by_child(store, child, tmp_path / "ready")
    threading.Timer(0.3, process.kill).start()
    store.commit({"/in/a.txt": "text"})
    assert store.committer.publish().changed


def test_two_stores_in_one_process_exclude_each_other(tmp_path: Path) -> None:
    paths = StorePaths(tmp_path)
    with (
        Lease(paths),
        pytest.raises(LeaseBusyError) as caught,
        Lease(paths, wait_s=0.05),
    ):
        pass
    assert isinstance(caught.value, TransientError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_the_lease_is_re_entrant_and_free_again_afterwards(tmp_path: Path) -> None:
    paths = StorePaths(tmp_path)
    lease = Lease(paths, wait_s=0.05)
    with lease:
        with lease:
            pass
        with pytest.raises(LeaseBusyError), Lease(paths, wait_s=0.05):
            pass
    assert not lease.held
    assert not paths.lock_holder.exists()
    with Lease(paths, wait_s=0.05):
        pass
