"""Word documents (.docx, .docm, .dotx): text in the order of the body, nothing told twice."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from typing import Any

import docx
from docx.document import Document as WordDocument
from docx.oxml import parse_xml

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError, ParserError
from parsers.builder import DocumentBuilder
from parsers.model import BlockKind, Document, Source
from parsers.ooxml import part_root, parts_of_kind, q
from parsers.ooxml_package import open_office
from parsers.slides.content import TableItem, TextItem
from parsers.slides.pictures import PictureReader
from parsers.tables.emit import emit_table
from parsers.word_accept import accept, count_word
from parsers.word_body import BodyReader, WordFile
from parsers.word_numbering import Numbering
from parsers.word_styles import Styles

NAME = "word"
VERSION = 3

_LETTERS = re.compile(r"[^\W\d_]+")
_PAGE_WORDS = frozenset(
    ["page", "p", "pag", "pg", "página", "pagina", "pág", "seite", "s", "of", "de", "von", "di",
     "sur", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"]
)  # fmt: skip
"""A header or footer of nothing but these and digits says only where one is."""
_NO_TITLES = frozenset({"", "word document"})
"""Titles that python-docx writes itself, and that name nothing."""


def parse(data: bytes, source: Source, settings: ParsingSettings) -> Document:
    """Return the document; the format knows no pages.

    Each distinct header and footer is kept once (headers first, footers last), since a letterhead
    may be the only place that names the company; page numbers in them are dropped. Notes and
    comments stand behind the paragraph that refers to them.

    Raises:
        ParserError: The file is empty, protected, damaged, or a binary ``.doc``.
    """
    document = _open_file(open_office(data, settings, "Word document"))
    main = document.part
    builder = DocumentBuilder(source, NAME, VERSION)
    body = _open(builder, main).find(q("w:body"))
    if body is None:
        raise DamagedFileError("the file is not a Word document: it has no body")
    styles = Styles(_styles(document))
    word = WordFile(
        document,
        source.uri,
        styles,
        Numbering(_numbering(main), styles),
        PictureReader(settings),
        {
            f"{kind}_{note.get(q('w:id'), '')}": note
            for kind in ("footnote", "endnote")
            for root in _roots(builder, main, f"{kind}s", source)
            for note in root.iter(q(f"w:{kind}"))
        },
        {
            comment.get(q("w:id"), ""): (comment.get(q("w:author"), "").strip(), comment)
            for root in _roots(builder, main, "comments", source)
            for comment in root.iter(q("w:comment"))
        },
    )
    seen: set[str] = set()
    _furniture(builder, word, "header", seen)
    title = _write(builder, word, BodyReader(word, main), body)
    _furniture(builder, word, "footer", seen)
    for note in word.notes.values():
        builder.count_dropped("note without a reference", count_word(note))
    for _, comment in word.comments.values():
        builder.count_dropped("comment without a reference", count_word(comment))
    for error in word.pictures.tool_errors.values():
        builder.add_failure(error.as_failure(source.uri))
    return builder.build(title=title or _stated_title(document))


def _open_file(package: bytes) -> WordDocument:
    try:
        return docx.Document(io.BytesIO(package))
    except Exception as error:  # python-docx has no error of its own for a damaged file
        raise DamagedFileError(f"the file is not a readable Word document: {error}") from error


def _open(builder: DocumentBuilder, part: Any) -> Any:
    """Return the root of a part, counted as source, then with all changes in it accepted."""
    root = part_root(part, parse_xml)
    builder.count_source(count_word(root))
    dropped, generated = accept(root)
    for reason, count in dropped.items():
        builder.count_dropped(reason, count)
    for reason, count in generated.items():
        builder.count_generated(reason, count)
    return root


def _styles(document: WordDocument) -> Any:
    try:
        return document.styles
    except AttributeError:  # a part that cannot be read
        return None


def _numbering(main: Any) -> Any:
    for part in parts_of_kind(main, "numbering"):
        with contextlib.suppress(DamagedFileError):
            return part_root(part, parse_xml)
    return None


def _stated_title(document: WordDocument) -> str:
    try:
        title = str(document.core_properties.title).strip()
    except AttributeError:  # a part that cannot be read
        return ""
    return "" if title.lower() in _NO_TITLES else title


def _write(builder: DocumentBuilder, word: WordFile, reader: BodyReader, body: Any) -> str:
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


def _furniture(builder: DocumentBuilder, word: WordFile, kind: str, seen: set[str]) -> None:
    """Append the headers (or footers) of all sections, each text once."""
    for part in dict.fromkeys(_stories(word.document, kind)):
        try:
            root = _open(builder, part)
        except ParserError as error:
            builder.add_failure(error.as_failure(word.uri))
            continue
        reader = BodyReader(word, part)
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


def _stories(document: WordDocument, kind: str) -> Iterator[Any]:
    for section in document.sections:
        for which in (f"first_page_{kind}", kind, f"even_page_{kind}"):
            story = getattr(section, which)
            with contextlib.suppress(KeyError):  # a link to nothing
                if not story.is_linked_to_previous:
                    yield story.part


def _is_page_number(text: str) -> bool:
    return all(word in _PAGE_WORDS for word in _LETTERS.findall(text.lower()))


def _roots(builder: DocumentBuilder, main: Any, kind: str, source: Source) -> Iterator[Any]:
    for part in parts_of_kind(main, kind):
        try:
            yield _open(builder, part)
        except ParserError as error:
            builder.add_failure(error.as_failure(source.uri))
