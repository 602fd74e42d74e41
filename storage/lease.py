"""One committer at a time.

The lock is the kernel's (flock): it dies with its process, so a killed run leaves nothing stuck,
and nothing has to expire. It works on a local disk; several machines share a store through object
storage and one committer, never through a network file system.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import socket
from types import TracebackType

from filelock import FileLock, Timeout

from storage.errors import LeaseBusyError
from storage.paths import StorePaths


class Lease:
    """The right to write to a store's index. A context manager, re-entrant in one object.

    Args:
        paths: The store.
        wait_s: Seconds to wait for another holder.
    """

    def __init__(self, paths: StorePaths, wait_s: float = 60.0) -> None:
        self._paths = paths
        self._wait_s = wait_s
        self._lock = FileLock(paths.lock, timeout=wait_s, thread_local=False)

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return bool(self._lock.is_locked)

    def __enter__(self) -> Lease:
        """Take the lock.

        Raises:
            LeaseBusyError: Another holder kept it for ``wait_s``; the message names it.
        """
        self._paths.root.mkdir(parents=True, exist_ok=True)
        first = not self.held
        try:
            self._lock.acquire()
        except Timeout as error:
            raise LeaseBusyError(
                f"store {self._paths.root} is locked by {self._holder()}; waited "
                f"{self._wait_s:g} s."
            ) from error
        if first:
            self._sign()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give the lock back."""
        if self._lock.lock_counter == 1:
            with contextlib.suppress(OSError):
                self._paths.lock_holder.unlink(missing_ok=True)
        self._lock.release()

    def _sign(self) -> None:
        """Say who holds the lock; only for the message, so a failure to write is no failure."""
        holder = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "since": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        }
        with contextlib.suppress(OSError):
            self._paths.lock_holder.write_text(json.dumps(holder), encoding="utf-8")

    def _holder(self) -> str:
        try:
            holder = json.loads(self._paths.lock_holder.read_text(encoding="utf-8"))
            return f"process {holder['pid']} on {holder['host']} since {holder['since']}"
        except (OSError, ValueError, KeyError, TypeError):
            return "another process"
