"""Nothing is lost between a file and a search: each planted word is found, or in the ledger."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from configs.settings import load_settings
from tasks.indexing.accounts import ledger_of
from tasks.indexing.reader import open_searcher
from tasks.retrieval.results import Passage
from tests.planted.decks import write_decks
from tests.planted.markup import write_markup
from tests.planted.office import write_office
from tests.planted.pdfs import write_pdfs
from tests.planted.words import Planter

pytestmark = [pytest.mark.slow, pytest.mark.ocr]


@dataclass(frozen=True)
class Planted:
    """A store made by the command from files full of planted words."""

    store: Path
    planter: Planter
    environment: dict[str, str]

    def run(self, *arguments: str | Path) -> Any:
        """Run the command line as a user does; return its object."""
        done = subprocess.run(
            [sys.executable, "-m", "microtome", *map(str, arguments), "--json"],
            env=self.environment, cwd=self.store.parent, capture_output=True, text=True,
            timeout=240, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)


def _settings(encoder: Path) -> dict[str, str]:
    """Words decide alone: the tiny encoder's vectors are noise, and differ from run to run."""
    return {
        "MICROTOME_ENCODER__REF": str(encoder),
        "MICROTOME_SEARCH__DENSE_WEIGHTS": "[0, 0, 0, 0]",
    }


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory, tiny_encoder: Path) -> Planted:
    """Files of every format, ingested."""
    folder, planter = tmp_path_factory.mktemp("planted"), Planter()
    files = folder / "files"
    files.mkdir()
    for write in (write_pdfs, write_decks, write_office, write_markup):
        write(files, planter)
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("PREFECT_", "MICROTOME_"))},
        **_settings(tiny_encoder),
        "MICROTOME_PARSING__OCR_LANGUAGES": '["eng"]',
        "MICROTOME_PARSING__OCR_DPI": "200",
        "MICROTOME_PARSING__WORKERS": "2",
        "HF_HUB_OFFLINE": "1",
    }
    result = Planted(folder / "store", planter, environment)
    summary = result.run("ingest", files, "--store", result.store)
    assert summary["failures"] == []
    assert summary["documents"]["new"] == len(list(files.iterdir()))
    return result


@pytest.fixture
def search(
    planted: Planted, tiny_encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Sequence[Passage]]:
    """Return what the search command calls, without a process for each question."""
    for name, value in _settings(tiny_encoder).items():
        monkeypatch.setenv(name, value)
    settings = load_settings(None)
    searcher = open_searcher(planted.store, settings)
    return lambda word: searcher.search(word, budget=settings.search.budget).passages


def test_every_planted_word_is_found_by_search(
    planted: Planted, search: Callable[[str], Sequence[Passage]]
) -> None:
    lost = []
    for word, (file, place) in planted.planter.places.items():
        found = search(word)
        if not any(word in passage.text and passage.uri.endswith(file) for passage in found):
            lost.append(f"{file}: {place} ({word})")
    assert len(planted.planter.places) > 450
    assert not lost, f"{len(lost)} of {len(planted.planter.places)} words are lost: {lost}"


def test_the_search_command_finds_a_word_of_a_scan(planted: Planted) -> None:
    file = "scan.pdf"
    word = next(word for word, (name, _) in planted.planter.places.items() if name == file)
    passages = planted.run("search", word, "--store", planted.store)["passages"]
    best = passages[0]
    assert word in best["text"]
    assert best["uri"].endswith(file)


def test_what_is_left_out_is_in_the_ledger_and_every_page_balances(
    planted: Planted, search: Callable[[str], Sequence[Passage]]
) -> None:
    left_out: defaultdict[str, int] = defaultdict(int)
    for document in ledger_of(planted.store):
        for unit in document.rows:
            assert unit.unaccounted == 0, (document.uri, unit)
            left_out[Path(document.uri).name] += sum(unit.dropped.values())
    wanted: Counter[str] = Counter()
    for word, (file, place) in planted.planter.dropped.items():
        wanted[file] += len(word)
        assert all(word not in passage.text for passage in search(word)), place
    assert wanted
    assert all(left_out[file] >= letters for file, letters in wanted.items())
