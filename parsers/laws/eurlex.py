"""EUR-Lex HTML: Official Journal (old and ``oj-`` class names), consolidated, whole pages.

The page is read in order with a cursor that knows the open chapter, article and paragraph, because
the old mark-up is a flat row of paragraphs. Where the newer ones give ids (``art_14a``,
``006.001``, ``cpt_IV.sct_1``, ``rct_12``, ``anx_III``) these decide; else the number printed at
the place where a number stands. No word of any language is needed.
"""

from __future__ import annotations

import re

from parsers.builder import DocumentBuilder
from parsers.laws.cursor import Cursor
from parsers.laws.eurlex_blocks import (
    DISTINCTIVE,
    FURNITURE,
    MARK,
    BlockReader,
    Role,
    is_data,
    is_list,
    names,
    role_of,
)
from parsers.laws.labels import article_key, follows, label_key, split_paragraph, split_recital
from parsers.laws.units import Law, Unit, UnitKind
from parsers.webpage_dom import Element, classes, count_text, flow, has_text, line_text, name_of
from parsers.webpage_tables import rows_of

NAVIGATION = "navigation"
DISCLAIMER = "disclaimer"
REPEATED_TITLE = "repeated title"

_PARAGRAPH_ID = re.compile(r"0*(?P<article>\d+)(?P<letter>[a-z]*)\.0*(?P<number>\d+[a-z]*)$", re.I)
_ARTICLE_ID = re.compile(r"art_(?P<key>\d+[a-z]*)$", re.I)
_RECITAL_ID = re.compile(r"rct_(?P<key>\w+)$")
_ANNEX_ID = re.compile(r"anx_\s*(?P<key>\w+)$")
_DIVISION_ID = re.compile(r"(?:.*\.)?(?P<rank>prt|tis|cpt|sct|sbs)_(?P<key>\w+)$")
_BRACKETED = re.compile(r"\(\d{1,3}[a-z]{0,2}\)$")
"""Number of a paragraph in German, Hungarian and Romanian: "(1)"."""
_FINAL_ID = re.compile(r"fnp_\d+$")
_RANK = {"tis": "ttl"}
_QUOTES = ("‘", "“", "„", "«", "»", '"', "'")


def read_eurlex(root: Element, builder: DocumentBuilder) -> Law:
    """Return the act on a EUR-Lex page.

    Args:
        root: Outermost element of the page, scripts and styles taken out.
        builder: Holds the ledger; what lies around the act is counted there as dropped.
    """
    act = _act_of(root)
    builder.count_dropped(NAVIGATION, count_text(root) - count_text(act))
    return _Reader(builder).read_act(act)


def _act_of(root: Element) -> Element:
    """Return the smallest element that holds all that only an act holds."""
    marked = [e for e in root.iter("p", "div") if DISTINCTIVE & set(names(e))]
    if not marked:
        return root
    common = [*reversed(list(marked[0].iterancestors())), marked[0]]
    for element in marked[1:]:
        line = {*element.iterancestors(), element}
        common = [a for a in common if a in line]
    act = common[-1]
    parent = act.getparent()
    # the notes of an act stand behind its container, not in it; a lone heading is no act
    is_part = name_of(act) == "p" or "eli-container" in classes(act)
    return parent if is_part and parent is not None else act


