"""The ledger of a store: for every document, what its units held and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from parsers.model import Failure, LedgerRow
from parsers.normalise import count_characters
from storage.catalog import Catalog
from storage.errors import NothingPublishedError
from storage.parts import read_part
from storage.paths import StorePaths
from tasks.indexing.rows import failure_of, ledger_from


@dataclass(frozen=True, slots=True)
class Account:
    """One document's account.

    Attributes:
        uri: The document.
        status: ``indexed``, ``empty`` or ``failed``.
        rows: One per unit.
        covered: Characters (not white space) of its text that lie in a cell.
        failures: What failed in it.
    """

    uri: str
    status: str
    rows: tuple[LedgerRow, ...]
    covered: int
    failures: tuple[Failure, ...]


def ledger_of(store: Path, containing: str = "") -> list[Account]:
    """Return the accounts of the documents whose URI contains ``containing``, by URI.

    Raises:
        NothingPublishedError: There is no store here.
        PartDamagedError: A document's part is damaged.
    """
    paths = StorePaths(store)
    if not paths.catalog.is_file():
        raise NothingPublishedError(f"there is no store in {store}.")
    accounts = []
    with Catalog(paths) as catalog:
        failures: dict[str, list[Failure]] = {}
        for f in catalog.failures_of():
            failures.setdefault(f.uri, []).append(failure_of(f))
        for row in catalog.documents():
            if containing not in row.uri:
                continue
            rows: tuple[LedgerRow, ...] = ()
            covered = 0
            if row.part is not None:
                document, chunks = read_part(paths, row.part)
                rows = ledger_from(document.to_pylist()[0])
                cells = chunks.select(["level", "text"]).to_pylist()
                covered = sum(count_characters(c["text"]) for c in cells if c["level"] == 0)
            accounts.append(
                Account(row.uri, row.status.value, rows, covered, tuple(failures.get(row.uri, ())))
            )
    return accounts
