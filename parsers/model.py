"""The nouns: what every parser returns and every later stage reads. Standard library only.

Offsets are 0-based, half-open, in Unicode code points of ``Document.text``. Pages (and slides) are
1-based. Boxes are in PDF points (1/72 inch), origin at the top left of the page as it is read.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum


def sha256_text(text: str) -> str:
    """Return the SHA-256 of ``text`` in UTF-8 as 64 lowercase hex digits."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class BlockKind(StrEnum):
    """What a block is. The value is what ``microtome parse`` prints."""

    TITLE = "title"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    CAPTION = "caption"
    CODE = "code"
    FOOTNOTE = "footnote"
    FORM_FIELD = "form_field"
    ANNOTATION = "annotation"
    SLIDE_TITLE = "slide_title"
    NOTES = "notes"
    ALT_TEXT = "alt_text"
    FRONT_MATTER = "front_matter"
    RECITAL = "recital"
    ARTICLE = "article"
    """The heading of an article: its number and its title."""
    LAW_PARAGRAPH = "law_paragraph"
    POINT = "point"
    SUMMARY = "summary"
    """Of an irregular table, written by a language model: not in the source."""
    DESCRIPTION = "description"
    """Of a picture, written by a language model: not in the source."""


@dataclass(frozen=True, slots=True)
class Source:
    """Identity of an input.

    Attributes:
        uri: Absolute path or URL, as discovery wrote it.
        media_type: IANA media type, found from the content first and the name second.
        size_bytes: Length of the file.
        sha256: Of the file's bytes, 64 hex digits.
    """

    uri: str
    media_type: str
    size_bytes: int
    sha256: str

    @property
    def doc_id(self) -> str:
        """Stable id of the URI (SHA-256, 64 hex digits): an edited file keeps it."""
        return sha256_text(self.uri)


@dataclass(frozen=True, slots=True)
class BoundingBox:
    """A rectangle in points, top-left origin; refuses to be inverted."""

    x0: float
    top: float
    x1: float
    bottom: float

    def __post_init__(self) -> None:
        """Raise ValueError when a side is inverted."""
        if self.x1 < self.x0 or self.bottom < self.top:
            raise ValueError(f"inverted box {self}")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the text in reading order. Blocks tile ``Document.text`` without a gap.

    Attributes:
        kind: See :class:`BlockKind`.
        start: First code point.
        end: After the last code point, the separator that follows included.
        page: 1-based page or slide, None where the format has none.
        bbox: Where on the page, None when not known.
        level: Depth of a heading (1 the highest) or of a list item or sub-point; else None.
        heading_path: Headings above, outermost first.
        locator: Language-independent address, such as ``art_33/par_1/pnt_a``,
            ``slide_4/notes`` or ``page_2/table_1/row_3``; empty when it has none.
        context: Header lines a chunk of this block needs to be understood (an article's number and
            title, a point's lead-in, a slide's title), outermost first. Added when embedding and
            when returning, never inside a span. Empty means: the heading path serves.
    """

    kind: BlockKind
    start: int
    end: int
    page: int | None = None
    bbox: BoundingBox | None = None
    level: int | None = None
    heading_path: tuple[str, ...] = ()
    locator: str = ""
    context: tuple[str, ...] = ()


class TextSource(StrEnum):
    """Where a page's text came from."""

    BORN_DIGITAL = "born_digital"
    OCR = "ocr"
    MIXED = "mixed"
    NONE = "none"


