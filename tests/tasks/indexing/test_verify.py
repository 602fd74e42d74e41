"""``verify`` proves a sound store and finds every kind of damage that is planted in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import lancedb
import pytest

from configs.settings import Settings
from flows.dag import IngestSummary
from storage.catalog import Catalog
from storage.paths import StorePaths
from tasks.indexing.accounts import ledger_of
from tasks.indexing.restore import rebuild_store
from tasks.indexing.verify import VerifyReport, verify_store
from tasks.indexing.view import NotInIndexError, view

Ingested = Callable[[], tuple[Path, IngestSummary]]


def _broken(report: VerifyReport) -> set[str]:
    return {i.name for i in report.invariants if i.broken}


def _tamper(store: Path, change: Callable[[Any], object]) -> None:
    """Change the table behind the committer's back, and move the tag to the change."""
    table: Any = lancedb.connect(str(StorePaths(store).index)).open_table("chunks")
    change(table)
    table.checkout_latest()
    table.tags.update("prod", table.version)
    published = StorePaths(store).published
    newest = max(published.glob("v*.parquet"), key=lambda p: int(p.stem[1:]))
    (published / f"v{table.version}.parquet").write_bytes(newest.read_bytes())


def test_a_sound_store_is_proven_and_its_ledger_balances(ingested: Ingested) -> None:
    store, summary = ingested()
    assert summary.documents["new"] == 4
    report = verify_store(store)
    assert report.ok, report
    assert report.version == summary.version
    assert {i.name for i in report.invariants if i.checked == 0} == set()
    assert report.notes == ("the ledger balances in all 4 units",)
    accounts = ledger_of(store)
    assert [Path(a.uri).name for a in accounts] == [
        "copy.txt",
        "law.html",
        "long.txt",
        "prices.csv",
    ]
    for account in accounts:
        assert account.covered == sum(row.text for row in account.rows), "cells cover the text"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (
            lambda t: t.update(where="level = 0 AND start = 0", values={"text": "Forged."}),
            {
                "text equals the slice of the document",
                "fingerprint is the hash of the text",
                "the children's texts put together are the parent's",
            },
        ),
        (
            lambda t: t.delete("level = 0 AND start = 0"),
            {
                "the index holds the rows of the parts, column for column",
                "each level covers the text without gap or overlap",
                "the forest from markers agrees with the one from offsets",
            },
        ),
        (
            lambda t: t.update(where="level = 1", values={"parent_id": None}),
            {"each chunk has exactly one parent of the next bigger size"},
        ),
        (
            lambda t: t.update(where="level = 1", values={"markers": ["0" * 64]}),
            {
                "markers are the children's fingerprints in order",
                "the forest from markers agrees with the one from offsets",
            },
        ),
        (
            lambda t: t.add(t.to_arrow().slice(0, 1)),
            {"chunk ids are unique over all documents"},
        ),
        (
            lambda t: t.update(where="level = 2", values={"vector": [0.5] * 32}),
            {"vectors have unit length"},
        ),
        (
            lambda t: t.update(where="level = 0", values={"language": "xx"}),
            {"the index holds the rows of the parts, column for column"},
        ),
    ],
    ids=["text", "lost chunk", "parent", "markers", "twice", "vector", "column"],
)
def test_a_tampered_index_is_found(
    ingested: Ingested, change: Callable[[Any], object], found: set[str]
) -> None:
    store, _ = ingested()
    _tamper(store, change)
    report = verify_store(store)
    assert not report.ok
    assert found <= _broken(report)
    assert all(i.examples for i in report.invariants if i.broken)


def _part_of(store: Path, document: Path) -> Path:
    with Catalog(StorePaths(store)) as catalog:
        row = catalog.document(str(document))
    assert row is not None
    assert row.part is not None
    return StorePaths(store).part_document(row.part)


def test_a_damaged_part_is_found_and_made_again(
    ingested: Ingested, documents: Path, settings: Settings
) -> None:
    store, _ = ingested()
    part = _part_of(store, documents / "long.txt")
    damaged = bytearray(part.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    part.write_bytes(bytes(damaged))
    assert _broken(verify_store(store)) == {"every document's part is complete and undamaged"}
    report = rebuild_store(store, settings)
    assert [uri for uri, _ in report.damaged] == [str(documents / "long.txt")]
    _, summary = ingested()
    assert (summary.documents["new"], summary.vectors_computed) == (1, 0)
    assert summary.failures == ()
    assert verify_store(store).ok


def test_a_lost_part_is_made_again_by_the_next_ingest(ingested: Ingested, documents: Path) -> None:
    store, _ = ingested()
    _part_of(store, documents / "long.txt").unlink()
    assert not verify_store(store).ok
    _, summary = ingested()
    assert (summary.documents["changed"], summary.documents["unchanged"]) == (1, 3)
    assert verify_store(store).ok


def test_a_document_the_catalog_lost_is_found(ingested: Ingested, documents: Path) -> None:
    store, _ = ingested()
    with Catalog(StorePaths(store)) as catalog:
        catalog.remove_documents([str(documents / "long.txt")])
    assert _broken(verify_store(store)) == {"the index holds the documents of the catalog"}


def test_a_chunk_is_shown_with_its_ancestors(ingested: Ingested) -> None:
    store, _ = ingested()
    document = view(store, "long.txt")
    assert set(document.counts) == {0, 1, 2, 3}
    cell = next(c for c in _leaves(document.roots[0], document.children))
    found = view(store, cell["chunk_id"][:12])
    assert found.chunk is not None
    assert [a["level"] for a in found.ancestors] == [1, 2, 3]
    assert all(found.chunk["text"] in a["text"] for a in found.ancestors)
    with pytest.raises(NotInIndexError, match="nothing"):
        view(store, "none.txt")
    with pytest.raises(NotInIndexError, match="2 things"):
        view(store, ".txt")


def _leaves(chunk: dict[str, Any], children: dict[str, tuple[dict[str, Any], ...]]) -> Any:
    if not children.get(chunk["chunk_id"]):
        yield chunk
    for child in children.get(chunk["chunk_id"], ()):
        yield from _leaves(child, children)
