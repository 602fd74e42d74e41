"""The place where reading stands in a law: which division, article, paragraph or annex is open."""

from __future__ import annotations

from parsers.laws.labels import RANKS, division_key, division_prefix, roman_value
from parsers.laws.units import Law, Unit, UnitKind


class Cursor:
    """Builds a :class:`Law` from a flat row of headings and texts."""

    def __init__(self) -> None:
        self.law = Law()
        self.article: Unit | None = None
        self.annex: Unit | None = None
        self.in_preamble = True
        self.has_articles = False
        self.article_key = ""
        self.paragraph_key = ""
        self._paragraph: Unit | None = None
        self._recital: Unit | None = None
        self._divisions: list[Unit] = []
        self._group: Unit | None = None
        self._annexes = 0
        self._annex_is_counted = False

    def _innermost(self) -> Unit | None:
        for unit in (self._paragraph, self.article, self._group, self.annex):
            if unit is not None:
                return unit
        return None

    def add(self, unit: Unit) -> None:
        """Put a unit where reading stands; text outside any article is front matter."""
        home = self._innermost()
        if home is not None:
            if unit.kind is UnitKind.FRONT:
                unit.kind = UnitKind.TEXT
            home.children.append(unit)
            return
        if unit.kind is UnitKind.TEXT:
            unit.kind = UnitKind.FRONT
        siblings = self._divisions[-1].children if self._divisions else self.law.units
        siblings.append(unit)

    def add_note(self, text: str) -> None:
        """Put a footnote where it stands, outside every article."""
        note = Unit(UnitKind.NOTE, text=text)
        (self.annex.children if self.annex is not None else self.law.units).append(note)

    def open_recital(self, key: str) -> None:
        """Begin a recital."""
        self._recital = Unit(UnitKind.RECITAL, key=key.lower())
        self.law.units.append(self._recital)

    def fill_recital(self, unit: Unit) -> None:
        """Put text into the open recital; its first point gives the number as printed."""
        recital = self._recital
        if recital is None:
            self.add(unit)
        elif unit.kind is UnitKind.POINT and not recital.children and not recital.label:
            recital.label = unit.label
            recital.children = unit.children
        else:
            recital.children.append(unit)

    def close_recital(self) -> None:
        """End the open recital."""
        self._recital = None

    def open_division(self, label: str, rank: str = "", depth: int | None = None) -> None:
        """Begin a division; one of the same or a wider rank ends those before.

        Args:
            label: Its number as printed.
            rank: Prefix that the mark-up gives; "" to tell it from the label.
            depth: Divisions around it where the mark-up nests them; None to tell it from the rank.
        """
        self._leave_article()
        self.annex = self._group = None
        self.in_preamble = False
        if depth is not None:
            del self._divisions[depth:]
        parent = self._divisions[-1].prefix if self._divisions else ""
        prefix = rank or self._rank_like_sibling(label) or division_prefix(label, parent)
        while depth is None and self._divisions and _not_wider(self._divisions[-1].prefix, prefix):
            self._divisions.pop()
        siblings = self._divisions[-1].children if self._divisions else self.law.units
        elder = [u for u in siblings if u.kind is UnitKind.DIVISION and u.prefix == prefix]
        previous = elder[-1].key if elder else "0"
        key = division_key(label, int(previous) if previous.isdigit() else len(elder))
        unit = Unit(UnitKind.DIVISION, label=label, key=key, prefix=prefix)
        siblings.append(unit)
        self._divisions.append(unit)

    def _rank_like_sibling(self, label: str) -> str:
        """Return the rank of an open division whose printed number begins with the same word."""
        word = _first_word(label)
        for unit in reversed(self._divisions):
            if word and _first_word(unit.label) == word:
                return unit.prefix
        return ""

    def name_division(self, title: str) -> None:
        """Give the open division its title."""
        if self._divisions and not self._divisions[-1].children:
            last = self._divisions[-1]
            last.title = f"{last.title} {title}".strip()
        else:
            self.add(Unit(UnitKind.FRONT, text=title))

    def open_article(self, label: str, key: str) -> None:
        """Begin an article, inside the open division or annex."""
        self._leave_article()
        self.in_preamble = False
        self.close_recital()
        self.article = Unit(UnitKind.ARTICLE, label=label, key=key)
        self.article_key = key
        self.has_articles = self.has_articles or self.annex is None
        if self._group is not None or self.annex is not None:
            home = self._group or self.annex
            siblings = home.children if home else self.law.units
        else:
            siblings = self._divisions[-1].children if self._divisions else self.law.units
        siblings.append(self.article)

    def name_article(self, title: str) -> None:
        """Give the open article its title."""
        if self.article is not None and not self.article.children:
            self.article.title = f"{self.article.title} {title}".strip()
        else:
            self.add(Unit(UnitKind.TEXT, text=title))

    def open_paragraph(self, label: str, key: str) -> None:
        """Begin a numbered paragraph of the open article."""
        if self.article is None:
            return
        self._paragraph = Unit(UnitKind.PARAGRAPH, label=label, key=key)
        self.paragraph_key = key
        self.article.children.append(self._paragraph)

    def _leave_article(self) -> None:
        self.article = self._paragraph = None
        self.paragraph_key = ""

    def close_enacting_terms(self) -> None:
        """End articles and divisions: what follows is the final formula and the signatures."""
        self._leave_article()
        self.in_preamble = False
        if self.annex is None:
            self._divisions = []

    def open_annex(self, key: str, label: str = "") -> None:
        """Begin an annex; ``key`` is its number where an id gives it, else the label does."""
        self._leave_article()
        self.in_preamble = False
        self._divisions = []
        self._group = None
        number = division_key(key or label, self._annexes)
        self._annexes += 1
        self._annex_is_counted = not (key or label)
        self.annex = Unit(UnitKind.ANNEX, label=label, key=number)
        self.law.units.append(self.annex)

    def label_annex(self, label: str) -> bool:
        """Give the open annex its number as printed; False when it has one, or none is open."""
        if self.annex is None or self.annex.label or self.annex.children:
            return False
        self.annex.label = label
        if self._annex_is_counted:
            self.annex.key = division_key(label, self._annexes - 1)
        return True

    def close_annex(self) -> None:
        """End the open annex: what follows belongs to no part of the act."""
        self._leave_article()
        self.annex = self._group = None

    def name_annex(self, title: str) -> None:
        """Give the open annex a line of its title."""
        if self.annex is not None:
            self.annex.title = f"{self.annex.title} {title}".strip()

    def open_group(self, label: str) -> None:
        """Begin a headed part of an annex; outside annexes it is a division."""
        if self.annex is None:
            self.open_division(label)
            return
        self._leave_article()
        number = 1 + sum(1 for u in self.annex.children if u.kind is UnitKind.DIVISION)
        self._group = Unit(UnitKind.DIVISION, label=label, key=str(number), prefix="sct")
        self.annex.children.append(self._group)


def _not_wider(prefix: str, other: str) -> bool:
    return RANKS.index(prefix) >= RANKS.index(other)


def _first_word(label: str) -> str:
    words = [w for w in label.casefold().split() if w.isalpha() and roman_value(w) is None]
    return words[0] if words else ""
