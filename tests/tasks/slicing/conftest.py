from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs.settings import SlicingSettings
from parsers.builder import DocumentBuilder
from parsers.model import BlockKind, Document, Source
from tasks.slicing.tokens import Tokenize

Make = Callable[..., Document]


def _words(text: str) -> NDArray[np.int64]:
    """Words, cut after six letters, and punctuation: about what a subword tokenizer does."""
    starts = [m.start() for m in re.finditer(r"\w{1,6}|[^\w\s]", text)]
    return np.array(starts, dtype=np.int64)


def _bytes(text: str) -> NDArray[np.int64]:
    """Every UTF-8 byte is a token: a flag of two code points has eight, a space one."""
    starts = [at for at, c in enumerate(text) for _ in c.encode("utf-8")]
    return np.array(starts, dtype=np.int64)


def _widthless(text: str) -> NDArray[np.int64]:
    """Words, each with a token of no width before it, and one at the end of the text."""
    return np.append(np.repeat(_words(text), 2), len(text)).astype(np.int64)


def _characters(text: str) -> NDArray[np.int64]:
    return np.arange(len(text), dtype=np.int64)


def _nothing(text: str) -> NDArray[np.int64]:
    return np.zeros(0, dtype=np.int64)


@pytest.fixture(scope="session")
def tokenize() -> Tokenize:
    return _words


@pytest.fixture(scope="session")
def tokenizers() -> st.SearchStrategy[Tokenize]:
    return st.sampled_from([_words, _words, _bytes, _widthless, _characters, _nothing])


def _source(uri: str) -> Source:
    return Source(uri, "text/plain", 0, hashlib.sha256(uri.encode()).hexdigest())


@pytest.fixture(scope="session")
def make() -> Make:
    """Build a document from (kind, text) or (kind, text, keywords) triples."""

    def build(
        *blocks: tuple[BlockKind, str] | tuple[BlockKind, str, dict[str, object]],
        language: str = "en",
        doc_type: str = "unknown",
        uri: str = "file:///a",
    ) -> Document:
        builder = DocumentBuilder(_source(uri), "test", 1)
        for kind, text, *rest in blocks:
            options = dict(rest[0]) if rest else {}
            page = options.get("page")
            if isinstance(page, int) and page not in builder._pages:
                builder.add_page(page)
            builder.add_block(kind, text, **options)  # type: ignore[arg-type]
        return builder.build(language=language, doc_type=doc_type)

    return build


_WORDS = ["data", "controller", "Art. 6", "n.º 1", "e.g.", "4.5.2016", "The", "a", "x" * 40, "é"]
_ODD = [
    "👩‍👩‍👧‍👦", "🇵🇹🇧🇷🇩🇪", "e\u0301\u0302", "\u0301", "क्षि", "한국어", "漢字かな交じり。", "ภาษาไทย",
    "\t", "\n", "  ", "\u00a0", "\u200d", "\r\n", "\u1100\u1161", "م؟", "🏴\U000e0067\U000e007f",
]  # fmt: skip
_SENTENCES = ["It applies. ", "Why not? ", "See fig. 3. ", "Yes! ", "same text, same text; same. "]


def _texts() -> st.SearchStrategy[str]:
    piece = st.one_of(
        st.sampled_from(_SENTENCES),
        st.sampled_from(_WORDS).map(lambda word: word + " "),
        st.sampled_from(_ODD),
        st.text(max_size=4),
    )
    return st.lists(piece, min_size=1, max_size=40).map("".join)


@st.composite
def _documents(draw: st.DrawFn) -> Document:
    builder = DocumentBuilder(_source(draw(st.sampled_from(["a", "b"]))), "test", 1)
    page = 1
    for number in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from(list(BlockKind)))
        page += draw(st.integers(0, 1))
        if page not in builder._pages:
            builder.add_page(page)
        context: Sequence[str] = draw(st.sampled_from([(), ("Article 6",), ("Article 6", "a")]))
        builder.add_block(
            kind,
            draw(_texts()),
            page=page,
            level=draw(st.sampled_from([None, 1, 2, 6])),
            locator=draw(st.sampled_from(["", f"t_1/row_{number}", f"art_1/pnt_{number}"])),
            context=context,
            separator=draw(st.sampled_from(["\n\n", "\n", " ", ""])),
        )
    return builder.build(
        language=draw(st.sampled_from(["en", "pt", "de", "th", "und"])),
        doc_type=draw(st.sampled_from(["unknown", "slides", "law"])),
    )


@pytest.fixture(scope="session")
def documents() -> st.SearchStrategy[Document]:
    """Documents of random blocks, with everything that makes cutting hard."""
    return _documents()


@st.composite
def _settings(draw: st.DrawFn) -> SlicingSettings:
    sizes = [draw(st.integers(1, 24))]
    for _ in range(draw(st.integers(0, 3))):
        sizes.append(sizes[-1] * draw(st.integers(2, 3)))
    many = ["grid", "snapped", "structure", "hierarchical"]
    one = ["sentences", "sentence_window", "recursive"]
    return SlicingSettings(
        strategy=draw(st.sampled_from(many + one if len(sizes) == 1 else many)),
        sizes=tuple(sizes),
        origin=draw(st.sampled_from(["document", "page", "section", "article"])),
        shift=draw(st.integers(0, sizes[0] - 1)),
    )


@pytest.fixture(scope="session")
def slicings() -> st.SearchStrategy[SlicingSettings]:
    """Settings of every strategy, origin and shift, with small sizes."""
    return _settings()
