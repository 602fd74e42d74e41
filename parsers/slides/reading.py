"""Read one slide: its shapes in visual order, its notes, its comments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from lxml import etree

from parsers.base import DamagedFileError, ParserError
from parsers.model import BlockKind, BoundingBox
from parsers.normalise import count_characters, one_line
from parsers.ooxml import Package, Relationship, count_text_nodes, q, resolve_alternates
from parsers.slides.alt_text import worth_saying
from parsers.slides.charts import count_chart, read_chart
from parsers.slides.comments import count_comments, read_comments
from parsers.slides.content import SlideContent, TableItem, TextItem
from parsers.slides.diagrams import read_diagram
from parsers.slides.order import visual_order
from parsers.slides.pictures import PictureReader
from parsers.slides.shapes import Shape, placeholder_boxes, read_shapes
from parsers.slides.tables import read_table
from parsers.slides.text import count_escapes, paragraphs, plain_text

_FURNITURE = frozenset({"ftr", "hdr", "dt"})
_BULLETED = frozenset({"body", "obj"})
"""Placeholders whose paragraphs have bullets unless they say otherwise."""
_LARGE_SHARE = 0.25
"""Of the slide's area: a repeated picture below it is a logo, and is written out once (a guess)."""


@dataclass(slots=True)
class Deck:
    """What the slides of one deck share.

    Attributes:
        package: The file.
        uri: Its address, for failures.
        pictures: Recognises each picture once.
        area: Of a slide, in square points.
        authors: Names of the comments' authors by id.
        furniture: Footers already written out: a footer on each slide is kept once.
    """

    package: Package
    uri: str
    pictures: PictureReader
    area: float
    authors: dict[str, str]
    furniture: set[str] = field(default_factory=set)


