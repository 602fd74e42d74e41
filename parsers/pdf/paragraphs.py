"""Lines to paragraphs, and paragraphs that run on over columns and pages. Standard library only."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from parsers.normalise import canonical
from parsers.pdf.hyphens import HyphenJudge
from parsers.pdf.layout import Line, Zone, ZoneKind, is_rtl

_PITCH = 1.35
"""Distance of two lines over the usual one above which a paragraph ends (a guess)."""
_SIZE = 0.12
"""Relative change of the font size at which a paragraph ends (a guess)."""
_INDENT = 0.8
"""First-line indent in em (a guess: typesetters use 1 em or more)."""
_EMPTY_END = 0.35
"""Share of the column left free by a line that ends on purpose (a guess)."""
_SAME_PRINT = 0.04
"""Relative change of the font size above which a capital begins something else (a guess)."""
_SMALL_PRINT = 0.93
"""Font size over the body's below which a paragraph is a note or a caption (a guess)."""
_BULLET = re.compile(r"^[•▪◦‣●○■□➢➤✓\uf0b7\uf0a7\ufffd–—*·-]{1,2}\s*(?=\S)")
_NUMBERED = re.compile(
    r"^(\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivxIVX]{1,5}[.)]|\d{1,2}(\.\d{1,3})+\.?|§\s*\d+"
    r"|\[\d{1,3}\])\s+(?=\S)"
)
_END = re.compile(r"[.!?:;。！？؟…]['\"”’»)\]*\d]{0,4}$")
_LEADER = re.compile(r"(\.\s?){4,}.{0,12}$|…{2,}.{0,12}$")
_CAPTION = re.compile(
    r"^(figure|fig\.|table|tab\.|figura|tabela|quadro|gráfico|abbildung|abb\.|tabelle|tableau"
    r"|chart|plate|图|表|図)\s*[A-Z]?[\d.\-]*\d(?![\d.\-]*\d|(?-i:\s+[a-zà-ÿ]))",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together; pages after the first are in ``breaks``.

    Attributes:
        lines: From first to last.
        text: Joined.
        zone: Where the first line stands.
        breaks: (offset in ``text``, page) where it runs on to another page.
        hyphens: Page to line-end hyphens taken out.
        marker: It begins with a bullet or a number.
        x1: Right edge of the column of its last line, points.
        width: Width of that column, points.
    """

    lines: list[Line]
    text: str
    zone: ZoneKind
    x1: float
    width: float
    breaks: list[tuple[int, int]] = field(default_factory=list)
    hyphens: Counter[int] = field(default_factory=Counter)
    marker: bool = False

    @property
    def table(self) -> int | None:
        """Index of the table that stands here, None for text."""
        return self.lines[0].table

    @property
    def page(self) -> int:
        """Page on which it starts."""
        return self.lines[0].page

    @property
    def size(self) -> float:
        """Font size of most of its letters, points."""
        weights: Counter[float] = Counter()
        for line in self.lines:
            weights[round(line.size, 1)] += len(line.text)
        return weights.most_common(1)[0][0]

    @property
    def bold(self) -> bool:
        """Every line is bold."""
        return all(line.bold for line in self.lines)

    @property
    def mono(self) -> bool:
        """Every line is of a fixed-width font: its line breaks mean something."""
        return all(line.mono for line in self.lines)

    @property
    def is_caption(self) -> bool:
        """It begins as the caption of a figure or a table does."""
        return bool(_CAPTION.match(self.text))


def paragraphs_of(
    zones: Sequence[Zone], judge: HyphenJudge, body_size: float = 0.0
) -> list[Paragraph]:
    """Return the paragraphs of a page in reading order, joined over its columns.

    Args:
        zones: In reading order.
        judge: Of hyphens at line ends.
        body_size: Font size of most of the document's text, points; smaller print at the foot or
            the head of a column does not end the sentence that it interrupts.
    """
    found: list[Paragraph] = []
    for zone in zones:
        fresh = _zone_paragraphs(zone, judge)
        tail = _open_end(found, body_size)
        if zone.kind is ZoneKind.BODY and tail is not None:
            head = _continuation(tail, fresh, body_size, is_last=tail is found[-1])
            if head is not None:
                join(tail, head, judge)
                fresh.remove(head)
        found += fresh
    return found


def is_open(before: Paragraph, after: Paragraph) -> bool:
    """Tell whether a sentence is surely unfinished, whatever stands between its parts."""
    return after.text[:1].islower() or before.text.endswith((",", "-", "\u00ad"))


def _open_end(found: Sequence[Paragraph], body_size: float) -> Paragraph | None:
    """Return the last paragraph of the body; notes, captions and figures may follow it."""
    for one in reversed(found):
        if one.zone is ZoneKind.BODY and not _interrupts(one, body_size):
            return one
    return None


def _continuation(
    tail: Paragraph, fresh: Sequence[Paragraph], body_size: float, *, is_last: bool
) -> Paragraph | None:
    """Return the paragraph of a column that goes on with ``tail``.

    Captions, small print, listings and what else is not set as ``tail`` is may precede it.
    """
    for i, one in enumerate(fresh):
        if runs_on(tail, one):
            last, first = tail.lines[-1], one.lines[0]
            full = _reaches_edge(last, tail.x1, tail.width) or (
                tail.x1 - last.box.x1 < _first_word_width(first) + 0.5 * last.size
            )
            if (is_last and i == 0) or (full and is_open(tail, one)):
                return one
        if not _interrupts(one, body_size) and same_size(one.lines[0], tail.lines[-1]):
            return None  # the column's own text begins
    return None


def _interrupts(paragraph: Paragraph, body_size: float) -> bool:
    """Tell whether a paragraph stands apart from the running text: a figure, a label, a note."""
    if paragraph.table is not None or paragraph.is_caption or paragraph.mono:
        return True
    size = paragraph.size
    return size < _SMALL_PRINT * body_size or size * _SMALL_PRINT > body_size > 0


def runs_on(before: Paragraph, after: Paragraph) -> bool:
    """Tell whether ``after``, at the head of a column or page, goes on with ``before``."""
    if before.table is not None or after.table is not None:
        return False
    if before.text.isdigit() or after.text.isdigit():  # the number of a page
        return False
    last, first = before.lines[-1], after.lines[0]
    if not same_size(last, first) or last.bold != first.bold:
        return False
    if (
        before.mono
        or after.mono
        or after.is_caption
        or (before.is_caption and len(before.lines) == 1)
    ):
        return False
    if (_BULLET.match(first.text) and not first.text[:1].isalnum()) or _NUMBERED.match(first.text):
        return False
    hyphened = bool(re.search(r"\w[-\u2010\u00ad]$", last.text))
    if _END.search(last.text):
        return False
    begins_low = first.text[:1].islower()
    if hyphened or begins_low:
        return True
    # a capital, a digit or a script without case goes on only after a full line of running text
    if len(before.breaks) > 1:
        return False  # over three pages without an end: no sentence, but a list or a listing
    if abs(last.size - first.size) > _SAME_PRINT * last.size:
        return False
    full = _reaches_edge(last, before.x1, before.width)
    return full and (len(before.lines) > 1 or len(after.lines) > 1) and not last.bold


def join(before: Paragraph, after: Paragraph, judge: HyphenJudge) -> None:
    """Append ``after`` to ``before``, noting the page on which it goes on."""
    text, glue, dropped = judge.joint(before.text, after.text)
    before.text = text + glue
    if dropped:
        before.hyphens[before.lines[-1].page] += dropped
    offset = len(before.text)
    if after.page != before.lines[-1].page:
        before.breaks.append((offset, after.page))
    before.breaks += [(offset + at, page) for at, page in after.breaks]
    before.text += after.text
    before.hyphens.update(after.hyphens)
    before.lines += after.lines
    before.x1, before.width = after.x1, after.width


def _zone_paragraphs(zone: Zone, judge: HyphenJudge) -> list[Paragraph]:
    pitch = _usual_pitch(zone.lines)
    groups: list[list[Line]] = []
    for line in zone.lines:
        if groups and not _ends_before(groups[-1], line, zone, pitch):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [_joined(group, zone, judge) for group in groups]


def _joined(lines: list[Line], zone: Zone, judge: HyphenJudge) -> Paragraph:
    width = zone.x1 - zone.x0
    paragraph = Paragraph(list(lines), canonical(lines[0].text), zone.kind, zone.x1, width)
    paragraph.marker = _marker(lines[0].text)
    mono = paragraph.mono
    for before, line in itertools.pairwise(lines):
        following = canonical(line.text)
        if mono:
            paragraph.text += "\n" + following
            continue
        text, glue, dropped = judge.joint(paragraph.text, following)
        if glue == " " and (_ends_on_purpose(before, line, zone) or _ends_in_leader(before.text)):
            glue = "\n"
        paragraph.text = text + glue + following
        if dropped:
            paragraph.hyphens[line.page] += dropped
    return paragraph


def _ends_in_leader(text: str) -> bool:
    dotted = text.count(".") >= 4 or "…" in text  # quicker than to look for leaders from every dot
    return dotted and _LEADER.search(text) is not None


def _marker(text: str) -> bool:
    return bool(_BULLET.match(text) or _NUMBERED.match(text))


def _usual_pitch(lines: Sequence[Line]) -> float:
    """Return the usual distance from line to line as a multiple of the font size."""
    ratios = [
        (b.box.bottom - a.box.bottom) / a.size
        for a, b in itertools.pairwise(lines)
        if a.size > 0 and a.table is None and b.table is None and same_size(a, b)
    ]
    # looser than 2 em is double spacing already; a zone of two lines says nothing
    usable = [r for r in ratios if 0.7 < r < 2.2]
    return min(median(usable), 2.0) if len(usable) >= 3 else 1.3


def same_size(a: Line, b: Line) -> bool:
    """Tell whether two lines are set in one size, or nearly."""
    return abs(a.size - b.size) <= _SIZE * max(a.size, b.size)


def _ends_before(group: Sequence[Line], line: Line, zone: Zone, pitch: float) -> bool:
    """Tell whether a paragraph ends between the group's last line and ``line``."""
    last = group[-1]
    if last.table is not None or line.table is not None or not same_size(last, line):
        return True
    if last.mono and line.mono:  # an empty line inside a listing does not end it
        return line.box.bottom - last.box.bottom > 2 * _PITCH * pitch * last.size
    step = line.box.bottom - last.box.bottom
    if step > _PITCH * pitch * last.size or step < -last.size:
        return True
    ended = bool(_END.search(last.text))
    if _BULLET.match(line.text) and (ended or _marker(group[0].text) or not line.bold):
        return not (line.text[0] in "-–—*·" and not _marker(group[0].text) and not ended)
    free = _is_free(last, line, zone)
    if _NUMBERED.match(line.text) and (ended or free or _marker(group[0].text)):
        return True
    if last.bold != line.bold and (free or ended) and not last.text.endswith("-"):
        return True
    if _indented(group, line, zone):
        return True
    return free and ended


def _indented(group: Sequence[Line], line: Line, zone: Zone) -> bool:
    """Tell whether ``line`` starts further in than the lines of its column do."""
    if _marker(group[0].text) or is_rtl(line.text):
        return False
    em = line.size
    shift = line.box.x0 - group[-1].box.x0
    centred = abs((line.box.x0 + line.box.x1) - (group[-1].box.x0 + group[-1].box.x1)) < 0.5 * em
    if len(group) == 1 and group[0].box.x0 - zone.x0 > _INDENT * em:
        return False
    return _INDENT * em < shift < 6 * em and not centred and _END.search(group[-1].text) is not None


def _first_word_width(line: Line) -> float:
    word = line.text.split(" ", 1)[0]
    return (line.box.x1 - line.box.x0) * len(word) / max(1, len(line.text))


def _is_free(line: Line, following: Line, zone: Zone) -> bool:
    """Tell whether the first word of the following line would have had room on this one."""
    room = line.box.x0 - zone.x0 if is_rtl(line.text) else zone.x1 - line.box.x1
    return room > _first_word_width(following) + 0.5 * line.size


def _ends_on_purpose(line: Line, following: Line, zone: Zone) -> bool:
    """Tell whether a line inside a paragraph was broken by its author (an address, a verse)."""
    width = max(1.0, zone.x1 - zone.x0)
    room = line.box.x0 - zone.x0 if is_rtl(line.text) else zone.x1 - line.box.x1
    return (
        room > _EMPTY_END * width
        and _is_free(line, following, zone)
        and not following.text[:1].islower()
    )


def _reaches_edge(line: Line, x1: float, width: float) -> bool:
    return x1 - line.box.x1 < 0.1 * width