TO_BE_DESCRIBED = "to be described"
"""In a page's ``route_reason``: it speaks by its pictures more than by its words."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page or slide. Pages tile the text of a paged document, in order; some are empty.

    Attributes:
        number: 1-based.
        start: First code point that comes from this page.
        end: After the last one; equals ``start`` on an empty page.
        text_source: See :class:`TextSource`.
        route_reason: Why the page was or was not sent to OCR, a short phrase.
        ocr_confidence: Mean word confidence in [0, 1], None without OCR.
        rotation: Degrees clockwise by which the page was turned to be read: 0, 90, 180 or 270.
    """

    number: int
    start: int
    end: int
    text_source: TextSource = TextSource.BORN_DIGITAL
    route_reason: str = ""
    ocr_confidence: float | None = None
    rotation: int = 0

    @property
    def needs_description(self) -> bool:
        """Whether the parser flagged its pictures for a description."""
        return TO_BE_DESCRIBED in self.route_reason


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row sentence in the text, with the pairs it states.

    Attributes:
        start: First code point of the sentence.
        end: After its last code point (separator excluded).
        page: 1-based page of the row.
        cells: (header, value) pairs, left to right; the header is "" where a column has none.
    """

    start: int
    end: int
    page: int | None
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose rows stand in the text as sentences.

    Attributes:
        pages: 1-based pages it covers, ascending; empty where the format has none.
        caption: Its caption, or "".
        n_rows: Rows of the grid, header rows included.
        n_cols: Columns of the grid.
        header_rows: How many of the rows are headers.
        rows: Body rows in order.
        irregular: True when no header could be trusted and cells were kept line by line.
    """

    pages: tuple[int, ...]
    caption: str
    n_rows: int
    n_cols: int
    header_rows: int
    rows: tuple[TableRow, ...]
    irregular: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that went wrong, as data: what, where, and what to do about it.

    Attributes:
        uri: The input.
        stage: ``discover``, ``parse``, ``enrich``, ``slice``, ``embed``, ``stage`` or ``commit``.
        page: 1-based page, None when the whole document is meant.
        error: Class name of the error.
        message: What happened.
        remedy: What the reader can do.
        transient: True when the same file may work on another day (a missing tool, a timeout):
            the next run tries again.
    """

    uri: str
    stage: str
    page: int | None
    error: str
    message: str
    remedy: str
    transient: bool = False


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """The account of one unit (a page, a slide, a whole file).

    Counts are of non-white-space code points in NFC: every reader re-flows white space, so it is
    not counted. ``source - sum(dropped) + sum(generated) == text`` when the unit balances.

    Attributes:
        unit: ``page_3``, ``slide_4`` or ``file``.
        source: Counted by an independent counter, never by the parser under test.
        dropped: Reason to count (furniture, duplicate glyphs, hidden, navigation, …).
        generated: Reason to count (repeated header, inherited cell, separator, OCR, …).
        text: Characters of the unit in ``Document.text``.
        route: How the unit was read (``born_digital``, ``ocr``, …).
    """

    unit: str
    source: int
    dropped: dict[str, int]
    generated: dict[str, int]
    text: int
    route: str = ""

    @property
    def unaccounted(self) -> int:
        """``text - (source - dropped + generated)``: 0 when nothing was lost or made silently."""
        return self.text - (self.source - sum(self.dropped.values()) + sum(self.generated.values()))


@dataclass(frozen=True, slots=True)
class ParserInfo:
    """Which parser made a document; its version is part of the recipe."""

    name: str
    version: int


@dataclass(frozen=True, slots=True)
class Document:
    r"""A parsed document.

    Attributes:
        source: What was read.
        title: Its title, or "".
        language: BCP 47 code, ``und`` when not known.
        doc_type: ``law``, ``slides``, ``table``, a type named by front matter, or ``unknown``.
        text: Canonical text: NFC, ``\n`` line ends. Everything a chunk may contain, row sentences
            and notes included.
        blocks: Tile ``text`` in reading order.
        tables: In order of appearance.
        pages: Tile ``text`` for paged formats; empty otherwise.
        parser: Name and version of the parser.
        ledger: One row per unit.
        failures: Parts that could not be read; the rest of the document stands.
        date: That the source states for itself, ISO 8601 ("2016-04-27", "2024"), or "".
    """

    source: Source
    title: str
    language: str
    doc_type: str
    text: str
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    pages: tuple[Page, ...]
    parser: ParserInfo
    ledger: tuple[LedgerRow, ...] = ()
    failures: tuple[Failure, ...] = field(default=())
    date: str = ""

    @property
    def doc_id(self) -> str:
        """Id of the document: the id of its source's URI."""
        return self.source.doc_id

    @property
    def text_sha256(self) -> str:
        """SHA-256 of ``text`` in UTF-8, 64 hex digits."""
        return sha256_text(self.text)
