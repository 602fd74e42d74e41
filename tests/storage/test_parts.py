from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import PartDamagedError, StorageError
from storage.parts import (
    PartKey,
    drop_part,
    list_parts,
    part_encoder,
    part_exists,
    read_document,
    read_part,
    sweep_parts,
    write_part,
)
from storage.paths import StorePaths
from storage.schema import chunks_schema
from storage.seal import seal_holds

TEXT = "one two three four five six seven eight nine ten"
MakePart = Callable[..., tuple[pa.Table, pa.Table]]
ANY_TEXT = st.text(st.characters(codec="utf-8"), max_size=60)


@pytest.fixture
def paths(tmp_path: Path) -> StorePaths:
    return StorePaths(tmp_path / "store")


@pytest.fixture
def staged(paths: StorePaths, make_part: MakePart) -> str:
    return write_part(paths, *make_part("/in/a.txt", TEXT))


def files(paths: StorePaths) -> list[Path]:
    return sorted(path for path in paths.parts.rglob("*") if path.is_file())


def test_a_part_comes_back_as_it_was_written(paths: StorePaths, make_part: MakePart) -> None:
    document, chunks = make_part("/in/O'Brien ação.txt", TEXT)
    name = write_part(paths, document, chunks)
    back_document, back_chunks = read_part(paths, name)
    assert back_document.equals(document)
    assert back_document.schema.equals(document.schema, check_metadata=True)
    assert back_chunks.equals(chunks)
    assert back_chunks.schema.equals(chunks_schema(8, "encoder-a"), check_metadata=True)
    assert part_encoder(back_chunks) == ("encoder-a", 8)
    assert read_document(paths, name).equals(document)


def test_any_text_and_markers_survive(tmp_path: Path, make_part: MakePart) -> None:
    paths = StorePaths(tmp_path)
    document, chunks = make_part("/in/a.txt", "a b c d e f g h i")
    rows = chunks.drop_columns("vector").to_pylist()

    @given(st.lists(st.tuples(ANY_TEXT, st.lists(ANY_TEXT, max_size=4)), min_size=5, max_size=5))
    def check(values: list[tuple[str, list[str]]]) -> None:
        changed = [
            {**row, "text": text, "markers": markers, "context": markers, "heading_path": [text]}
            for row, (text, markers) in zip(rows, values, strict=True)
        ]
        table = pa.Table.from_pylist(changed, chunks_schema(8))
        table = table.set_column(len(table.schema) - 1, "vector", chunks.column("vector"))
        _, back = read_part(paths, write_part(paths, document, table))
        assert back.drop_columns("vector").to_pylist() == changed
        assert back.column("vector").equals(chunks.column("vector"))

    check()


def test_the_same_document_makes_the_same_bytes(
    paths: StorePaths, staged: str, make_part: MakePart
) -> None:
    before = [path.read_bytes() for path in files(paths)]
    assert write_part(paths, *make_part("/in/a.txt", TEXT)) == staged
    assert [path.read_bytes() for path in files(paths)] == before


def test_a_part_is_named_by_document_bytes_and_recipe() -> None:
    keys = [PartKey("d", "s", "r"), PartKey("e", "s", "r"), PartKey("d", "t", "r"),
            PartKey("d", "s", "q")]  # fmt: skip
    assert len({key.name for key in keys}) == 4
    assert PartKey("d", "s", "r").name == PartKey("d", "s", "r").name


def test_a_document_without_chunks_is_a_part(paths: StorePaths, make_part: MakePart) -> None:
    name = write_part(paths, *make_part("/in/empty.txt", ""))
    assert part_exists(paths, name)
    assert read_part(paths, name)[1].num_rows == 0


