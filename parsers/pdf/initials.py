"""Drop caps: a large first letter beside the lines it begins. Standard library only."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from parsers.pdf.layout import Run, union

_LARGER = 1.6
"""Size over that of the lines beside it from which a letter is an initial (a guess: the smallest
spans two lines)."""
_INITIAL = re.compile(r"^['\"“‘«„]?[^\W\d_]$")
_WORDS_ALONE = frozenset("AIOÉEYÀÓ")
"""Letters that are words: only the page's own words say whether one begins the word beside it."""
_WORD = re.compile(r"[^\W\d_]+")


def join_initials(runs: Sequence[Run]) -> list[Run]:
    """Return the runs with each initial put before the line that it begins."""
    initials = [r for r in runs if r.table is None and _INITIAL.match(r.text.strip())]
    joined: dict[int, Run] = {}
    gone: set[int] = set()
    for initial in initials:
        beside = [r for r in runs if r.table is None and _stands_beside(r, initial)]
        if len({round(r.box.top) for r in beside}) < 2:
            continue
        first = min(beside, key=lambda r: (round(r.box.top), r.box.x0))
        if id(first) in joined or not first.text.strip():
            continue
        letter, text = initial.text.strip(), first.text.lstrip()
        glue = " " if _is_word(letter, text, runs) else ""
        joined[id(first)] = replace(
            first, text=letter + glue + text, place=union((initial.place, first.place))
        )
        gone.add(id(initial))
    if not gone:
        return list(runs)
    return [joined.get(id(r), r) for r in runs if id(r) not in gone]


def _stands_beside(run: Run, initial: Run) -> bool:
    """Tell whether a line starts right of an initial, level with a part of it."""
    box, letter = run.box, initial.box
    if initial.size < _LARGER * run.size:
        return False
    centre = (box.top + box.bottom) / 2
    near = -0.3 * run.size <= box.x0 - letter.x1 <= 1.5 * run.size
    return near and letter.top <= centre <= letter.bottom


def _is_word(letter: str, text: str, runs: Sequence[Run]) -> bool:
    """Tell whether the initial is a word of its own ("A man") by the words of the page."""
    following = _WORD.match(text)
    if letter[-1] not in _WORDS_ALONE or following is None or text[0].isspace():
        return False
    words: Counter[str] = Counter()
    for run in runs:
        words.update(_WORD.findall(run.text.casefold()))
    word = following.group().casefold()
    return words[word] > 1 and not words[letter[-1].casefold() + word]
