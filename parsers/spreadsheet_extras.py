"""What hangs on a sheet beside its cells: drawings, charts, comments, page headers and footers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from lxml import etree
from pptx.oxml import parse_xml

from parsers.base import DamagedFileError, ParserError
from parsers.model import BlockKind, Failure
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
from parsers.slides.content import TextItem
from parsers.slides.diagrams import read_diagram
from parsers.slides.pictures import PictureReader
from parsers.slides.text import count_escapes, plain_text

_LAYOUT_CODE = re.compile(r'&(?:"[^"]*"|K[0-9A-Fa-f]{6}|K\d\d[+-]\d{3}|\d+|[A-Za-z&])')
"""Of a page header: font, size, colour, section, and fields such as the page's number."""
_SECTION = re.compile(r"&[LCR]")
_PAGE_WORDS = re.compile(r"(?i)\W*(?:page|pages|p[áa]gina|seite|of|de|von|sur|/|-|\d|\s)*\W*")
_SHAPES = ("xdr:sp", "xdr:cxnSp", "xdr:pic", "xdr:graphicFrame")


@dataclass(slots=True)
class Workbook:
    """What the sheets of one workbook share.

    Attributes:
        uri: Its address, for failures.
        names: Of its sheets: a chart of their cells repeats them.
        pictures: Recognises each picture once.
        persons: Names of the authors of threaded comments by id.
        furniture: Page headers and footers written out already.
    """

    uri: str
    names: frozenset[str]
    pictures: PictureReader
    persons: dict[str, str]
    furniture: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Extras:
    """What was read beside the cells, with its account.

    Attributes:
        items: Blocks in order.
        source: Characters by the independent counter.
        dropped: Reason to characters left out.
        generated: Reason to characters that no text node holds.
        failures: Parts that could not be read.
    """

    items: list[TextItem] = field(default_factory=list)
    source: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    generated: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)


