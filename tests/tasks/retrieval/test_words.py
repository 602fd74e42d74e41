"""Words: folded the same in a question and in a text, whatever the script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.retrieval.words import fold, words


def found(text: str) -> list[str]:
    return [word for _, word in words(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The titular dos Dados", ["the", "titular", "dos", "dados"]),
        ("ação AÇÃO acao", ["acao", "acao", "acao"]),
        ("Straße ﬁne Ⅳ", ["strasse", "fine", "iv"]),
        ("ＦＵＬＬ ｗｉｄｔｈ", ["full", "width"]),
        ("co\u00adoperate", ["cooperate"]),
        ("3.5 % n.º art_33", ["3", "5", "n", "o", "art_33"]),
        ("Ёлка", ["елка"]),
        ("हिन्दी में", ["हिन्दी", "में"]),  # vowel signs belong to words and stay
        ("日本語", ["日本", "本語"]),
        ("私は2024年 x", ["私は", "2024", "年", "x"]),
        ("", []),
    ],
)
def test_words_of_many_scripts(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@given(st.text(max_size=60))
def test_offsets_point_at_the_words(text: str) -> None:
    last = -1
    for offset, word in words(text):
        assert last < offset < len(text)
        assert word
        last = offset


@given(st.text(max_size=40))
def test_composed_and_decomposed_accents_are_one_word(text: str) -> None:
    import unicodedata

    assert fold(unicodedata.normalize("NFC", text)) == fold(unicodedata.normalize("NFD", text))


@given(st.text(max_size=20))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
