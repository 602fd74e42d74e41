"""A page on its way into the document: its items with their roles, and links between pages.

Pure: what :mod:`parsers.pdf.text_layer` read goes in, items in reading order come out. The text of
a document is tiled by its pages, so an item that runs on to the next page is put last on its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from parsers.model import BlockKind, BoundingBox
from parsers.pdf.forms import PageNote
from parsers.pdf.headings import HeadingJudge
from parsers.pdf.hyphens import HyphenJudge
from parsers.pdf.layout import Run, Zone, ZoneKind
from parsers.pdf.paragraphs import Paragraph, join, paragraphs_of, runs_on
from parsers.pdf.reading_order import read_order

_NOTE_SIZE = 0.93
"""Font size over the body's below which the foot of a column is a footnote (a guess)."""
_NOTE_MARK = re.compile(r"^([\d*†‡§¹²³⁴⁵⁶⁷⁸⁹]{1,3}\s*)\w")


@dataclass(slots=True)
class Item:
    """A paragraph, or the place of a table, with what it is."""

    kind: BlockKind
    paragraph: Paragraph
    level: int | None = None

    @property
    def table(self) -> int | None:
        """Index of the table that stands here, None for text."""
        return self.paragraph.table


@dataclass(slots=True)
class PageItems:
    """What a page gives to the document, in order.

    Attributes:
        number: 1-based.
        items: Paragraphs and tables.
        notes: Form fields and comments, after the items.
        absorbed: Later pages whose whole text is the end of this page's last item.
        closed: Its text does not run on to the next page, nor from the one before (recognised
            text).
        ends_in_table: Its last item is a table that goes on.
    """

    number: int
    items: list[Item]
    notes: Sequence[PageNote] = ()
    absorbed: list[PageItems] = field(default_factory=list)
    closed: bool = False
    ends_in_table: bool = False


def items_of(
    runs: Sequence[Run],
    aside: Sequence[Sequence[Run]],
    number: int,
    height: float,
    judges: tuple[HyphenJudge, HeadingJudge],
    boxes: Sequence[BoundingBox] = (),
) -> list[Item]:
    """Return a page's items in reading order: body, sidebars, what is written sideways.

    Args:
        runs: Of the main direction, obstacles included.
        aside: Of each other direction.
        number: 1-based page.
        height: Of the page as it is read, points.
        judges: Of hyphens and of headings.
        boxes: Shapes drawn on the page that may frame a sidebar.
    """
    hyphens, headings = judges
    zones = read_order(runs, number, height, boxes)
    paragraphs = paragraphs_of(zones, hyphens, headings.body_size)
    for group in aside:
        turned = [
            Zone(ZoneKind.SIDEBAR, z.lines, z.x0, z.x1) for z in read_order(group, number, height)
        ]
        paragraphs += paragraphs_of(turned, hyphens, headings.body_size)
    notes = _footnotes(paragraphs, headings.body_size)
    return [_item(p, headings, i in notes) for i, p in enumerate(paragraphs)]


def _item(paragraph: Paragraph, headings: HeadingJudge, is_note: bool) -> Item:
    if is_note:
        return Item(BlockKind.FOOTNOTE, paragraph)
    if paragraph.table is None and paragraph.mono and len(paragraph.lines) > 1:
        return Item(BlockKind.CODE, paragraph)
    level = headings.level_of(paragraph)
    if level is not None:
        return Item(BlockKind.HEADING, paragraph, level)
    if paragraph.table is None and paragraph.is_caption:
        return Item(BlockKind.CAPTION, paragraph)
    if paragraph.marker and len(paragraph.text) > 2:
        return Item(BlockKind.LIST_ITEM, paragraph, 1)
    return Item(BlockKind.PARAGRAPH, paragraph)


def _footnotes(paragraphs: Sequence[Paragraph], body_size: float) -> set[int]:
    """Return the positions of the small paragraphs at the foot of a column that bear a mark."""
    found: set[int] = set()
    at_foot = True
    for i in range(len(paragraphs) - 1, -1, -1):
        one = paragraphs[i]
        if one.zone is ZoneKind.MARGIN:
            continue
        if i + 1 < len(paragraphs) and one.lines[-1].box.top > paragraphs[i + 1].lines[0].box.top:
            at_foot = True  # the next one starts a column: this one ends the column before it
        small = one.table is None and one.size < _NOTE_SIZE * body_size
        at_foot = at_foot and small
        if at_foot and _NOTE_MARK.match(one.text):
            found.add(i)
    return found


def link(before: PageItems, after: PageItems, judge: HyphenJudge) -> bool:
    """Join the paragraph that runs on from one page to the next.

    Returns:
        True when ``after`` held nothing else and is now absorbed by ``before``.
    """
    last_page = before.absorbed[-1] if before.absorbed else before
    if before.closed or after.closed or last_page.notes or before.ends_in_table:
        return False
    tail, head = _tail(before), _head(after)
    if tail is None or head is None:
        return False
    if before.absorbed and tail is not before.items[-1]:
        return False
    hops = after.items.index(head) > 0 or before.items[-1] is not tail
    open_end = head.paragraph.text[:1].islower() or tail.paragraph.text.endswith((",", "-"))
    if (hops and not open_end) or not runs_on(tail.paragraph, head.paragraph):
        return False
    join(tail.paragraph, head.paragraph, judge)
    before.items.remove(tail)
    before.items.append(tail)
    after.items.remove(head)
    if after.items or after.notes:
        return False
    before.absorbed.append(after)
    return True


def with_tables_last(page: PageItems, continued: Collection[int]) -> None:
    """Put tables that go on over the page last: their rows lead to the next page."""
    later = [item for item in page.items if item.table in continued]
    if later:
        page.items = [item for item in page.items if item.table not in continued] + later
        page.ends_in_table = True


def _tail(page: PageItems) -> Item | None:
    """Return the last running paragraph of a page; notes, captions and tables may follow it."""
    for item in reversed(page.items):
        if item.paragraph.zone is not ZoneKind.BODY or item.kind in (
            BlockKind.FOOTNOTE,
            BlockKind.CAPTION,
        ):
            continue
        if item.table is not None or item.paragraph.text.isdigit():
            continue
        return item if item.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) else None
    return None


def _head(page: PageItems) -> Item | None:
    """Return the first running paragraph of a page; captions and tables may precede it."""
    for i, item in enumerate(page.items):
        if item.kind is BlockKind.CAPTION or item.table is not None:
            continue
        if item.paragraph.zone is not ZoneKind.BODY:
            continue
        # a running head that too few pages show to be sure of
        is_head = i == 0 and len(item.paragraph.lines) == 1 and len(item.paragraph.text) < 80
        if is_head and not item.paragraph.text[:1].islower() and len(page.items) > 1:
            continue
        return item if item.kind is BlockKind.PARAGRAPH else None
    return None


def box_of(item: Item) -> BoundingBox | None:
    """Return where an item stands on its first page."""
    places = [line.place for line in item.paragraph.lines if line.page == item.paragraph.page]
    if not places:
        return None
    return BoundingBox(
        min(p.x0 for p in places),
        min(p.top for p in places),
        max(p.x1 for p in places),
        max(p.bottom for p in places),
    )
