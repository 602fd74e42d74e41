from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pymupdf as _untyped
import pytest

from configs.settings import ParsingSettings
from tasks.loading.pool import Loaded, LoaderPool, load

pymupdf: Any = _untyped  # it has no annotations


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
    os.mkfifo(slow)  # nobody writes: reading it hangs for ever, as a native library may
    found = _load([slow, good], timeout_s=10)  # a busy machine needs some to start a process
    failure = found["pipe.txt"].failure
    assert failure is not None
    assert (failure.error, failure.transient) == ("ParseTimeoutError", True)
    assert "timeout_s" in failure.remedy
    assert found["a.txt"].document is not None


@pytest.mark.slow
def test_a_crash_of_native_code_costs_one_document(tmp_path: Path) -> None:
    slow, good = tmp_path / "pipe.txt", tmp_path / "a.txt"
    good.write_text("Words that stand.")
    os.mkfifo(slow)

    def crash() -> None:  # as a broken font makes MuPDF do it
        (child,) = _readers(psutil.Process())
        child.send_signal(signal.SIGSEGV)

    timer = threading.Timer(4, crash)
    timer.start()
    found = _load([slow, good])
    failure = found["pipe.txt"].failure
    assert failure is not None
    assert failure.error == "ParserCrashError"
    assert found["a.txt"].document is not None


@pytest.mark.slow
def test_no_child_outlives_a_run_that_is_killed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    code = (
        "from configs.settings import ParsingSettings\n"
        "from tasks.loading.pool import LoaderPool\n"
        "if __name__ == '__main__':\n"
        "    with LoaderPool(ParsingSettings(workers=1), 1000) as pool:\n"
        f"        list(pool.load_all([{str(tmp_path / 'pipe.txt')!r}]))\n"
    )
    script = tmp_path / "run.py"
    script.write_text(code)
    root = str(Path(__file__).parents[3])
    run = psutil.Popen([sys.executable, str(script)], env={**os.environ, "PYTHONPATH": root})
    try:
        children = _readers(run)
    finally:
        run.kill()
        run.wait()
    assert psutil.wait_procs(children, timeout=5)[1] == []


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_documents(tmp_path: Path) -> None:
    files = [_pdf(tmp_path / "big.pdf", 120), *(_pdf(tmp_path / f"{n}.pdf", 3) for n in range(30))]
    resident = []
    settings = ParsingSettings(ocr=False, workers=1)
    with LoaderPool(settings, 10**9) as pool:
        for loaded in pool.load_all([str(file) for file in files]):
            assert loaded.document is not None
            (child,) = _readers(psutil.Process(), settled=0)
            resident.append(child.memory_info().rss)
    after_the_big_one = resident[1:]
    assert max(after_the_big_one) <= 1.1 * resident[0]


def _pdf(path: Path, n_pages: int) -> Path:
    document = pymupdf.open()
    for number in range(n_pages):
        lines = [f"Line {i} of page {number} says what is kept of it." for i in range(40)]
        document.new_page().insert_text((60, 60), "\n".join(lines), fontsize=10)
    document.save(path)
    return path


def _readers(parent: psutil.Process, settled: float = 1.5) -> list[psutil.Process]:
    """Wait for the parsing processes of a run."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        found = [
            c for c in parent.children(recursive=True) if "spawn_main" in " ".join(c.cmdline())
        ]
        if found:
            time.sleep(settled)  # it has begun to read
            return found
        time.sleep(0.1)
    raise AssertionError("no parsing process was started")


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
