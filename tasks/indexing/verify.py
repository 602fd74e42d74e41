"""Prove the published index: every chunk against its document, the index against the parts.

Reads everything back from the store and recomputes it; nothing is taken from the code that wrote
it but the functions under proof (fingerprint, chunk id).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa

from parsers.model import Document, sha256_text
from storage.catalog import Catalog
from storage.errors import PartDamagedError
from storage.parts import read_part
from storage.paths import StorePaths
from storage.reader import PublishedIndex
from tasks.indexing.rows import document_from
from tasks.slicing.forest import audit_document

_EXAMPLES = 5
_GROUP = 100
"""Documents whose chunks are read from the index at a time."""
_NORM_TOLERANCE = 1e-3
"""Of a vector's length from 1: float32 sums over 384 numbers err by about 1e-6; more is a fault."""

_PARTS = "every document's part is complete and undamaged"
_TABLE = "the index holds the rows of the parts, column for column"
_CATALOG = "the index holds the documents of the catalog"
_UNIQUE = "chunk ids are unique over all documents"
_TILES = "blocks and pages tile the text"
_LEDGER = "every page, or the file, has its row in the ledger"
_UNIT = "vectors have unit length"
_CANONICAL = "the text has the hash that names it"


@dataclass(slots=True)
class InvariantReport:
    """How often one invariant was checked and broken, with a few examples."""

    name: str
    checked: int = 0
    broken: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """The proof, or what broke it.

    Attributes:
        version: The version that was checked.
        invariants: In a fixed order.
        notes: What is no fault of the index but worth knowing.
    """

    version: int
    invariants: tuple[InvariantReport, ...]
    notes: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is broken."""
        return not any(i.broken for i in self.invariants)


def verify_store(store: Path) -> VerifyReport:
    """Check every invariant on the published version of a store.

    Raises:
        NothingPublishedError: There is nothing to check.
    """
    paths = StorePaths(store)
    index = PublishedIndex(paths)
    return _Verification(paths, index).run()


class _Verification:
    def __init__(self, paths: StorePaths, index: PublishedIndex) -> None:
        self._paths = paths
        self._index = index
        self._reports: dict[str, InvariantReport] = {}
        self._unaccounted: Counter[str] = Counter()
        self._units = 0

    def run(self) -> VerifyReport:
        listed = self._index.documents().to_pylist()
        self._check_catalog(listed)
        for group in _grouped(listed):
            rows = self._index.rows_of_documents([d["doc_id"] for d in group])
            by_document = _split(rows)
            for document in group:
                self._check_document(document, by_document.pop(document["doc_id"], None))
            self._count(_TABLE, len(by_document), [f"rows of {d}" for d in by_document])
        ids = self._index.to_arrow(["chunk_id"]).column("chunk_id")
        twice = len(ids) - len(ids.unique())
        self._count(_UNIQUE, len(ids), [f"{twice} rows too many"] if twice else [], twice)
        return VerifyReport(self._index.version, tuple(self._reports.values()), self._notes())

    def _check_catalog(self, listed: Sequence[dict[str, Any]]) -> None:
        with Catalog(self._paths) as catalog:
            wanted = {d["doc_id"]: d["n_chunks"] for d in catalog.snapshot().to_pylist()}
        found = {d["doc_id"]: d["n_chunks"] for d in listed}
        differ = [d for d in wanted.keys() | found.keys() if wanted.get(d) != found.get(d)]
        self._count(_CATALOG, len(wanted.keys() | found.keys()), sorted(differ))

    def _check_document(self, listed: dict[str, Any], rows: pa.Table | None) -> None:
        uri = listed["uri"]
        try:
            document_table, part_rows = read_part(self._paths, listed["part"])
        except PartDamagedError as error:
            self._count(_PARTS, 1, [f"{uri}: {error.message}"])
            return
        self._count(_PARTS, 1, [])
        rows = part_rows.schema.empty_table() if rows is None else rows
        self._compare(uri, rows, part_rows)
        document = document_from(document_table.to_pylist()[0])
        self._check_text(document, document_table)
        chunks = [
            SimpleNamespace(**row)
            for row in rows.select(
                ["chunk_id", "level", "start", "end", "text", "fingerprint", "markers", "parent_id"]
            ).to_pylist()
        ]
        audit = audit_document(document.text, chunks)
        details: dict[str, list[str]] = {}
        for violation in audit.violations:
            what = f"{uri}: {violation.chunk_id[:12]} {violation.detail}"
            details.setdefault(violation.invariant.value, []).append(what)
        for invariant, checked in audit.checked.items():
            self._count(invariant.value, checked, details.get(invariant.value, []))
        self._check_vectors(uri, rows)

    def _compare(self, uri: str, rows: pa.Table, part_rows: pa.Table) -> None:
        """Compare index and part row for row, every column."""
        left, right = rows.sort_by("chunk_id"), part_rows.sort_by("chunk_id")
        wrong = [
            name
            for name in right.schema.names
            if not left.column(name).combine_chunks().equals(right.column(name).combine_chunks())
        ]
        self._count(_TABLE, part_rows.num_rows, [f"{uri}: columns {wrong}"] if wrong else [])

    def _check_text(self, document: Document, table: pa.Table) -> None:
        uri = document.source.uri
        named = table.column("text_sha256")[0].as_py()
        same = sha256_text(document.text) == named
        self._count(_CANONICAL, 1, [] if same else [f"{uri}: the text has another hash"])
        gaps = [
            f"{uri}: {what} at {at}"
            for what, spans in (("blocks", document.blocks), ("pages", document.pages))
            for at in _gaps([(s.start, s.end) for s in spans], len(document.text))
            if spans or what == "blocks"
        ]
        self._count(_TILES, len(document.blocks) + len(document.pages), gaps)
        units = {row.unit for row in document.ledger}
        numbers = {unit.rsplit("_", 1)[-1] for unit in units}
        missing = [
            f"{uri}: page {p.number}" for p in document.pages if str(p.number) not in numbers
        ]
        if not units:
            missing.append(f"{uri}: no ledger")
        self._count(_LEDGER, max(1, len(document.pages)), missing)
        self._units += len(document.ledger)
        for row in document.ledger:
            if row.unaccounted:
                self._unaccounted[f"{uri} {row.unit}"] = row.unaccounted

    def _check_vectors(self, uri: str, rows: pa.Table) -> None:
        if not rows.num_rows:
            return
        vectors: Any = rows.column("vector").combine_chunks()
        flat = vectors.flatten().to_numpy()
        norms = np.linalg.norm(flat.reshape(rows.num_rows, -1), axis=1)
        wrong = int((~(np.abs(norms - 1) <= _NORM_TOLERANCE)).sum())  # NaN counts as wrong
        self._count(_UNIT, rows.num_rows, [f"{uri}: {wrong} vectors"] if wrong else [], wrong)

    def _count(
        self, name: str, checked: int, examples: Sequence[str], broken: int | None = None
    ) -> None:
        report = self._reports.setdefault(name, InvariantReport(name))
        report.checked += checked
        report.broken += len(examples) if broken is None else broken
        report.examples += examples[: _EXAMPLES - len(report.examples)]

    def _notes(self) -> tuple[str, ...]:
        if not self._unaccounted:
            return (f"the ledger balances in all {self._units} units",)
        worst = sorted(self._unaccounted.items(), key=lambda item: -abs(item[1]))[:_EXAMPLES]
        return (
            f"{len(self._unaccounted)} of {self._units} units do not balance in the ledger: "
            + "; ".join(f"{unit}: {count:+d} characters" for unit, count in worst),
        )


def _gaps(spans: Sequence[tuple[int, int]], length: int) -> Iterator[int]:
    """Yield the offsets at which spans that should tile [0, length) do not."""
    edges = [(0, 0), *spans, (length, length)]
    for (_, end), (start, _) in itertools.pairwise(edges):
        if end != start:
            yield end


def _grouped(listed: Sequence[dict[str, Any]]) -> Iterator[Sequence[dict[str, Any]]]:
    for first in range(0, len(listed), _GROUP):
        yield listed[first : first + _GROUP]


def _split(rows: pa.Table) -> dict[str, pa.Table]:
    """Return the rows of each document."""
    rows = rows.sort_by([("doc_id", "ascending"), ("level", "ascending"), ("start", "ascending")])
    ids: list[Any] = rows.column("doc_id").to_pylist()
    tables: dict[str, pa.Table] = {}
    first = 0
    for doc_id, same in itertools.groupby(ids):
        count = len(list(same))
        tables[doc_id] = rows.slice(first, count)
        first += count
    return tables
