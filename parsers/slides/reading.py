"""Read one slide: its shapes in visual order, its notes, its comments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from lxml import etree
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.oxml import parse_xml
from pptx.parts.presentation import PresentationPart
from pptx.shapes.autoshape import Shape as AutoShape
from pptx.shapes.graphfrm import GraphicFrame
from pptx.shapes.group import GroupShape
from pptx.shapes.picture import Movie, Picture
from pptx.text.text import TextFrame

from parsers.base import DamagedFileError, ParserError
from parsers.model import BlockKind, BoundingBox
from parsers.normalise import count_characters, one_line
from parsers.ooxml import (
    count_text_nodes,
    part_bytes,
    part_root,
    parts_of_kind,
    q,
    related,
    resolve_alternates,
)
from parsers.slides.alt_text import worth_saying
from parsers.slides.charts import count_chart, read_chart
from parsers.slides.comments import count_comments, read_comments
from parsers.slides.content import SlideContent, TableItem, TextItem
from parsers.slides.diagrams import read_diagram
from parsers.slides.masters import inherited_shapes
from parsers.slides.order import visual_order
from parsers.slides.pictures import PictureReader
from parsers.slides.shapes import Shape, read_shapes
from parsers.slides.tables import read_table
from parsers.slides.text import count_escapes, paragraphs, plain_text

_FURNITURE = (PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.HEADER, PP_PLACEHOLDER.DATE)
_NO_NOTES = (*_FURNITURE, PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.SLIDE_IMAGE)
_BULLETED = (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT)
"""Placeholders whose paragraphs have bullets unless they say otherwise."""
_LARGE_SHARE = 0.25
"""Of the slide's area: a repeated picture below it is a logo, and is written out once (a guess)."""


@dataclass(slots=True)
class Deck:
    """What the slides of one deck share.

    Attributes:
        presentation: Its main part.
        uri: Its address, for failures.
        pictures: Recognises each picture once.
        area: Of a slide, in square points.
        authors: Names of the comments' authors by id.
        furniture: Footers already written out: a footer on each slide is kept once.
        inherited: Shapes of layouts and masters already written out, by part and id.
    """

    presentation: PresentationPart
    uri: str
    pictures: PictureReader
    area: float
    authors: dict[str, str]
    furniture: set[str] = field(default_factory=set)
    inherited: set[tuple[str, int]] = field(default_factory=set)


