"""Write the tree of a law into blocks whose addresses are the same in every language and mark-up.

Addresses: ``rct_12``; ``cpt_4``, ``cpt_4/sct_1``; ``art_33``, ``art_33/par_1``,
``art_33/par_1/pnt_a``, ``art_33/par_1/pnt_a/spt_i``; a dash is ``ind_1`` by position; text that
has no number is ``sub_2`` by position (the first text of a numbered unit has the unit's own
address); ``anx_1/sct_2/pnt_3``. An address that comes again is led through the sub-paragraph in
front of it (``art_6/par_3/sub_2/pnt_a``), else counted (``art_5/pnt_8~2``); an older wording of
a unit that comes again is ``…/old_1``. Text around the act has no address.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from parsers.builder import DocumentBuilder
from parsers.laws.units import Law, Unit, UnitKind
from parsers.model import BlockKind
from parsers.normalise import one_line
from parsers.tables.emit import emit_table


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a unit stands."""

    path: str = ""
    context: tuple[str, ...] = ()
    headings: tuple[str, ...] | None = None
    depth: int = 0
    """Of points: 0 outside any."""


@dataclass(slots=True)
class _Counter:
    """What has been written inside one unit."""

    texts: int = 0
    dashes: int = 0
    tables: int = 0
    lead: str = ""
    sub: str = ""


