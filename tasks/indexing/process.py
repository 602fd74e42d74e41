"""Process a batch: parse, enrich, slice, embed, and stage each document's part.

The only output is parts and a result file; the index is the committer's. A document that fails is
a row, and a part that exists already is not made again, so a killed batch costs what it had not
staged.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from configs.settings import Settings
from microtome import MicrotomeError
from parsers.model import Document, Failure, sha256_text
from storage.errors import PartDamagedError
from storage.parts import PartKey, part_exists, read_document, write_part
from storage.paths import StorePaths
from storage.schema import DOCUMENTS, chunks_schema
from tasks.discovery.plan import PlannedFile, read_batch, write_json
from tasks.embedding.cache import VectorCache
from tasks.embedding.clipped import clipping
from tasks.embedding.encoder import Encoder, TruncationError, load_encoder
from tasks.embedding.vectors import embed_chunks
from tasks.enrichment.enrich import Enricher
from tasks.indexing.rows import chunk_rows, document_row, failure_from, failure_row
from tasks.loading.pool import Loaded, LoaderPool
from tasks.slicing.chunks import Chunk, slice_document
from tasks.slicing.embedded import embedded_text
from tasks.slicing.routes import route, with_type

_GROUP_CELLS = 1024
"""Cells encoded together: enough for full batches, little enough to hold in memory (a guess)."""


@dataclass(frozen=True, slots=True)
class Processed:
    """What became of one document.

    Attributes:
        uri: The document.
        root: The source under which it was found.
        sha256: Of the bytes that were parsed.
        size_bytes: Length of the file.
        mtime_ns: Time of its last change when the plan was made.
        recipe: What it was made with; of a failed one, the identity of the attempt.
        change: ``new`` or ``changed``.
        part: Name of its part, None when it failed.
        n_chunks: Chunks in the part.
        n_cells: Cells in the part.
        failures: What failed in it, as rows.
    """

    uri: str
    root: str
    sha256: str
    size_bytes: int
    mtime_ns: int
    recipe: str
    change: str
    part: str | None
    n_chunks: int
    n_cells: int
    failures: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What a batch did: counts, and where the rest is written.

    ``sent`` says what each host received: requests, characters of text, pictures.
    """

    path: str
    documents: int
    failed: int
    chunks: int
    cells: int
    vectors_computed: int
    vectors_reused: int
    pages: dict[str, int] = field(default_factory=dict)
    sent: dict[str, dict[str, int]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


def process_batch(
    store: Path,
    batch_path: str,
    settings: Settings,
    on_document: Callable[[str, str], None] = lambda uri, outcome: None,
) -> BatchResult:
    """Make the parts of a batch's documents.

    Args:
        store: Folder of the index.
        batch_path: The batch's manifest.
        settings: All settings.
        on_document: Told each document's URI and ``ok`` or ``failed``, as it is done.

    Raises:
        EncoderError: The model cannot be loaded.
        StorageError: A part cannot be written (the disk is full).
    """
    work = _Batch(StorePaths(store), settings, on_document)
    todo: list[PlannedFile] = []
    for file in read_batch(batch_path):
        if file.again or not work.take_existing(file):
            todo.append(file)
    if todo:
        work.process(todo)
    path = Path(batch_path).with_suffix(".result.json")
    write_json(path, {"documents": [asdict(p) for p in work.done]})
    return BatchResult(
        path=str(path),
        documents=len(work.done),
        failed=sum(p.part is None for p in work.done),
        chunks=sum(p.n_chunks for p in work.done),
        cells=sum(p.n_cells for p in work.done),
        vectors_computed=work.computed,
        vectors_reused=work.reused,
        pages=dict(work.pages),
        sent=work.sent,
        seconds={k: round(v, 3) for k, v in work.seconds.items()},
    )


def read_result(path: str) -> list[Processed]:
    """Return the documents of a batch's result file."""
    content: Any = json.loads(Path(path).read_text("utf-8"))
    return [Processed(**{**d, "failures": tuple(d["failures"])}) for d in content["documents"]]


@dataclass(frozen=True, slots=True)
class _Sliced:
    """A document with its chunks and the strings that are embedded for its cells."""

    file: PlannedFile
    document: Document
    chunks: list[Chunk]
    texts: list[str]


class _Batch:
    def __init__(
        self, paths: StorePaths, settings: Settings, on_document: Callable[[str, str], None]
    ) -> None:
        self._paths = paths
        self._settings = settings
        self._on_document = on_document
        self.done: list[Processed] = []
        self.computed = 0
        self.reused = 0
        self.pages: Counter[str] = Counter()
        self.sent: dict[str, dict[str, int]] = {}
        self.seconds: Counter[str] = Counter()

    def take_existing(self, file: PlannedFile) -> bool:
        """Account for a document whose part exists and is sound; return whether it was so."""
        name = PartKey(sha256_text(file.uri), file.sha256, file.recipe).name
        if not part_exists(self._paths, name):
            return False
        try:
            row = read_document(self._paths, name).to_pylist()[0]
        except PartDamagedError:
            return False  # it is made again, over the damaged one
        failures = tuple(failure_row(failure_from(f)) for f in row["failures"])
        self._finish(file, file.sha256, name, row["n_chunks"], row["n_cells"], failures)
        return True

    def process(self, files: Sequence[PlannedFile]) -> None:
        """Parse in child processes while this one slices, embeds and stages."""
        encoder = load_encoder(self._settings.encoder)
        run, parsing, enrichment = (
            self._settings.run, self._settings.parsing, self._settings.enrichment
        )  # fmt: skip
        group: list[_Sliced] = []
        cells = 0
        with (
            VectorCache(self._paths.vector_cache) as cache,
            LoaderPool(parsing, run.max_file_bytes, bool(enrichment.picture_model)) as pool,
            Enricher(self._settings.endpoint, enrichment, self._paths.answer_cache) as enricher,
        ):
            for file, loaded in self._parsed(pool, files):
                if loaded.document is None:
                    self._fail(file, loaded.failure)
                    continue
                with self._timed("enrich"):
                    document = enricher.enrich(loaded.document, loaded.pictures)
                try:
                    with self._timed("slice"):
                        sliced = self._slice(file, document, encoder)
                except MicrotomeError as error:
                    self._fail(file, _failure(file, "slice", error))
                    continue
                group.append(sliced)
                cells += len(sliced.texts)
                if cells >= _GROUP_CELLS:
                    self._stage(group, encoder, cache)
                    group, cells = [], 0
            self._stage(group, encoder, cache)
            self.sent = enricher.sent

    def _parsed(
        self, pool: LoaderPool, files: Sequence[PlannedFile]
    ) -> Iterator[tuple[PlannedFile, Loaded]]:
        outcomes = pool.load_all([f.uri for f in files])
        for file in files:
            with self._timed("parse"):
                loaded = next(outcomes)
            yield file, loaded

    def _slice(self, file: PlannedFile, document: Document, encoder: Encoder) -> _Sliced:
        """Cut a document as its type asks for."""
        settings = self._settings
        document = with_type(document, settings.routing.patterns)
        slicing = route(document, settings.slicing, settings.routing).settings
        chunks = slice_document(document, slicing, encoder.token_starts, clipping(encoder))
        texts = [embedded_text(c, encoder.count, slicing) for c in chunks if c.level == 0]
        return _Sliced(file, document, chunks, texts)

    def _stage(self, group: Sequence[_Sliced], encoder: Encoder, cache: VectorCache) -> None:
        """Embed the group's cells together, then write each document's part."""
        chunks = [c for sliced in group for c in sliced.chunks]
        texts = [text for sliced in group for text in sliced.texts]
        try:
            with self._timed("embed"):
                vectors, computed, reused = embed_chunks(chunks, texts, encoder, cache)
        except TruncationError as error:
            if len(group) == 1:
                self._fail(group[0].file, _failure(group[0].file, "embed", error))
            else:  # one document's fault: find it
                for one in group:
                    self._stage([one], encoder, cache)
            return
        self.computed += computed
        self.reused += reused
        at = 0
        with self._timed("stage"):
            for sliced in group:
                to = at + len(sliced.chunks)
                self._write(sliced, vectors[at:to], encoder)
                at = to

    def _write(self, sliced: _Sliced, vectors: Any, encoder: Encoder) -> None:
        file, document, chunks = sliced.file, sliced.document, sliced.chunks
        cells = len(sliced.texts)
        info = encoder.info
        row = document_row(document, file.recipe, info.id, len(chunks), cells)
        schema = chunks_schema(info.dim, info.id)
        table = pa.Table.from_pylist(chunk_rows(document, chunks), schema.remove(len(schema) - 1))
        flat = pa.array(vectors.reshape(-1), pa.float32())
        column = pa.FixedSizeListArray.from_arrays(flat, info.dim)
        table = table.append_column(schema.field("vector"), column)
        name = write_part(self._paths, pa.Table.from_pylist([row], DOCUMENTS), table)
        for page in document.pages:
            self.pages[page.text_source.value] += 1
        failures = tuple(failure_row(f) for f in document.failures)
        self._finish(file, document.source.sha256, name, len(chunks), cells, failures)

    def _fail(self, file: PlannedFile, failure: Failure | None) -> None:
        rows = () if failure is None else (failure_row(failure),)
        self._finish(file, file.sha256, None, 0, 0, rows)

    def _finish(
        self,
        file: PlannedFile,
        sha256: str,
        part: str | None,
        n_chunks: int,
        n_cells: int,
        failures: tuple[dict[str, Any], ...],
    ) -> None:
        self.done.append(
            Processed(
                file.uri,
                file.root,
                sha256,
                file.size_bytes,
                file.mtime_ns,
                file.recipe if part is not None else file.attempt,
                file.change,
                part,
                n_chunks,
                n_cells,
                failures,
            )
        )
        self._on_document(file.uri, "ok" if part is not None else "failed")

    def _timed(self, stage: str) -> _Timer:
        return _Timer(self.seconds, stage)


class _Timer:
    def __init__(self, seconds: Counter[str], stage: str) -> None:
        self._seconds = seconds
        self._stage = stage

    def __enter__(self) -> None:
        self._began = time.monotonic()

    def __exit__(self, *error: object) -> None:
        self._seconds[self._stage] += time.monotonic() - self._began  # type: ignore[assignment]


def _failure(file: PlannedFile, stage: str, error: MicrotomeError) -> Failure:
    remedy = getattr(error, "remedy", "") or "Report it with the file's SHA-256."
    return Failure(file.uri, stage, None, type(error).__name__, str(error), remedy)
