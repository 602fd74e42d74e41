from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.settings import ParsingSettings
from parsers import plain
from parsers.base import DamagedFileError, EmptyFileError
from parsers.model import Document, Source
from parsers.normalise import canonical


def _parse(data: bytes | str) -> Document:
    data = data.encode() if isinstance(data, str) else data
    source = Source("/notes.txt", "text/plain", len(data), hashlib.sha256(data).hexdigest())
    return plain.parse(data, source, ParsingSettings())


def _blocks(document: Document) -> list[str]:
    return [document.text[b.start : b.end] for b in document.blocks]


def test_paragraphs_end_at_blank_lines() -> None:
    document = _parse("One\nstill one.\n \t\nTwo.\n\n\n  Three.")
    assert _blocks(document) == ["One\nstill one.\n \t\n", "Two.\n\n\n  ", "Three."]


def test_blank_lines_before_the_text_belong_to_its_first_paragraph() -> None:
    assert _blocks(_parse("\n\n text\n\nmore")) == ["\n\n text\n\n", "more"]


def test_the_text_is_the_files_own() -> None:
    document = _parse("a\r\nb\rc  d\t e\u0301".encode())
    assert document.text == "a\nb\nc  d\t é"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "cp1252"])
def test_other_encodings_are_read(encoding: str) -> None:
    text = "A opção não está disponível à população.\n\nÓrgão competente."
    assert _parse(text.encode(encoding)).text == text


def test_a_very_long_line_is_one_block() -> None:
    text = "word " * 200_000
    assert _blocks(_parse(text)) == [text]


@pytest.mark.parametrize(
    "data",
    [
        b"text with a \x00 in it",
        bytes(range(256)) * 20,
        b"\x89PNG\r\n\x1a\n" + bytes(range(32)) * 9,
    ],
    ids=["zero byte", "all bytes", "picture"],
)
def test_binary_data_is_no_text(data: bytes) -> None:
    with pytest.raises(DamagedFileError, match="not text"):
        _parse(data)


def test_no_bytes_are_an_empty_file() -> None:
    with pytest.raises(EmptyFileError):
        _parse(b"")


def test_stray_control_characters_are_dropped_and_counted() -> None:
    document = _parse("page one\x0c\x1b[1mbold\x07\n" + "word " * 50)
    assert "\x1b" not in document.text
    (row,) = document.ledger
    assert row.dropped == {"control character": 2}
    assert row.unaccounted == 0


_texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00\x1b"), min_size=1).filter(
    lambda t: (
        sum(c < " " and c not in "\t\n\r\x0b\x0c" for c in t) <= 8 and not t.startswith("\ufeff")
    )
)


@given(_texts)
def test_any_text_comes_out_canonical_and_tiled(text: str) -> None:
    document = _parse(text)
    assert document.text == canonical(text)
    assert "".join(_blocks(document)) == document.text
    assert all(row.unaccounted == 0 for row in document.ledger)


@given(st.lists(st.integers(0, 10**6), unique=True), st.sampled_from([" ", "\n", "\n\n", "\r\n"]))
def test_every_planted_word_comes_out_once(numbers: list[int], glue: str) -> None:
    words = [f"w{n:07d}" for n in numbers] or ["alone"]
    assert re.findall(r"\w+", _parse(glue.join(words)).text) == words
