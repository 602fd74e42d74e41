"""The vector cache keeps what was put, across processes and kills."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.embedding.cache import VectorCache, vector_key

WRITER = """
import sys
from pathlib import Path
import numpy as np
from tasks.embedding.cache import VectorCache, vector_key

name, rounds = sys.argv[2], int(sys.argv[3])
with VectorCache(Path(sys.argv[1])) as cache:
    at = 0
    while rounds < 0 or at < rounds:
        keys = [vector_key(f"{name} {at} {i}", "e") for i in range(50)]
        cache.put_many((key, np.full(4, at, np.float32)) for key in keys)
        print(at, flush=True)
        at += 1
"""


def writer(path: Path, name: str, rounds: int) -> subprocess.Popen[str]:
    code = textwrap.dedent(WRITER)
    return subprocess.Popen(
        [sys.executable, "-c", code, str(path), name, str(rounds)],
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_vector_comes_back_bit_for_bit_from_a_new_object(tmp_path: Path) -> None:
    vector = np.random.default_rng(0).normal(size=384).astype(np.float32)
    key = vector_key("passage: text", "encoder")
    with VectorCache(tmp_path / "deep" / "v.sqlite") as cache:
        cache.put_many([(key, vector)])
    with VectorCache(tmp_path / "deep" / "v.sqlite") as cache:
        found = cache.get_many([key, vector_key("other", "encoder")])
    assert list(found) == [key]
    np.testing.assert_array_equal(found[key], vector)


def test_more_keys_than_one_query_takes_are_found(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "v.sqlite") as cache:
        keys = [vector_key(str(i), "e") for i in range(2345)]
        cache.put_many((key, np.array([i], np.float32)) for i, key in enumerate(keys))
        found = cache.get_many(keys)
        assert len(cache) == len(found) == 2345
    assert all(found[key][0] == i for i, key in enumerate(keys))


def test_the_first_vector_of_a_key_stays(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "v.sqlite") as cache:
        key = vector_key("text", "e")
        cache.put_many([(key, np.zeros(2, np.float32))])
        cache.put_many([(key, np.ones(2, np.float32))])
        assert cache.get_many([key])[key].tolist() == [0, 0]


@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=5)), min_size=2, max_size=9))
def test_keys_differ_when_the_text_or_the_encoder_differs(pairs: list[tuple[str, str]]) -> None:
    pairs = [(a, b) for a, b in pairs if "\0" not in b]
    assert len({vector_key(a, b) for a, b in pairs}) == len(set(pairs))


def test_several_processes_may_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    writers = [writer(path, name, 20) for name in ("a", "b", "c")]
    assert [process.wait(60) for process in writers] == [0, 0, 0]
    with VectorCache(path) as cache:
        assert len(cache) == 3 * 20 * 50


OPENERS = """
import multiprocessing, sys
from pathlib import Path
from tasks.embedding.cache import VectorCache

def open_it(path, barrier):
    barrier.wait()
    VectorCache(path).close()

context = multiprocessing.get_context("fork")
failed = 0
for at in range(20):
    barrier = context.Barrier(6)
    path = Path(sys.argv[1]) / str(at)
    opening = [context.Process(target=open_it, args=(path, barrier)) for _ in range(6)]
    for process in opening: process.start()
    for process in opening: process.join()
    failed += sum(process.exitcode != 0 for process in opening)
sys.exit(failed)
"""


def test_a_new_cache_may_be_opened_by_several_processes_at_once(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OPENERS, str(tmp_path)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, f"{done.returncode} of 120 failed: {done.stderr[-300:]}"


def test_a_killed_writer_leaves_whole_batches(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    process = writer(path, "a", -1)
    assert process.stdout is not None
    for _ in range(5):
        last = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    with VectorCache(path) as cache:
        assert len(cache) % 50 == 0
        assert len(cache) >= (last + 1) * 50
        keys = [vector_key(f"a {last} {i}", "e") for i in range(50)]
        assert len(cache.get_many(keys)) == 50
        cache.put_many([(vector_key("after", "e"), np.ones(4, np.float32))])


def test_a_failing_batch_leaves_nothing_of_itself(tmp_path: Path) -> None:
    def rows() -> object:
        yield vector_key("one", "e"), np.ones(2, np.float32)
        raise RuntimeError("the encoder died")

    with VectorCache(tmp_path / "v.sqlite") as cache:
        with pytest.raises(RuntimeError):
            cache.put_many(rows())  # type: ignore[arg-type]
        assert len(cache) == 0
