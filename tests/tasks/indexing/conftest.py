from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from configs.settings import Settings, load_settings
from flows.dag import IngestSummary, run_ingest
from flows.progress import TerminalProgress
from flows.runners import LocalRunner

LAW = """<html lang="en"><body><p class="oj-doc-ti">Regulation on sheds</p>
<p class="oj-ti-art">Article 1</p><p class="oj-sti-art">Keys</p>
<p class="oj-normal">1. The keeper holds the key of the shed.</p>
<p class="oj-normal">2. The keeper lends it for one day.</p></body></html>"""


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Four documents of different formats, two of them with a text in common."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "law.html").write_text(LAW, "utf-8")
    words = "\n\n".join(f"Paragraph {n} tells of the archive and its {n} boxes." for n in range(40))
    (folder / "long.txt").write_text(words, "utf-8")
    (folder / "copy.txt").write_text(words, "utf-8")
    (folder / "prices.csv").write_text("Article,Price\nLock,12.50\nPump,8.90\n", "utf-8")
    return folder


@pytest.fixture
def settings(tiny_encoder: Path) -> Settings:
    """Settings with the tiny encoder and small sizes."""
    return load_settings(
        None,
        encoder={"ref": str(tiny_encoder)},
        slicing={"sizes": [16, 32, 64, 128]},
        parsing={"workers": 1},
    )


@pytest.fixture
def ingested(
    documents: Path, settings: Settings, tmp_path: Path
) -> Callable[[], tuple[Path, IngestSummary]]:
    """Ingest the documents into ``store`` (again), in this process."""

    def run() -> tuple[Path, IngestSummary]:
        store = tmp_path / "store"
        with TerminalProgress(quiet=True) as bar:
            return store, run_ingest([str(documents)], store, settings, LocalRunner(), bar)

    return run
