"""Walk the body of a Word part: paragraphs, tables and what is anchored in them, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from docx.document import Document as WordDocument
from docx.table import Table
from docx.text.paragraph import Paragraph
from lxml import etree
from pptx.oxml import parse_xml

from parsers.base import DamagedFileError, ParserError, UnsupportedFormatError
from parsers.model import BlockKind, Failure
from parsers.normalise import canonical, count_characters
from parsers.ooxml import count_text_nodes, part_bytes, part_root, q, related
from parsers.slides.alt_text import worth_saying
from parsers.slides.charts import count_chart, read_chart
from parsers.slides.content import TableItem, TextItem
from parsers.slides.diagrams import read_diagram
from parsers.slides.pictures import PictureReader
from parsers.tables.grid import Grid, GridCell
from parsers.word_accept import count_word
from parsers.word_numbering import Numbering
from parsers.word_styles import Styles

_DRAWINGS = frozenset({q("w:drawing"), q("w:pict"), q("w:object")})
_NOTES = {q("w:footnoteReference"): "footnote", q("w:endnoteReference"): "endnote"}
_VML_IMAGE = "{urn:schemas-microsoft-com:vml}imagedata"


@dataclass(slots=True)
class WordFile:
    """What all parts of one Word document share.

    Attributes:
        document: The file, its parts changed by :func:`parsers.word_accept.accept`.
        uri: Its address, for failures.
        styles: Its paragraph styles.
        numbering: The running numbers of its lists.
        pictures: Recognises each picture once.
        notes: Footnotes and endnotes not written out yet, by kind and id: ``footnote_2``.
        comments: (author, element) of comments not written out yet, by id.
        counts: How many of each kind of anchored thing there were, for locators.
    """

    document: WordDocument
    uri: str
    styles: Styles
    numbering: Numbering
    pictures: PictureReader
    notes: dict[str, Any]
    comments: dict[str, tuple[str, Any]]
    counts: Counter[str] = field(default_factory=Counter)

    def locate(self, what: str) -> str:
        """Return the next locator of a kind: ``table_3``."""
        self.counts[what] += 1
        return f"{what}_{self.counts[what]}"


@dataclass(slots=True)
class WordContent:
    """What was read from a part, before it is written into the document.

    Attributes:
        items: Blocks and tables in order.
        source: Characters of the parts it drew in (charts, diagrams), by the independent counter.
        dropped: Reason to characters left out.
        generated: Reason to characters that no text node holds.
        failures: Parts that could not be read.
    """

    items: list[TextItem | TableItem] = field(default_factory=list)
    source: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    generated: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)


class BodyReader:
    """Reads one part.

    Args:
        word: The part's document.
        part: The part, against which relationships are resolved.
    """

    def __init__(self, word: WordFile, part: Any) -> None:
        self._word = word
        self._part = part
        self.content = WordContent()

    def read(self, container: Any, locator: str = "", kind: BlockKind | None = None) -> None:
        """Append what ``container`` holds to the content.

        Args:
            container: Element of a body, a text box, a note, a cell.
            locator: Of its paragraphs, "" for the body's own.
            kind: Given to all its paragraphs in place of their own kinds.
        """
        for block in self._blocks(container):
            step = partial(self._block, block, locator, kind)
            self._attempt(step, count_word(block._element))
        for _ in container.iterchildren(q("w:altChunk")):
            self._fail(
                UnsupportedFormatError(
                    "the document embeds another file as a whole, which is not read",
                    "Open it in Word and save it: that takes the embedded file in.",
                )
            )

    def _blocks(self, container: Any) -> Iterator[Paragraph | Table]:
        """Yield paragraphs and tables as ``iter_inner_content`` does, of notes and boxes too."""
        document: Any = self._word.document
        for child in container.iterchildren(q("w:p"), q("w:tbl")):
            yield (Paragraph if child.tag == q("w:p") else Table)(child, document)

    def _block(self, block: Paragraph | Table, locator: str, kind: BlockKind | None) -> None:
        if isinstance(block, Table):
            self._table(block, locator, kind)
        else:
            self._paragraph(block, locator, kind)

    def _attempt(self, step: Callable[[], None], lost: int = 0) -> None:
        """Run a step; undo what it wrote and record a failure when it cannot be done."""
        content = self.content
        size, dropped, generated = (
            len(content.items), content.dropped.copy(), content.generated.copy(),
        )  # fmt: skip
        try:
            step()
        except Exception as error:  # one broken paragraph must not stop the document
            del content.items[size:]
            content.dropped, content.generated = dropped, generated
            content.dropped["unreadable"] += lost
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, ParserError):
            error = DamagedFileError(f"a part of the document cannot be read: {error!r}")
        failure = error.as_failure(self._word.uri)
        if failure not in self.content.failures:
            self.content.failures.append(failure)

    # ---- paragraphs ------------------------------------------------------------------------

    def _paragraph(self, paragraph: Paragraph, locator: str, kind: BlockKind | None) -> None:
        style = self._word.styles.of(paragraph)
        text = self._text(paragraph)
        level = None
        if kind is None and style.is_title:
            kind = BlockKind.TITLE
        elif kind is None and style.heading is not None:
            kind, level = BlockKind.HEADING, style.heading
        elif kind is None and style.numbering is not None:
            kind, level = BlockKind.LIST_ITEM, style.numbering[1] + 1
        if text:
            self.content.items.append(
                TextItem(kind or BlockKind.PARAGRAPH, text, locator, level=level)
            )
        self._anchored(paragraph)

    def _text(self, paragraph: Paragraph) -> str:
        """Return a paragraph's text behind its number."""
        lines = canonical(paragraph.text).split("\n")
        text = "\n".join(line.rstrip() for line in lines).strip()
        numbering = self._word.styles.of(paragraph).numbering
        label = "" if numbering is None else self._word.numbering.label(*numbering)
        if not label or not text:
            return text
        self.content.generated["list number"] += count_characters(label)
        return f"{label} {text}"

    def _anchored(self, paragraph: Paragraph) -> None:
        """Append what hangs on a paragraph: it comes behind it."""
        anchors = paragraph._p.xpath("w:r/* | w:hyperlink/w:r/*")
        drawings = [a for a in anchors if a.tag in _DRAWINGS]
        for box in (box for drawing in drawings for box in _outermost_boxes(drawing)):
            self.read(box, self._word.locate("textbox"))
        for drawing in drawings:
            self._attempt(partial(self._drawing, drawing))
        for anchor in anchors:
            number = anchor.get(q("w:id"), "")
            if anchor.tag in _NOTES:
                key = f"{_NOTES[anchor.tag]}_{number}"
                if key in self._word.notes:
                    self.read(self._word.notes.pop(key), key, BlockKind.FOOTNOTE)
        for anchor in anchors:
            number = anchor.get(q("w:id"), "")
            if anchor.tag == q("w:commentReference") and number in self._word.comments:
                author, comment = self._word.comments.pop(number)
                self._comment(author, comment, f"comment_{number}")

    def _comment(self, author: str, comment: Any, locator: str) -> None:
        start = len(self.content.items)
        self.read(comment, locator, BlockKind.ANNOTATION)
        if author and start < len(self.content.items):
            first = self.content.items[start]
            if isinstance(first, TextItem):
                self.content.items[start] = replace(first, text=f"{author}: {first.text}")
                self.content.generated["comment author"] += count_characters(f"{author}:")

    # ---- tables ----------------------------------------------------------------------------

    def _table(self, table: Table, locator: str, kind: BlockKind | None) -> None:
        # not row.cells: it repeats merged cells, and raises where a merge goes up to nothing
        rows = [(row, row._tr.tc_lst) for row in table.rows]
        if len(rows) == 1 and len(rows[0][1]) == 1:  # a frame drawn as a table
            self.read(rows[0][1][0], locator, kind)
            return
        after: list[Callable[[], None]] = []
        cells: list[GridCell] = []
        above: dict[int, int] = {}  # column to index of the cell that a vertical merge extends
        header = True
        for number, (row, members) in enumerate(rows):
            header = header and row._tr.find(f"{q('w:trPr')}/{q('w:tblHeader')}") is not None
            column = row.grid_cols_before
            for member in members:
                width = max(1, member.grid_span)
                text = self._cell(member, after)
                if member.vMerge == "continue" and column in above:
                    spanning = cells[above[column]]
                    cells[above[column]] = replace(spanning, row_span=number - spanning.row + 1)
                    self.content.dropped["swallowed by a merge"] += count_characters(text)
                else:
                    above.pop(column, None)
                    if member.vMerge is not None:
                        above[column] = len(cells)
                    cells.append(GridCell(number, column, text, col_span=width, is_header=header))
                column += width
        self.content.items.append(TableItem(Grid(tuple(cells)), self._word.locate("table")))
        for step in after:
            step()

    def _cell(self, cell: Any, after: list[Callable[[], None]]) -> str:
        """Return a cell's text; a table inside it, and what is anchored, is put off till after."""
        lines = []
        for block in self._blocks(cell):
            if isinstance(block, Table):
                after.append(partial(self._table, block, "", None))
            else:
                lines.append(self._text(block))
                after.append(partial(self._anchored, block))
        return "\n".join(line for line in lines if line)

    # ---- drawings --------------------------------------------------------------------------

    def _drawing(self, drawing: etree._Element) -> None:
        for chart in drawing.iter(q("c:chart"), q("cx:chart")):
            self._chart(related(self._part, chart.get(q("r:id"))))
        for diagram in drawing.iter(q("dgm:relIds")):
            self._diagram(related(self._part, diagram.get(q("r:dm"))))
        images = [b.get(q("r:embed")) for b in drawing.iter(q("a:blip"))]
        images += [i.get(q("r:id")) for i in drawing.iter(_VML_IMAGE)]
        for relation in filter(None, images):
            self._attempt(partial(self._picture, relation))
        for properties in drawing.iter(q("wp:docPr")):
            text = worth_saying(properties.get("descr", ""), properties.get("name", ""))
            if text:
                self._add(BlockKind.ALT_TEXT, text, self._word.locate("alt_text"))
                self.content.generated["alternative text"] += count_characters(text)

    def _chart(self, part: Any) -> None:
        root = part_root(part, parse_xml)
        chart = read_chart(root)
        self.content.source += count_chart(root)
        locator = self._word.locate("chart")
        if chart.captions:
            self._add(BlockKind.CAPTION, "\n".join(chart.captions), f"{locator}/caption")
        for number, text in enumerate(chart.series, 1):
            self._add(BlockKind.PARAGRAPH, text, f"{locator}/series_{number}")
        self.content.generated["chart sentence"] += chart.generated
        self.content.dropped.update(chart.dropped)

    def _diagram(self, part: Any) -> None:
        root = part_root(part, parse_xml)
        nodes = read_diagram(root)
        self.content.source += count_text_nodes(root, ("a:t",), ("a:p", "a:br"))
        locator = self._word.locate("diagram")
        for number, (depth, text) in enumerate(nodes, 1):
            self.content.items.append(
                TextItem(BlockKind.LIST_ITEM, text, f"{locator}/node_{number}", level=depth + 1)
            )

    def _picture(self, relation: str) -> None:
        link = self._part.rels.get(relation)
        if link is not None and link.is_external:
            return  # a picture on the web is not part of the document
        found = self._word.pictures.read(part_bytes(related(self._part, relation)), None)
        locator = self._word.locate("picture")
        if found.text and not found.repeated:
            self._add(BlockKind.PARAGRAPH, found.text, locator)
            self.content.generated["OCR"] += count_characters(found.text)

    def _add(self, kind: BlockKind, text: str, locator: str) -> None:
        self.content.items.append(TextItem(kind, text, locator))


def _outermost_boxes(element: etree._Element) -> list[etree._Element]:
    """Return the text boxes below ``element`` that are not inside another one of them."""
    boxes = []
    for child in element:
        boxes += [child] if child.tag == q("w:txbxContent") else _outermost_boxes(child)
    return boxes
