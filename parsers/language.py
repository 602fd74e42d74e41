"""Which language a text is in, by py3langid (a kept fork of langid; offline, 97 languages)."""

from __future__ import annotations

import functools
from itertools import islice
from typing import Any

UNKNOWN = "und"
"""BCP 47 for "undetermined"."""

_SAMPLE = 20_000
"""Code points looked at; more does not change the answer and costs time (a guess)."""
_MIN_LETTERS = 12
"""Fewer letters are no evidence (a guess; "helloworld" is no language)."""
_MIN_PROBABILITY = 0.5
"""Of the classifier's normalised posterior; below it the answer is "undetermined" (a guess)."""


@functools.cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def language_probability(text: str, language: str) -> float | None:
    """Return how likely ``text`` is in ``language``, in [0, 1].

    None where that cannot be said: too few letters, or a language (BCP 47) that is not known here.
    """
    wanted = language.partition("-")[0].lower()
    if sum(c.isalpha() for c in text) < _MIN_LETTERS or wanted not in _identifier().labels:
        return None
    ranked = _identifier().rank(text[:_SAMPLE])
    return next(float(p) for name, p in ranked if str(name) == wanted)


def detect_language(text: str) -> str:
    """Return the BCP 47 code of the main language of ``text``, or ``und``."""
    sample = text[:_SAMPLE]
    if sum(1 for _ in islice(filter(str.isalpha, sample), _MIN_LETTERS)) < _MIN_LETTERS:
        return UNKNOWN
    language, probability = _identifier().classify(sample)
    return str(language) if probability >= _MIN_PROBABILITY else UNKNOWN


def most_likely_language(text: str) -> str:
    """Return the BCP 47 code that fits ``text`` best, however little."""
    return str(_identifier().classify(text)[0])
