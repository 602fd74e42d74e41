"""HTML in general, XHTML, fragments, and XML of no known vocabulary.

The page is read in document order: headings, paragraphs, lists, code, tables as rows, alternative
texts of images. What a reader does not see and what stands around the text is left out, with its
reason and its size in the ledger.
"""

from __future__ import annotations

import re

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError
from parsers.builder import DocumentBuilder
from parsers.model import BlockKind, Document, Source
from parsers.normalise import fold_spaces
from parsers.tables.emit import emit_table
from parsers.webpage_boilerplate import drop_boilerplate
from parsers.webpage_clean import ALTERNATIVE_MARK, drop_unseen, show_alternatives
from parsers.webpage_date import page_date
from parsers.webpage_dom import Element, descend, inline_text, line_text, name_of, parse_markup
from parsers.webpage_tables import grid_of, is_layout, nested_tables, own_text, rows_of, strays
from parsers.webpage_xml import emit_xml

NAME = "webpage"
VERSION = 2

_HEADINGS = {f"h{n}": n for n in range(1, 7)}
_LISTS = frozenset({"ul", "ol", "menu", "dir", "dl"})
_LIST_PARTS = frozenset({"li", "dt", "dd"})
_WORD = re.compile(r"\w+")
PAGE_TITLE = "page title"
_LEAVES = frozenset({"p", "summary", "legend", "address", "caption", "figcaption"})


def parse(data: bytes, source: Source, settings: ParsingSettings) -> Document:
    """Return the document on a page.

    Raises:
        EmptyFileError: ``data`` is empty.
        DamagedFileError: The mark-up cannot be read.
    """
    page = parse_markup(data)
    builder = DocumentBuilder(source, NAME, VERSION)
    builder.count_source(page.characters)
    title = date = ""
    try:
        if page.is_xml and name_of(page.root).lower() != "html":
            emit_xml(page.root, builder)
        else:
            title, date = _title(page.root), page_date(page.root)
            drop_unseen(page.root, builder)
            body = next(page.root.iter("body"), page.root)
            drop_boilerplate(body, builder)
            show_alternatives(page.root, builder)
            _state_title(title, body, builder)
            _Walker(builder, tables=settings.tables).walk(page.root)
    except RecursionError as error:
        raise DamagedFileError("tables are nested too deeply to be read") from error
    language = page.language.split("-")[0].lower()
    return builder.build(title=title, language=language or None, date=date)


def _title(root: Element) -> str:
    """Return the page's title: ``title``, else its first heading."""
    for name in ("title", "h1"):
        for element in root.iter(name):
            if (text := line_text(element)) and next(element.iterancestors("svg"), None) is None:
                return text
    return ""


def _state_title(title: str, body: Element, builder: DocumentBuilder) -> None:
    """Begin the text with the page's title where its body does not say all its words.

    The title stands in the page's head, which is dropped; without this nobody could search for it.
    """
    said = set(_WORD.findall(" ".join(map(str, body.itertext())).casefold()))
    if set(_WORD.findall(title.casefold())) - said:
        builder.add_block(BlockKind.TITLE, title)
        builder.count_generated(PAGE_TITLE, title)


class _Walker:
    """Writes the blocks of a page in document order.

    Args:
        builder: Receives the blocks.
        tables: Turn data tables into row sentences; else their cells are read as text.
    """

    def __init__(self, builder: DocumentBuilder, *, tables: bool) -> None:
        self._builder = builder
        self._read_tables = tables
        self._tables = 0

    def walk(self, root: Element) -> None:
        """Write everything in ``root``."""
        for parent, item in descend(root, self._is_frame):
            if isinstance(item, str):
                self._text(item, parent)
            else:
                self._block(item)

    def _is_frame(self, item: Element) -> bool:
        """Tell whether only what a block holds counts, not the block itself."""
        name = name_of(item)
        if name in _HEADINGS or name == "pre" or item.get(ALTERNATIVE_MARK):
            return False
        if name == "table":
            return not self._read_tables or is_layout(item)
        return name not in _LEAVES or _holds_blocks(item)

    def _block(self, item: Element) -> None:
        name = name_of(item)
        if name in _HEADINGS:
            self._heading(item, _HEADINGS[name])
        elif name == "pre":
            self._code(item)
        elif name == "table":
            self._table(item)
        elif item.get(ALTERNATIVE_MARK):
            self._builder.add_block(BlockKind.ALT_TEXT, line_text(item))
        else:
            self._text(inline_text(item), item)

    def _heading(self, item: Element, level: int) -> None:
        text = line_text(item)
        if text:
            self._builder.add_block(BlockKind.HEADING, text, level=level)

    def _code(self, item: Element) -> None:
        text = _preserved(item)
        if text.strip():
            self._builder.add_block(BlockKind.CODE, text)

    def _text(self, text: str, parent: Element) -> None:
        """Write running text, a block for each stretch between empty lines."""
        kind, level = _kind_of(parent)
        stretch: list[str] = []
        for line in [*fold_spaces(text).split("\n"), ""]:
            if line:
                stretch.append(line)
            elif stretch:
                separator = "\n" if kind is BlockKind.LIST_ITEM else "\n\n"
                self._builder.add_block(kind, "\n".join(stretch), level=level, separator=separator)
                stretch = []

    def _table(self, table: Element, context: tuple[str, ...] = ()) -> None:
        """Write a data table; tables in its cells come behind it, each once, named by their row."""
        grid = grid_of(table)
        if any(cell.text for cell in grid.cells):
            self._tables += 1
            emit_table(self._builder, grid, locator=f"table_{self._tables}", context=context)
        for stray in strays(table):
            if isinstance(stray, str):
                self._text(stray, table)
            else:
                self.walk(stray)
        for row in rows_of(table):
            above = tuple(t for cell in row.cells if (t := own_text(cell)))[:1]
            for cell in row.cells:
                for inner in nested_tables(cell):
                    if is_layout(inner):
                        self.walk(inner)
                    else:
                        self._table(inner, (*context, *above))


def _kind_of(parent: Element) -> tuple[BlockKind, int | None]:
    """Return the kind of running text by what it stands in, and the depth of a list item."""
    for element in (parent, *parent.iterancestors()):
        name = name_of(element)
        if name in ("figcaption", "caption"):
            return BlockKind.CAPTION, None
        if name in _LIST_PARTS:
            depth = sum(1 for a in element.iterancestors() if name_of(a) in _LISTS)
            return BlockKind.LIST_ITEM, max(1, depth)
        if name in ("td", "blockquote", "section", "article", "table"):
            break
    return BlockKind.PARAGRAPH, None


def _holds_blocks(item: Element) -> bool:
    tags = ("p", "table", "pre", "ul", "ol", "dl", *_HEADINGS)
    return any(e is not item for e in item.iter(*tags))


def _preserved(item: Element) -> str:
    r"""Return the text of ``pre`` with its white space; ``br`` is a line break."""
    for line_break in item.iter("br"):
        line_break.text = "\n"
    text = "".join(str(t) for t in item.itertext())
    return text.removeprefix("\n")
