"""Pages side by side; a stand-in for Tesseract waits first: what counts is when it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytesseract
import pytest
from PIL import Image

from configs.settings import ParsingSettings
from parsers.ocr.engine import OcrTimeoutError
from parsers.ocr.pool import PageRecogniser

Render = Callable[..., Image.Image]
pytestmark = [pytest.mark.ocr, pytest.mark.usefixtures("tesseract")]
SPAN = 0.3


@pytest.fixture
def spans(tesseract: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file to which the stand-in writes when each run began and ended."""
    log, script = tmp_path / "log", tmp_path / "tesseract"
    script.write_text(
        f'#!/bin/sh\ncase "$*" in *list-langs*) exec {tesseract} "$@";; esac\n'
        f'began=$(date +%s.%N)\nsleep {SPAN}\n{tesseract} "$@"\ncode=$?\n'
        f"echo $began $(date +%s.%N) >> {log}\nexit $code\n"
    )
    script.chmod(0o755)
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", str(script))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # slots of this test alone
    return log


def most_at_once(log: Path) -> int:
    runs = [tuple(map(float, line.split())) for line in log.read_text().splitlines()]
    return max(sum(begin <= at < end for begin, end in runs) for at, _ in runs)


@pytest.mark.parametrize("workers", [1, 3])
def test_as_many_pages_are_read_at_once_as_there_are_workers(
    render: Render, spans: Path, workers: int
) -> None:
    settings = ParsingSettings(ocr_workers=workers, ocr_languages=("eng",))
    drawn: list[int] = []

    def draw(number: int) -> tuple[Image.Image, float]:
        drawn.append(number)
        return render(f"Sheet {number} of the register", size=24), 0.36

    with PageRecogniser(settings) as pool:
        futures = [pool.submit(lambda n=n: draw(n)) for n in range(4)]  # type: ignore[misc]
        assert len(drawn) - sum(f.done() for f in futures) <= workers + 1
        texts = [future.result().text for future in futures]
    assert [f"Sheet {n}" in text for n, text in enumerate(texts)] == [True] * 4
    assert most_at_once(spans) == workers


def test_two_documents_share_the_workers(render: Render, spans: Path) -> None:
    settings = ParsingSettings(ocr_workers=2, ocr_languages=("eng",))
    page = render("A page of either document", size=24)
    with PageRecogniser(settings) as one, PageRecogniser(settings) as other:
        futures = [pool.submit(lambda: (page, 0.36)) for pool in (one, other) * 2]
        assert all("either document" in future.result().text for future in futures)
    assert most_at_once(spans) <= 2


def test_no_page_is_begun_when_the_document_has_no_time_left(render: Render) -> None:
    began = time.monotonic()
    with PageRecogniser(ParsingSettings(timeout_s=0.001)) as pool:
        time.sleep(0.01)
        with pytest.raises(OcrTimeoutError, match="no time was left") as caught:
            pool.submit(lambda: (render("Too late"), 1.0))
    assert caught.value.transient
    assert time.monotonic() - began < 5


def test_a_page_that_cannot_be_drawn_gives_its_place_back(render: Render, spans: Path) -> None:
    settings = ParsingSettings(ocr_workers=1, ocr_languages=("eng",))

    def broken() -> tuple[Image.Image, float]:
        raise RuntimeError("no such object")

    with PageRecogniser(settings) as pool:
        with pytest.raises(RuntimeError, match="no such object"):
            pool.submit(broken)
        page = pool.submit(lambda: (render("The next one", size=24), 0.36)).result()
    assert "The next one" in page.text
