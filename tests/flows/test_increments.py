"""Whole runs through the command line: what changed is done, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Ingest = Callable[..., dict[str, Any]]
Texts = Callable[[], dict[str, set[str]]]


def test_the_same_command_again_does_no_work(corpus: Path, ingest: Ingest) -> None:
    first = ingest(corpus)
    assert first["documents"] == {
        "new": 3,
        "changed": 0,
        "unchanged": 0,
        "gone": 0,
        "failed": 0,
        "skipped": 1,
    }
    assert first["vectors_computed"] > 0
    assert first["skipped"][0]["uri"].endswith("tool.exe")
    second = ingest(corpus)
    assert second["documents"]["unchanged"] == 3
    assert (second["vectors_computed"], second["chunks"]) == (0, 0)
    assert second["version"] == first["version"]


def test_an_edited_file_replaces_its_chunks_and_a_deleted_one_leaves(
    corpus: Path, ingest: Ingest, texts: Texts
) -> None:
    ingest(corpus)
    handbook = corpus / "handbook.md"
    handbook.write_text(handbook.read_text("utf-8").replace("thirty days", "ten days"), "utf-8")
    (corpus / "notes.txt").unlink()
    run = ingest(corpus)
    assert run["documents"] == {
        "new": 0,
        "changed": 1,
        "unchanged": 1,
        "gone": 1,
        "failed": 0,
        "skipped": 1,
    }
    found = texts()
    assert set(found) == {"handbook.md", "prices.csv"}
    joined = "".join(found["handbook.md"])
    assert "ten days" in joined
    assert "thirty days" not in joined


def test_a_renamed_file_costs_no_new_vector(corpus: Path, ingest: Ingest, texts: Texts) -> None:
    ingest(corpus)
    (corpus / "notes.txt").rename(corpus / "archive.txt")
    run = ingest(corpus)
    assert (run["documents"]["new"], run["documents"]["gone"]) == (1, 1)
    assert run["vectors_computed"] == 0
    assert set(texts()) == {"handbook.md", "archive.txt", "prices.csv"}


def test_two_equal_files_are_two_documents_and_one_set_of_vectors(
    corpus: Path, ingest: Ingest, texts: Texts
) -> None:
    (corpus / "copy.txt").write_bytes((corpus / "notes.txt").read_bytes())
    run = ingest(corpus)
    assert run["vectors_reused"] > 0
    (corpus / "notes.txt").unlink()
    ingest(corpus)
    assert texts()["copy.txt"]


def test_documents_of_other_sources_stay(
    corpus: Path, tmp_path: Path, ingest: Ingest, texts: Texts
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "x' OR 1=1 --.txt").write_text("O'Brien signed.\n", "utf-8")
    (other / "O'Brien.txt").write_text("A second letter of O'Brien.\n", "utf-8")
    ingest(corpus, other)
    (other / "x' OR 1=1 --.txt").unlink()
    assert ingest(other)["documents"]["gone"] == 1
    assert set(texts()) == {"handbook.md", "notes.txt", "prices.csv", "O'Brien.txt"}


def test_a_source_that_names_nothing_removes_nothing(
    corpus: Path, tmp_path: Path, ingest: Ingest, microtome: Any, texts: Texts
) -> None:
    ingest(corpus)
    corpus.rename(tmp_path / "unmounted")
    done = microtome("ingest", corpus, "--store", tmp_path / "store", check=2)
    assert "names nothing" in done.stderr
    assert set(texts()) == {"handbook.md", "notes.txt", "prices.csv"}


def test_changed_slicing_is_a_changed_recipe_that_reuses_what_it_can(
    corpus: Path, tmp_path: Path, ingest: Ingest
) -> None:
    ingest(corpus)
    config = tmp_path / "settings.yaml"
    config.write_text(json.dumps({"slicing": {"sizes": [64, 128, 256, 1024]}}))
    run = ingest(corpus, options=("--config", str(config)))
    assert run["documents"]["changed"] == 3
    assert run["vectors_computed"] == 0  # the cells are the same
