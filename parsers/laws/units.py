"""The neutral tree of a law: every mark-up is read into it and one emitter writes it out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from parsers.tables.grid import Grid


class UnitKind(StrEnum):
    """What a unit is. Values are the prefixes of locators where a unit has one."""

    FRONT = "front"
    """Text around the enacting terms: citations, formulas, signatures."""
    RECITAL = "rct"
    DIVISION = "division"
    """A title, chapter, section …; its ``prefix`` says which."""
    ARTICLE = "art"
    PARAGRAPH = "par"
    POINT = "pnt"
    TEXT = "sub"
    """A sub-paragraph: a stretch of text inside any of the units above."""
    ANNEX = "anx"
    NOTE = "note"
    TABLE = "table"


@dataclass(slots=True)
class Unit:
    """A piece of a law.

    Attributes:
        kind: See :class:`UnitKind`.
        label: Number as printed: "Article 33", "1.", "(a)".
        title: Title as printed, "" when it has none.
        key: The number in the locator, of any language alike: "33", "14a", "a"; "" for units that
            are counted by position (dashes, unnumbered text).
        text: Text of a ``TEXT``, ``FRONT`` or ``NOTE`` unit; elsewhere the children hold it.
        children: Units inside, in order.
        prefix: Of a division's locator: ``ttl``, ``cpt``, ``sct``, ``prt``, ``sbs``.
        grid: Of a ``TABLE``.
        version: 0; else this is an older wording, 1 the oldest, of a unit that comes again.
    """

    kind: UnitKind
    label: str = ""
    title: str = ""
    key: str = ""
    text: str = ""
    children: list[Unit] = field(default_factory=list)
    prefix: str = ""
    grid: Grid | None = None
    version: int = 0

    def walk(self) -> Iterator[Unit]:
        """Yield this unit and all below it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(slots=True)
class Law:
    """A whole act.

    Attributes:
        title: Lines of its title.
        units: Everything else in reading order.
        language: BCP 47 code when the mark-up names it, else "".
    """

    title: list[str] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    language: str = ""

    def count(self, *kinds: UnitKind) -> int:
        """Return how many units of these kinds there are."""
        return sum(1 for unit in self.units for u in unit.walk() if u.kind in kinds)


def text_unit(text: str) -> Unit:
    """Return a sub-paragraph."""
    return Unit(UnitKind.TEXT, text=text)
