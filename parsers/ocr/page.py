"""What OCR says about a page. Plain data; boxes are in points on the page as it was turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from parsers.model import BoundingBox


@dataclass(frozen=True, slots=True)
class OcrWord:
    """A recognised word; ``confidence`` in [0, 1]."""

    text: str
    bbox: BoundingBox
    confidence: float


@dataclass(frozen=True, slots=True)
class OcrLine:
    """A recognised line.

    Attributes:
        text: Its words with one space between them.
        bbox: Around its words.
        confidence: Mean of its words', weighted by their letters, in [0, 1].
        block: Number of Tesseract's block, in reading order.
        paragraph: Number of the paragraph in the block.
        words: Left to right.
    """

    text: str
    bbox: BoundingBox
    confidence: float
    block: int
    paragraph: int
    words: tuple[OcrWord, ...]


@dataclass(frozen=True, slots=True)
class RuledCell:
    """A cell between ruling lines; ``row``, ``col`` are 0-based, ``lines`` run downwards."""

    row: int
    col: int
    row_span: int
    col_span: int
    bbox: BoundingBox
    lines: tuple[OcrLine, ...] = ()


@dataclass(frozen=True, slots=True)
class RuledTable:
    """A table found by its ruling lines; the cells, by row and column, cover ``bbox``."""

    bbox: BoundingBox
    cells: tuple[RuledCell, ...]

    @property
    def text(self) -> str:
        """A line for each row, its cells parted by a tab."""
        rows: dict[int, list[str]] = {}
        for cell in self.cells:
            rows.setdefault(cell.row, []).append(" ".join(line.text for line in cell.lines))
        return "\n".join("\t".join(cells) for _, cells in sorted(rows.items()))


@dataclass(frozen=True, slots=True)
class OcrPage:
    """A recognised page.

    Attributes:
        lines: Outside ruled tables, in Tesseract's reading order.
        confidence: Mean word confidence weighted by letters, tables included; 0.0 on an empty page.
        rotation: Degrees clockwise by which the image was turned to be read: 0, 90, 180 or 270.
        tables: Tables with ruling lines, top to bottom.
        missing_languages: Languages asked for that Tesseract does not have.
        n_noise: Words left out because nothing spoke for them.
        height: Of the page as it was turned, points.
    """

    lines: tuple[OcrLine, ...] = ()
    confidence: float = 0.0
    rotation: int = 0
    tables: tuple[RuledTable, ...] = ()
    missing_languages: tuple[str, ...] = ()
    n_noise: int = 0
    height: float = 0.0

    @property
    def words(self) -> tuple[OcrWord, ...]:
        """Every word, those in tables last."""
        cells = (cell for table in self.tables for cell in table.cells)
        lines = (*self.lines, *(line for cell in cells for line in cell.lines))
        return tuple(word for line in lines for word in line.words)

    @property
    def text(self) -> str:
        """Lines joined by line breaks, an empty line between paragraphs; then the ruled tables."""
        parts: list[str] = []
        before: tuple[int, int] | None = None
        for line in self.lines:
            here = (line.block, line.paragraph)
            parts += ["\n\n" if before not in (None, here) else "\n" if parts else "", line.text]
            before = here
        return "\n\n".join(filter(None, ["".join(parts), *(t.text for t in self.tables)]))


def around(boxes: Sequence[BoundingBox]) -> BoundingBox:
    """Return the smallest box around ``boxes`` (at least one)."""
    return BoundingBox(
        min(b.x0 for b in boxes), min(b.top for b in boxes),
        max(b.x1 for b in boxes), max(b.bottom for b in boxes),
    )  # fmt: skip


def mean_confidence(words: Sequence[OcrWord]) -> float:
    """Return the mean weighted by letters, 0.0 without words."""
    weight = sum(len(word.text) for word in words)
    return sum(len(w.text) * w.confidence for w in words) / weight if weight else 0.0
