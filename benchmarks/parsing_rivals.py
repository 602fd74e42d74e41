"""One reader of documents behind one face; run with the interpreter that has it installed.

    PYTHON parsing_rivals.py TOOL facts FILE    # one JSON object, as shared/checks/corpus.py wants
    PYTHON parsing_rivals.py TOOL time FILE...  # CPU seconds of each file, peak memory

It imports nothing of the project except for the tools named ``microtome…``, so that a rival's own
environment suffices. A rival gets its best chance: passwords and OCR languages where it takes them,
its own tables where it has them, pipe tables of its Markdown read as rows with headers, and its
text both with and without the marks of Markdown.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.metadata
import json
import os
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Rows = list[list[str]]
Reading = tuple[str, list[Rows]]
"""The text, and tables of rows of cells, the first row being the header."""

PASSWORDS = tuple(filter(None, os.environ.get("BENCH_PASSWORDS", "").split(",")))
LANGUAGES = os.environ.get("BENCH_LANGUAGES", "eng").split(",")
DELIMITER_ROW = re.compile(r"\s*\|?(\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*")


def _library(name: str) -> Any:
    """Import what only the rival's own environment has."""
    return importlib.import_module(name)


def _opened(path: Path) -> Any:
    document: Any = _library("pymupdf").open(path)
    if document.needs_pass and not any(document.authenticate(p) for p in PASSWORDS):
        raise PermissionError(path)
    return document


def pymupdf_text(path: Path) -> Reading:
    """Return plain text extraction: the limit of speed."""
    return "\n".join(page.get_text() for page in _opened(path)), []


def pymupdf_tables(path: Path) -> Reading:
    """Return plain text with the tables that ``find_tables`` finds."""
    texts, tables = [], []
    for page in _opened(path):
        texts.append(page.get_text())
        for table in page.find_tables().tables if page.parent.is_pdf else ():
            tables.append([[cell or "" for cell in row] for row in table.extract()])
    return "\n".join(texts), tables


def pymupdf4llm(path: Path) -> Reading:
    """Return Markdown through the layout model, with OCR where the library wants it."""
    library = _library("pymupdf4llm")
    markdown = library.to_markdown(_opened(path), ocr_language="+".join(LANGUAGES))
    return _from_markdown(markdown)


def pymupdf4llm_no_ocr(path: Path) -> Reading:
    """Return Markdown through the layout model alone: it sends born-digital pages to OCR, too."""
    library = _library("pymupdf4llm")
    return _from_markdown(library.to_markdown(_opened(path), use_ocr=False))


def pymupdf4llm_plain(path: Path) -> Reading:
    """Return the same library's Markdown without its layout model and OCR."""
    library = _library("pymupdf4llm")
    library.use_layout(False)
    return _from_markdown(library.to_markdown(_opened(path)))


def markitdown(path: Path) -> Reading:
    """Return Markdown; it knows neither passwords nor OCR by itself."""
    return _from_markdown(_library("markitdown").MarkItDown().convert(path).text_content)


def kreuzberg(path: Path) -> Reading:
    """Return text and tables, with Tesseract for scans."""
    library = _library("kreuzberg")
    config = library.ExtractionConfig(
        use_cache=False,
        ocr=library.OcrConfig(backend="tesseract", language="+".join(LANGUAGES)),
        pdf_options=library.PdfConfig(passwords=list(PASSWORDS)),
    )
    result = library.extract_file_sync(str(path), config=config)
    text, tables = _from_markdown(result.content)
    return text, tables + [table.cells for table in result.tables]


def _microtome(path: Path, tables: bool) -> Any:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from configs.settings import ParsingSettings
    from parsers.detect import media_type_of
    from parsers.model import Source
    from parsers.registry import parser_for

    data = path.read_bytes()
    kind = media_type_of(path.name, data)
    assert kind, path
    source = Source(path.name, kind, len(data), hashlib.sha256(data).hexdigest())
    settings = ParsingSettings(
        passwords=PASSWORDS, ocr_languages=tuple(LANGUAGES), ocr_workers=1, tables=tables
    )
    return parser_for(kind, data).parse(data, source, settings)


def microtome(path: Path) -> Reading:
    """Return microtome's text; the tables only to tell files with tables from those without."""
    document = _microtome(path, tables=True)
    return document.text, [[[""]] for _ in document.tables]


def microtome_no_tables(path: Path) -> Reading:
    """Return microtome's text with ``parsing.tables`` off."""
    return _microtome(path, tables=False).text, []


