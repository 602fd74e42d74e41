from __future__ import annotations

from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("flows", "tasks", "parsers", "storage", "configs")


def test_no_other_distribution_provides_our_names() -> None:
    owners = packages_distributions()
    for name in (*FOLDERS, "microtome"):
        assert set(owners.get(name, ())) <= {"microtome"}, (name, owners[name])


def test_every_file_is_short_enough_to_be_one_thing() -> None:
    files = [
        f for folder in (*FOLDERS, "tests", "benchmarks") for f in (ROOT / folder).rglob("*.py")
    ]
    assert len(files) > 50
    long = {
        str(f.relative_to(ROOT)): n for f in files if (n := len(f.read_text().splitlines())) > 400
    }
    assert not long


def test_no_file_of_ours_is_named_like_a_library_it_uses() -> None:
    libraries = {"prefect", "html", "lance", "lancedb", "torch", "typing", "json", "email", "docx"}
    names = {f.stem for folder in FOLDERS for f in (ROOT / folder).rglob("*.py")}
    assert not names & libraries
