"""A process to be killed: ingests generations of a corpus into a store, or dies at a given step.

``python child.py STORE ready_file`` commits and publishes generation after generation.
``python child.py STORE kill MODULE NAME`` dies by SIGKILL when it calls that function.
``python child.py STORE hold ready_file`` takes the lease and keeps it.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]


def die(*_args: Any, **_kwargs: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    store_class = importlib.import_module("conftest").Store
    corpus = importlib.import_module("conftest").corpus
    store = store_class(Path(sys.argv[1]))
    if sys.argv[2] == "kill":
        owner: Any = importlib.import_module(sys.argv[3])
        *path, name = sys.argv[4].split(".")
        for part in path:
            owner = getattr(owner, part)
        setattr(owner, name, die)
        store.ingest(corpus(1))
    elif sys.argv[2] == "hold":
        with store.index.lease:
            Path(sys.argv[3]).touch()
            time.sleep(60)
    else:
        Path(sys.argv[2]).touch()
        for generation in range(1, 1000):
            store.ingest(corpus(generation))


if __name__ == "__main__":
    main()
