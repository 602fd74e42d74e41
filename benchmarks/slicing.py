"""Speed of slicing: four aligned sizes with fingerprints against a plain splitter of one size.

    python benchmarks/slicing.py [FILE ...] [--runs 7]

Without files it makes 2 MB of plain text. Tokenisation is left out on both sides. The baseline
packs sentences into one size and returns strings: no offsets, no hashes, no parents. Others are
measured where they are importable. Medians of interleaved runs in CPU seconds of one process.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import random
import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from configs.settings import SlicingSettings
from parsers.builder import DocumentBuilder
from parsers.model import BlockKind, Document, Source
from parsers.normalise import canonical
from tasks.slicing.chunks import build_chunks
from tasks.slicing.cuts import cut
from tasks.slicing.tokens import TokenGrid

SETTINGS = SlicingSettings()


def tokenize(text: str) -> NDArray[np.int64]:
    """Return word pieces of at most six letters: about as many as a subword tokenizer gives."""
    starts = [m.start() for m in re.finditer(r"\w{1,6}|[^\w\s]", text)]
    return np.array(starts, dtype=np.int64)


def make_text(size: int) -> str:
    """Return ``size`` characters of sentences and paragraphs, the same at every call."""
    rng = random.Random(0)
    line = "the controller of data shall keep records that name purposes and recipients"
    words = line.split()
    parts: list[str] = []
    length = 0
    while length < size:
        sentence = " ".join(rng.choices(words, k=rng.randint(4, 30))).capitalize()
        parts.append(sentence + rng.choice([". ", ". ", ". ", ".\n\n"]))
        length += len(parts[-1])
    return "".join(parts)


def make_document(name: str, text: str) -> Document:
    """Return ``text`` as a document with one block a paragraph."""
    source = Source(name, "text/plain", len(text), hashlib.sha256(text.encode()).hexdigest())
    builder = DocumentBuilder(source, "benchmark", 1)
    for paragraph in re.split(r"(?<=\n\n)", canonical(text)):
        builder.add_verbatim(BlockKind.PARAGRAPH, paragraph)
    return builder.build(language="en")


def ours(document: Document, tokens: TokenGrid) -> int:
    """Cut four sizes and build their chunks, fingerprints, markers and parents included."""
    return len(build_chunks(document, cut(document, SETTINGS, tokens), tokens, SETTINGS))


def baseline(document: Document, tokens: TokenGrid) -> int:
    """Pack sentences into chunks of one size, as strings."""
    size, at, chunks, room, begin = SETTINGS.sizes[-1], 0, [], 0, 0
    for match in re.finditer(r"[.!?]\s+|\n+", document.text):
        count = tokens.count(at, match.end())
        if room + count > size and at > begin:
            chunks.append(document.text[begin:at])
            begin, room = at, 0
        room += count
        at = match.end()
    chunks.append(document.text[begin:])
    return len(chunks)


def others() -> dict[str, Callable[[Document, TokenGrid], int]]:
    """Return splitters of other projects that happen to be installed, one size each."""
    found: dict[str, Callable[[Document, TokenGrid], int]] = {}
    try:
        langchain = importlib.import_module("langchain_text_splitters")
    except ImportError:
        pass
    else:
        recursive = langchain.RecursiveCharacterTextSplitter(chunk_size=2000, chunk_overlap=0)
        found["LangChain recursive"] = lambda d, _: len(recursive.split_text(d.text))
    try:
        llama = importlib.import_module("llama_index.core.node_parser")
    except ImportError:
        pass
    else:
        splitter = llama.SentenceSplitter(chunk_size=512, chunk_overlap=0)
        found["LlamaIndex sentences"] = lambda d, _: len(splitter.split_text(d.text))
    return found


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=7)
    given = parser.parse_args()
    texts = {p.name: p.read_text("utf-8") for p in given.files} or {"made": make_text(2_000_000)}
    named = {"ours, four sizes": ours, "baseline, one size": baseline, **others()}
    print(f"{'text':24s} {'MB':>6s}  " + "  ".join(f"{name:>22s}" for name in named) + "  ratio")
    for name, text in texts.items():
        document = make_document(name, text)
        tokens = TokenGrid.of(document.text, tokenize)
        megabytes = len(document.text.encode()) / 1e6
        seconds: dict[str, list[float]] = {label: [] for label in named}
        for _ in range(given.runs):  # interleaved: a busy machine slows all alike
            for label, split in named.items():
                started = time.process_time()
                split(document, tokens)
                seconds[label].append(time.process_time() - started)
        medians = {label: statistics.median(times) for label, times in seconds.items()}
        speeds = "  ".join(f"{megabytes / medians[label]:17.2f} MB/s" for label in named)
        ratio = medians["ours, four sizes"] / medians["baseline, one size"]
        print(f"{name:24s} {megabytes:6.2f}  {speeds}  {ratio:5.2f}")


if __name__ == "__main__":
    main()