class _Emitter:
    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._used: set[str] = set()

    def children(self, unit: Unit, place: _Place, *, head: BlockKind | None = None) -> None:
        """Write the units inside ``unit``.

        Args:
            unit: The parent.
            place: Where its children stand.
            head: Kind of its first text, which takes the unit's label and address; None where
                the unit has a heading of its own.
        """
        counter = _Counter()
        rest = unit.children
        if head is not None:
            first = rest[0] if rest and rest[0].kind is UnitKind.TEXT else None
            body = first.text if first else ""
            self._block(head, one_line(f"{unit.label} {body}"), place, place.path)
            counter.texts, counter.lead = 1, body
            rest = rest[1:] if first else rest
        for child in rest:
            if child.kind is UnitKind.TEXT:
                self._text(child, place, counter, nothing_yet=head is None)
            elif child.kind is UnitKind.POINT:
                self._point(child, place, counter)
            else:
                self.unit(child, place, counter)

    def _text(self, unit: Unit, place: _Place, counter: _Counter, *, nothing_yet: bool) -> None:
        counter.texts += 1
        counter.lead = unit.text
        counter.sub = f"sub_{counter.texts}"
        path = self._unique(f"{place.path}/{counter.sub}") if place.path else ""
        is_first = (
            nothing_yet and counter.texts == 1 and place.path.rpartition("/")[2][:4] == "art_"
        )
        kind = BlockKind.LAW_PARAGRAPH if is_first else BlockKind.PARAGRAPH
        self._block(kind, unit.text, place, path)

    def _point(self, unit: Unit, place: _Place, counter: _Counter) -> None:
        if unit.key:
            step = f"{'spt' if place.depth else 'pnt'}_{unit.key}"
        else:
            counter.dashes += 1
            step = f"ind_{counter.dashes}"
        path = self._path(unit, place.path, step, counter.sub) if place.path else ""
        context = (*place.context, *([counter.lead] if counter.lead else []))
        inner = replace(place, path=path, context=context, depth=place.depth + 1)
        self.children(unit, inner, head=BlockKind.POINT)

    def _path(self, unit: Unit, parent: str, step: str, sub: str = "") -> str:
        path = f"{parent}/{step}" if parent else step
        if unit.version:
            return self._unique(f"{path}/old_{unit.version}")
        if path in self._used and sub and sub != "sub_1":
            path = f"{parent}/{sub}/{step}"
        return self._unique(path)

    def _unique(self, path: str) -> str:
        """Return ``path``, with a number behind it when it is taken already."""
        candidate, number = path, 1
        while candidate in self._used:
            number += 1
            candidate = f"{path}~{number}"
        self._used.add(candidate)
        return candidate

    def unit(self, unit: Unit, place: _Place, counter: _Counter) -> None:
        """Write one unit that is neither text nor a point."""
        if unit.kind in (UnitKind.FRONT, UnitKind.NOTE):
            kind = BlockKind.FOOTNOTE if unit.kind is UnitKind.NOTE else BlockKind.PARAGRAPH
            self._builder.add_block(kind, unit.text, heading_path=place.headings or ())
            for child in unit.children:
                self.unit(child, place, counter)
        elif unit.kind is UnitKind.TABLE:
            counter.tables += 1
            self._table(unit, place, counter)
        elif unit.kind is UnitKind.DIVISION:
            self._division(unit, place)
        elif unit.kind is UnitKind.ANNEX:
            self._annex(unit)
        elif unit.kind is UnitKind.RECITAL:
            path = self._unique(f"rct_{unit.key}")
            self.children(unit, _Place(path, headings=()), head=BlockKind.RECITAL)
        elif unit.kind is UnitKind.ARTICLE:
            self._article(unit, place)
        elif unit.kind is UnitKind.PARAGRAPH:
            path = self._path(unit, place.path, f"par_{unit.key}")
            self.children(unit, replace(place, path=path), head=BlockKind.LAW_PARAGRAPH)
        else:
            self._loose(unit, place)

    def _loose(self, unit: Unit, place: _Place) -> None:
        """Text or a point outside every article."""
        holder = Unit(UnitKind.FRONT, children=[unit])
        self.children(holder, replace(place, path=""))

    def _table(self, unit: Unit, place: _Place, counter: _Counter) -> None:
        if unit.grid is None:
            return
        locator = f"table_{counter.tables}"
        path = self._unique(f"{place.path}/{locator}" if place.path else locator)
        emit_table(self._builder, unit.grid, locator=path, context=place.context)

    def _division(self, unit: Unit, place: _Place) -> None:
        path = self._path(unit, place.path, f"{unit.prefix}_{unit.key}")
        level = 1 + path.count("/")
        self._builder.add_block(BlockKind.HEADING, _two_lines(unit), level=level, locator=path)
        headings = self._builder.heading_path
        self.children(unit, _Place(path, headings=headings))

    def _annex(self, unit: Unit) -> None:
        path = self._unique(f"anx_{unit.key}")
        self._builder.add_block(BlockKind.HEADING, _two_lines(unit), level=1, locator=path)
        header = one_line(_two_lines(unit))
        place = _Place(path, (header,) if header else (), self._builder.heading_path)
        self.children(unit, place)

    def _article(self, unit: Unit, place: _Place) -> None:
        inside = place.path.split("/")[0] if place.path.startswith("anx_") else ""
        if f"{inside}/art_{unit.key}" in self._used:
            inside = place.path  # another part of the annex counts its articles from 1, too
        path = self._path(unit, inside, f"art_{unit.key}")
        above = place.headings or ()
        self._builder.add_block(
            BlockKind.ARTICLE, _two_lines(unit), locator=path, heading_path=above
        )
        header = one_line(_two_lines(unit))
        self.children(unit, _Place(path, (header,), (*above, header)))

    def _block(self, kind: BlockKind, text: str, place: _Place, locator: str) -> None:
        self._builder.add_block(
            kind, text, locator=locator, context=place.context, heading_path=place.headings,
            level=place.depth or None,
        )  # fmt: skip


def _two_lines(unit: Unit) -> str:
    return "\n".join(part for part in (unit.label, unit.title) if part)


def emit_law(builder: DocumentBuilder, law: Law) -> None:
    """Append the blocks of ``law``: its title, then its units in order."""
    if law.title:
        builder.add_block(BlockKind.TITLE, "\n".join(law.title))
    emitter = _Emitter(builder)
    emitter.children(Unit(UnitKind.FRONT, children=law.units), _Place(headings=()))