class SlideReading:
    """The reading of one slide.

    Args:
        deck: The slide's deck.
        part: Name of the slide's part in the package.
        number: 1-based place in the show.
    """

    def __init__(self, deck: Deck, part: str, number: int) -> None:
        self._deck = deck
        self._part = part
        self._content = SlideContent(number)
        self._links: dict[str, Relationship] = {}
        self._numbers: Counter[str] = Counter()
        self._seen: set[tuple[str, BoundingBox | None]] = set()

    def read(self) -> SlideContent:
        """Return the slide's content; what cannot be read of it becomes a failure."""
        self._attempt(self._open)
        if self._attempt(self._slide) is None:
            self._content.remark("slide cannot be read")
        for link in self._links.values():
            if link.kind == "notesSlide":
                self._attempt(partial(self._notes, link.target))
            elif link.kind == "comments":
                self._attempt(partial(self._comments, link.target))
        return self._content

    def _attempt(self, step: Callable[[], None], lost: int = 0) -> bool | None:
        """Run a step; undo what it wrote and record a failure when it cannot be done.

        Args:
            step: Reads one part or one shape.
            lost: Characters counted as source already that are lost when the step fails.

        Returns:
            True, or None after a failure.
        """
        content = self._content
        size, dropped, generated = (
            len(content.items), content.dropped.copy(), content.generated.copy(),
        )  # fmt: skip
        try:
            step()
        except Exception as error:  # one broken shape must not stop the deck, whatever it raises
            del content.items[size:]
            content.dropped, content.generated = dropped, generated
            content.dropped["unreadable"] += lost
            self._fail(error)
            return None
        return True

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, ParserError):
            error = DamagedFileError(f"a shape cannot be read: {error!r}")
        error.page = self._content.number
        failure = error.as_failure(self._deck.uri)
        if failure not in self._content.failures:
            self._content.failures.append(failure)

    def _open(self) -> None:
        self._links = self._deck.package.relationships(self._part)

    # ---- the slide's own shapes ------------------------------------------------------------

    def _slide(self) -> None:
        content, package = self._content, self._deck.package
        root = package.xml(self._part)
        content.source += _count_drawing(root)
        _drop_alternates(root, content)
        if root.get("show") in ("0", "false"):
            content.remark("hidden slide")
        tree = root.find(f"{q('p:cSld')}/{q('p:spTree')}")
        if tree is None:
            raise DamagedFileError(f"part {self._part} has no shapes")
        shapes = read_shapes(tree, placeholder_boxes(package, self._part))
        title = next((s for s in shapes if s.is_title and not s.hidden and _text(s)), None)
        if title is not None:
            self._attempt(partial(self._title, title), _count_drawing(title.element))
        self._shapes([s for s in shapes if s is not title])
        background = root.find(f"{q('p:cSld')}/{q('p:bg')}")
        if background is not None:
            self._attempt(partial(self._pictures, background, None))

    def _title(self, shape: Shape) -> None:
        text = _text(shape)
        self._content.title = one_line(text)
        self._add(BlockKind.SLIDE_TITLE, text, "title", shape.box)
        self._drop_escapes(shape.element)

    def _shapes(self, shapes: list[Shape]) -> None:
        for shape in visual_order(shapes):
            # the members of a group are attempted one by one
            lost = 0 if shape.children else _count_drawing(shape.element)
            self._attempt(partial(self._shape, shape), lost)

    def _shape(self, shape: Shape) -> None:
        if shape.hidden:
            self._drop("hidden shape", _count_drawing(shape.element))
            return
        if shape.kind == "grpSp":
            self._shapes(list(shape.children))
        elif shape.kind == "graphicFrame":
            self._graphic(shape)
        elif shape.kind == "pic":
            self._picture_shape(shape)
        else:
            self._text_shape(shape)
        self._alt_text(shape)

    def _text_shape(self, shape: Shape) -> None:
        element, text = shape.element, _text(shape)
        if shape.placeholder == "sldNum":
            self._drop("slide number", _count_drawing(element))
            return
        if shape.placeholder == "dt" and next(element.iter(q("a:fld")), None) is not None:
            self._drop("date field", _count_drawing(element))
            return
        if shape.placeholder in _FURNITURE and text in self._deck.furniture:
            self._drop("repeated footer", _count_drawing(element))
            return
        if text and (text, shape.box) in self._seen:
            self._drop("duplicate shape", _count_drawing(element))
            return
        self._seen.add((text, shape.box))
        self._drop_escapes(element)
        if shape.placeholder in _FURNITURE:
            self._deck.furniture.add(text)
            self._add(BlockKind.PARAGRAPH, text, "footer", shape.box)
        else:
            self._body(shape)
        for properties in element.findall(q("p:spPr")):
            self._pictures(properties, shape.box)

    def _body(self, shape: Shape) -> None:
        lines = [p for body in _bodies(shape.element) for p in paragraphs(body)]
        if not lines:
            return
        locator = self._locate("shape")
        for line in lines:
            listed = shape.placeholder in _BULLETED if line.bullet is None else line.bullet
            self._content.items.append(
                TextItem(
                    BlockKind.LIST_ITEM if listed else BlockKind.PARAGRAPH,
                    line.text,
                    locator,
                    shape.box,
                    line.level + 1 if listed else None,
                    "\n\n" if line is lines[-1] else "\n",
                )
            )
            self._count_words(line.text)

    def _alt_text(self, shape: Shape) -> None:
        text = worth_saying(shape.alt_text, shape.name)
        if not text or one_line(text) in one_line(_text(shape)):
            return
        self._add(BlockKind.ALT_TEXT, text, self._locate("alt_text"), shape.box)
        self._content.generated["alternative text"] += count_characters(text)

    # ---- frames: tables, charts, diagrams, embedded objects --------------------------------

    def _graphic(self, shape: Shape) -> None:
        element = shape.element
        tables = list(element.iter(q("a:tbl")))
        for table in tables:
            grid, dropped = read_table(table)
            for reason, count in dropped.items():
                self._drop(reason, count)
            self._content.items.append(TableItem(grid, self._locate("table")))
            self._count_words(" ".join(cell.text for cell in grid.cells))
        for chart in element.iter(q("c:chart"), q("cx:chart")):
            self._chart(self._target(chart.get(q("r:id"))), shape.box)
        for diagram in element.iter(q("dgm:relIds")):
            self._diagram(self._target(diagram.get(q("r:dm"))), shape.box)
        if not tables:
            for text in (plain_text(e) for e in element.iter(q("a:graphicData"))):
                if text.strip():  # a drawing inside a frame: its text at least
                    self._add(BlockKind.PARAGRAPH, text, self._locate("shape"), shape.box)
        for picture in element.iter(q("p:pic")):
            self._pictures(picture, shape.box)

    def _chart(self, part: str, box: BoundingBox | None) -> None:
        root = self._deck.package.xml(part)
        chart = read_chart(root)
        self._content.source += count_chart(root)
        locator = self._locate("chart")
        if chart.captions:
            self._add(BlockKind.CAPTION, "\n".join(chart.captions), f"{locator}/caption", box)
        for number, text in enumerate(chart.series, 1):
            self._add(BlockKind.PARAGRAPH, text, f"{locator}/series_{number}", box)
        self._content.generated["chart sentence"] += chart.generated
        self._content.dropped.update(chart.dropped)

    def _diagram(self, part: str, box: BoundingBox | None) -> None:
        root = self._deck.package.xml(part)
        nodes = read_diagram(root)
        self._content.source += _count_drawing(root)
        self._drop_escapes(root)
        locator = self._locate("diagram")
        for number, (depth, text) in enumerate(nodes, 1):
            self._content.items.append(
                TextItem(
                    BlockKind.LIST_ITEM, text, f"{locator}/node_{number}", box, depth + 1,
                    "\n\n" if number == len(nodes) else "\n",
                )
            )  # fmt: skip
            self._count_words(text)

    # ---- pictures --------------------------------------------------------------------------

    def _picture_shape(self, shape: Shape) -> None:
        blips = [b for b in shape.element.iter(q("a:blip")) if b.get(q("r:embed"))]
        linked = any(b.get(q("r:link")) for b in shape.element.iter(q("a:blip")))
        if not blips and not linked:
            raise DamagedFileError("a picture has no image data")
        self._pictures(shape.element, shape.box)

    def _pictures(self, holder: etree._Element, box: BoundingBox | None) -> None:
        """Recognise the pictures that ``holder`` fills itself with."""
        for blip in holder.iter(q("a:blip")):
            embedded = blip.get(q("r:embed"))
            if not embedded:
                continue
            found = self._deck.pictures.read(self._deck.package.read(self._target(embedded)), box)
            if found.remark:
                self._content.remark(found.remark)
            if not found.meaningful:
                continue
            self._content.pictures += 1
            locator = self._locate("picture")
            area = (box.x1 - box.x0) * (box.bottom - box.top) if box is not None else 0.0
            if not found.text or (found.repeated and area < _LARGE_SHARE * self._deck.area):
                continue
            self._content.items.append(TextItem(BlockKind.PARAGRAPH, found.text, locator, box))
            self._content.generated["OCR"] += count_characters(found.text)
            self._content.confidences.append(found.confidence)

    # ---- what hangs on the slide -----------------------------------------------------------

    def _notes(self, part: str) -> None:
        content = self._content
        root = self._deck.package.xml(part)
        content.source += _count_drawing(root)
        _drop_alternates(root, content)
        tree = root.find(f"{q('p:cSld')}/{q('p:spTree')}")
        texts: list[str] = []
        for shape in visual_order(read_shapes(tree, {}) if tree is not None else ()):
            if shape.placeholder in (*_FURNITURE, "sldNum", "sldImg"):
                self._drop("notes page furniture", _count_drawing(shape.element))
                continue
            self._drop_escapes(shape.element)
            texts += [text for e in _bodies(shape.element, deep=True) if (text := plain_text(e))]
        if texts:
            self._add(BlockKind.NOTES, "\n".join(texts), "notes", None, words=False)

    def _comments(self, part: str) -> None:
        root = self._deck.package.xml(part)
        self._content.source += count_comments(root)
        for comment in read_comments(root, self._deck.authors):
            head = f"{comment.author}: " if comment.author else ""
            locator = self._locate("comment")
            self._add(BlockKind.ANNOTATION, head + comment.text, locator, None, words=False)
            self._content.generated["comment author"] += count_characters(head)

    # ---- bookkeeping -----------------------------------------------------------------------

    def _add(
        self, kind: BlockKind, text: str, locator: str, box: BoundingBox | None, words: bool = True
    ) -> None:
        if not text.strip():
            return
        self._content.items.append(TextItem(kind, text, locator, box))
        self._content.native = True
        if words and kind is not BlockKind.ALT_TEXT:
            self._count_words(text)

    def _count_words(self, text: str) -> None:
        self._content.words += len(text.split())
        self._content.native = True

    def _locate(self, what: str) -> str:
        self._numbers[what] += 1
        return f"{what}_{self._numbers[what]}"

    def _target(self, relation: str | None) -> str:
        link = self._links.get(relation or "")
        if link is None or link.external:
            raise DamagedFileError(f"a shape points to {relation!r}, which is not in the file")
        return link.target

    def _drop(self, reason: str, count: int) -> None:
        if count:
            self._content.dropped[reason] += count

    def _drop_escapes(self, element: etree._Element) -> None:
        self._drop("control character", count_escapes(element))


def _count_drawing(root: etree._Element) -> int:
    """Return the ledger's own count of the characters in a slide, notes or diagram part."""
    return count_text_nodes(root, ("a:t", "m:t"), ("a:p", "a:br"))


def _drop_alternates(root: etree._Element, content: SlideContent) -> None:
    before = _count_drawing(root)
    resolve_alternates(root)
    if before > (after := _count_drawing(root)):
        content.dropped["alternate rendering"] += before - after


def _bodies(element: etree._Element, deep: bool = False) -> list[etree._Element]:
    return list(element.iter(q("p:txBody")) if deep else element.findall(q("p:txBody")))


def _text(shape: Shape) -> str:
    return "\n".join(text for body in _bodies(shape.element) if (text := plain_text(body)))
