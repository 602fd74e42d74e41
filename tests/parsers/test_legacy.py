"""Formats read through LibreOffice: a real conversion where it is installed, its faults always."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import time
from pathlib import Path

import docx
import pytest
from pptx import Presentation

from configs.settings import ParsingSettings
from parsers import detect, legacy
from parsers.base import (
    DamagedFileError,
    EmptyFileError,
    MissingToolError,
    ParseTimeoutError,
)
from parsers.libreoffice import convert, find_libreoffice
from parsers.model import Document, Source, TextSource

real = pytest.mark.skipif(find_libreoffice() is None, reason="LibreOffice is not installed")


def _parse(data: bytes, media_type: str, settings: ParsingSettings | None = None) -> Document:
    source = Source("/in/old", media_type, len(data), hashlib.sha256(data).hexdigest())
    return legacy.parse(data, source, settings or ParsingSettings(ocr=False))


def _fake(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a ``soffice`` of our own alone on the path; ``$SOURCE`` and ``$OUT`` are its files."""
    program = folder / "bin" / "soffice"
    program.parent.mkdir()
    shell = "#!/bin/sh\nfor last; do OUT=$SOURCE; SOURCE=$last; done\n"
    program.write_text(shell + script, "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}/usr/bin{os.pathsep}/bin")


def test_without_libreoffice_the_failure_says_what_to_install_or_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingToolError) as caught:
        _parse(detect.OLE_MAGIC + bytes(600), detect.PPT)
    assert caught.value.transient, "installing it cures the file on the next run"
    assert "libreoffice-impress" in caught.value.remedy
    assert ".pptx" in caught.value.remedy


def test_a_conversion_without_a_result_is_a_damaged_file_and_quotes_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fake(tmp_path, monkeypatch, "echo source file could not be loaded\n")
    with pytest.raises(DamagedFileError, match="could not be loaded"):
        convert(b"x", "doc", "docx", 60)


def test_a_conversion_that_hangs_is_stopped_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = tmp_path / "child"
    _fake(tmp_path, monkeypatch, f"sleep 300 & echo $! > {child}\nsleep 300\n")
    with pytest.raises(ParseTimeoutError):
        convert(b"x", "ppt", "pptx", 1.0)
    _gone(int(child.read_text()))


def test_a_program_that_ends_leaves_no_process_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = tmp_path / "child"
    _fake(
        tmp_path, monkeypatch,
        f'sleep 300 & echo $! > {child}\nmkdir "$OUT"; echo done > "$OUT/document.docx"\n',
    )  # fmt: skip
    assert convert(b"x", "doc", "docx", 60) == b"done\n"
    _gone(int(child.read_text()))


def _gone(process: int) -> None:
    """Wait until a process has ended (as a zombie it has, where nobody collects it)."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return
        if state == "Z":
            return
        time.sleep(0.05)
    pytest.fail(f"process {process} is still running")


def test_the_conversion_runs_without_macros_and_in_a_profile_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fake(
        tmp_path, monkeypatch,
        'mkdir "$OUT"; cat profile/user/registrymodifications.xcu > "$OUT/document.docx"\n',
    )  # fmt: skip
    profile = convert(b"x", "doc", "docx", 60).decode()
    assert '"DisableMacrosExecution" oor:op="fuse"><value>true' in profile
    assert "127.0.0.1" in profile


def test_an_empty_file_is_not_converted() -> None:
    with pytest.raises(EmptyFileError):
        _parse(b"", detect.DOC)


@real
@pytest.mark.slow
def test_a_binary_deck_gives_its_slides_tables_and_notes_and_says_how() -> None:
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = "Old deck"
    table = slide.shapes.add_table(3, 2, 914400, 1828800, 4572000, 914400).table
    for r, row in enumerate((("City", "Count"), ("Porto", "7"), ("Faro", "9"))):
        for c, text in enumerate(row):
            table.cell(r, c).text = text
    slide.notes_slide.notes_text_frame.text = "Said aloud"
    stream = io.BytesIO()
    show.save(stream)
    old = convert(stream.getvalue(), "pptx", "ppt", 120)
    assert detect.media_type_of("renamed.pptx", old) == detect.PPT
    document = _parse(old, detect.PPT)
    assert document.text.startswith("Old deck\n")
    assert "Porto, 7" in document.text or "City: Porto, Count: 7" in document.text
    assert "Said aloud" in document.text
    assert document.doc_type == "slides"
    assert "LibreOffice" in document.parser.name
    assert "converted by LibreOffice" in document.pages[0].route_reason
    assert document.pages[0].text_source is TextSource.BORN_DIGITAL
    assert all(row.unaccounted == 0 for row in document.ledger)


@real
@pytest.mark.slow
def test_an_old_text_reads_like_its_docx() -> None:
    letter = docx.Document()
    letter.add_heading("Cláusula primeira", 1)
    letter.add_paragraph("O contrato vigora até 31 de dezembro.")
    stream = io.BytesIO()
    letter.save(stream)
    old = convert(stream.getvalue(), "docx", "doc", 120)
    assert detect.media_type_of("letter.doc", old) == detect.DOC
    document = _parse(old, detect.DOC)
    assert document.text.split("\n\n")[:2] == [
        "Cláusula primeira", "O contrato vigora até 31 de dezembro.",
    ]  # fmt: skip
