"""Token offsets of a whole document: exact, ascending, quiet, in pieces that change nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from tasks.embedding import tokens as module
from tasks.embedding.packaged import minilm_folder
from tasks.embedding.tokens import TokenCounter

WORDS = st.text(alphabet="abc éß日\u0301.,\n\t -€", max_size=120)


@pytest.fixture(scope="module")
def folder() -> Path:
    return minilm_folder("packaged:all-MiniLM-L6-v2")


@pytest.fixture(scope="module")
def counter(folder: Path) -> TokenCounter:
    return TokenCounter.from_folder(folder)


@given(text=WORDS)
def test_starts_ascend_and_their_number_is_the_count(counter: TokenCounter, text: str) -> None:
    starts = counter.token_starts(text)
    assert len(starts) == counter.counts([text])[0]
    assert (np.diff(starts) >= 0).all()
    assert all(0 <= start < len(text) for start in starts)


@given(text=WORDS, size=st.integers(1, 12))
def test_pieces_give_the_tokens_of_the_whole(
    folder: Path, counter: TokenCounter, text: str, size: int
) -> None:
    whole = Tokenizer.from_file(str(folder / "tokenizer.json"))
    whole.no_truncation()
    whole.no_padding()
    expected = [start for start, _ in whole.encode(text, add_special_tokens=False).offsets]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE_CHARACTERS", size)
        assert counter.token_starts(text).tolist() == expected


def test_a_long_text_is_neither_cut_nor_complained_about(
    counter: TokenCounter, capfd: pytest.CaptureFixture[str]
) -> None:
    text = "word " * 100_000
    starts = counter.token_starts(text)
    assert starts.tolist() == list(range(0, len(text), 5))
    assert capfd.readouterr() == ("", "")


def test_specials_count_in_inputs_only(counter: TokenCounter) -> None:
    assert counter.counts(["two words", ""]).tolist() == [2, 0]
    assert counter.input_lengths(["two words", ""]).tolist() == [4, 2]


def test_text_that_looks_like_a_special_token_keeps_its_place(counter: TokenCounter) -> None:
    assert counter.token_starts("a [SEP] b").tolist()[0] == 0
    assert len(counter.token_starts("")) == 0