@pytest.mark.parametrize("which", ["document", "chunks"])
@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "gone"])
def test_damage_is_found(paths: StorePaths, staged: str, which: str, damage: str) -> None:
    path = next(p for p in files(paths) if which in p.name)
    content = bytearray(path.read_bytes())
    if damage == "flip":
        content[len(content) // 3] ^= 0x10
        path.write_bytes(content)
    elif damage == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "empty":
        path.write_bytes(b"")
    else:
        path.unlink()
    with pytest.raises(PartDamagedError, match=staged) as caught:
        read_part(paths, staged)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert part_exists(paths, staged) == (damage != "gone")


def test_chunks_of_another_writing_are_not_taken_for_the_document_s(
    paths: StorePaths, staged: str, make_part: MakePart
) -> None:
    other = write_part(paths, *make_part("/in/b.txt", TEXT))
    paths.part_chunks(other).replace(paths.part_chunks(staged))
    with pytest.raises(PartDamagedError):
        read_part(paths, staged)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d, c: (d, c.slice(1)), "chunks and brings"),
        (lambda d, c: (pa.concat_tables([d, d]), c), "one document"),
        (lambda d, c: (d, c.drop_columns("markers")), "markers"),
        (lambda d, c: (d.append_column("new", pa.array(["x"])), c), "new"),
        (lambda d, c: (d, pa.concat_tables([c.slice(1), c.slice(1, 1)])), "chunk_id twice"),
    ],
)
def test_tables_that_do_not_fit_are_refused(
    paths: StorePaths, make_part: MakePart, change: Callable[..., Any], message: str
) -> None:
    with pytest.raises(StorageError, match=message):
        write_part(paths, *change(*make_part("/in/a.txt", TEXT)))
    assert files(paths) == []


def test_chunks_of_another_document_are_refused(paths: StorePaths, make_part: MakePart) -> None:
    document, _ = make_part("/in/a.txt", TEXT)
    _, chunks = make_part("/in/b.txt", TEXT)
    with pytest.raises(StorageError, match="another doc_id"):
        write_part(paths, document, chunks)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), None])
def test_vectors_must_be_there_and_finite(
    paths: StorePaths, make_part: MakePart, number: float | None
) -> None:
    document, chunks = make_part("/in/a.txt", TEXT)
    vectors = [None if number is None else [number] * 8, *chunks.column("vector")[1:].to_pylist()]
    column = pa.array(vectors, pa.list_(pa.float32(), 8))
    table = chunks.set_column(len(chunks.schema) - 1, chunks.schema.field("vector"), column)
    with pytest.raises(StorageError, match="missing or not finite"):
        write_part(paths, document, table)


def test_the_sweep_takes_stale_parts_halves_and_temporary_files(
    paths: StorePaths, make_part: MakePart
) -> None:
    keep, stale, half = (
        write_part(paths, *make_part(uri, TEXT)) for uri in ("/in/a", "/in/b", "/in/c")
    )
    paths.part_document(half).unlink()
    temp = paths.part_chunks(keep).with_name(".x.parquet.1-2.tmp")
    temp.write_bytes(b"half")
    assert sweep_parts(paths, {keep}) == 0  # all too young
    old = time.time() - 7200
    for path in files(paths):
        os.utime(path, (old, old))
    young = write_part(paths, *make_part("/in/d", TEXT))
    assert sweep_parts(paths, {keep}) == 4
    assert list(list_parts(paths)) == sorted([keep, young])
    assert not temp.exists()
    drop_part(paths, keep)
    assert list(list_parts(paths)) == [young]
    assert stale not in list_parts(paths)


FULL_DISK = """
import resource, signal, sys
sys.path[:0] = {path!r}
import conftest
from pathlib import Path
from storage.errors import StorageError
from storage.parts import write_part
from storage.paths import StorePaths
part = conftest.part_tables("/in/a.txt", " ".join(f"word{{i}}" for i in range(3000)))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
try:
    write_part(StorePaths(Path(sys.argv[1])), *part)
except StorageError as error:
    print(error)
"""


@pytest.mark.parametrize("limit", [4_000, 120_000])  # neither file fits; the chunks fit
def test_a_full_disk_leaves_no_part(paths: StorePaths, limit: int) -> None:
    here = Path(__file__)
    script = FULL_DISK.format(path=[str(here.parents[2]), str(here.parent)], limit=limit)
    done = subprocess.run(
        [sys.executable, "-c", script, str(paths.root)], capture_output=True, text=True, check=True
    )
    assert "cannot write the part of /in/a.txt" in done.stdout
    assert "Free some space" in done.stdout
    assert list(list_parts(paths)) == []
    assert not [path for path in files(paths) if path.suffix == ".tmp"]


def test_every_single_byte_is_sealed(paths: StorePaths, staged: str) -> None:
    for path in files(paths):
        content = path.read_bytes()
        assert seal_holds(content)
        for position in range(0, len(content), 37):
            changed = bytearray(content)
            changed[position] ^= 1
            assert not seal_holds(bytes(changed)), position
