"""The README says what there is: every command, every folder, no more."""

from __future__ import annotations

import re
from pathlib import Path

import typer

from flows.cli import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = typer.main.get_command(app)


def test_every_command_is_in_the_readme_and_has_help() -> None:
    names = set(COMMANDS.commands)  # type: ignore[attr-defined]
    assert names == set(re.findall(r"^\| `microtome (\w+)", README, re.M))
    for command in COMMANDS.commands.values():  # type: ignore[attr-defined]
        assert command.help, command.name


def test_every_folder_in_the_readme_exists() -> None:
    named = re.findall(r"^\| `(\w+)/` \|", README, re.M)
    assert {"flows", "tasks", "parsers", "storage", "configs", "tests"} <= set(named)
    for name in named:
        assert (ROOT / name).is_dir(), name


def test_every_link_and_file_in_the_documents_exists() -> None:
    for document in ("README.md", "CONTRIBUTING.md", "DECISIONS.md"):
        text = (ROOT / document).read_text("utf-8")
        for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
            assert (ROOT / target).exists(), f"{document}: {target}"
        for target in re.findall(r"`((?:flows|tasks|parsers|storage|configs)/[\w/.]+)`", text):
            assert (ROOT / target).exists(), f"{document}: {target}"


def test_every_make_target_in_the_documents_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text("utf-8"), re.M))
    for document in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / document).read_text("utf-8")
        assert set(re.findall(r"^make ([a-z-]+)", text, re.M)) <= targets


def test_ci_runs_the_test_command_of_the_readme() -> None:
    assert re.search(r"make .*\btest\b", (ROOT / ".ci" / "run").read_text("utf-8"))
