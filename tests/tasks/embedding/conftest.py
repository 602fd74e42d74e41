"""A fake encoder, a generator of sentences, and chunks without a document."""

from __future__ import annotations

import hashlib
import itertools
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from configs.settings import EncoderSettings
from tasks.embedding.info import EncoderInfo, TruncationError


@dataclass
class FakeEncoder:
    """Words are tokens; a text's vector follows from its hash. ``seen`` is what it was given."""

    info: EncoderInfo
    seen: list[str] = field(default_factory=list)

    def encode_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen.extend(texts)
        if any(n > self.info.max_tokens for n in self.embedded_length(texts)):
            raise TruncationError("too long")
        return self._vectors([self.info.passage(text) for text in texts])

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._vectors([self.info.query(text) for text in texts])

    def _vectors(self, strings: Sequence[str]) -> NDArray[np.float32]:
        rows = np.empty((len(strings), self.info.dim), np.float32)
        for row, text in zip(rows, strings, strict=True):
            seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
            row[:] = np.random.default_rng(seed).normal(size=self.info.dim)
            row /= np.linalg.norm(row)
        return rows

    def token_starts(self, text: str) -> NDArray[np.int64]:
        return np.array([m.start() for m in re.finditer(r"\S+", text)], np.int64)

    def count(self, text: str) -> int:
        return len(text.split())

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        return np.array([len(text.split()) for text in texts], np.int64)

    def embedded_length(self, texts: Sequence[str]) -> NDArray[np.int64]:
        return self.counts([self.info.passage(text) for text in texts]) + 2


@pytest.fixture
def fake_encoder() -> FakeEncoder:
    """An encoder of eight dimensions that reads twelve tokens."""
    return FakeEncoder(EncoderInfo("fake", "1", "0" * 64, 8, 12, "passage: ", "query: ", "float32"))


@dataclass(frozen=True)
class Span:
    """What :func:`tasks.embedding.vectors.embed_chunks` reads of a chunk."""

    chunk_id: str
    doc_id: str
    level: int
    cell_start: int
    cell_end: int
    n_tokens: int
    text: str


MakeChunks = Callable[[str, Sequence[str], int], list[Span]]


@pytest.fixture
def make_chunks() -> MakeChunks:
    """Return cells and, above them, chunks of ``width`` cells."""

    def make(doc_id: str, cells: Sequence[str], width: int) -> list[Span]:
        runs = [(0, i, i + 1) for i in range(len(cells))]
        runs += [(1, i, min(i + width, len(cells))) for i in range(0, len(cells), width)]
        return [
            Span(f"{doc_id}-{level}-{a}", doc_id, level, a, b, len(text.split()), text)
            for level, a, b in runs
            for text in [" ".join(cells[a:b])]
        ]

    return make


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for built models, one for the whole run (a build takes seconds and 470 MB)."""
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def e5_settings(model_cache: Path) -> EncoderSettings:
    """The default encoder, built into the run's own folder, on the CPU."""
    return EncoderSettings(cache_dir=str(model_cache), device="cpu")


@pytest.fixture(scope="session")
def minilm_settings(model_cache: Path) -> EncoderSettings:
    """The packaged MiniLM, on the CPU."""
    return EncoderSettings(
        ref="packaged:all-MiniLM-L6-v2", cache_dir=str(model_cache), device="cpu"
    )


@pytest.fixture(scope="session")
def sentences() -> list[str]:
    """200 different sentences, English and Portuguese, from three words to about sixty."""
    english = (
        "The controller|A member state's authority|Our insurer (est. 1987)|She|“Anna”",
        "shall notify|had never paid|reviews|can't refund|will have calculated",
        "the data subject|€1,250.50 in fees|Article 33(1)|3.5 % of net sales|a naïve café",
        "within 72 hours|without undue delay|on 25 May 2018|unless otherwise agreed|twice",
    )
    portuguese = (
        "O responsável pelo tratamento|A coligação|O Sr. João da Conceição|Ninguém|Você",
        "deverá notificar|não reembolsou|já tinha avaliado|põe em causa|pediu-lhe",
        "o titular dos dados|R$ 1.250,50 de taxas|o artigo 20.º, n.º 2|três ações|a avó",
        "no prazo de 72 horas|sem demora injustificada|até à próxima terça-feira|às vezes",
    )
    draw = random.Random(7)
    found: list[str] = []
    for parts, joint in ((english, ", and "), (portuguese, ", e ")):
        simple = [" ".join(one) + "." for one in itertools.product(*(p.split("|") for p in parts))]
        draw.shuffle(simple)
        found += simple[:70]
        found += [joint.join(draw.sample(simple, draw.randint(2, 3))) for _ in range(30)]
    assert len(set(found)) == 200
    return found
