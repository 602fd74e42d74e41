"""The kinds of made pages: how many columns, and what interrupts their text."""

from __future__ import annotations

from dataclasses import dataclass

_TEXT = (
    "the of and to in is that for as with was on are by this be from or which at an have not "
    "were it has their but one all can more other between when some these than two may only "
    "time results section water method surface different number process control field during "
    "system small large report figures council region temperature analysis development "
    "measured observed published proposed committee agreement considered responsible "
    "environment international distribution several material production management "
    "information governments significant structure population training language experiment "
    "evidence however therefore although remaining university independent"
)
WORDS = _TEXT.split()
"""What sentences are made of."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What the pages of one kind look like.

    Attributes:
        columns: 2 or 3 (1 beside a margin column).
        gutter: Points between columns.
        widths: Relative widths of the columns, () where they are equal.
        features: Which things interrupt the text; see the code for the names.
        size: Of the body's font, points.
        justified: Lines are filled with word space.
        shuffled: Lines are drawn in no order.
    """

    columns: int = 2
    gutter: float = 18.0
    widths: tuple[float, ...] = ()
    features: frozenset[str] = frozenset()
    size: float = 10.0
    justified: bool = True
    shuffled: bool = False


@dataclass(slots=True)
class Stretch:
    """A stretch of sentences on its way into lines."""

    sentences: list[str]
    markers: list[str]
    font: str = "tiro"
    size: float = 10.0
    indent: float = 0.0
    hang: float = 0.0
    drop_cap: bool = False


KINDS: dict[str, Spec] = {
    "two columns": Spec(),
    "three columns": Spec(3, 14, size=9),
    "title over two": Spec(features=frozenset({"title"})),
    "title over three": Spec(3, 14, size=9, features=frozenset({"title"})),
    "bands, two": Spec(features=frozenset({"band"})),
    "bands, three": Spec(3, 14, size=9, features=frozenset({"band"})),
    "band figures": Spec(features=frozenset({"band figure"})),
    "two, then three": Spec(features=frozenset({"band", "change"})),
    "margin sidebar": Spec(1, features=frozenset({"margin box"})),
    "sidebar by two": Spec(2, 14, size=9, features=frozenset({"margin box"})),
    "boxes in columns": Spec(features=frozenset({"box"})),
    "figures": Spec(features=frozenset({"figure"})),
    "pull quotes": Spec(features=frozenset({"quote"})),
    "footnotes": Spec(features=frozenset({"note"})),
    "footnotes, three": Spec(3, 14, size=9, features=frozenset({"note"})),
    "ragged ends": Spec(features=frozenset({"ragged"}), justified=False),
    "unequal columns": Spec(widths=(1.0, 1.8)),
    "small gutter": Spec(gutter=9),
    "small gutter, three": Spec(3, 8, size=8),
    "lists": Spec(features=frozenset({"list"})),
    "tables": Spec(features=frozenset({"table"})),
    "headings": Spec(features=frozenset({"heading"})),
    "drop caps": Spec(features=frozenset({"drop cap"})),
    "right to left": Spec(features=frozenset({"rtl"})),
    "right to left, three": Spec(3, 14, size=9, features=frozenset({"rtl", "title"})),
    "mixed, two": Spec(
        features=frozenset({"title", "band", "figure", "quote", "note", "list", "heading"})
    ),
    "mixed, three": Spec(
        3, 14, size=9, features=frozenset({"title", "band", "figure", "note", "list", "heading"})
    ),
}
"""The kinds of pages."""
