"""What was read from one slide, before it is written into the document."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from parsers.model import BlockKind, BoundingBox, Failure
from parsers.tables.grid import Grid


@dataclass(frozen=True, slots=True)
class TextItem:
    """A block of text; see :meth:`parsers.builder.DocumentBuilder.add_block`."""

    kind: BlockKind
    text: str
    locator: str
    box: BoundingBox | None = None
    level: int | None = None
    separator: str = "\n\n"


@dataclass(frozen=True, slots=True)
class TableItem:
    """A table."""

    grid: Grid
    locator: str


@dataclass(slots=True)
class SlideContent:
    """A slide in reading order, with its account.

    Attributes:
        number: 1-based place in the show.
        title: Text of the title placeholder on one line, or "".
        items: Blocks and tables in reading order, notes and comments last.
        source: Characters by the independent counter, all parts of the slide together.
        dropped: Reason to characters left out.
        generated: Reason to characters that no text node of the slide holds.
        failures: Parts that could not be read.
        remarks: Short phrases for the page's route.
        words: Words of its own text, without notes, comments and OCR.
        pictures: Pictures large enough to say something.
        confidences: Mean word confidence of each recognised picture, in [0, 1].
        native: Whether it has text of its own (notes and comments count).
    """

    number: int
    title: str = ""
    items: list[TextItem | TableItem] = field(default_factory=list)
    source: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    generated: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    words: int = 0
    pictures: int = 0
    confidences: list[float] = field(default_factory=list)
    native: bool = False

    def remark(self, phrase: str) -> None:
        """Add a phrase to the remarks, once."""
        if phrase not in self.remarks:
            self.remarks.append(phrase)
