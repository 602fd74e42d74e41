"""Spelling that only the places of the glyphs can settle. Works on PyMuPDF's raw dict, pure.

Two habits of PDF writers: TeX's old fonts draw "ï" as a dieresis over a dotless i, two glyphs on
one spot; and one Arabic glyph stands for lam and alef, which MuPDF spells the wrong way round.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
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


def spell(content: dict[str, Any], keep_glyphs: bool = False) -> int:
    """Give each span of a raw dict its ``text``; return how many accents joined their letter.

    With ``keep_glyphs`` each span keeps its ``chars``, in the order and spelling of the text.
    """
    joined = 0
    for block in content["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                chars = span.pop("chars")
                letters = [c["c"] for c in chars]
                joined += _join_accents(letters, chars)
                _order_ligatures(letters, chars)
                span["text"] = "".join(letters)
                if keep_glyphs:
                    span["chars"] = [
                        {**c, "c": letter} for c, letter in zip(chars, letters, strict=True)
                    ]
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


def spans_without_area(xml: str) -> Iterator[dict[str, Any]]:
    """Yield the spans that PyMuPDF's dict leaves out: all their glyphs lack width or height.

    Args:
        xml: ``TextPage.extractXML()``.

    Yields:
        ``bbox``, ``dir``, ``wmode``, ``size`` and ``text`` of each.
    """
    from lxml import etree

    root = etree.fromstring(xml.encode("utf-8"), etree.XMLParser(recover=True, huge_tree=True))
    if root is None:
        return
    for line in root.iter("line"):
        for font in line.iter("font"):
            corners = [
                float(value) for char in font.iter("char") for value in char.get("quad", "").split()
            ]
            xs, ys = corners[::2], corners[1::2]
            if not xs or (max(xs) > min(xs) and max(ys) > min(ys)):
                continue
            yield {
                "bbox": (min(xs), min(ys), max(xs), max(ys)),
                "dir": [float(v) for v in line.get("dir", "1 0").split()],
                "wmode": int(line.get("wmode", "0")),
                "size": float(font.get("size", "0")),
                "text": "".join(char.get("c", "") for char in font.iter("char")),
            }
