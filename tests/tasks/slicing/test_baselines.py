from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import ValidationError

from configs.settings import SlicingSettings
from parsers.model import BlockKind, Document
from tasks.slicing.chunks import slice_document
from tasks.slicing.cuts import CutsError
from tasks.slicing.tokens import Tokenize

Make = Callable[..., Document]
SENTENCES = "".join(f"Rule {n} is about fees and dates. " for n in range(20))


def settings(strategy: str, *sizes: int, **more: object) -> SlicingSettings:
    return SlicingSettings.model_validate({"strategy": strategy, "sizes": sizes, **more})


def prose(make: Make, text: str) -> Document:
    return make((BlockKind.PARAGRAPH, text))


def test_sentences_are_packed_from_the_start(make: Make, tokenize: Tokenize) -> None:
    chunks = slice_document(prose(make, SENTENCES), settings("sentences", 25), tokenize)
    assert [c.text.count("Rule") for c in chunks] == [3, 3, 3, 3, 3, 3, 2]
    assert all(c.text.startswith("Rule") for c in chunks)


def test_every_sentence_is_a_cell_of_a_window(make: Make, tokenize: Tokenize) -> None:
    chunks = slice_document(prose(make, SENTENCES), settings("sentence_window", 100), tokenize)
    assert len(chunks) == 20


def test_a_hierarchy_is_cut_from_the_coarse_to_the_fine(make: Make, tokenize: Tokenize) -> None:
    # packed from below, four cells of 16 (two sentences each) would make a parent of 64
    chunks = slice_document(prose(make, SENTENCES), settings("hierarchical", 20, 60), tokenize)
    by_level = [[c.text.count("Rule") for c in chunks if c.level == n] for n in (0, 1)]
    assert by_level == [[2, 2, 2, 1] * 2 + [2, 2, 2], [7, 7, 6]]


def test_recursion_goes_no_deeper_than_it_must(make: Make, tokenize: Tokenize) -> None:
    text = "one two three\n\nfour five\nsix seven eight nine ten\n\neleven twelve"
    chunks = slice_document(prose(make, text), settings("recursive", 4), tokenize)
    assert [c.text for c in chunks] == [
        "one two three", "\n\nfour five", "\nsix seven eight nine", " ten", "\n\neleven twelve\n\n",
    ]  # fmt: skip


def embed_by_topic(texts: Sequence[str]) -> NDArray[np.float32]:
    """A vector of the shares of two topics."""
    counts = np.array([[t.count("fees"), t.count("whale")] for t in texts], dtype=np.float32)
    return np.asarray(counts / np.linalg.norm(counts, axis=1, keepdims=True), np.float32)


def test_a_semantic_chunk_ends_where_the_topic_turns(make: Make, tokenize: Tokenize) -> None:
    text = "We pay the fees. " * 9 + "It is a whale. " * 9
    document = prose(make, text)
    chunks = slice_document(document, settings("semantic", 60), tokenize, embed_by_topic)
    assert [("fees" in c.text, "whale" in c.text) for c in chunks] == [(True, False), (False, True)]


def test_a_semantic_chunk_is_never_above_its_size(make: Make, tokenize: Tokenize) -> None:
    document = prose(make, "We pay the fees. " * 40)
    chunks = slice_document(document, settings("semantic", 20), tokenize, embed_by_topic)
    assert max(c.n_tokens for c in chunks) == 20


def test_cutting_by_meaning_without_an_encoder_is_an_error(make: Make, tokenize: Tokenize) -> None:
    with pytest.raises(CutsError, match="semantic"):
        slice_document(prose(make, SENTENCES), settings("semantic", 64), tokenize)


@pytest.mark.parametrize("strategy", ["sentences", "sentence_window", "recursive", "semantic"])
def test_a_strategy_of_one_size_takes_no_second(strategy: str) -> None:
    with pytest.raises(ValidationError, match="one size"):
        settings(strategy, 64, 128)
