from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from pptx import Presentation

from configs.settings import ParsingSettings
from parsers import detect
from parsers.model import Document, Source
from parsers.registry import parser_for

FILES = [
    "handbook.md", "law_en.html", "law_pt.html", "onboarding_deck.pptx", "price_tables.pdf",
    "scanned_letter.pdf", "two_column_report.pdf",
]  # fmt: skip
NEEDS_OCR = frozenset({"scanned_letter.pdf", "onboarding_deck.pptx"})
HERE = Path(__file__).resolve().parent


def questions() -> list[dict[str, Any]]:
    lines = (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples made anew."""
    folder = tmp_path_factory.mktemp("samples")
    subprocess.run(
        [sys.executable, "-m", "tests.samples.make_samples", str(folder)],
        cwd=HERE.parents[1], check=True, timeout=120,
    )  # fmt: skip
    return folder


def told(path: Path) -> str:
    """Return what a document says, by a plain reader of its format."""
    if path.suffix == ".pdf":
        with pymupdf.open(path) as document:  # type: ignore[no-untyped-call]
            shown = [page.get_text() or str(len(page.get_images())) for page in document]
            return "\f".join(shown)
    if path.suffix == ".pptx":
        deck = Presentation(str(path))
        texts = [
            shape.text_frame.text if shape.has_text_frame else shape.name
            for slide in deck.slides
            for shape in (*slide.shapes, *slide.notes_slide.shapes)
        ]
        return "\n".join(texts)
    return path.read_text(encoding="utf-8")


def parsed(name: str) -> Document:
    data = (HERE / name).read_bytes()
    media_type = detect.media_type_of(name, data) or ""
    source = Source(name, media_type, len(data), hashlib.sha256(data).hexdigest())
    return parser_for(media_type, data, name).parse(data, source, ParsingSettings())


def test_the_samples_are_there_and_small() -> None:
    assert all((HERE / name).stat().st_size > 1000 for name in FILES)
    assert sum((HERE / name).stat().st_size for name in FILES) < 1_500_000


@pytest.mark.parametrize("name", [*FILES, "questions.jsonl"])
def test_making_them_again_gives_the_same_text(made: Path, name: str) -> None:
    assert told(made / name) == told(HERE / name)


def test_there_are_questions_in_both_languages_about_every_sample() -> None:
    asked = questions()
    assert len(asked) >= 20
    assert len({q["id"] for q in asked}) == len(asked)
    assert {q["lang"] for q in asked} == {"en", "pt"}
    assert {g["uri"] for q in asked for g in q["gold"]} == set(FILES)


def test_the_offsets_point_at_the_answers() -> None:
    places = [g for q in questions() for g in q["gold"] if "start" in g]
    assert places
    for gold in places:
        text = (HERE / gold["uri"]).read_text(encoding="utf-8")
        assert text[gold["start"] : gold["end"]] == gold["quote"]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=pytest.mark.ocr if n in NEEDS_OCR else ())
        for n in FILES
        if n != "handbook.md"
    ],
)
def test_the_locators_lead_to_the_answers(name: str) -> None:
    if name in NEEDS_OCR and shutil.which("tesseract") is None:
        pytest.skip("Tesseract is not installed")
    document = parsed(name)
    for gold in (g for q in questions() for g in q["gold"] if g["uri"] == name):
        locator = gold["locator"]
        blocks = [b for b in document.blocks if b.locator == locator]
        text = "".join(document.text[b.start : b.end] for b in blocks)
        if locator.startswith("page_") and "/" not in locator:
            (page,) = (p for p in document.pages if f"page_{p.number}" == locator)
            text = document.text[page.start : page.end]
        assert gold["quote"] in " ".join(text.split()), locator


def test_both_languages_of_the_law_have_the_same_units() -> None:
    english, portuguese = parsed("law_en.html"), parsed("law_pt.html")
    assert [b.locator for b in english.blocks] == [b.locator for b in portuguese.blocks]
    articles = [b for b in english.blocks if b.kind == "article"]
    assert len(articles) == 12
