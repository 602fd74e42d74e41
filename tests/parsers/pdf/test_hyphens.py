from __future__ import annotations

import pytest

from parsers.pdf.hyphens import HyphenJudge

EVIDENCE = [
    "they say that a well-known author may compile it again here",
    "one may re-use the parts and the cooperation of all is fine",
    "a mixed drink and every mode of use is good as such",
]


@pytest.mark.parametrize(
    ("line", "following", "joined"),
    [
        ("more difficult to com-", "pile than", "more difficult to compile than"),
        ("it is a well-", "known fact", "it is a well-known fact"),
        ("we re-", "use it", "we re-use it"),
        ("no evidence for infor-", "mation here", "no evidence for information here"),
        ("a self-", "evident truth", "a self-evident truth"),
        ("a mixed-", "mode approach", "a mixed-mode approach"),
        ("the Anglo-", "Saxon word", "the Anglo-Saxon word"),
        ("in 2019-", "2020 it", "in 2019-2020 it"),
        ("soft\u00ad", "ware", "software"),
        ("a dash -", "and more", "a dash - and more"),
        ("plain", "words", "plain words"),
        ("日本", "語です", "日本語です"),
        ("한국", "사람", "한국 사람"),
    ],
)
def test_a_line_end_is_joined_as_the_word_is_written(
    line: str, following: str, joined: str
) -> None:
    text, glue, _ = HyphenJudge(EVIDENCE, "en").joint(line, following)
    assert text + glue + following == joined


def test_the_case_of_a_name_does_not_hide_its_evidence() -> None:
    judge = HyphenJudge(["we call it TraceMonkey in this paper"], "en")
    assert judge.joint("resulting Trace-", "Monkey runs") == ("resulting Trace", "", 1)


def test_a_portuguese_pronoun_keeps_its_hyphen() -> None:
    assert HyphenJudge([], "pt").joint("aplica-", "se a todos") == ("aplica-", "", 0)


def test_a_german_hyphen_before_und_stays_with_a_space() -> None:
    assert HyphenJudge([], "de").joint("die Ein-", "und Ausgabe") == ("die Ein-", " ", 0)


def test_what_goes_is_counted() -> None:
    assert HyphenJudge([], "en").joint("infor-", "mation")[2] == 1
    assert HyphenJudge([], "en").joint("plain", "words")[2] == 0
