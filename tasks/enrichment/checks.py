"""What an answer must pass before it enters a document. Exact rules; none asks a model.

They keep out what is plainly wrong. They do not prove a summary right: a number may be given to the
wrong row, and words are only asked to touch the source.
"""

from __future__ import annotations

import re

from parsers.language import language_probability
from parsers.normalise import canonical, one_line
from tasks.enrichment.answers import Reply
from tasks.enrichment.numbers import strange_numbers

CHECKS_VERSION = 2
"""Raise it when the rules change: it is part of the recipe."""

_MAX_CHARACTERS = 1500
"""Of an answer: a paragraph, not an essay (a guess; max_answer_tokens mostly ends it before)."""
_ECHO_WORDS = 8
"""Words in a row of the instructions that no honest answer repeats (a guess)."""
_SHARED_WORDS = 2
"""Words that a summary must have in common with its table: a floor, not a proof (a guess)."""
_MIN_LETTERS = 40
"""Fewer letters do not show their language (a guess)."""
_MIN_PROBABILITY = 0.001
"""Of the document's language in an answer. Right answers in five languages had 0.25 and more, wrong
ones between far languages below 1e-4, between Spanish and Portuguese 1e-5 to 4e-3."""
_THOUGHTS = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")
_QUOTED = re.compile('"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»')
_WORD = re.compile(r"\w+")
_MARKUP = re.compile(r"(?:https?:|www\.)\S*|\S+@\S+\.\w+|\]\(|`{3}|</?[A-Za-z!][^>]*>|\{\{|<\|")


class AnswerRefusedError(Exception):
    """An answer that must not enter the document; the message says why."""

    remedy = (
        "The document is indexed without it. A larger model mostly does better: name it in the "
        "enrichment section of the settings."
    )


def checked(reply: Reply, source: str, instructions: str, language: str, summary: bool) -> str:
    """Return an answer as one line of canonical text.

    Args:
        reply: What the model said.
        source: Everything of the document that the answer may repeat numbers of.
        instructions: What the model was told.
        language: BCP 47 code the answer must be in, ``und`` for any.
        summary: The answer restates ``source``, so it must share words with it and not be it.

    Raises:
        AnswerRefusedError: It is empty, cut off, too long, in another language, repeats the
            instructions or the whole source, brings markup or an address or a number that does not
            stand in the source, or has nothing to do with it.
    """
    text = one_line(_THOUGHTS.sub("", canonical(reply.content)))
    if not any(c.isalnum() for c in text):
        raise AnswerRefusedError("the answer is empty")
    if reply.finish_reason == "length":
        raise AnswerRefusedError("the answer was cut off at enrichment.max_answer_tokens")
    if len(text) > _MAX_CHARACTERS:
        raise AnswerRefusedError(f"the answer has {len(text)} characters, over {_MAX_CHARACTERS}")
    for found in _MARKUP.findall(text):
        if found not in source:
            raise AnswerRefusedError(f"the answer brings markup or an address: {found[:60]!r}")
    if _echoes(text, instructions):
        raise AnswerRefusedError("the answer repeats its instructions")
    strange = strange_numbers(text, source)
    if strange:
        names = ", ".join(strange[:5])
        raise AnswerRefusedError(f"the answer has numbers or signs that the source lacks: {names}")
    if summary:
        _check_summary(text, source)
    if any(_is_foreign(sentence, language) for sentence in _SENTENCE_END.split(text)):
        raise AnswerRefusedError(f"the answer is not in the document's language ({language})")
    return text


def _is_foreign(sentence: str, language: str) -> bool:
    """Tell whether a sentence is in another language; what it quotes of the document aside."""
    own = _QUOTED.sub(" ", sentence)
    if sum(c.isalpha() for c in own) < _MIN_LETTERS:
        return False
    probability = language_probability(own, language)
    return probability is not None and probability < _MIN_PROBABILITY


def _echoes(text: str, instructions: str) -> bool:
    words, told = _words(text), _words(instructions)
    runs = {tuple(told[i : i + _ECHO_WORDS]) for i in range(len(told) - _ECHO_WORDS + 1)}
    return any(
        tuple(words[i : i + _ECHO_WORDS]) in runs for i in range(len(words) - _ECHO_WORDS + 1)
    )


def _check_summary(text: str, source: str) -> None:
    if text in one_line(source):
        raise AnswerRefusedError("the answer only repeats the source")
    known = {word for word in _words(source) if len(word) > 1}
    shared = known & set(_words(text))
    if len(shared) < min(_SHARED_WORDS, len(known)):
        raise AnswerRefusedError("the answer has nothing in common with the source")


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
