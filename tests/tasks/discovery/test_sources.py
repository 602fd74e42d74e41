from __future__ import annotations

import os
from pathlib import Path

import pytest

from tasks.discovery.sources import SourceError, absolute_uri, discover
from tasks.loading.files import read_bytes


def _names(sources: list[str], exclude: Path | None = None) -> list[str]:
    return [Path(f.uri).name for f in discover(sources, exclude).files]


def _tree(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")


def test_folders_are_read_all_the_way_down_in_order(tmp_path: Path) -> None:
    _tree(tmp_path, "b.txt", "a/z.txt", "a/b/c.txt")
    assert _names([str(tmp_path)]) == ["c.txt", "z.txt", "b.txt"]


def test_hidden_files_and_lock_files_are_passed_over_unless_named(tmp_path: Path) -> None:
    _tree(tmp_path, ".git/config", ".hidden.txt", "~$deck.pptx", "deck.pptx")
    assert _names([str(tmp_path)]) == ["deck.pptx"]
    assert _names([str(tmp_path / ".hidden.txt")]) == [".hidden.txt"]


def test_globs_and_overlapping_sources_give_each_file_once(tmp_path: Path) -> None:
    _tree(tmp_path, "a/1.md", "a/2.txt", "b/3.md")
    assert _names([str(tmp_path / "*" / "*.md"), str(tmp_path / "a")]) == [
        "1.md",
        "2.txt",
        "3.md",
    ]


def test_a_name_with_glob_characters_is_a_name_when_it_exists(tmp_path: Path) -> None:
    _tree(tmp_path, "report [final].txt", "report f.txt")
    assert _names([str(tmp_path / "report [final].txt")]) == ["report [final].txt"]


@pytest.mark.parametrize("name", ["none", "none.txt", "*.pdf"])
def test_a_source_that_names_nothing_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError, match="names nothing"):
        discover([str(tmp_path / name)])


def test_an_empty_folder_is_no_error(tmp_path: Path) -> None:
    assert _names([str(tmp_path)]) == []


def test_the_store_is_never_a_source(tmp_path: Path) -> None:
    _tree(tmp_path, "a.txt", "store/runs/plan.json")
    assert _names([str(tmp_path)], exclude=tmp_path / "store") == ["a.txt"]


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    _tree(tmp_path, "a/1.txt")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    assert _names([str(tmp_path)]) == ["1.txt"]


def test_paths_become_absolute_and_urls_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute_uri("a/../b.txt") == str(tmp_path / "b.txt")
    assert absolute_uri(f"file://{tmp_path}/b.txt") == str(tmp_path / "b.txt")
    assert absolute_uri("https://example.org/a.pdf") == "https://example.org/a.pdf"


def test_a_name_that_is_no_utf8_is_percent_encoded_and_found_again(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/caf\xe9 100%.txt"
    with open(name, "wb") as file:  # noqa: PTH123 - a name of bytes
        file.write(b"words")
    (found,) = discover([str(tmp_path)]).files
    assert found.uri == f"file://{tmp_path}/caf%E9%20100%25.txt"
    assert read_bytes(found.uri, 100) == b"words"
    assert discover([found.uri]).files[0].uri == found.uri
    assert absolute_uri(found.uri) == found.uri
