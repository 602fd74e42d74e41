"""Numbers as printed, in several languages, to numbers in addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.laws.labels import (
    article_key,
    division_key,
    division_prefix,
    follows,
    is_label,
    label_key,
    roman_value,
    split_paragraph,
    split_point,
)

_STEPS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def _roman(number: int) -> str:
    text = ""
    for value, sign in _STEPS:
        text += sign * (number // value)
        number %= value
    return text


@given(st.integers(1, 3999))
def test_roman_numerals_are_read_back(number: int) -> None:
    assert roman_value(_roman(number)) == number
    assert roman_value(_roman(number).lower()) == number


@pytest.mark.parametrize("text", ["", "IIII", "VX", "chapter", "A", "1"])
def test_other_words_are_no_roman_numerals(text: str) -> None:
    assert roman_value(text) is None


@pytest.mark.parametrize(
    ("label", "key"),
    [
        ("Article 33", "33"),
        ("Article 14a", "14a"),
        ("Artigo 33.o", "33"),
        ("Artigo 33.º", "33"),
        ("Artigo 14.o-A", "14a"),
        ("Artikel 5", "5"),
        ("Article 1er", "1"),
        ("Artículo 12", "12"),
        ("Член 7", "7"),
        ("9. cikk", "9"),
        ("§ 5a", "5a"),
        ("Art. 1.024", "1024"),
        ("Article premier", "1"),
        ("Sole Article", "1"),
    ],
)
def test_the_number_of_an_article(label: str, key: str) -> None:
    assert article_key(label, "") == key


def test_an_article_numbered_in_words_follows_the_one_before() -> None:
    assert article_key("Artigo final", "7b") == "8"


@pytest.mark.parametrize(
    ("label", "previous", "key"),
    [
        ("CHAPTER IV", 3, "4"), ("Secção 2", 1, "2"), ("Section C", 2, "3"),
        ("I. FEJEZET", 0, "1"), ("Kapitel 10", 9, "10"), ("TITLE V", 0, "5"),
    ],
)  # fmt: skip
def test_the_number_of_a_division(label: str, previous: int, key: str) -> None:
    assert division_key(label, previous) == key


def test_a_division_in_an_unknown_language_is_ranked_by_where_it_stands() -> None:
    assert division_prefix("ГЛАВА I") == "cpt"
    assert division_prefix("РАЗДЕЛ 1", "cpt") == "sct"
    assert division_prefix("SECÇÃO 1") == "sct"


@pytest.mark.parametrize(
    ("label", "key"),
    [
        ("(a)", "a"), ("a)", "a"), ("1.", "1"), ("(viii)", "viii"), ("3.1.", "3.1"),
        ("—", ""), ("‘(o)", "o"), ("(1a)", "1a"), ("2.º", "2"),
    ],
)  # fmt: skip
def test_the_label_of_a_point(label: str, key: str) -> None:
    assert is_label(label)
    assert label_key(label) == key


@pytest.mark.parametrize("text", ["", "Total", "the controller", "12 May 2016", "2016/679"])
def test_a_cell_of_words_is_no_label(text: str) -> None:
    assert not is_label(text)


def test_a_paragraph_number_without_a_full_stop_needs_the_mark_up_to_vouch_for_it() -> None:
    assert split_paragraph("2 Ao exercer", dotted=False) == ("2", "2", "Ao exercer")
    assert split_paragraph("2 Ao exercer", dotted=True) is None
    assert split_paragraph("2016 was a year", dotted=True) is None


def test_paragraphs_follow_in_order() -> None:
    assert follows("1", "")
    assert follows("2", "1")
    assert follows("1a", "1")
    assert not follows("5", "1")
    assert not follows("3", "")


def test_words_in_brackets_do_not_begin_a_point() -> None:
    assert split_point("(see) above") is None
    assert split_point("— an indent") == ("—", "", "an indent")
