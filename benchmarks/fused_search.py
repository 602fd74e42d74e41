"""Recall of every search strategy on the chunking benchmark, and the time of a search.

    python benchmarks/fused_search.py quality EVAL/chunking [--encoder REF] [--vectors FILE]
    python benchmarks/fused_search.py tune EVAL/chunking [--encoder REF] [--vectors FILE]
    python benchmarks/fused_search.py speed [--cells 100000]

``EVAL/chunking`` holds ``corpora/*.md`` and ``questions.csv`` of Chroma's chunking evaluation; all
corpora go into one index. Recall and IoU are over characters, with the first copy of a repeated
excerpt as gold (as the evaluation has it). Figures and what follows from them: fused_search.md.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import itertools
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from configs.settings import EncoderSettings, ParsingSettings, SearchSettings, SlicingSettings
from parsers.model import Document, Source
from parsers.plain import parse
from tasks.embedding.cache import VectorCache
from tasks.embedding.encoder import load_encoder
from tasks.embedding.info import Encoder
from tasks.embedding.vectors import embed_chunks
from tasks.retrieval.corpus import ChunkColumns, Corpus, build_corpus
from tasks.retrieval.results import ChunkRow, DocumentMeta
from tasks.retrieval.search import Searcher
from tasks.slicing.chunks import Chunk, slice_document
from tasks.slicing.embedded import embedded_text

BUDGET = 1024
RESAMPLES = 2000
Spans = list[tuple[int, int]]


@dataclass(frozen=True)
class Question:
    """A question with its gold excerpts, as spans of one corpus."""

    text: str
    corpus: str
    gold: Spans


class NoStore:
    """Quality is measured on offsets: no text is ever fetched."""

    def passage_text(self, doc_id: str, start: int, end: int) -> str:
        """Refuse."""
        raise NotImplementedError

    def chunk_rows(self, chunk_ids: Sequence[str]) -> Sequence[ChunkRow]:
        """Refuse."""
        raise NotImplementedError


def read_documents(folder: Path) -> list[Document]:
    """Return the corpora as plain text, whose offsets are those of the files."""
    documents = []
    for path in sorted((folder / "corpora").glob("*.md")):
        data = path.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        document = parse(
            data, Source(path.stem, "text/plain", len(data), digest), ParsingSettings()
        )
        if document.text != data.decode("utf-8"):
            raise SystemExit(f"{path}: the canonical text differs, the gold offsets would not hold")
        documents.append(document)
    return documents


def read_questions(folder: Path) -> list[Question]:
    """Return the questions of the evaluation's CSV."""
    with (folder / "questions.csv").open(encoding="utf-8") as file:
        return [
            Question(
                row["question"],
                row["corpus_id"],
                [
                    (int(r["start_index"]), int(r["end_index"]))
                    for r in json.loads(row["references"])
                ],
            )
            for row in csv.DictReader(file)
        ]


def build(
    documents: Sequence[Document], encoder: Encoder, slicing: SlicingSettings, vectors: Path
) -> Corpus:
    """Slice, embed and index the documents."""
    started = time.perf_counter()
    chunks = [c for d in documents for c in slice_document(d, slicing, encoder.token_starts)]
    sliced = time.perf_counter()
    cells = [chunk for chunk in chunks if chunk.level == 0]
    texts = [embedded_text(cell, encoder.count, slicing) for cell in cells]
    with VectorCache(vectors) as cache:
        found, computed, reused = embed_chunks(chunks, texts, encoder, cache)
    embedded = time.perf_counter()
    corpus = build_corpus(columns_of(chunks, encoder), found[[c.level == 0 for c in chunks]])
    print(
        f"{sum(c.n_tokens for c in cells):,} tokens in {len(cells):,} cells; sliced in "
        f"{sliced - started:.1f} s, embedded in {embedded - sliced:.1f} s ({computed} computed, "
        f"{reused} reused), indexed in {time.perf_counter() - embedded:.1f} s",
        flush=True,
    )
    return corpus


