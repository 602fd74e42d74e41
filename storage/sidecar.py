"""Arrays that belong to one published version (statistics of the search), mapped into memory."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Mapping

import numpy as np
import numpy.typing as npt

from storage.durable import sweep_temps, sync_folder, temp_name
from storage.errors import StorageError, storage_errors
from storage.paths import StorePaths

_NAME = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")


def save_arrays(
    paths: StorePaths, version: int, name: str, arrays: Mapping[str, npt.NDArray[np.generic]]
) -> None:
    """Write arrays as one set; a set of the same name is replaced as a whole.

    Args:
        paths: The store.
        version: The published version they belong to.
        name: Name of the set: letters, digits, ``_``, ``-`` and single dots.
        arrays: Array by name (the same letters), of any type but objects.

    Raises:
        StorageError: A name is not fit for a file, or the disk refuses.
    """
    for part in (name, *arrays):
        if not _NAME.fullmatch(part):
            raise StorageError(f"{part!r} is not fit for the name of a sidecar.")
    target = paths.search_of(version) / name
    with storage_errors(f"cannot write {target}"):
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh, old = temp_name(target), temp_name(target)
        try:
            fresh.mkdir()
            for key, array in arrays.items():
                with (fresh / f"{key}.npy").open("xb") as file:
                    np.save(file, array, allow_pickle=False)
                    file.flush()
                    os.fsync(file.fileno())
            sync_folder(fresh)
            if target.exists():
                target.rename(old)
            fresh.rename(target)
            sync_folder(target.parent)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
            shutil.rmtree(old, ignore_errors=True)


def load_arrays(
    paths: StorePaths, version: int, name: str
) -> dict[str, npt.NDArray[np.generic]] | None:
    """Return the arrays of a set, mapped read only, or None when there is no such set.

    Raises:
        StorageError: A file of the set is damaged.
    """
    folder = paths.search_of(version) / name
    if not folder.is_dir():
        return None
    with storage_errors(f"cannot read {folder}"):
        return {
            path.stem: np.load(path, mmap_mode="r", allow_pickle=False)
            for path in sorted(folder.glob("*.npy"))
        }


def drop_sidecars(paths: StorePaths, keep: Collection[int]) -> int:
    """Delete the sidecars of all versions but ``keep``; return of how many."""
    dropped = 0
    for folder in paths.search.glob("v*"):
        if folder.name[1:].isdigit() and int(folder.name[1:]) not in keep:
            shutil.rmtree(folder, ignore_errors=True)
            dropped += 1
        else:
            sweep_temps(folder, min_age_s=3600)
    return dropped
