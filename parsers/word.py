"""Word documents (.docx, .docm, .dotx): text in the order of the body, nothing told twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError, ParserError
from parsers.builder import DocumentBuilder
from parsers.model import BlockKind, Document, Source
from parsers.ooxml import Package, Relationship, q, resolve_alternates
from parsers.slides.content import TableItem, TextItem
from parsers.slides.pictures import PictureReader
from parsers.tables.emit import emit_table
from parsers.word_body import BodyReader, WordFile
from parsers.word_numbering import Numbering
from parsers.word_runs import count_word
from parsers.word_styles import Styles

NAME = "word"
VERSION = 1

_LETTERS = re.compile(r"[^\W\d_]+")
_PAGE_WORDS = frozenset(
    ["page", "p", "pag", "pg", "página", "pagina", "pág", "seite", "s", "of", "de", "von", "di",
     "sur", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"]
)  # fmt: skip
"""A header or footer of nothing but these and digits says only where one is."""
_NOTES = {"footnotes": ("footnote", "w:footnote"), "endnotes": ("endnote", "w:endnote")}


def parse(data: bytes, source: Source, settings: ParsingSettings) -> Document:
    """Return the document; the format knows no pages.

    Each distinct header and footer is kept once (headers first, footers last), since a letterhead
    may be the only place that names the company; page numbers in them are dropped. Notes and
    comments stand behind the paragraph that refers to them.

    Raises:
        ParserError: The file is empty, protected, damaged, or a binary ``.doc``.
    """
    package = Package(data, "Word document")
    main = package.main_part("word/document.xml")
    builder = DocumentBuilder(source, NAME, VERSION)
    root = _open(builder, package, main)
    body = root.find(q("w:body"))
    if body is None:
        raise DamagedFileError(f"the file is not a Word document: {main} has no body")
    links = package.relationships(main)
    styles = Styles(_optional(package, links, "styles"))
    word = WordFile(
        package,
        source.uri,
        styles,
        Numbering(_optional(package, links, "numbering"), styles),
        PictureReader(settings),
        _notes(builder, package, links, source),
        _comments(builder, package, links, source),
    )
    seen: set[str] = set()
    _furniture(builder, word, links, "header", seen)
    title = _write(builder, word, BodyReader(word, main), body)
    _furniture(builder, word, links, "footer", seen)
    for note in word.notes.values():
        builder.count_dropped("note without a reference", count_word(note))
    for _, comment in word.comments.values():
        builder.count_dropped("comment without a reference", count_word(comment))
    for error in word.pictures.tool_errors.values():
        builder.add_failure(error.as_failure(source.uri))
    return builder.build(title=title or package.core_title())


def _open(builder: DocumentBuilder, package: Package, part: str) -> etree._Element:
    """Return the root of a part, counted as source, each piece of it in one form only."""
    root = package.xml(part)
    before = count_word(root)
    builder.count_source(before)
    resolve_alternates(root)
    builder.count_dropped("alternate rendering", before - count_word(root))
    return root


def _write(
    builder: DocumentBuilder, word: WordFile, reader: BodyReader, body: etree._Element
) -> str:
    """Append the body; return its title, else its first heading of level 1, else ""."""
    reader.read(body)
    _emit(builder, reader)
    texts = [item for item in reader.content.items if isinstance(item, TextItem)]
    titles = [t.text for t in texts if t.kind is BlockKind.TITLE]
    titles += [t.text for t in texts if t.kind is BlockKind.HEADING and t.level == 1]
    return titles[0] if titles else ""


def _emit(builder: DocumentBuilder, reader: BodyReader) -> None:
    content = reader.content
    for item in content.items:
        if isinstance(item, TableItem):
            emit_table(builder, item.grid, locator=item.locator)
        else:
            builder.add_block(item.kind, item.text, level=item.level, locator=item.locator)
    builder.count_source(content.source)
    for reason, count in content.dropped.items():
        builder.count_dropped(reason, count)
    for reason, count in content.generated.items():
        builder.count_generated(reason, count)
    for failure in content.failures:
        builder.add_failure(failure)


def _furniture(
    builder: DocumentBuilder,
    word: WordFile,
    links: dict[str, Relationship],
    kind: str,
    seen: set[str],
) -> None:
    """Append the headers (or footers) of all sections, each text once."""
    parts = sorted({link.target for link in links.values() if link.kind == kind})
    for part in parts:
        try:
            root = _open(builder, word.package, part)
            reader = BodyReader(word, part)
        except ParserError as error:
            builder.add_failure(error.as_failure(word.uri))
            continue
        before = word.counts[kind]
        reader.read(root, word.locate(kind), BlockKind.PARAGRAPH)
        texts = [i.text for i in reader.content.items if isinstance(i, TextItem)]
        tables = [i for i in reader.content.items if isinstance(i, TableItem)]
        text = "\n".join([*texts, *(c.text for t in tables for c in t.grid.cells)])
        if text and text not in seen and not _is_page_number(text):
            seen.add(text)
            _emit(builder, reader)
            continue
        word.counts[kind] = before
        reason = f"repeated {kind}" if text in seen else "page number"
        builder.count_dropped(reason, count_word(root))


def _is_page_number(text: str) -> bool:
    return all(word in _PAGE_WORDS for word in _LETTERS.findall(text.lower()))


def _optional(package: Package, links: dict[str, Relationship], kind: str) -> etree._Element | None:
    """Return the root of a part the document can be read without, None where it is not sound."""
    for link in links.values():
        if link.kind == kind and not link.external:
            try:
                return package.xml(link.target)
            except DamagedFileError:
                return None
    return None


def _roots(
    builder: DocumentBuilder,
    package: Package,
    links: dict[str, Relationship],
    kind: str,
    source: Source,
) -> Iterator[etree._Element]:
    for link in links.values():
        if link.kind == kind:
            try:
                yield _open(builder, package, link.target)
            except ParserError as error:
                builder.add_failure(error.as_failure(source.uri))


def _notes(
    builder: DocumentBuilder, package: Package, links: dict[str, Relationship], source: Source
) -> dict[tuple[str, str], etree._Element]:
    """Return the footnotes and endnotes by (kind, id)."""
    return {
        (kind, note.get(q("w:id"), "")): note
        for part, (kind, tag) in _NOTES.items()
        for root in _roots(builder, package, links, part, source)
        for note in root.iter(q(tag))
    }


def _comments(
    builder: DocumentBuilder, package: Package, links: dict[str, Relationship], source: Source
) -> dict[str, tuple[str, etree._Element]]:
    """Return (author, comment) by id."""
    return {
        comment.get(q("w:id"), ""): (comment.get(q("w:author"), "").strip(), comment)
        for root in _roots(builder, package, links, "comments", source)
        for comment in root.iter(q("w:comment"))
    }
