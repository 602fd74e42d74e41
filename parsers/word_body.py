"""Walk the body of a Word part: paragraphs, tables and what is anchored in them, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from lxml import etree
from pptx.oxml import parse_xml

from parsers.base import DamagedFileError, ParserError, UnsupportedFormatError
from parsers.model import BlockKind, Failure
from parsers.normalise import count_characters
from parsers.ooxml import Package, count_text_nodes, local_name, q
from parsers.slides.alt_text import worth_saying
from parsers.slides.charts import count_chart, read_chart
from parsers.slides.content import TableItem, TextItem
from parsers.slides.diagrams import read_diagram
from parsers.slides.pictures import PictureReader
from parsers.tables.grid import Grid, GridCell
from parsers.word_numbering import Numbering
from parsers.word_runs import Inline, count_word, is_prompt, read_inline
from parsers.word_styles import Styles

_WRAPPERS = frozenset({"ins", "moveTo", "customXml", "smartTag", "sdtContent", "txbxContent"})
_REMOVED = {"del": "deleted text", "moveFrom": "moved text"}
_VML_IMAGE = "{urn:schemas-microsoft-com:vml}imagedata"


@dataclass(slots=True)
class WordFile:
    """What all parts of one Word document share.

    Attributes:
        package: The file.
        uri: Its address, for failures.
        styles: Its paragraph styles.
        numbering: The running numbers of its lists.
        pictures: Recognises each picture once.
        notes: Footnotes and endnotes not written out yet, by (kind, id).
        comments: (author, element) of comments not written out yet, by id.
        counts: How many of each kind of anchored thing there were, for locators.
    """

    package: Package
    uri: str
    styles: Styles
    numbering: Numbering
    pictures: PictureReader
    notes: dict[tuple[str, str], etree._Element]
    comments: dict[str, tuple[str, etree._Element]]
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
        part: Name of the part, against which relationships are resolved.
    """

    def __init__(self, word: WordFile, part: str) -> None:
        self._word = word
        self._links = word.package.relationships(part)
        self.content = WordContent()

    def read(
        self, container: etree._Element, locator: str = "", kind: BlockKind | None = None
    ) -> None:
        """Append what ``container`` holds to the content.

        Args:
            container: A body, a text box, a note, a cell.
            locator: Of its paragraphs, "" for the body's own.
            kind: Given to all its paragraphs in place of their own kinds.
        """
        for child in container:
            name = local_name(child)
            if name == "p":
                self._attempt(partial(self._paragraph, child, locator, kind), count_word(child))
            elif name == "tbl":
                self._attempt(partial(self._table, child, locator, kind), count_word(child))
            elif name == "sdt" and is_prompt(child):
                self.content.dropped["prompt of an empty field"] += count_word(child)
            elif name in _REMOVED:
                self.content.dropped[_REMOVED[name]] += count_word(child)
            elif name in _WRAPPERS or name == "sdt":
                self.read(child, locator, kind)
            elif name == "altChunk":
                self._fail(
                    UnsupportedFormatError(
                        "the document embeds another file as a whole, which is not read",
                        "Open it in Word and save it: that takes the embedded file in.",
                    )
                )

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

    def _paragraph(self, element: etree._Element, locator: str, kind: BlockKind | None) -> None:
        style = self._word.styles.of(element)
        text, inline = self._text(element)
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
        self._anchored(inline)

    def _text(self, element: etree._Element) -> tuple[str, Inline]:
        """Return a paragraph's text behind its number, and the rest of it."""
        inline = read_inline(element)
        self.content.dropped.update(inline.dropped)
        self.content.generated.update(inline.generated)
        numbering = self._word.styles.of(element).numbering
        label = "" if numbering is None else self._word.numbering.label(*numbering)
        if not label or not inline.text:
            return inline.text, inline
        self.content.generated["list number"] += count_characters(label)
        return f"{label} {inline.text}", inline

    def _anchored(self, inline: Inline) -> None:
        """Append what hangs on a paragraph: it comes behind it."""
        for box in inline.boxes:
            self.read(box, self._word.locate("textbox"))
        for drawing in inline.drawings:
            self._attempt(partial(self._drawing, drawing))
        for key in inline.notes:
            note = self._word.notes.pop(key, None)
            if note is not None:
                self.read(note, f"{key[0]}_{key[1]}", BlockKind.FOOTNOTE)
        for number in inline.comments:
            author, comment = self._word.comments.pop(number, ("", None))
            if comment is not None:
                self._comment(author, comment, f"comment_{number}")

    def _comment(self, author: str, comment: etree._Element, locator: str) -> None:
        start = len(self.content.items)
        self.read(comment, locator, BlockKind.ANNOTATION)
        if author and start < len(self.content.items):
            first = self.content.items[start]
            if isinstance(first, TextItem):
                self.content.items[start] = replace(first, text=f"{author}: {first.text}")
                self.content.generated["comment author"] += count_characters(f"{author}:")

    # ---- tables ----------------------------------------------------------------------------

    def _table(self, element: etree._Element, locator: str, kind: BlockKind | None) -> None:
        rows = list(self._rows(element))
        if len(rows) == 1 and len(rows[0][1]) == 1:  # a frame drawn as a table
            self.read(rows[0][1][0], locator, kind)
            return
        after: list[Callable[[], None]] = []
        cells: list[GridCell] = []
        above: dict[int, int] = {}  # column to index of the cell that a vertical merge extends
        header = True
        for number, (row, members) in enumerate(rows):
            header = header and row.find(f"{q('w:trPr')}/{q('w:tblHeader')}") is not None
            column = _count(row.find(f"{q('w:trPr')}/{q('w:gridBefore')}"), 0)
            for member in members:
                width = _count(member.find(f"{q('w:tcPr')}/{q('w:gridSpan')}"), 1)
                merge = member.find(f"{q('w:tcPr')}/{q('w:vMerge')}")
                text = self._cell(member, after)
                if merge is not None and merge.get(q("w:val")) != "restart" and column in above:
                    spanning = cells[above[column]]
                    cells[above[column]] = replace(spanning, row_span=number - spanning.row + 1)
                    self.content.dropped["swallowed by a merge"] += count_characters(text)
                else:
                    above.pop(column, None)
                    if merge is not None:
                        above[column] = len(cells)
                    cells.append(GridCell(number, column, text, col_span=width, is_header=header))
                column += width
        self.content.items.append(TableItem(Grid(tuple(cells)), self._word.locate("table")))
        for step in after:
            step()

    def _rows(
        self, container: etree._Element
    ) -> Iterator[tuple[etree._Element, list[etree._Element]]]:
        for child in container:
            name = local_name(child)
            if name == "tr" and child.find(f"{q('w:trPr')}/{q('w:del')}") is not None:
                self.content.dropped["deleted text"] += count_word(child)
            elif name == "tr":
                yield child, list(self._cells(child))
            elif name in _WRAPPERS or name == "sdt":
                yield from self._rows(child)

    def _cells(self, container: etree._Element) -> Iterator[etree._Element]:
        for child in container:
            name = local_name(child)
            if name == "tc":
                yield child
            elif name in _WRAPPERS or name == "sdt":
                yield from self._cells(child)

    def _cell(self, container: etree._Element, after: list[Callable[[], None]]) -> str:
        """Return a cell's text; a table inside it, and what is anchored, is put off till after."""
        lines = []
        for child in container:
            name = local_name(child)
            if name == "p":
                text, inline = self._text(child)
                lines.append(text)
                after.append(partial(self._anchored, inline))
            elif name == "tbl":
                after.append(partial(self._table, child, "", None))
            elif name == "sdt" and is_prompt(child):
                self.content.dropped["prompt of an empty field"] += count_word(child)
            elif name in _REMOVED:
                self.content.dropped[_REMOVED[name]] += count_word(child)
            elif name in _WRAPPERS or name == "sdt":
                lines.append(self._cell(child, after))
        return "\n".join(line for line in lines if line)

    # ---- drawings --------------------------------------------------------------------------

    def _drawing(self, drawing: etree._Element) -> None:
        for chart in drawing.iter(q("c:chart"), q("cx:chart")):
            self._chart(self._target(chart.get(q("r:id"))))
        for diagram in drawing.iter(q("dgm:relIds")):
            self._diagram(self._target(diagram.get(q("r:dm"))))
        images = [b.get(q("r:embed")) for b in drawing.iter(q("a:blip"))]
        images += [i.get(q("r:id")) for i in drawing.iter(_VML_IMAGE)]
        for relation in filter(None, images):
            self._attempt(partial(self._picture, relation))
        for properties in drawing.iter(q("wp:docPr")):
            text = worth_saying(properties.get("descr", ""), properties.get("name", ""))
            if text:
                self._add(BlockKind.ALT_TEXT, text, self._word.locate("alt_text"))
                self.content.generated["alternative text"] += count_characters(text)

    def _chart(self, part: str) -> None:
        root = parse_xml(self._word.package.read(part))
        chart = read_chart(root)
        self.content.source += count_chart(root)
        locator = self._word.locate("chart")
        if chart.captions:
            self._add(BlockKind.CAPTION, "\n".join(chart.captions), f"{locator}/caption")
        for number, text in enumerate(chart.series, 1):
            self._add(BlockKind.PARAGRAPH, text, f"{locator}/series_{number}")
        self.content.generated["chart sentence"] += chart.generated
        self.content.dropped.update(chart.dropped)

    def _diagram(self, part: str) -> None:
        root = parse_xml(self._word.package.read(part))
        nodes = read_diagram(root)
        self.content.source += count_text_nodes(root, ("a:t",), ("a:p", "a:br"))
        locator = self._word.locate("diagram")
        for number, (depth, text) in enumerate(nodes, 1):
            self.content.items.append(
                TextItem(BlockKind.LIST_ITEM, text, f"{locator}/node_{number}", level=depth + 1)
            )

    def _picture(self, relation: str) -> None:
        link = self._links.get(relation)
        if link is not None and link.external:
            return  # a picture on the web is not part of the document
        found = self._word.pictures.read(self._word.package.read(self._target(relation)), None)
        locator = self._word.locate("picture")
        if found.text and not found.repeated:
            self._add(BlockKind.PARAGRAPH, found.text, locator)
            self.content.generated["OCR"] += count_characters(found.text)

    def _add(self, kind: BlockKind, text: str, locator: str) -> None:
        self.content.items.append(TextItem(kind, text, locator))

    def _target(self, relation: str | None) -> str:
        link = self._links.get(relation or "")
        if link is None or link.external:
            raise DamagedFileError(f"a drawing points to {relation!r}, which is not in the file")
        return link.target


def _count(element: etree._Element | None, default: int) -> int:
    value = "" if element is None else element.get(q("w:val"), "")
    return max(default, int(value)) if value.isdecimal() else default
