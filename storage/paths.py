"""Where everything in a store lies. No other module puts path segments together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class StorePaths:
    """The folders and files below ``root`` (what ``--store`` names).

    ``parts/`` holds the truth; ``index/``, ``published/`` and ``search/`` can be made again.
    """

    root: Path

    @property
    def parts(self) -> Path:
        """Staged Parquet, two files a document."""
        return self.root / "parts"

    @property
    def index(self) -> Path:
        """The LanceDB database."""
        return self.root / "index"

    @property
    def table(self) -> Path:
        """The Lance dataset of all chunks."""
        return self.index / "chunks.lance"

    @property
    def catalog(self) -> Path:
        """SQLite: documents, failures, runs."""
        return self.root / "catalog.sqlite"

    @property
    def vector_cache(self) -> Path:
        """SQLite of vectors by content; owned by embedding."""
        return self.root / "cache" / "vectors.sqlite"

    @property
    def answer_cache(self) -> Path:
        """SQLite of language models' answers by request; owned by enrichment."""
        return self.root / "cache" / "answers.sqlite"

    @property
    def lock(self) -> Path:
        """Locked by the kernel while a process commits."""
        return self.root / "commit.lock"

    @property
    def lock_holder(self) -> Path:
        """Says who holds the lock."""
        return self.root / "commit.lock.json"

    @property
    def runs(self) -> Path:
        """One folder a run."""
        return self.root / "runs"

    @property
    def search(self) -> Path:
        """Sidecars of the search, one folder a version."""
        return self.root / "search"

    @property
    def published(self) -> Path:
        """The documents of each published version."""
        return self.root / "published"

    def run(self, run_id: str) -> Path:
        """Folder of one run's manifests."""
        return self.runs / run_id

    def search_of(self, version: int) -> Path:
        """Folder of one version's sidecars."""
        return self.search / f"v{version}"

    def documents_of(self, version: int) -> Path:
        """The list of one published version's documents."""
        return self.published / f"v{version}.parquet"

    def part_document(self, name: str) -> Path:
        """The file whose presence says that part ``name`` is complete."""
        return self.parts / name[:2] / f"{name}.document.parquet"

    def part_chunks(self, name: str) -> Path:
        """The chunks of part ``name``."""
        return self.parts / name[:2] / f"{name}.chunks.parquet"
