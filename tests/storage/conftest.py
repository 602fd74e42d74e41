"""Small real stores: documents cut into cells of three words and parents of two cells."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from storage.catalog import Catalog
from storage.committer import Committed, Committer
from storage.index import ChunkIndex
from storage.parts import write_part
from storage.paths import StorePaths
from storage.rows import DocumentRow, DocumentStatus, FailureRow, now
from storage.schema import DOCUMENTS, chunks_schema

DIM = 8
ENCODER = "encoder-a"


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def vector_of(text: str, dim: int) -> Any:
    seed = int(sha(text)[:8], 16)
    return np.random.default_rng(seed).standard_normal(dim).astype(np.float32)


def part_tables(
    uri: str, text: str, recipe: str = "recipe-1", dim: int = DIM, encoder: str = ENCODER
) -> tuple[pa.Table, pa.Table]:
    """Return (document, chunks) of ``text``."""
    doc_id = sha(uri)
    ends = [m.end() for m in re.finditer(r"(?:\S+\s*){1,3}", text)]
    cells = list(zip([0, *ends[:-1]], ends, strict=True)) if ends else []
    parents = [(cells[i][0], cells[min(i + 1, len(cells) - 1)][1]) for i in range(0, len(cells), 2)]
    chunk_id = {
        (level, span): sha(f"{doc_id} {sha(text)} {recipe} {level} {span}")
        for level, spans in enumerate((cells, parents))
        for span in spans
    }
    rows: list[dict[str, Any]] = []
    for (level, (start, end)), identity in chunk_id.items():
        inside = [i for i, cell in enumerate(cells) if start <= cell[0] < end]
        rows.append(
            {
                "chunk_id": identity,
                "doc_id": doc_id,
                "uri": uri,
                "level": level,
                "size_tokens": 3 * (level + 1),
                "start": start,
                "end": end,
                "cell_start": inside[0],
                "cell_end": inside[-1] + 1,
                "n_tokens": len(text[start:end].split()),
                "text": text[start:end],
                "fingerprint": sha(text[start:end]),
                "markers": [sha(text[slice(*cells[i])]) for i in inside] if level else [],
                "parent_id": None if level else chunk_id[1, parents[inside[0] // 2]],
                "context": [],
                "heading_path": ["A heading"],
                "locators": [],
                "pages": [1],
                "language": "en",
                "doc_type": "unknown",
                "date": "",
            }
        )
    vectors = [vector_of(row["text"], dim) for row in rows]
    schema = chunks_schema(dim, encoder)
    column = pa.array(vectors, schema.field("vector").type)
    scalars = pa.Table.from_pylist(rows, pa.schema(list(schema)[:-1]))
    chunks = scalars.append_column(schema.field("vector"), column).cast(schema)
    document = pa.Table.from_pylist(
        [
            {
                "doc_id": doc_id,
                "uri": uri,
                "media_type": "text/plain",
                "size_bytes": len(text.encode()),
                "sha256": sha(text),
                "title": "",
                "language": "en",
                "doc_type": "unknown",
                "date": "",
                "text": text,
                "text_sha256": sha(text),
                "parser": "text",
                "parser_version": 1,
                "recipe": recipe,
                "encoder": encoder,
                "n_chunks": len(rows),
                "n_cells": len(cells),
                "blocks": [
                    {
                        "kind": "paragraph",
                        "start": 0,
                        "end": len(text),
                        "page": None,
                        "level": None,
                        "heading_path": [],
                        "locator": "",
                        "context": [],
                        "bbox": None,
                    }
                ],
                "pages": [],
                "tables": [],
                "ledger": [
                    {
                        "unit": "file",
                        "source": len(text),
                        "dropped": [{"reason": "white space", "count": 0}],
                        "generated": [],
                        "text": len(text),
                        "route": "",
                    }
                ],
                "failures": [],
            }
        ],
        DOCUMENTS,
    )
    return document, chunks


class Store:
    """A store with what a flow does to it."""

    def __init__(self, root: Path, *, dim: int = DIM, encoder: str = ENCODER, **index: Any) -> None:
        self.paths = StorePaths(root)
        self.dim, self.encoder = dim, encoder
        self.catalog = Catalog(self.paths)
        self.index = ChunkIndex(self.paths, dim, encoder, **index)
        self.committer = Committer(self.paths, self.catalog, self.index, commit_chunks=50)
        self.run_id = f"run-{len(self.catalog.runs())}"
        self.catalog.start_run(self.run_id, {}, encoder)

    def row(self, uri: str, text: str, recipe: str = "recipe-1") -> DocumentRow:
        """Stage the part of a document and return its row."""
        document, chunks = part_tables(uri, text, recipe, self.dim, self.encoder)
        name = write_part(self.paths, document, chunks)
        n_cells = document.column("n_cells")[0].as_py()
        return DocumentRow(
            uri=uri, doc_id=sha(uri), root=str(Path(uri).parent), sha256=sha(text), recipe=recipe,
            size_bytes=len(text), mtime_ns=0, status=DocumentStatus.INDEXED, part=name,
            n_chunks=chunks.num_rows, n_cells=n_cells, ingested_at="", run_id=self.run_id,
            checked_at=now(),
        )  # fmt: skip

    def commit(self, documents: dict[str, str], recipe: str = "recipe-1") -> Committed:
        """Stage and commit documents, text by URI."""
        return self.committer.commit([self.row(u, t, recipe) for u, t in documents.items()])

    def ingest(self, documents: dict[str, str]) -> int:
        """Make ``documents`` all there is, publish, and return the version."""
        gone = [row for row in self.catalog.documents() if row.uri not in documents]
        self.commit(documents)
        self.committer.remove(gone)
        return self.committer.publish().version

    def failure(self, uri: str, message: str) -> FailureRow:
        return FailureRow(uri, "parse", 3, "DamagedFileError", message, "Repair it.", False,
                          self.run_id)  # fmt: skip


@pytest.fixture
def make_store() -> Iterator[Callable[..., Store]]:
    """Open stores by folder; their catalogs are closed at the end."""
    opened: list[Store] = []

    def make(root: Path, **options: Any) -> Store:
        opened.append(Store(root, **options))
        return opened[-1]

    yield make
    for store in opened:
        store.catalog.close()


@pytest.fixture
def store(tmp_path: Path, make_store: Callable[..., Store]) -> Store:
    """An empty store."""
    return make_store(tmp_path / "store")


@pytest.fixture
def make_part() -> Callable[..., tuple[pa.Table, pa.Table]]:
    """The function that makes the tables of a part."""
    return part_tables


def corpus(generation: int) -> dict[str, str]:
    """Return a corpus in which each generation edits, adds and drops some documents."""
    words = " ".join(f"word{i}" for i in range(24))
    names = range(generation % 7, 14 + generation % 5)
    return {f"/in/{i}.txt": f"{words} {i} {generation if i % 3 == 0 else ''}" for i in names}


@pytest.fixture
def make_corpus() -> Callable[[int], dict[str, str]]:
    """The function that makes a generation of the corpus."""
    return corpus


@pytest.fixture
def child() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start ``child.py`` with arguments; what still runs at the end is killed."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: object) -> subprocess.Popen[bytes]:
        command = [sys.executable, str(Path(__file__).with_name("child.py")), *map(str, arguments)]
        started.append(subprocess.Popen(command, stderr=subprocess.PIPE))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()
