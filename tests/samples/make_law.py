"""The law of ``sources/law.yaml`` in the mark-up of the Official Journal, one file a language."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "pt")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi")
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML//EN" "xhtml-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="{code}">
<head>
<meta http-equiv="content-type" content="text/html; charset=utf-8"/>
<title>Sample law</title>
</head>
<body>
<div class="eli-container">
"""


def law_html(law: dict[str, Any], language: str) -> str:
    """Return the law in ``language`` as XHTML."""
    return _Writer(law, LANGUAGES.index(language)).write()


def write_laws(law: dict[str, Any], folder: Path) -> None:
    """Write ``law_en.html`` and ``law_pt.html``."""
    for language in LANGUAGES:
        (folder / f"law_{language}.html").write_text(law_html(law, language), encoding="utf-8")


class _Writer:
    def __init__(self, law: dict[str, Any], side: int) -> None:
        self._law = law
        self._side = side
        self._lines: list[str] = []

    def write(self) -> str:
        law = self._law
        self._lines = [_HEAD.format(code=LANGUAGES[self._side])]
        self._add('<div class="eli-main-title" id="tit_1">')
        for line in law["title"]:
            self._paragraph(line, "oj-doc-ti")
        self._add("</div>")
        self._add('<div class="eli-subdivision" id="pbl_1">')
        self._paragraph(law["opening"])
        for number, citation in enumerate(law["citations"], 1):
            self._add(f'<div class="eli-subdivision" id="cit_{number}">')
            self._paragraph(citation)
            self._add("</div>")
        self._paragraph(law["whereas"])
        for number, recital in enumerate(law["recitals"], 1):
            self._add(f'<div class="eli-subdivision" id="rct_{number}">')
            self._row(f"({number})", recital)
            self._add("</div>")
        self._paragraph(law["enacting"])
        self._add("</div>")
        self._add('<div class="eli-subdivision" id="enc_1">')
        number = 0
        for index, chapter in enumerate(law["chapters"]):
            roman = _ROMAN[index].upper()
            self._add(f'<div id="cpt_{roman}">')
            self._add(f'<p class="oj-ti-section-1">{self._say(law["chapter"])} {roman}</p>')
            self._add(f'<div class="eli-title" id="cpt_{roman}.tit_1">')
            self._paragraph(chapter["title"], "oj-ti-section-2")
            self._add("</div>")
            for article in chapter["articles"]:
                number += 1
                self._article(number, article)
            self._add("</div>")
        self._add("</div>")
        self._add('<div class="eli-subdivision" id="fnp_1"><div class="oj-final">')
        for line in law["closing"]:
            self._paragraph(line)
        self._add("</div></div>")
        self._add("</div>\n</body>\n</html>")
        return "\n".join(self._lines) + "\n"

    def _article(self, number: int, article: dict[str, Any]) -> None:
        self._add(f'<div class="eli-subdivision" id="art_{number}">')
        self._add(f'<p class="oj-ti-art">{self._say(self._law["article"])} {number}</p>')
        self._add(f'<div class="eli-title" id="art_{number}.tit_1">')
        self._paragraph(article["title"], "oj-sti-art")
        self._add("</div>")
        paragraphs = article["paragraphs"]
        for index, paragraph in enumerate(paragraphs, 1):
            numbered = len(paragraphs) > 1
            self._add(f'<div id="{number:03}.{index:03}">' if numbered else "<div>")
            label = f"{index}.\u00a0\u00a0\u00a0" if numbered else ""
            self._add(f'<p class="oj-normal">{label}{self._say(paragraph["text"])}</p>')
            self._points(paragraph, 0)
            self._add("</div>")
        self._add("</div>")

    def _points(self, unit: dict[str, Any], depth: int) -> None:
        for index, point in enumerate(unit.get("points", ())):
            if unit.get("labels") == "numbers":
                key = str(index + 1)
            else:
                key = _ROMAN[index] if depth else "abcdefgh"[index]
            label = f"({key})" if self._side == 0 else f"{key})"
            self._row(label, point["text"], point, depth)

    def _row(
        self, label: str, pair: list[str], unit: dict[str, Any] | None = None, depth: int = 0
    ) -> None:
        """Write a label and its text as the Official Journal does: a table with one row."""
        self._add(
            '<table width="100%" border="0" cellspacing="0" cellpadding="0">'
            '<col width="4%"/><col width="96%"/><tbody><tr>'
            f'<td valign="top"><p class="oj-normal">{label}</p></td>'
            f'<td valign="top"><p class="oj-normal">{self._say(pair)}</p>'
        )
        if unit is not None:
            self._points(unit, depth + 1)
        self._add("</td></tr></tbody></table>")

    def _paragraph(self, pair: list[str], style: str = "oj-normal") -> None:
        self._add(f'<p class="{style}">{self._say(pair)}</p>')

    def _say(self, pair: list[str]) -> str:
        return escape(pair[self._side], quote=False)

    def _add(self, line: str) -> None:
        self._lines.append(line)