class _Reader:
    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._blocks = BlockReader(builder)
        self._cursor = Cursor()
        self._paragraph_div: Element | None = None
        self._recital_div: Element | None = None
        self._recital_key = ""  # of a container of which nothing has been read yet
        self._after_title = False
        self._articles_have_ids = False
        self._articles_stand_free = False
        self.law: Law = self._cursor.law

    def read_act(self, act: Element) -> Law:
        """Return the act in an element."""
        self._articles_have_ids = any(_id(div, _ARTICLE_ID) for div in act.iter("div"))
        headings = [p for p in act.iter("p") if role_of(p) is Role.ARTICLE]
        self._articles_stand_free = any(not _is_in_list(p) for p in headings)
        self.read(act)
        return self.law

    def read(self, parent: Element) -> None:
        """Read what a container holds."""
        for item in flow(parent):
            if isinstance(item, str):
                self._text(self._blocks.clean(item), parent)
            else:
                self._item(item)

    def _item(self, item: Element) -> None:
        role = role_of(item)
        if role is not None and name_of(item) not in ("div", "table"):
            self._role(role, item)
        elif name_of(item) == "table":
            self._table(item)
        elif self._is_leaf(item):
            self._running(item)
        else:
            self._enter(item)
            self.read(item)
            if _id(item, _ANNEX_ID):
                self._cursor.close_annex()

    def _is_leaf(self, item: Element) -> bool:
        known = {"grid-list", "enumeration-spacing", "no-parag"}
        if known & set(names(item)) or any("no-parag" in names(c) for c in item):
            return True
        return name_of(item) in ("p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "dl", "ul", "ol")

    def _enter(self, div: Element) -> None:
        """Note what the id of a container says before its content is read."""
        name = str(div.get("id") or "")
        if annex := _ANNEX_ID.match(name):
            self._cursor.open_annex(annex["key"])
            self._after_title = False
        elif recital := _RECITAL_ID.match(name):
            self._recital_div, self._recital_key = div, recital["key"]
        elif _FINAL_ID.match(name) or "final" in names(div):
            self._cursor.close_enacting_terms()

    def _role(self, role: Role, item: Element) -> None:
        text = self._blocks.clean(line_text(item))
        was_title, self._after_title = self._after_title, False
        cursor = self._cursor
        if role in (Role.MARK, Role.FURNITURE, Role.DISCLAIMER):
            reason = {Role.MARK: MARK, Role.FURNITURE: FURNITURE}.get(role, DISCLAIMER)
            self._builder.count_dropped(reason, text)
            self._after_title = was_title
        elif not text:
            self._after_title = was_title
        elif role is Role.TITLE:
            self._title(text, was_title)
        elif role is Role.DIVISION:
            self._open_division(text, item)
        elif role is Role.DIVISION_TITLE:
            cursor.name_division(text)
        elif role is Role.ARTICLE:
            self._open_article(text, item)
        elif role is Role.ARTICLE_TITLE:
            cursor.name_article(text)
        elif role is Role.ANNEX:
            if not cursor.label_annex(text):
                cursor.open_annex("", text)
        elif role is Role.ANNEX_TITLE:
            cursor.name_annex(text)
        elif role is Role.GROUP:
            cursor.open_group(text)
        elif role is Role.NOTE:
            cursor.add_note(text)
        else:
            if role is Role.FINAL:
                cursor.close_enacting_terms()
            cursor.add(Unit(UnitKind.FRONT, text=text))

    def _title(self, text: str, was_title: bool) -> None:
        """A title's line: of an annex behind the articles, else of the act."""
        cursor = self._cursor
        self._after_title = True
        if cursor.annex is not None and not cursor.annex.children:
            if not cursor.label_annex(text):
                cursor.name_annex(text)
        elif cursor.has_articles and not was_title:
            cursor.open_annex("", text)
        elif text in self.law.title:
            self._builder.count_dropped(REPEATED_TITLE, text)
        else:
            self.law.title.append(text)

    def _open_article(self, text: str, item: Element) -> None:
        """Begin an article, unless it is one that this act writes into another."""
        cursor = self._cursor
        found = _nearest(item, _ARTICLE_ID)
        is_quoted = (
            text.startswith(_QUOTES)
            or (found is None and self._articles_have_ids and cursor.annex is None)
            or (self._articles_stand_free and _is_in_list(item))
            or sum(_id(a, _ARTICLE_ID) is not None for a in item.iterancestors()) > 1
        )
        if is_quoted and cursor.article is not None:
            cursor.add(Unit(UnitKind.TEXT, text=text))
            return
        key = found["key"].lower() if found else article_key(text, cursor.article_key)
        cursor.open_article(text, key)
        self._paragraph_div = None

    def _open_division(self, text: str, item: Element) -> None:
        found = _nearest(item, _DIVISION_ID)
        rank = _RANK.get(found["rank"], found["rank"]) if found else ""
        self._cursor.open_division(text, rank)
        self._paragraph_div = None

    def _table(self, table: Element) -> None:
        roles = {role_of(e) for e in table.iter("p")} - {None}
        if roles == {Role.FURNITURE}:
            self._blocks.drop(FURNITURE, table)
        elif self._articles_stand_free and self._cursor.article is not None and is_list(table):
            self._running(table)  # articles in it are those of another act
        elif roles & {Role.TITLE, Role.ARTICLE, Role.DIVISION} or (
            Role.NOTE in roles and not is_data(table)
        ):
            for row in rows_of(table):
                for cell in row.cells:
                    self.read(cell)
        elif Role.FRONT in roles:
            self._front_rows(table)
        else:
            self._running(table)

    def _front_rows(self, table: Element) -> None:
        """Amending acts in front of a consolidated text: a line each, arrows left out."""
        for row in rows_of(table):
            parts = [self._blocks.clean(line_text(c)) for c in row.cells]
            if any(parts):
                self._cursor.add(Unit(UnitKind.FRONT, text=" ".join(p for p in parts if p)))

    def _running(self, item: Element) -> None:
        if self._numbered_grid(item):
            return
        for unit in self._blocks.block(item):
            self._unit(unit, item)

    def _numbered_grid(self, item: Element) -> bool:
        """Read ``<div class=norm><span class=no-parag>1. </span>…``."""
        number = next((c for c in item if "no-parag" in names(c)), None)
        if number is None or self._cursor.article is None:
            return False
        label = self._blocks.clean(line_text(number))
        self._cursor.open_paragraph(label, label_key(label))
        number.text, kept = "", (number.tail or "")
        for child in list(number):
            number.remove(child)
        number.tail = kept
        for unit in self._blocks.content(item):
            self._cursor.add(unit)
        return True

    def _text(self, text: str, parent: Element) -> None:
        if text:
            self._unit(Unit(UnitKind.TEXT, text=text), parent)

    def _unit(self, unit: Unit, item: Element) -> None:
        """Place a unit of running text where the cursor stands."""
        cursor = self._cursor
        self._after_title = False
        if cursor.in_preamble:
            self._preamble(unit, item)
        elif cursor.article is not None and unit.kind is UnitKind.TEXT:
            self._article_text(unit, item)
        elif cursor.article is not None and self._is_bracketed_paragraph(unit, item):
            cursor.open_paragraph(unit.label, unit.key)
            for part in unit.children:
                cursor.add(part)
        else:
            cursor.add(unit)

    def _preamble(self, unit: Unit, item: Element) -> None:
        inside = self._recital_div is not None and self._recital_div in (
            item, *item.iterancestors()
        )  # fmt: skip
        cursor = self._cursor
        key, self._recital_key = (self._recital_key, "") if inside else ("", self._recital_key)
        number = _recital_number(unit)
        if key and not number and unit.kind is UnitKind.TEXT and unit.text.endswith(":"):
            cursor.close_recital()  # "Whereas:" stands in a container of recitals, too
            cursor.add(unit)
            self._recital_div = None
        elif inside:
            if key:
                cursor.open_recital(number or key)
            cursor.fill_recital(unit)
        elif unit.kind is UnitKind.POINT and unit.key.isdigit():
            cursor.open_recital(unit.key)
            cursor.fill_recital(unit)
        elif unit.kind is UnitKind.TEXT and (found := split_recital(unit.text)):
            cursor.open_recital(found[1])
            cursor.fill_recital(unit)
        else:
            cursor.close_recital()
            cursor.add(unit)

    def _is_bracketed_paragraph(self, unit: Unit, item: Element) -> bool:
        """Tell whether "(1) Text" in a plain paragraph is a paragraph of the article, no point.

        It is the first thing in the article, or follows such a one.
        """
        cursor = self._cursor
        if name_of(item) != "p" or cursor.article is None or not _BRACKETED.match(unit.label):
            return False
        begins = bool(cursor.paragraph_key) or not cursor.article.children
        return begins and follows(unit.key, cursor.paragraph_key)

    def _article_text(self, unit: Unit, item: Element) -> None:
        cursor = self._cursor
        div = next((a for a in (item, *item.iterancestors()) if _id(a, _PARAGRAPH_ID)), None)
        found = _id(div, _PARAGRAPH_ID) if div is not None else None
        if found and found["article"] + found["letter"].lower() == cursor.article_key:
            if div is self._paragraph_div:
                cursor.add(unit)
                return
            self._paragraph_div = div
            split = split_paragraph(unit.text, dotted=False)
            label, key, rest = split or ("", found["number"].lower(), unit.text)
            cursor.open_paragraph(label, key)
            unit.text = rest
        elif found is None and (split := split_paragraph(unit.text, dotted=True)):
            label, key, rest = split
            if follows(key, cursor.paragraph_key):
                cursor.open_paragraph(label, key)
                unit.text = rest
        cursor.add(unit)


def _id(element: Element, pattern: re.Pattern[str]) -> re.Match[str] | None:
    return pattern.match(str(element.get("id") or ""))


def _recital_number(unit: Unit) -> str:
    """Return the number printed in front of a recital, which its container's id may miss by one."""
    if unit.kind is UnitKind.POINT:
        return unit.key if unit.key.isdigit() else ""
    found = split_recital(unit.text)
    return found[1] if found else ""


def _is_in_list(heading: Element) -> bool:
    """Tell whether a heading stands in a point: it is one that the act writes into another."""
    return any(name_of(a) == "table" or "grid-list" in names(a) for a in heading.iterancestors())


def _nearest(item: Element, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """Return the id of the nearest container that matches and whose heading ``item`` is."""
    for ancestor in item.iterancestors():
        found = _id(ancestor, pattern)
        if found:
            return found
        if any(has_text(e) for e in item.itersiblings(preceding=True)):
            return None
    return None
