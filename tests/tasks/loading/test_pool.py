from __future__ import annotations

from pathlib import Path

import pytest

from configs.settings import ParsingSettings
from tasks.loading.pool import Loaded, LoaderPool, load


def _load(paths: list[Path], max_bytes: int = 1000, **settings: float) -> dict[str, Loaded]:
    parsing = ParsingSettings.model_validate({"workers": 1, **settings})
    with LoaderPool(parsing, max_bytes) as pool:
        return {Path(one.uri).name: one for one in pool.load_all([str(p) for p in paths])}


def test_every_file_has_an_outcome_in_the_order_given(tmp_path: Path) -> None:
    good, empty, large, gone = (tmp_path / n for n in ("a.txt", "b.txt", "c.txt", "d.txt"))
    good.write_text("Words that stand.")
    empty.write_bytes(b"")
    large.write_bytes(b"x" * 1001)
    found = _load([large, good, gone, empty])
    assert list(found) == ["c.txt", "a.txt", "d.txt", "b.txt"]
    assert found["a.txt"].document is not None
    assert {n: f.failure.error for n, f in found.items() if f.failure} == {
        "c.txt": "FileTooLargeError",
        "d.txt": "UnreadableFileError",
        "b.txt": "EmptyFileError",
    }


@pytest.mark.slow
def test_a_document_that_takes_too_long_is_stopped_and_the_next_is_read(tmp_path: Path) -> None:
    slow, good = tmp_path / "pipe.txt", tmp_path / "a.txt"
    good.write_text("Words that stand.")
    import os

    os.mkfifo(slow)  # nobody writes: reading it hangs for ever, as a native library may
    found = _load([slow, good], timeout_s=3)
    failure = found["pipe.txt"].failure
    assert failure is not None
    assert (failure.error, failure.transient) == ("ParseTimeoutError", True)
    assert "timeout_s" in failure.remedy
    assert found["a.txt"].document is not None


def test_a_bug_in_a_parser_costs_one_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr("parsers.plain.parse", broken)
    file = tmp_path / "a.txt"
    file.write_text("Words.")
    failure = load(str(file), ParsingSettings.model_validate({}), 1000).failure
    assert failure is not None
    assert failure.error == "KeyError"
    assert "a bug" in failure.message