def columns_of(chunks: Sequence[Chunk], encoder: Encoder) -> ChunkColumns:
    """Return chunks as columns; contexts are counted as they are returned."""
    contexts = ["\n".join(c.context) if c.level == 0 else "" for c in chunks]
    return ChunkColumns(
        chunk_id=[c.chunk_id for c in chunks],
        doc_id=[c.doc_id for c in chunks],
        level=[c.level for c in chunks],
        start=[c.start for c in chunks],
        end=[c.end for c in chunks],
        cell_start=[c.cell_start for c in chunks],
        cell_end=[c.cell_end for c in chunks],
        n_tokens=[c.n_tokens for c in chunks],
        fingerprint=[c.fingerprint for c in chunks],
        text=[c.text for c in chunks],
        context_tokens=encoder.counts(contexts).tolist(),
        locators=[c.locators for c in chunks],
    )


def union(spans: Spans) -> Spans:
    """Return the spans without overlaps, in order."""
    out: Spans = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


class Bench:
    """The benchmark's index, with the questions embedded once.

    Args:
        folder: The evaluation.
        encoder: The model.
        vectors: File of the vector cache.
        sizes: Sizes of the levels in tokens.
    """

    def __init__(
        self, folder: Path, encoder: Encoder, vectors: Path, sizes: tuple[int, ...]
    ) -> None:
        documents = read_documents(folder)
        self.encoder = encoder
        self.questions = read_questions(folder)
        self.asked = encoder.encode_queries([question.text for question in self.questions])
        self.corpus = build(documents, encoder, SlicingSettings(sizes=sizes), vectors)
        self.metas = {d.doc_id: DocumentMeta(d.doc_id, d.source.uri) for d in documents}

    def measure(
        self, strategy: str, settings: SearchSettings
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return recall and IoU of every question."""
        corpus = self.corpus
        searcher = Searcher(
            corpus, self.metas, self.encoder, settings, NoStore(), self.encoder.info.id
        )
        names = [self.metas[doc_id.decode()].uri for doc_id in corpus.doc_ids]
        scores = []
        for question, vector in zip(self.questions, self.asked, strict=True):
            found = searcher.find(question.text, budget=BUDGET, strategy=strategy, vector=vector)
            if found.tokens > BUDGET:
                raise SystemExit(f"{strategy}: over the budget")
            spans = [
                (
                    names[corpus.doc[r.first]],
                    int(corpus.starts[r.first]),
                    int(corpus.ends[r.end - 1]),
                )
                for r in found.runs
            ]
            own = union([(a, b) for name, a, b in spans if name == question.corpus])
            gold = union(question.gold)
            size = sum(b - a for a, b in gold)
            hit = sum(
                max(0, min(b, d) - max(a, c)) for (a, b), (c, d) in itertools.product(own, gold)
            )
            sent = sum(b - a for _, a, b in spans)
            scores.append((hit / size, hit / (sent + size - hit)))
        recall, iou = np.array(scores).T
        return recall, iou


def show(
    name: str,
    scores: tuple[NDArray[np.float64], NDArray[np.float64]],
    base: NDArray[np.float64] | None = None,
) -> None:
    """Print one line; the gain over ``base`` with a paired bootstrap 95 % interval."""
    recall, iou = scores
    line = f"{name:44s} recall {recall.mean():.4f}  IoU {iou.mean():.4f}"
    if base is not None:
        gain = recall - base
        picks = np.random.default_rng(0).integers(0, len(gain), (RESAMPLES, len(gain)))
        low, high = np.percentile(gain[picks].mean(axis=1), (2.5, 97.5)) * 100
        line += f"  {gain.mean() * 100:+.1f} [{low:+.1f}, {high:+.1f}]"
    print(line, flush=True)


def quality(bench: Bench) -> None:
    """Print every strategy with the default settings."""
    settings = SearchSettings()
    levels = range(len(bench.corpus.levels))
    names = [f"level:{k}" for k in levels] + [f"hybrid:{k}" for k in levels]
    base = None
    for name in [*names, "window:1", "automerge", "fused"]:
        scores = bench.measure(name, settings)
        show(name, scores, base)
        base = scores[0] if base is None else base


def variants() -> Iterator[tuple[str, SearchSettings]]:
    """Yield what is tuned: weights, neighbours, trade-up; one thing at a time."""
    default = SearchSettings()
    yield "default", default
    equal = {"dense_weights": (1.0,) * 4}
    yield "dense alone, equal", default.model_copy(update={**equal, "lexical_weights": (0.0,) * 4})
    for share in (0.25, 0.5, 1.0):
        weights = {**equal, "lexical_weights": (share,) * 4}
        yield f"equal weights, lexical {share}", default.model_copy(update=weights)
    for factor in (0.5, 0.75, 1.25, 1.5, 2.0):
        lexical = tuple(factor * weight for weight in default.lexical_weights)
        yield f"lexical x {factor}", default.model_copy(update={"lexical_weights": lexical})
    for share in (0.0, 0.05, 0.2, 0.3, 0.5):
        yield f"neighbours {share}", default.model_copy(update={"neighbours": share})
    for share in (0.7, 1.0):
        yield f"trade-up {share}", default.model_copy(update={"trade_up": share})


def tune(bench: Bench) -> None:
    """Print variants of the fused search: all questions, and the two halves they split into."""
    half = np.arange(len(bench.questions)) % 2 == 0  # the file goes corpus by corpus
    for name, settings in variants():
        recall, iou = bench.measure("fused", settings)
        halves = f"{recall[half].mean():.4f} / {recall[~half].mean():.4f}"
        print(f"{name:32s} recall {recall.mean():.4f} ({halves})  IoU {iou.mean():.4f}", flush=True)


def synthetic(n_cells: int, dim: int = 384) -> Corpus:
    """Return an index of made-up cells: 48 words each from a Zipf law, 50 cells a document."""
    draw = np.random.default_rng(0)
    vectors = draw.normal(size=(n_cells, dim)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    drawn = np.minimum(draw.zipf(1.2, (n_cells, 48)), 50_000)
    rows = []
    for level, width in enumerate((1, 2, 4, 8)):
        for first in range(0, n_cells, 50):
            end = min(first + 50, n_cells) - first
            doc_id = hashlib.sha256(str(first).encode()).hexdigest()
            for a in range(0, end, width):
                b = min(a + width, end)
                name = hashlib.sha256(f"{level}/{first + a}".encode()).hexdigest()
                text = "" if level else " ".join(f"w{w}" for w in drawn[first + a]) + " "
                rows.append(
                    (name, doc_id, level, a * 300, b * 300, a, b, 60 * (b - a), name, text, 8, ())
                )
    return build_corpus(ChunkColumns(*(list(c) for c in zip(*rows, strict=True))), vectors)


def speed(n_cells: int, encoder: Encoder) -> None:
    """Print the time of a search over made-up cells, without and with embedding the question."""
    started = time.perf_counter()
    corpus = synthetic(n_cells)
    print(f"{n_cells:,} cells made and indexed in {time.perf_counter() - started:.1f} s")
    metas = {d.decode(): DocumentMeta(d.decode(), d.decode()) for d in corpus.doc_ids}
    searcher = Searcher(corpus, metas, encoder, SearchSettings(), NoStore(), encoder.info.id)
    draw = np.random.default_rng(1)
    for known in (True, False):
        times = []
        for _ in range(200):
            question = " ".join(f"w{w}" for w in np.minimum(draw.zipf(1.2, 10), 50_000))
            vector = draw.normal(size=384).astype(np.float32) if known else None
            started = time.perf_counter()
            searcher.find(question, vector=vector)
            times.append(1000 * (time.perf_counter() - started))
        p50, p95 = np.percentile(times[20:], (50, 95))
        what = "search alone" if known else "with the question's embedding"
        print(f"{what}: p50 {p50:.0f} ms, p95 {p95:.0f} ms")


def main() -> None:
    """Read the command line and run one part."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("part", choices=("quality", "tune", "speed"))
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--encoder", default=EncoderSettings().ref)
    parser.add_argument("--vectors", type=Path, default=Path("/tmp/microtome-bench/vectors.sqlite"))
    parser.add_argument("--sizes", default="64,128,256,512")
    parser.add_argument("--cells", type=int, default=100_000)
    given = parser.parse_args()
    encoder = load_encoder(EncoderSettings(ref=given.encoder))
    if given.part == "speed":
        speed(given.cells, encoder)
    elif given.data is None:
        parser.error("quality and tune need the folder of the evaluation")
    else:
        sizes = tuple(int(size) for size in given.sizes.split(","))
        bench = Bench(given.data, encoder, given.vectors, sizes)
        {"quality": quality, "tune": tune}[given.part](bench)


if __name__ == "__main__":
    main()
