"""Claims about real files of the evaluation corpus, which is not part of the project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from parsers.model import Document

Parse = Callable[..., Document]

pytestmark = pytest.mark.shared
PASSWORDS = ("asdfzxcv", "userpass")


def read(shared: Path, parse: Parse, name: str) -> Document:
    return parse((shared / "corpus" / "pdf_text" / name).read_bytes(), passwords=PASSWORDS)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tracemonkey.pdf", "are more difficult to compile than statically typed ones."),
        ("tracemonkey.pdf", "In a naïve implementation, inner loops"),
        ("tracemonkey.pdf", "resulting tracing VM TraceMonkey."),
        ("multicolumn.pdf", "wisi eget nunc. Nam feugiat lacus vel est."),
        ("multicolumn.pdf", "two columns filled with Lorem Ipsum"),
        ("amt_handbook_sample.pdf", "increased to accommodate a fiber locking collar."),
        ("right_to_left_01.pdf", "الإنتاجية وحل المشكلات"),
        ("vertical.pdf", "あいうえお日本語"),
        ("testPDF_acroform3.pdf", "aTextField: TIKA-1226"),
        ("copy-protected.pdf", "[11, 37], layout detection"),
        ("copy-protected.pdf", "An off-the-shelf toolkit"),
    ],
)
def test_words_of_real_files_read_on(shared: Path, parse: Parse, name: str, words: str) -> None:
    text = read(shared, parse, name).text
    assert words in " ".join(text.split()) or words in "".join(text.split())


@pytest.mark.parametrize(
    "name",
    [
        "tracemonkey.pdf", "redp5110_sampled.pdf", "amt_handbook_sample.pdf", "multicolumn.pdf",
        "testPDF_rotated.pdf", "right_to_left_01.pdf", "vertical.pdf", "testPDF_acroform3.pdf",
        "habibi-rotated.pdf", "rotation.pdf", "pdflatex-4-pages.pdf", "issue13201.pdf",
        "encrypted_r6_user_password.pdf", "circular-toc.pdf", "korean-text-with-tables.pdf",
    ],
)  # fmt: skip
def test_the_account_of_real_files_balances(shared: Path, parse: Parse, name: str) -> None:
    document = read(shared, parse, name)
    assert [row.unit for row in document.ledger if row.unaccounted] == []


def test_the_abstract_is_read_before_the_right_column(shared: Path, parse: Parse) -> None:
    text = read(shared, parse, "tracemonkey.pdf").text
    places = [
        text.index(words)
        for words in (
            "Trace-based Just-in-Time Type Specialization",
            "Dynamic languages such as JavaScript are more difficult",
            "is the de facto standard for client-side web programming",
            "and is used for the application logic",
            "Hence, recording and compiling a trace",
        )
    ]
    assert places == sorted(places)