TOOLS: dict[str, tuple[str, Callable[[Path], Reading]]] = {
    "pymupdf": ("pymupdf", pymupdf_text),
    "pymupdf+find_tables": ("pymupdf", pymupdf_tables),
    "pymupdf4llm": ("pymupdf4llm", pymupdf4llm),
    "pymupdf4llm, no OCR": ("pymupdf4llm", pymupdf4llm_no_ocr),
    "pymupdf4llm, no layout": ("pymupdf4llm", pymupdf4llm_plain),
    "markitdown": ("markitdown", markitdown),
    "kreuzberg": ("kreuzberg", kreuzberg),
    "microtome": ("pymupdf", microtome),
    "microtome, no tables": ("pymupdf", microtome_no_tables),
}
"""Name, the distribution whose version is told, and the reader."""


def _from_markdown(markdown: str) -> Reading:
    """Return the text without marks, then with them, and its pipe tables."""
    plain = re.sub(r"<br\s*/?>", " ", markdown)
    plain = re.sub(r"(?m)^\s{0,3}(#{1,6}\s+|>\s?|[-*+]\s+)", "", plain)
    plain = re.sub(r"(\*\*|__|~~|`|</?(?:b|i|u|sup|sub|mark|del)>)", "", plain)
    plain = re.sub(r"(?<!\w)[*_](\S(?:.*?\S)?)[*_](?!\w)", r"\1", plain)
    plain = re.sub(r"\\([\\`*_{}\[\]()#+\-.!|<>~$])", r"\1", plain)
    return plain + "\n\n" + markdown, list(_pipe_tables(markdown))


def _pipe_tables(markdown: str) -> Iterator[Rows]:
    rows: Rows = []
    for line in [*markdown.splitlines(), ""]:
        if line.count("|") < 2:
            if len(rows) > 1:
                yield rows
            rows = []
        elif not DELIMITER_ROW.fullmatch(line):
            cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
            rows.append([_from_cell(cell) for cell in cells])


def _from_cell(cell: str) -> str:
    cell = re.sub(r"<br\s*/?>", " ", cell)
    cell = re.sub(r"(\*\*|__|~~|`|</?\w+>)", "", cell)
    cell = re.sub(r"^\s*[*_](.*)[*_]\s*$", r"\1", cell)
    return re.sub(r"\\(.)", r"\1", cell).strip()


def as_object(reading: Reading) -> dict[str, Any]:
    """Return the object of the corpus check: each row's cells under the first row's headers."""
    text, tables = reading
    found = []
    for table in tables:
        rows = []
        header = [cell or "" for cell in table[0]] if table else []
        for cells in table[1:]:
            start = len(text) + 1
            text += "\n" + " | ".join(cell or "" for cell in cells)
            pairs = [[h, c or ""] for h, c in zip(header, cells, strict=False)]
            rows.append({"start": start, "end": len(text), "cells": pairs})
        found.append({"rows": rows})
    return {"text": text, "tables": found}


def _cpu() -> float:
    """Return the CPU seconds of this process, its threads and its finished children."""
    kinds = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, kinds))


def measure(read: Callable[[Path], Reading], paths: list[Path]) -> dict[str, Any]:
    """Return CPU seconds and found tables by file (the first file is read once before)."""
    files: dict[str, Any] = {}
    with contextlib.suppress(Exception):
        read(paths[0])
    for path in paths:
        begin, wall = _cpu(), time.perf_counter()
        try:
            text, tables = read(path)
        except Exception as error:
            files[path.name] = {"error": f"{type(error).__name__}: {error}"[:200]}
            continue
        files[path.name] = {
            "cpu_s": _cpu() - begin,
            "wall_s": time.perf_counter() - wall,
            "letters": len(text),
            "tables": len(tables),
        }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"files": files, "peak_mib": peak}


def main() -> None:
    """Print one JSON object; whatever a library prints goes to stderr instead."""
    tool, mode, *names = sys.argv[1:]
    distribution, read = TOOLS[tool]
    paths = [Path(name) for name in names]
    stdout = os.dup(1)
    os.dup2(2, 1)
    if mode == "time":
        result = measure(read, paths)
        result["version"] = importlib.metadata.version(distribution)
    else:
        try:
            result = as_object(read(paths[0]))
        except Exception as error:  # a damaged file is a fact, too: say so instead of nothing
            result = {"text": "", "tables": [], "failures": [f"{type(error).__name__}: {error}"]}
    with os.fdopen(stdout, "w") as channel:
        json.dump(result, channel)


if __name__ == "__main__":
    main()
