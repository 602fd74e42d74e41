"""Pages in columns whose reading order is known: made, seeded, nothing copied from anywhere.

A document is a few pages of one kind. Every sentence begins with a word that no other has (its
marker), so that its place in whatever a reader returns can be found. Lines are drawn with the
word spacing of justified print or ragged, in the order of the text or shuffled.

The order that a careful reader follows: columns between two bands one after the other, a band
where it stands, a caption, a pull quote or a footnote after the paragraph that it interrupts,
boxed sidebars after everything else of their page.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pymupdf as _untyped

from benchmarks.page_canvas import (
    BODY,
    HEIGHT,
    ITALIC,
    SANS,
    SANS_BOLD,
    WIDTH,
    line_operation,
    width_of,
    write_page,
)
from benchmarks.page_kinds import KINDS, WORDS, Spec, Stretch

pymupdf: Any = _untyped  # it has no annotations
_SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]


@dataclass(slots=True)
class MadeDocument:
    """A document and what is known of it.

    Attributes:
        kind: Name of the kind.
        data: The PDF.
        order: Of each page: markers in the order in which they are to be read.
        sentences: Marker to its whole sentence.
        absent: What must not be in the body's text (header and footer).
    """

    kind: str
    data: bytes = b""
    order: list[list[str]] = field(default_factory=list)
    sentences: dict[str, str] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)


def make_document(kind: str, seed: int, n_pages: int = 3) -> MadeDocument:
    """Return a document of a kind of :data:`KINDS`; equal arguments give equal documents."""
    rng = random.Random(f"{kind}/{seed}")
    base = KINDS[kind]
    spec = replace(
        base,
        gutter=base.gutter * rng.uniform(0.9, 1.3),
        size=base.size * rng.uniform(0.9, 1.1),
        justified=base.justified and rng.random() < 0.7,
        # MuPDF takes right-to-left lines of two columns for one where they follow each other
        shuffled=rng.random() < 0.5 and "rtl" not in base.features,
    )
    return _Maker(kind, spec, rng).make(n_pages)


class _Maker:
    """Lays out the pages of one document."""

    def __init__(self, kind: str, spec: Spec, rng: random.Random) -> None:
        self.spec, self.rng = spec, rng
        self.made = MadeDocument(kind)
        self.rtl = "rtl" in spec.features
        self.lead = 1.2 * spec.size
        self.operations: list[str] = []
        self.order: list[str] = []
        self.waiting: list[str] = []
        self.open: list[tuple[str, float, float]] = []
        self.begun = 0
        self.pending: list[str] = []
        self.used: set[str] = set()

    def make(self, n_pages: int) -> MadeDocument:
        document = pymupdf.open()
        made = self.made
        head = f"annual review of {self._word()} {self._word()}"
        made.absent = [head, "page 1 of"]
        for number in range(1, n_pages + 1):
            self.operations, self.order = [], []
            side: list[str] = []
            self._line(head, 60, 800, ITALIC, 8.5)
            self._line(f"page {number} of {n_pages}", 265, 38, BODY, 8.5)
            self._page(number, side, last=number == n_pages)
            if self.spec.shuffled:
                self.rng.shuffle(self.operations)
            write_page(document.new_page(width=WIDTH, height=HEIGHT), self.operations, self.rtl)
            # what runs on to the next page is the end of this one's text
            at = self.begun if self.open else len(self.order)
            self.order[at:at] = self.waiting + side
            self.waiting, self.begun = [], 0
            made.order.append(self.order)
        made.data = bytes(document.tobytes(garbage=3, deflate=True, no_new_id=True))
        return made

    def _page(self, number: int, side: list[str], last: bool) -> None:
        features, rng = self.spec.features, self.rng
        x0, x1, y, floor = 56.0, WIDTH - 56, 780.0, 70.0
        if "margin box" in features:
            x0, x1 = self._margin_box(x0, x1, side)
        if "title" in features and number == 1:
            y = self._full(Stretch(*self._sentences(1, 5), SANS_BOLD, 20), x0, x1, y) - 6
            y = self._full(Stretch(*self._sentences(1, 7), BODY, 10), x0, x1, y) - 14
        columns, widths = self.spec.columns, self.spec.widths
        while y - floor > 12 * self.lead:
            band = {"band", "band figure"} & features and y - floor > 30 * self.lead
            end = y - rng.uniform(0.35, 0.55) * (y - floor) if band else floor
            if "ragged" in features and last:
                end = y - rng.uniform(0.5, 0.8) * (y - floor)
            ends = bool(band) and "band figure" not in features
            boxes = self._boxes(x0, x1, y, end, columns, widths)
            self._columns(boxes, finish=ends or last)
            if "ragged" in features and last:
                break
            y = end - 14
            if band:
                y = self._band(x0, x1, y) - 8
                if "change" in features:
                    columns = 5 - columns

    def _boxes(
        self, x0: float, x1: float, y: float, end: float, n: int, widths: Sequence[float]
    ) -> list[tuple[float, float, float, float]]:
        shares = list(widths) or [1.0] * n
        if widths and self.rng.random() < 0.5:
            shares.reverse()
        room = x1 - x0 - self.spec.gutter * (n - 1)
        boxes, x = [], x0
        for share in shares:
            width = room * share / sum(shares)
            boxes.append((x, x + width, y, end))
            x += width + self.spec.gutter
        return boxes[::-1] if self.rtl else boxes

    def _band(self, x0: float, x1: float, y: float) -> float:
        if "band figure" in self.spec.features:
            return self._figure(x0, x1, y, self.rng.uniform(60, 110))
        if self.rng.random() < 0.5:
            return self._full(Stretch(*self._sentences(1, 6), SANS_BOLD, 15), x0, x1, y)
        text = Stretch(*self._sentences(self.rng.randint(1, 3), 18), BODY, self.spec.size + 1.5)
        return self._full(text, x0, x1, y)

    def _margin_box(self, x0: float, x1: float, side: list[str]) -> tuple[float, float]:
        """Draw a tinted box in the margin; return what it leaves of the width."""
        rng, width = self.rng, self.rng.uniform(110, 135)
        at = x0 if rng.random() < 0.5 else x1 - width
        y = rng.uniform(500, 770)
        self._box_of(at, at + width, y, rng.randint(2, 5), side)
        return (x0 + width + 16, x1) if at == x0 else (x0, x1 - width - 16)

    def _box_of(self, x0: float, x1: float, top: float, n: int, into: list[str]) -> float:
        text = Stretch(*self._sentences(n, 9), SANS, 0.9 * self.spec.size)
        lines = list(self._lines(text, x1 - x0 - 12))
        lead = 1.2 * text.size
        height = lead * len(lines) + 12
        self.operations.append(
            f"q 0.9 g {x0:.2f} {top - height:.2f} {x1 - x0:.2f} {height:.2f} re f Q"
        )
        for i, (line, shift, _) in enumerate(lines):
            self._line(line, x0 + 6 + shift, top - 6 - lead * (i + 0.8), text.font, text.size)
        into += text.markers
        return top - height

    def _columns(self, boxes: Sequence[tuple[float, float, float, float]], finish: bool) -> None:
        """Fill columns one after the other; ``finish``: no paragraph runs on below."""
        features, rng = self.spec.features, self.rng
        for at, (x0, x1, y, floor) in enumerate(boxes):
            if finish and at + 1 == len(boxes):
                floor += rng.uniform(0.05, 0.25) * (y - floor)
            if "box" in features and rng.random() < 0.6:
                y = self._box_of(x0, x1, y, 2, self.waiting) - 12
            if "figure" in features and rng.random() < 0.4:
                y = self._figure(x0, x1, y, rng.uniform(50, 90)) - 4
            notes: list[str] = []
            if "note" in features and rng.random() < 0.7:
                floor = self._notes(x0, x1, floor, notes)
            self._fill(x0, x1, y, floor)
            self.waiting += notes
        if finish and self.open:  # what found no room was never written
            for marker in (*self.pending, self.order[-1]):
                self.made.sentences.pop(marker, None)
            self.open, self.pending = [], []
        if not self.open:
            self._settle()

    def _fill(self, x0: float, x1: float, y: float, floor: float) -> float:
        spec, rng = self.spec, self.rng
        top = y
        while y - self.lead > floor:
            if not self.open:
                self._settle()
                if y - floor > 7 * self.lead and y < top - 4 * self.lead:
                    y = self._interruption(x0, x1, y, floor)
                if y - floor < 3 * self.lead:
                    break
                y = self._begin(x0, x1, y, floor)
            for _ in range(2):
                if self.open and y - self.lead > floor:
                    line, shift, spacing = self.open.pop(0)
                    if self.rtl:
                        width = width_of(line, BODY, spec.size) + spacing * line.count(" ")
                        shift = x1 - x0 - shift - width
                    y -= self.lead
                    self._line(line, x0 + shift, y + 0.2 * self.lead, BODY, spec.size, spacing)
                    self._note_markers(line)
            if not self.open and rng.random() < 0.3:
                y -= 0.4 * self.lead
        return y

    def _begin(self, x0: float, x1: float, y: float, floor: float) -> float:
        """Open a paragraph or a list item; return where its first line goes."""
        spec, rng = self.spec, self.rng
        if "list" in spec.features and rng.random() < 0.5:
            text = Stretch(*self._sentences(1, 16), size=spec.size, hang=14)
        else:
            text = Stretch(*self._sentences(rng.randint(2, 7), 14), size=spec.size, indent=12)
        if "drop cap" in spec.features and rng.random() < 0.4 and y - floor > 4 * self.lead:
            text.drop_cap, text.indent = True, 0
        lines = list(self._lines(text, x1 - x0))
        if text.hang:
            self._line(rng.choice(["-", "*", "1.", "a)"]), x0, y - 0.8 * self.lead, BODY, spec.size)
        if text.drop_cap:
            self._line(text.sentences[0][0], x0, y - 1.85 * self.lead, BODY, 2.6 * spec.size)
        self.open, self.pending, self.begun = lines, text.markers, len(self.order)
        if text.drop_cap:
            self.order.append(self.pending.pop(0))
        return y

    def _note_markers(self, line: str) -> None:
        """Put the sentences that begin on a drawn line into the order."""
        words = line.casefold().split()
        while self.pending and self.pending[0] in words:
            self.order.append(self.pending.pop(0))

    def _interruption(self, x0: float, x1: float, y: float, floor: float) -> float:
        features, rng, lead = self.spec.features, self.rng, self.lead
        if "heading" in features and rng.random() < 0.3:
            text = Stretch(*self._sentences(1, 3), SANS_BOLD, self.spec.size + 1)
            y = self._full(text, x0, x1, y - 0.8 * lead)
        elif "quote" in features and rng.random() < 0.3 and y - floor > 12 * lead:
            text = Stretch(*self._sentences(1, 9), ITALIC, 1.45 * self.spec.size)
            y = self._full(text, x0 + 8, x1 - 8, y - lead) - lead
        elif "table" in features and rng.random() < 0.3 and y - floor > 12 * lead:
            y = self._table(x0, x1, y - lead) - lead
        elif "figure" in features and rng.random() < 0.15 and y - floor > 16 * lead:
            y = self._figure(x0, x1, y - 0.5 * lead, 5 * lead) - lead
        return y

    def _table(self, x0: float, x1: float, y: float) -> float:
        rows, width = self.rng.randint(3, 5), (x1 - x0) / 3
        for row in range(rows + 1):
            self.operations.append(f"{x0:.2f} {y - 14 * row:.2f} m {x1:.2f} {y - 14 * row:.2f} l S")
        for column in range(4):
            x = x0 + column * width
            self.operations.append(f"{x:.2f} {y:.2f} m {x:.2f} {y - 14 * rows:.2f} l S")
        for row in range(rows):
            if row == 0:
                cells = [self._word(), self._word(), self._word()]
            else:
                self.order.append(self._marker())
                numbers = self.rng.sample(range(10, 999), 2)
                cells = [self.order[-1], *map(str, numbers)]
            for column, cell in enumerate(cells):
                at = x0 + column * width + 3
                self._line(cell[:12], at, y - 14 * row - 10, SANS, 0.85 * self.spec.size)
        return y - 14 * rows

    def _figure(self, x0: float, x1: float, y: float, height: float) -> float:
        """Draw a picture and its caption; the caption waits for the open paragraph to end."""
        self.operations.append(
            f"q {x1 - x0:.2f} 0 0 {height:.2f} {x0:.2f} {y - height:.2f} cm "
            "BI /W 2 /H 2 /CS /G /BPC 8 /F /AHx ID 30A0C050> EI Q"
        )
        sentences, markers = self._sentences(self.rng.randint(1, 2), 9)
        number = f"Figure {self.rng.randint(1, 9)}: "
        text = Stretch(
            [number + sentences[0], *sentences[1:]], markers, BODY, 0.88 * self.spec.size
        )
        self.waiting, waiting = [], self.waiting
        y = self._full(text, x0, x1, y - height - 4, into=self.waiting) - 8
        self.waiting = waiting + self.waiting
        if not self.open:
            self._settle()
        return y

    def _notes(self, x0: float, x1: float, floor: float, into: list[str]) -> float:
        y = floor
        drawn = []
        for i in range(self.rng.randint(1, 2)):
            text = Stretch(*self._sentences(1, 8), BODY, 0.8 * self.spec.size)
            lines = list(self._lines(text, x1 - x0 - 6))
            drawn.append((i, lines, text))
            y += 1.15 * text.size * len(lines)
            into += text.markers
        top = y + 10
        self.operations.append(f"{x0:.2f} {top - 5:.2f} m {x0 + 60:.2f} {top - 5:.2f} l S")
        for i, lines, text in drawn:
            self._line(str(i + 1), x0, y - 0.6 * text.size, BODY, 0.6 * text.size)
            for line, shift, _ in lines:
                y -= 1.15 * text.size
                self._line(line, x0 + 6 + shift, y + 0.25 * text.size, text.font, text.size)
        return top

    def _settle(self) -> None:
        """Let follow what interrupted the paragraph that has ended."""
        self.order += self.waiting
        self.waiting = []

    def _full(
        self, text: Stretch, x0: float, x1: float, y: float, into: list[str] | None = None
    ) -> float:
        for line, shift, _ in self._lines(text, x1 - x0):
            y -= 1.2 * text.size
            at = x1 - shift - width_of(line, text.font, text.size) if self.rtl else x0 + shift
            self._line(line, at, y + 0.25 * text.size, text.font, text.size)
        (self.order if into is None else into).extend(text.markers)
        return y

    def _lines(self, text: Stretch, width: float) -> Iterator[tuple[str, float, float]]:
        """Yield (line, shift from the left, extra word space)."""
        size, space = text.size, width_of(" ", text.font, text.size)
        words = " ".join(text.sentences).split()
        if text.drop_cap:
            words[0] = words[0][1:]
        cap = width_of("M", BODY, 2.6 * size) + 2 if text.drop_cap else 0.0
        line: list[str] = []
        used, count = 0.0, 0
        while words:
            shift = text.hang or (text.indent if count == 0 else 0) + (cap if count < 2 else 0)
            word = words[0]
            more = width_of(word, text.font, size)
            if line and used + space + more > width - shift:
                if len(word) >= 9 and word.isalpha() and self.rng.random() < 0.4 and not self.rtl:
                    half = word[: len(word) // 2]
                    cut = width_of(half + "-", text.font, size)
                    if used + space + cut <= width - shift:
                        line.append(half + "-")
                        words[0] = word[len(half) :]
                        used += space + cut
                free = width - shift - used
                justify = self.spec.justified and text.font == BODY and len(line) > 1
                yield " ".join(line), shift, free / (len(line) - 1) if justify else 0.0
                line, used, count = [], 0.0, count + 1
                continue
            used += more + (space if line else 0)
            line.append(words.pop(0))
        yield (
            " ".join(line),
            text.hang or (cap if count < 2 else 0) + (0 if count else text.indent),
            0.0,
        )

    def _line(
        self, text: str, x: float, y: float, font: str, size: float, spacing: float = 0.0
    ) -> None:
        self.operations.append(
            line_operation(text[::-1] if self.rtl else text, x, y, font, size, spacing)
        )

    def _sentences(self, n: int, length: int) -> tuple[list[str], list[str]]:
        sentences, markers = [], []
        for _ in range(n):
            marker = self._marker()
            words = self.rng.choices(WORDS, k=max(2, round(length * self.rng.uniform(0.6, 1.6))))
            if len(words) > 8:
                words[len(words) // 2] += ","
            shown = marker if self.rtl else marker.capitalize()
            sentences.append(" ".join([shown, *words]) + ".")
            markers.append(marker)
            self.made.sentences[marker] = sentences[-1]
        return sentences, markers

    def _marker(self) -> str:
        while True:
            marker = "q" + "".join(self.rng.choices(_SYLLABLES, k=3))
            if marker not in self.used:
                self.used.add(marker)
                return marker

    def _word(self) -> str:
        return self.rng.choice(WORDS[40:])