class ExtrasReader:
    """Reads what hangs on one sheet.

    Args:
        book: The sheet's workbook.
        part: The sheet's part.
        page: 1-based number of the sheet.
    """

    def __init__(self, book: Workbook, part: Any, page: int) -> None:
        self._book = book
        self._part = part
        self._page = page
        self._numbers: Counter[str] = Counter()
        self._content = Extras()

    def read(self) -> Extras:
        """Return all of it; what cannot be read becomes a failure."""
        self._attempt(self._page_furniture)
        for part in parts_of_kind(self._part, "drawing"):
            self._attempt(partial(self._drawing, part))
        threads: dict[str, list[str]] = {}
        for part in parts_of_kind(self._part, "threadedComment"):
            self._attempt(partial(self._threads, part, threads))
        for part in parts_of_kind(self._part, "comments"):
            self._attempt(partial(self._comments, part, set(threads)))
        for address, lines in threads.items():
            self._comment(address, "\n".join(lines))
        return self._content

    def _attempt(self, step: Callable[[], None], lost: int = 0) -> None:
        """Run a step; undo what it wrote and record a failure when it cannot be done.

        Args:
            step: Reads one part or one shape.
            lost: Characters counted as source already that are lost when the step fails.
        """
        content = self._content
        size, source = len(content.items), content.source
        dropped, generated = content.dropped.copy(), content.generated.copy()
        try:
            step()
        except Exception as error:  # one broken drawing must not stop the workbook
            del content.items[size:]
            content.dropped, content.generated = dropped, generated
            self._drop("unreadable", lost + content.source - source)
            if not isinstance(error, ParserError):
                error = DamagedFileError(f"a part of a sheet cannot be read: {error!r}")
            error.page = self._page
            content.failures.append(error.as_failure(self._book.uri))

    # ---- drawings --------------------------------------------------------------------------

    def _drawing(self, part: Any) -> None:
        root = part_root(part, parse_xml)
        before = _count_drawing(root)
        self._content.source += before
        resolve_alternates(root)
        self._drop("alternate rendering", before - _count_drawing(root))
        for anchor in sorted(root, key=_place):
            for shape in anchor.iter(*map(q, _SHAPES)):
                self._attempt(partial(self._shape, part, shape), _count_drawing(shape))

    def _shape(self, part: Any, shape: etree._Element) -> None:
        properties = next(shape.iter(q("xdr:cNvPr")), etree.Element("none"))
        if properties.get("hidden") in ("1", "true"):
            self._drop("hidden shape", _count_drawing(shape))
            return
        self._drop("control character", count_escapes(shape))
        text = "\n".join(plain_text(body) for body in shape.iter(q("xdr:txBody")))
        self._add(BlockKind.PARAGRAPH, text, "shape")
        for chart in shape.iter(q("c:chart"), q("cx:chart")):
            self._chart(related(part, chart.get(q("r:id"))))
        for diagram in shape.iter(q("dgm:relIds")):
            self._diagram(related(part, diagram.get(q("r:dm"))))
        for blip in shape.iter(q("a:blip")):
            if blip.get(q("r:embed")):
                self._picture(part_bytes(related(part, blip.get(q("r:embed")))))
        said = worth_saying(
            properties.get("descr", "") or properties.get("title", ""), properties.get("name", "")
        )
        if said and one_line(said) not in one_line(text):
            self._add(BlockKind.ALT_TEXT, said, "alt_text")
            self._content.generated["alternative text"] += count_characters(said)

    def _chart(self, part: Any) -> None:
        root = part_root(part, parse_xml)
        chart = read_chart(root, of_cells=self._is_of_cells(root))
        self._content.source += count_chart(root)
        locator = self._locate("chart")
        self._append(BlockKind.CAPTION, "\n".join(chart.captions), f"{locator}/caption")
        for number, text in enumerate(chart.series, 1):
            self._append(BlockKind.PARAGRAPH, text, f"{locator}/series_{number}")
        self._content.generated["chart sentence"] += chart.generated
        self._content.dropped.update(chart.dropped)

    def _is_of_cells(self, root: etree._Element) -> bool:
        """Tell whether a chart shows cells of this workbook, which its tables have already."""
        formulas = [f.text or "" for f in root.iter(q("c:f"), q("cx:f"))]
        sheets = {f.strip("()").rpartition("!")[0].strip("'").replace("''", "'") for f in formulas}
        return bool(formulas) and sheets <= self._book.names

    def _diagram(self, part: Any) -> None:
        root = part_root(part, parse_xml)
        self._content.source += _count_drawing(root)
        locator = self._locate("diagram")
        for number, (depth, text) in enumerate(read_diagram(root), 1):
            self._content.items.append(
                TextItem(BlockKind.LIST_ITEM, text, f"{locator}/node_{number}", level=depth + 1)
            )

    def _picture(self, data: bytes) -> None:
        found = self._book.pictures.read(data, None)
        if found.text and not found.repeated:
            self._add(BlockKind.PARAGRAPH, found.text, "picture")
            self._content.generated["OCR"] += count_characters(found.text)

    # ---- comments --------------------------------------------------------------------------

    def _comments(self, part: Any, threaded: set[str]) -> None:
        root = part_root(part, parse_xml)
        for comment in root.iter("{*}comment"):
            body = comment.find("{*}text")
            nodes = () if body is None else body.iter("{*}t")
            text = "".join(node.text or "" for node in nodes)
            size = count_characters(text)
            self._content.source += size
            address = str(comment.get("ref", ""))
            if address in threaded:
                self._drop("copy of a threaded comment", size)
            else:
                self._comment(address, text)

    def _threads(self, part: Any, threads: dict[str, list[str]]) -> None:
        root = part_root(part, parse_xml)
        for comment in root.iter("{*}threadedComment"):
            text = str(comment.findtext("{*}text") or "").strip()
            self._content.source += count_characters(text)
            if text:
                name = self._book.persons.get(str(comment.get("personId", "")), "")
                self._content.generated["comment author"] += count_characters(name and f"{name}:")
                line = f"{name}: {text}" if name else text
                threads.setdefault(str(comment.get("ref", "")), []).append(line)

    def _comment(self, address: str, text: str) -> None:
        lines = "\n".join(filter(None, map(one_line, text.split("\n"))))
        if lines:
            self._content.generated["cell_address"] += count_characters(f"{address}:")
            self._append(BlockKind.ANNOTATION, f"{address}: {lines}", address.lower())

    # ---- page headers and footers ----------------------------------------------------------

    def _page_furniture(self) -> None:
        """Keep each distinct page header and footer of the workbook once."""
        root = part_root(self._part, parse_xml)
        for holder in root.iterfind("{*}headerFooter"):
            for element in holder:
                raw = element.text or ""
                size = count_characters(raw)
                self._content.source += size
                pieces = [one_line(_LAYOUT_CODE.sub(_shown, p)) for p in _SECTION.split(raw)]
                text = "\n".join(filter(None, pieces))
                if _PAGE_WORDS.fullmatch(text) or text in self._book.furniture:
                    self._drop("page number" if text == "" else "page header or footer", size)
                    continue
                self._book.furniture.add(text)
                self._drop("layout code", size - count_characters(text))
                self._add(BlockKind.PARAGRAPH, text, "page_header")

    # ---- bookkeeping -----------------------------------------------------------------------

    def _add(self, kind: BlockKind, text: str, what: str) -> None:
        if text.strip():
            self._append(kind, text, self._locate(what))

    def _append(self, kind: BlockKind, text: str, locator: str) -> None:
        if text.strip():
            self._content.items.append(TextItem(kind, text, locator))

    def _locate(self, what: str) -> str:
        self._numbers[what] += 1
        return f"{what}_{self._numbers[what]}"

    def _drop(self, reason: str, count: int) -> None:
        if count:
            self._content.dropped[reason] += count


def read_persons(main: Any) -> dict[str, str]:
    """Return the names of the authors of threaded comments by id."""
    return {
        str(person.get("id", "")): str(person.get("displayName", "")).strip()
        for part in parts_of_kind(main, "person")
        for person in _people(part)
    }


def _people(part: Any) -> Iterator[etree._Element]:
    try:
        yield from part_root(part, parse_xml).iter("{*}person")
    except DamagedFileError:
        return  # a comment without its author's name is still a comment


def _shown(code: re.Match[str]) -> str:
    return "&" if code.group() == "&&" else " "


def _place(anchor: etree._Element) -> tuple[int, int]:
    """Return row and column of the cell at which a drawing is anchored."""
    start = anchor.find(q("xdr:from"))
    if start is None:
        return (1 << 30, 0)
    row, col = (start.findtext(q(name)) or "0" for name in ("xdr:row", "xdr:col"))
    return int(row), int(col)


def _count_drawing(root: etree._Element) -> int:
    """Return the ledger's own count of the characters in a drawing or diagram part."""
    return count_text_nodes(root, ("a:t", "m:t"), ("a:p", "a:br"))
