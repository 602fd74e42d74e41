"""Spelling that only the places of the glyphs can settle. Works on PyMuPDF's raw dict, pure.

Two habits of PDF writers: TeX's old fonts draw "ï" as a dieresis over a dotless i, two glyphs on
one spot; and one Arabic glyph stands for lam and alef, which MuPDF spells the wrong way round.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

_LAM = "\u0644"
_ALEFS = "\u0622\u0623\u0625\u0627"
_ACCENTS = {
    "\u0060": "\u0300",
    "\u00b4": "\u0301",
    "\u02c6": "\u0302",
    "\u02dc": "\u0303",
    "\u00af": "\u0304",
    "\u02d8": "\u0306",
    "\u02d9": "\u0307",
    "\u00a8": "\u0308",
    "\u02da": "\u030a",
    "\u02dd": "\u030b",
    "\u02c7": "\u030c",
    "\u00b8": "\u0327",
    "\u02db": "\u0328",
}
"""Spacing accents and the combining ones that mean the same."""
_DOTLESS = {"\u0131": "i", "\u0237": "j"}
_SUSPECT = re.compile(f"[{_ALEFS}]{_LAM}|[{''.join(map(re.escape, _ACCENTS))}]")


def needs_glyphs(text: str) -> bool:
    """Tell whether :func:`spell` may have something to do: it needs the slower raw dict."""
    return _SUSPECT.search(text) is not None


def spell(content: dict[str, Any]) -> int:
    """Give each span of a raw dict its ``text``; return how many accents joined their letter."""
    joined = 0
    for block in content["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                chars = span.pop("chars")
                letters = [c["c"] for c in chars]
                joined += _join_accents(letters, chars)
                _order_ligatures(letters, chars)
                span["text"] = "".join(letters)
    return joined


def _join_accents(letters: list[str], chars: list[dict[str, Any]]) -> int:
    joined = 0
    for i, character in enumerate(list(letters)):
        mark = _ACCENTS.get(character)
        if mark is None:
            continue
        for j in (i + 1, i - 1):
            if not 0 <= j < len(letters) or not _on_one_spot(chars[i], chars[j]):
                continue
            base = _DOTLESS.get(letters[j], letters[j])
            whole = unicodedata.normalize("NFC", base + mark)
            if len(whole) == 1 and base.isalpha():
                letters[i], letters[j] = "", whole
                joined += 1
                break
    return joined


def _on_one_spot(accent: dict[str, Any], letter: dict[str, Any]) -> bool:
    """Tell whether an accent lies over a letter: half its width at least."""
    a, b = accent["bbox"], letter["bbox"]
    shared = min(a[2], b[2]) - max(a[0], b[0])
    return bool(shared > 0.5 * min(a[2] - a[0], b[2] - b[0]) > 0)


def _order_ligatures(letters: list[str], chars: list[dict[str, Any]]) -> None:
    """Put lam before alef where one glyph shows both.

    MuPDF turns a right-to-left run round letter by letter; a glyph that stands for two letters
    has its second letter, without width, in front of the first, which ends at the same place.
    """
    for i in range(len(chars) - 1):
        here, after = chars[i]["bbox"], chars[i + 1]["bbox"]
        if (
            letters[i] in _ALEFS
            and letters[i]
            and letters[i + 1] == _LAM
            and here[2] - here[0] < 0.01
            and abs(here[0] - after[2]) < 0.5
        ):
            letters[i], letters[i + 1] = letters[i + 1], letters[i]
