"""OCR of one document on one worker and on two: the wall-clock ratio, and what it reads.

    python benchmarks/ocr_speed.py [--pages 8] [--runs 3]

Makes a scan of Portuguese prose, every page another, and parses it with ``ocr_workers`` 1 and 2 in
turn. Medians of wall clock, since Tesseract's processes are not this one's CPU time. What the
machine can give at that moment is measured beside it: counting in one process, and half as far in
two at once (0.5 on two idle cores). The letters read are counted against what was drawn.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import statistics
import subprocess
import sys
import time
from difflib import SequenceMatcher
from pathlib import Path
from random import Random
from typing import Any

import pymupdf as _untyped

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.routing_pages import Sheet, as_jpeg, body_box, paper, prose, write
from configs.settings import ParsingSettings
from parsers.model import Document, Source
from parsers.pdf.parser import parse

pymupdf: Any = _untyped  # it has no annotations


def make_scan(pages: int) -> tuple[bytes, list[str]]:
    """Return a PDF of scanned pages of about 300 words, and what stands on each."""
    texts: list[str] = []
    with pymupdf.open() as pdf:
        for number in range(pages):
            rng = Random(number)
            text = prose(rng, "pt", 300)

            def draw(sheet: Sheet, text: str = text) -> None:
                write(sheet, text, body_box(sheet), 11, pymupdf.Font("tiro"))

            page = pdf.new_page()
            page.insert_image(page.rect, stream=as_jpeg(paper(rng, draw, 200)))
            texts.append(text)
        return bytes(pdf.tobytes()), texts


def read(data: bytes, workers: int) -> tuple[float, Document]:
    """Return the seconds a parse takes, wall clock, and the document."""
    settings = ParsingSettings(ocr_workers=workers, ocr_languages=("por", "eng"))
    source = Source("scan.pdf", "application/pdf", len(data), hashlib.sha256(data).hexdigest())
    began = time.perf_counter()
    document = parse(data, source, settings)
    return time.perf_counter() - began, document


def count(steps: int, processes: int) -> float:
    """Return the seconds that ``processes`` take to count to ``steps`` between them."""
    command = [sys.executable, "-c", f"for _ in range({steps // processes}): pass"]
    began = time.perf_counter()
    running = [subprocess.Popen(command) for _ in range(processes)]
    for process in running:
        process.wait()
    return time.perf_counter() - began


def main() -> None:
    """Print the medians, their ratio, the limit of the machine and the share of letters read."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pages", type=int, default=8)
    arguments.add_argument("--runs", type=int, default=3)
    options = arguments.parse_args()
    data, texts = make_scan(options.pages)
    seconds: dict[int, list[float]] = {1: [], 2: []}
    limits: dict[int, list[float]] = {1: [], 2: []}
    said = ""
    for _ in range(options.runs):
        for workers, taken in seconds.items():
            time_taken, document = read(data, workers)
            taken.append(time_taken)
            said = " ".join(document.text.split())
            limits[workers].append(count(200_000_000, workers))
    one, two = statistics.median(seconds[1]), statistics.median(seconds[2])
    limit = statistics.median(limits[2]) / statistics.median(limits[1])
    print(f"{options.pages} pages, 1 worker {one:.1f} s, 2 workers {two:.1f} s: {two / one:.2f}")
    print(f"two processes against one, counting: {limit:.2f}; load {os.getloadavg()[0]:.1f}")
    meant = " ".join(" ".join(texts).split())
    blocks = SequenceMatcher(None, meant, said, autojunk=False).get_matching_blocks()
    print(f"{sum(block.size for block in blocks) / len(meant):.4f} of the letters read")


if __name__ == "__main__":
    main()
