"""What cannot be read is a row that says what to do; the rest of the run goes on."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Ingest = Callable[..., dict[str, Any]]
Texts = Callable[[], dict[str, set[str]]]


def _locked_pdf(path: Path, word: str, password: str) -> None:
    pymupdf: Any = importlib.import_module("pymupdf")  # its stubs lack the constants
    document = pymupdf.open()
    page = document.new_page()
    for line in range(12):
        page.insert_text((72, 90 + 20 * line), f"Sentence {line} about the {word} in the contract.")
    document.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=password, owner_pw="owner")


def test_broken_files_are_rows_with_a_remedy_and_the_rest_is_indexed(
    corpus: Path, ingest: Ingest, texts: Texts
) -> None:
    (corpus / "empty.pdf").write_bytes(b"")
    (corpus / "broken.pdf").write_bytes(b"not a pdf at all")
    (corpus / "old.ppt").write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600))
    (corpus / "cut.pptx").write_bytes(b"PK\x03\x04" + bytes(100))
    _locked_pdf(corpus / "locked.pdf", "guarantee", "open sesame")
    run = ingest(corpus, code=3)
    assert run["documents"]["new"] == 3
    assert run["documents"]["failed"] == 5
    failures = {Path(f["uri"]).name: f for f in run["failures"]}
    assert set(failures) == {"empty.pdf", "broken.pdf", "old.ppt", "cut.pptx", "locked.pdf"}
    assert all(f["remedy"] and f["message"] for f in failures.values())
    assert failures["locked.pdf"]["error"] == "EncryptedFileError"
    assert "parsing.passwords" in failures["locked.pdf"]["remedy"]
    assert len(texts()) == 3
    again = ingest(corpus, code=3)  # a run with failures never looks like success
    assert again["documents"]["unchanged"] == 3
    assert len(again["failures"]) == 5


def test_a_password_in_the_settings_brings_the_file_in(
    corpus: Path, tmp_path: Path, ingest: Ingest, texts: Texts
) -> None:
    _locked_pdf(corpus / "locked.pdf", "guarantee", "open sesame")
    ingest(corpus, code=3)
    config = tmp_path / "settings.yaml"
    config.write_text(json.dumps({"parsing": {"passwords": ["wrong", "open sesame"]}}))
    run = ingest(corpus, options=("--config", str(config)))
    assert run["documents"]["new"] == 1
    assert run["documents"]["unchanged"] == 3
    assert any("guarantee" in text for text in texts()["locked.pdf"])
    manifests = [f.read_bytes() for f in (tmp_path / "store" / "runs").rglob("*.json")]
    catalog = (tmp_path / "store" / "catalog.sqlite").read_bytes()
    assert not any(b"open sesame" in content for content in (*manifests, catalog))


def test_a_file_that_breaks_keeps_its_last_good_version_and_says_so(
    corpus: Path, ingest: Ingest, texts: Texts, microtome: Any, tmp_path: Path
) -> None:
    before = ingest(corpus)
    (corpus / "prices.csv").write_bytes(b"")
    run = ingest(corpus, code=3)
    assert "still served" in run["failures"][0]["message"]
    assert run["version"] == before["version"]
    assert any("12.50" in text for text in texts()["prices.csv"])
    microtome("verify", "--store", tmp_path / "store", check=0)
    (corpus / "prices.csv").write_text("Article,Price\nLock,14.00\n", "utf-8")
    assert ingest(corpus)["documents"]["changed"] == 1
    assert any("14.00" in text for text in texts()["prices.csv"])


def test_parse_prints_its_object_also_when_it_fails(corpus: Path, microtome: Any) -> None:
    (corpus / "broken.pdf").write_bytes(b"not a pdf at all")
    done = microtome("parse", corpus / "broken.pdf", "--json", check=3)
    value = json.loads(done.stdout)
    assert value["text"] == ""
    assert value["failures"][0]["error"] == "DamagedFileError"
    missing = json.loads(microtome("parse", corpus / "none.pdf", "--json", check=3).stdout)
    assert missing["failures"][0]["error"] == "UnreadableFileError"


def test_parse_prints_offsets_that_are_the_files_own(corpus: Path, microtome: Any) -> None:
    done = microtome("parse", corpus / "handbook.md", "--json", check=0)
    value = json.loads(done.stdout)
    assert value["text"] == (corpus / "handbook.md").read_text("utf-8")
    assert value["title"] == "Handbook"
    assert [b["kind"] for b in value["blocks"]][:2] == ["heading", "heading"]
    assert value["blocks"][-1]["heading_path"] == ["Handbook", "Parking"]


def test_a_folder_named_like_ours_in_the_working_folder_is_noticed(
    tmp_path: Path, microtome: Any
) -> None:
    (tmp_path / "flows").mkdir()
    (tmp_path / "flows" / "__init__.py").write_text("")
    done = microtome("version", check=1)
    assert "hides microtome's own package" in done.stderr