class SlideReading:
    """The reading of one slide.

    Args:
        deck: The slide's deck.
        relation: The presentation's relationship to the slide.
        number: 1-based place in the show.
    """

    def __init__(self, deck: Deck, relation: str, number: int) -> None:
        self._deck = deck
        self._part: Any = None
        self._relation = relation
        self._content = SlideContent(number)
        self._numbers: Counter[str] = Counter()
        self._seen: set[tuple[str, BoundingBox | None]] = set()

    def read(self) -> SlideContent:
        """Return the slide's content; what cannot be read of it becomes a failure."""
        if self._attempt(self._slide) is None:
            self._content.remark("slide cannot be read")
        if self._part is not None:
            for part in parts_of_kind(self._part, "notesSlide"):
                self._attempt(partial(self._notes, part))
            for part in parts_of_kind(self._part, "comments"):
                self._attempt(partial(self._comments, part))
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
        size, source = len(content.items), content.source
        dropped, generated = content.dropped.copy(), content.generated.copy()
        try:
            step()
        except Exception as error:  # one broken shape must not stop the deck, whatever it raises
            del content.items[size:]
            content.dropped, content.generated = dropped, generated
            self._drop("unreadable", lost + content.source - source)
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

    # ---- the slide's own shapes ------------------------------------------------------------

    def _slide(self) -> None:
        self._part = related(self._deck.presentation, self._relation)
        root = self._root(self._part)
        if root.get("show") in ("0", "false"):
            self._content.remark("hidden slide")
        shapes = read_shapes(self._part.slide.shapes)
        title = next((s for s in shapes if s.is_title and not s.hidden and _text(s)), None)
        if title is not None:
            self._attempt(partial(self._title, title), _count_drawing(title.element))
        self._shapes([s for s in shapes if s is not title])
        self._attempt(self._inherited)
        for background in root.iter(q("p:bg")):
            self._attempt(partial(self._pictures, background, None))

    def _inherited(self) -> None:
        """Append what the layout and the master write on the slide, once in a deck."""
        own, words = self._part, self._content.words
        for part, shape in inherited_shapes(own):
            size = _count_drawing(shape.element)
            key = (str(part.partname), shape.element.shape_id)
            if not size or key in self._deck.inherited:
                continue
            self._deck.inherited.add(key)
            self._content.source += size
            self._part = part
            self._attempt(partial(self._shape, shape), size)
            self._part = own
        self._content.words = words

    def _root(self, part: Any) -> Any:
        """Return the root of a drawing, counted as source, each piece of it in one form only."""
        root = part_root(part, parse_xml)
        before = _count_drawing(root)
        resolve_alternates(root)
        self._content.source += before
        self._drop("alternate rendering", before - _count_drawing(root))
        return root

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
        if isinstance(shape.proxy, GroupShape):
            self._shapes(list(shape.children))
        elif isinstance(shape.proxy, GraphicFrame):
            self._graphic(shape, shape.proxy)
        elif isinstance(shape.proxy, (Picture, Movie)):
            self._picture_shape(shape)
        else:
            self._text_shape(shape)
        self._alt_text(shape)

    def _text_shape(self, shape: Shape) -> None:
        element, text = shape.element, _text(shape)
        if shape.placeholder is PP_PLACEHOLDER.SLIDE_NUMBER:
            self._drop("slide number", _count_drawing(element))
            return
        is_date = shape.placeholder is PP_PLACEHOLDER.DATE
        if is_date and next(element.iter(q("a:fld")), None) is not None:
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
        lines = [p for body in _bodies(shape) for p in paragraphs(body)]
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

    def _graphic(self, shape: Shape, frame: GraphicFrame) -> None:
        element = shape.element
        if frame.has_table:
            grid, dropped = read_table(frame.table)
            for reason, count in dropped.items():
                self._drop(reason, count)
            self._content.items.append(TableItem(grid, self._locate("table")))
            self._count_words(" ".join(cell.text for cell in grid.cells))
        for chart in element.iter(q("c:chart"), q("cx:chart")):
            self._chart(related(self._part, chart.get(q("r:id"))), shape.box)
        for diagram in element.iter(q("dgm:relIds")):
            self._diagram(related(self._part, diagram.get(q("r:dm"))), shape.box)
        if not frame.has_table:
            for text in (plain_text(e) for e in element.iter(q("a:graphicData"))):
                if text.strip():  # a drawing inside a frame: its text at least
                    self._add(BlockKind.PARAGRAPH, text, self._locate("shape"), shape.box)
        for picture in element.iter(q("p:pic")):
            self._pictures(picture, shape.box)

    def _chart(self, part: Any, box: BoundingBox | None) -> None:
        root = part_root(part, parse_xml)
        chart = read_chart(root)
        self._content.source += count_chart(root)
        locator = self._locate("chart")
        if chart.captions:
            self._add(BlockKind.CAPTION, "\n".join(chart.captions), f"{locator}/caption", box)
        for number, text in enumerate(chart.series, 1):
            self._add(BlockKind.PARAGRAPH, text, f"{locator}/series_{number}", box)
        self._content.generated["chart sentence"] += chart.generated
        self._content.dropped.update(chart.dropped)

    def _diagram(self, part: Any, box: BoundingBox | None) -> None:
        root = self._root(part)
        nodes = read_diagram(root)
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
            found = self._deck.pictures.read(part_bytes(related(self._part, embedded)), box)
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

    def _notes(self, part: Any) -> None:
        self._root(part)
        texts: list[str] = []
        shapes = visual_order(read_shapes(part.notes_slide.shapes))
        while shapes:
            shape = shapes.pop(0)
            if shape.placeholder in _NO_NOTES:
                self._drop("notes page furniture", _count_drawing(shape.element))
                continue
            shapes[:0] = shape.children
            for body in _bodies(shape):
                self._drop_escapes(shape.element)
                texts += [text] if (text := plain_text(body)) else []
        if texts:
            self._add(BlockKind.NOTES, "\n".join(texts), "notes", None, words=False)

    def _comments(self, part: Any) -> None:
        root = part_root(part, parse_xml)
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

    def _drop(self, reason: str, count: int) -> None:
        if count:
            self._content.dropped[reason] += count

    def _drop_escapes(self, element: etree._Element) -> None:
        self._drop("control character", count_escapes(element))


def _count_drawing(root: etree._Element) -> int:
    """Return the ledger's own count of the characters in a slide, notes or diagram part."""
    return count_text_nodes(root, ("a:t", "m:t"), ("a:p", "a:br"))


def _bodies(shape: Shape) -> list[TextFrame | etree._Element]:
    if isinstance(shape.proxy, AutoShape):
        return [shape.proxy.text_frame]
    return list(shape.element.findall(q("p:txBody")))  # not a shape that python-pptx knows


def _text(shape: Shape) -> str:
    return "\n".join(text for body in _bodies(shape) if (text := plain_text(body)))
