"""EUR-Lex HTML of acts before 2004 and of treaties: plain paragraphs in ``div#TexteOnly``.

There is no mark-up but the paragraph; headings, numbers and points are told by their form. Points
of a list often share a paragraph with the words in front of them, several spaces apart.
"""

from __future__ import annotations

import re

from lxml import etree

from parsers.builder import DocumentBuilder
from parsers.laws.cursor import Cursor
from parsers.laws.eurlex_blocks import BlockReader
from parsers.laws.labels import article_key, follows, named_division, roman_value, split_recital
from parsers.laws.units import Law, Unit, UnitKind, text_unit
from parsers.laws.words import is_annex_heading, is_article_heading, is_closing, is_recital
from parsers.normalise import one_line
from parsers.webpage_dom import Element, count_text, descend, is_block, name_of

NAVIGATION = "navigation"
ROOT_ID = "TexteOnly"

_GAP = re.compile(r"\s{3,}|\n")
_NUMBERED = re.compile(r"(?P<label>(?P<key>\d{1,3}[a-z]?)\.)\s+(?=\S)")
_BRACKETED = re.compile(r"(?P<label>\(?(?P<key>[a-z]{1,2}|[ivxl]{1,6}|\d{1,3})\))\s*(?=\S)", re.I)
_CAPITAL = re.compile(r"(?P<label>(?P<key>[A-Z]|[IVX]{1,5})\.)\s+(?=\S)")
_DASH = re.compile(r"(?P<label>[—–-])\s+(?=\S)")
_LABELS = (("n.", _NUMBERED), ("()", _BRACKETED), ("A.", _CAPITAL), ("-", _DASH))
_DIVISION = re.compile(
    r"(?P<label>[^\W\d_]{3,}(?:-[^\W\d_]+)?\s+(?:[IVXLC]+|\d{1,2}|[A-Z])|"
    r"(?:[IVXLC]+|\d{1,2})\.?\s+[^\W\d_]{3,}(?:\s[^\W\d_]{3,})?)\.?"
    r"(?:\s*[-–—:]\s+(?P<title>\S.*))?$"
)
_NOTE = re.compile(r"\(\d{1,3}\)\s?(?:OJ|JO|DO|GU|PB|ABl|EFT|EYVL|EGT|ΕΕ)\b")
_TITLE_MAX = 120
"""Characters of the longest title of an article or division that stands in a paragraph of its own
(a guess; those of Directive 95/46 have up to 80)."""
_TITLE_LINES = 5


def read_eurlex_text(root: Element, builder: DocumentBuilder) -> Law:
    """Return the act in ``div#TexteOnly`` and the reference printed above it."""
    body = next(e for e in root.iter("div") if e.get("id") == ROOT_ID)
    above = [e for e in body.itersiblings(preceding=True) if name_of(e) in ("h1", "p")][::-1]
    kept = sum(count_text(e) for e in (*above, body))
    builder.count_dropped(NAVIGATION, count_text(root) - kept)
    reader = _Reader(builder)
    for element in above:
        for line in _lines(element):
            reader.law.units.append(Unit(UnitKind.FRONT, text=line))
    reader.read(body)
    return reader.law


def _lines(element: Element) -> list[str]:
    """Return the lines of a paragraph: a break or a wide gap divides it where a label follows."""
    text = _raw_text(element)
    joined: list[str] = []
    for piece in _GAP.split(text):
        line = one_line(piece)
        if not line:
            continue
        if joined and not _begins(line) and not is_article_heading(joined[-1]):
            joined[-1] = f"{joined[-1]} {line}"
        else:
            joined.append(line)
    return joined


def _raw_text(element: Element) -> str:
    """Return the text with its spaces as they are; ``br`` is a line break."""
    parts: list[str] = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if event == "start":
            parts += ["\n" if node.tag == "br" else "", (node.text or "").replace("\n", " ")]
        elif node is not element:
            parts.append((node.tail or "").replace("\n", " "))
    return "".join(parts)


def _begins(line: str) -> bool:
    return is_article_heading(line) or any(p.match(line) for _, p in _LABELS)


