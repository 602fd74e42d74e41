from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from storage.errors import StorageError
from storage.paths import StorePaths
from storage.sidecar import drop_sidecars, load_arrays, save_arrays


def test_arrays_come_back_mapped_and_equal(tmp_path: Path) -> None:
    paths = StorePaths(tmp_path)
    arrays: dict[str, npt.NDArray[Any]] = {
        "float": np.arange(12, dtype=np.float32).reshape(3, 4),
        "int.offsets": np.array([1, 2, 3], np.int64),
        "empty": np.zeros((0, 4), np.float16),
        "words": np.array(["ação", "b"]),
    }
    save_arrays(paths, 3, "bm25.level_0", arrays)
    back = load_arrays(paths, 3, "bm25.level_0")
    assert back is not None
    assert back.keys() == arrays.keys()
    for key, array in arrays.items():
        assert back[key].dtype == array.dtype
        np.testing.assert_array_equal(back[key], array)
    with pytest.raises(ValueError, match="read-only"):
        back["float"][0] = 1
    assert load_arrays(paths, 4, "bm25.level_0") is None


def test_a_set_is_replaced_as_a_whole(tmp_path: Path) -> None:
    paths = StorePaths(tmp_path)
    save_arrays(paths, 1, "set", {"a": np.arange(3), "b": np.arange(4)})
    before = load_arrays(paths, 1, "set")
    save_arrays(paths, 1, "set", {"c": np.arange(5)})
    after = load_arrays(paths, 1, "set")
    assert before is not None
    assert after is not None
    assert list(before["b"]) == [0, 1, 2, 3]  # what is mapped stays readable
    assert list(after) == ["c"]
    assert [path.name for path in paths.search_of(1).iterdir()] == ["set"]


def test_a_set_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    paths = StorePaths(tmp_path)
    save_arrays(paths, 1, "set", {"a": np.arange(3)})
    with pytest.raises(StorageError):
        save_arrays(paths, 1, "set", {"a": np.arange(9), "b": np.array([object()])})
    back = load_arrays(paths, 1, "set")
    assert back is not None
    assert len(back["a"]) == 3
    assert [path.name for path in paths.search_of(1).iterdir()] == ["set"]


@pytest.mark.parametrize("name", ["", "..", "a/b", "../x", ".hidden", "a b"])
def test_a_name_that_leaves_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(StorageError, match="not fit"):
        save_arrays(StorePaths(tmp_path), 1, name, {})
    with pytest.raises(StorageError, match="not fit"):
        save_arrays(StorePaths(tmp_path), 1, "set", {name: np.arange(2)})


def test_sidecars_of_other_versions_go(tmp_path: Path) -> None:
    paths = StorePaths(tmp_path)
    for version in (1, 2, 30):
        save_arrays(paths, version, "set", {"a": np.arange(version)})
    assert drop_sidecars(paths, {2}) == 2
    assert [path.name for path in paths.search.iterdir()] == ["v2"]
