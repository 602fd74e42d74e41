"""PDF to document: each page read once, routed, ordered, and linked with its neighbours.

Order of work: read every page's text layer (and recognise those that need it); find tables; find
furniture on the evidence of all pages; then page by page reading order, paragraphs, headings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError
from parsers.builder import DocumentBuilder
from parsers.language import detect_language
from parsers.model import Document, Source
from parsers.pdf.document import metadata_title, open_pdf, outline_of
from parsers.pdf.furniture import PageRuns, find_furniture
from parsers.pdf.headings import HeadingJudge, body_size_of
from parsers.pdf.hyphens import HyphenJudge
from parsers.pdf.intake import ReadPage, read_pages
from parsers.pdf.layout import Run
from parsers.pdf.pages import Item, PageItems, items_of, link, with_tables_last
from parsers.pdf.table_pass import find_document_tables, take_out, with_obstacles
from parsers.pdf.tables import PdfTable
from parsers.pdf.writer import PageWriter

NAME = "pdf"
VERSION = 2
_MAX_TITLE = 200
"""Characters of the longest heading that is taken for a title (a guess)."""
_LANGUAGE_SAMPLE = 400
"""Runs from which the language of line-end hyphens is told (a guess)."""


def parse(data: bytes, source: Source, settings: ParsingSettings) -> Document:
    """Return the document in a PDF.

    Raises:
        EmptyFileError: No bytes.
        DamagedFileError: No document in the bytes, or none of its pages can be read.
        EncryptedFileError: No password opens it.
    """
    builder = DocumentBuilder(source, NAME, VERSION)
    pdf = open_pdf(data, source, settings)
    try:
        pages = read_pages(pdf, builder, settings)
        if not pages:
            raise DamagedFileError(f"none of the pages of {source.uri} can be read")
        marked = [p.layer for p in pages if p.keep_native and p.may_hold_table]
        tables = find_document_tables(pdf, data, marked, builder)
        tables, layers = take_out(pdf, {p.number: p.layer for p in pages}, tables)
        for page in pages:
            page.layer = layers[page.number]
        title = metadata_title(pdf)
        outline = outline_of(pdf)
    finally:
        pdf.close()
    runs = [run for page in pages if page.keep_native for run in page.layer.runs]
    headings = HeadingJudge(runs, outline)
    sample = " ".join(run.text for run in runs[:_LANGUAGE_SAMPLE])
    hyphens = HyphenJudge((run.text for run in runs), detect_language(sample))
    bodies = _bodies(pages, tables, builder)
    writer = PageWriter(builder, {p.number: p for p in pages}, tables, settings)
    continued = {i for i, t in enumerate(tables) if any(n > t.page for n, _ in t.covers)}
    prepared = (_prepare(page, bodies[page.number], headings, hyphens, continued) for page in pages)
    for linked in _linked(prepared, hyphens):
        title = title or _first_heading(linked.items)
        writer.write(linked)
    return builder.build(title=title)


def _bodies(
    pages: Sequence[ReadPage], tables: Sequence[PdfTable], builder: DocumentBuilder
) -> dict[int, list[Run]]:
    """Return each page's runs without tables and furniture; write the pages' accounts."""
    left = {p.number: with_obstacles(p.layer, tables) for p in pages if p.keep_native}
    heights = {p.number: p.layer.height for p in pages}
    texts = {number: [r for r in runs if r.table is None] for number, runs in left.items()}
    body_size = body_size_of(run for runs in texts.values() for run in runs)
    furniture = find_furniture(
        [PageRuns(number, heights[number], runs) for number, runs in texts.items()], body_size
    )
    bodies: dict[int, list[Run]] = {}
    for page in pages:
        number = page.number
        _account(page, builder)
        gone = {id(texts[number][i]) for i in furniture.get(number, ())}
        bodies[number] = [r for r in left.get(number, ()) if id(r) not in gone]
        for i in furniture.get(number, ()):
            builder.count_dropped("furniture", texts[number][i].text, number)
    return bodies


def _account(page: ReadPage, builder: DocumentBuilder) -> None:
    layer, number = page.layer, page.number
    builder.count_source(layer.source, number)
    if not page.keep_native:
        builder.count_dropped("replaced by ocr", layer.source, number)
        return
    for reason, characters in layer.dropped.items():
        builder.count_dropped(reason, characters, number)
    for reason, characters in layer.generated.items():
        builder.count_generated(reason, characters, number)


def _prepare(
    page: ReadPage,
    body: Sequence[Run],
    headings: HeadingJudge,
    hyphens: HyphenJudge,
    continued: Collection[int],
) -> PageItems:
    layer = page.layer
    aside = layer.aside if page.keep_native else []
    boxes = layer.drawings.boxes
    items = items_of(body, aside, page.number, layer.height, (hyphens, headings), boxes)
    prepared = PageItems(page.number, items, page.notes, closed=page.ocr is not None)
    with_tables_last(prepared, continued)
    return prepared


def _linked(pages: Iterator[PageItems], hyphens: HyphenJudge) -> Iterator[PageItems]:
    """Yield the pages, each joined with what runs on from it; absorbed pages are not yielded."""
    before: PageItems | None = None
    for page in pages:
        if before is not None:
            if link(before, page, hyphens):
                continue
            yield before
        before = page
    if before is not None:
        yield before


def _first_heading(items: Sequence[Item]) -> str:
    """Return the highest heading of a page that may be a title, "" without one."""
    named = [
        item
        for item in items
        if item.level is not None
        and len(item.paragraph.text) <= _MAX_TITLE
        and sum(c.isalpha() for c in item.paragraph.text) > 0.6 * len(item.paragraph.text)
    ]
    return min(named, key=lambda i: i.level or 0).paragraph.text if named else ""