class _Reader:
    def __init__(self, builder: DocumentBuilder) -> None:
        self._cursor = Cursor()
        self._blocks = BlockReader(builder)
        self._points: list[tuple[str, Unit]] = []  # (kind of label, point), innermost last
        self._recitals = 0
        self._wants_title: str = ""  # "article" or "division" behind its number
        self._title_is_open = True
        self.law = self._cursor.law

    def read(self, body: Element) -> None:
        """Read the paragraphs of the act, in order."""
        for _, item in descend(body, _is_frame):
            if not isinstance(item, str) and name_of(item) == "table":
                for unit in self._blocks.table(item):
                    self._cursor.add(unit)
                continue
            for line in [one_line(item)] if isinstance(item, str) else _lines(item):
                self._line(line)

    def _line(self, line: str) -> None:
        wanted, self._wants_title = self._wants_title, ""
        cursor = self._cursor
        if is_article_heading(line):
            self._points = []
            cursor.open_article(line, article_key(line, cursor.article_key))
            self._wants_title = "article"
        elif is_annex_heading(line):
            self._points = []
            cursor.open_annex("", line)
        elif not self._division(line):
            if wanted and len(line) <= _TITLE_MAX and line[-1] not in ".,;:" and not _begins(line):
                (cursor.name_article if wanted == "article" else cursor.name_division)(line)
            elif is_closing(line) and cursor.has_articles:
                self._points = []
                cursor.close_enacting_terms()
                cursor.add(Unit(UnitKind.FRONT, text=line))
            elif cursor.in_preamble:
                self._preamble(line)
            else:
                self._running(line)

    def _division(self, line: str) -> bool:
        found = _DIVISION.match(line)
        if found is None or self._cursor.annex is not None:
            return False
        rank = named_division(found["label"])
        if not rank:
            return False
        self._points = []
        title = found["title"] or ""
        self._cursor.open_division(line.removesuffix(title).strip(), rank)
        if title:
            self._cursor.name_division(title)
        self._wants_title = "" if title else "division"
        return True

    def _preamble(self, line: str) -> None:
        cursor = self._cursor
        if _NOTE.match(line):
            cursor.add_note(line)
            return
        numbered = split_recital(line)
        self._title_is_open = (
            self._title_is_open
            and line[-1] not in ",;:."
            and len(self.law.title) < _TITLE_LINES
            and numbered is None
        )
        if self._title_is_open:
            self.law.title.append(line)
        elif numbered or is_recital(line):
            self._recitals += 1
            cursor.open_recital(numbered[1] if numbered else str(self._recitals))
            cursor.fill_recital(text_unit(line))
        else:
            cursor.close_recital()
            cursor.add(Unit(UnitKind.FRONT, text=line))

    def _running(self, line: str) -> None:
        kind, match = next(((k, m) for k, p in _LABELS if (m := p.match(line))), ("", None))
        if match is None:
            self._points = []
            self._cursor.add(text_unit(line))
            return
        key = (match.groupdict().get("key") or "").lower()
        rest = text_unit(line[match.end() :])
        if kind == "()":
            kind = self._bracket_kind(key)
        if kind in ("n.", "(1)") and self._is_paragraph(kind, key):
            self._points = []
            self._cursor.open_paragraph(match["label"], key)
            self._cursor.add(rest)
            return
        self._point(kind, Unit(UnitKind.POINT, label=match["label"], key=key, children=[rest]))

    def _bracket_kind(self, key: str) -> str:
        """Tell "(1)", "(a)" and "(i)" apart: (i) behind (h) is a letter, elsewhere a number."""
        if key.isdigit():
            return "(1)"
        last = next((u.key for k, u in reversed(self._points) if k == "(a)"), "")
        if roman_value(key) is None or (last and ord(key[0]) - ord(last[0]) == 1):
            return "(a)"
        is_open = any(k == "(i)" for k, _ in self._points)
        return "(i)" if is_open or (key == "i" and last != "h") else "(a)"

    def _is_paragraph(self, kind: str, key: str) -> bool:
        """Whether a number is that of a paragraph: the first thing in its article, or the next."""
        cursor = self._cursor
        if cursor.article is None or not follows(key, cursor.paragraph_key):
            return False
        elder = next((u.key for k, u in reversed(self._points) if k == kind), "")
        if elder and follows(key, elder):
            return False
        return bool(cursor.paragraph_key) or not cursor.article.children

    def _point(self, kind: str, unit: Unit) -> None:
        kinds = [k for k, _ in self._points]
        if kind in kinds:
            del self._points[kinds.index(kind) :]
        if self._points:
            self._points[-1][1].children.append(unit)
        else:
            self._cursor.add(unit)
        self._points.append((kind, unit))


def _is_frame(item: Element) -> bool:
    return name_of(item) != "table" and any(is_block(child) for child in item)
