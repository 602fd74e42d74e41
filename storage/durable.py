"""Files that are either whole or not there, whatever dies in between."""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

TEMP_SUFFIX = ".tmp"


def temp_name(path: Path) -> Path:
    """Return a hidden name beside ``path`` that no other process or thread uses."""
    return path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}{TEMP_SUFFIX}")


def sync_folder(folder: Path) -> None:
    """Make renames in ``folder`` durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def atomic_file(path: Path, sync_name: bool = True) -> Iterator[BinaryIO]:
    """Open a file that takes the name ``path`` only when the block ends without an error.

    The bytes reach the disk before the name does, and the name before this returns (unless
    ``sync_name`` is False: then with the next name that is made durable in the folder).

    Raises:
        OSError: It could not be written; nothing of it is left.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temp = temp_name(path)
    try:
        with temp.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temp.replace(path)
    except BaseException:
        temp.unlink(missing_ok=True)
        raise
    if sync_name:
        sync_folder(path.parent)


def sweep_temps(folder: Path, min_age_s: float) -> int:
    """Delete files and folders with a temporary name in ``folder`` older than ``min_age_s``.

    Returns:
        How many were deleted. Their age is the time since the last write.
    """
    swept = 0
    oldest = time.time() - min_age_s
    for path in folder.glob(f".*{TEMP_SUFFIX}") if folder.is_dir() else ():
        try:
            if path.stat().st_mtime > oldest:
                continue
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        except FileNotFoundError:  # its owner was quicker
            continue
        swept += 1
    return swept
