"""PowerPoint decks (.pptx, .ppsx, .potx, .pptm): each slide a page, nothing on it lost."""

from __future__ import annotations

import contextlib
import io

from pptx import Presentation
from pptx.presentation import Presentation as Show
from pptx.util import Emu, Length

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError
from parsers.builder import DocumentBuilder
from parsers.model import TO_BE_DESCRIBED, Document, Source, TextSource
from parsers.ooxml import q
from parsers.ooxml_package import open_office
from parsers.slides.comments import read_authors
from parsers.slides.content import SlideContent, TableItem
from parsers.slides.pictures import PictureReader
from parsers.slides.reading import Deck, SlideReading
from parsers.tables.emit import emit_table

NAME = "slides"
VERSION = 3

_FEW_WORDS = 30
"""A slide with a picture and fewer words of its own speaks by the picture (design, section 7)."""
_DEFAULT_SIZE: tuple[Length, Length] = (Emu(12_192_000), Emu(6_858_000))
"""Of a 16:9 slide, where the presentation does not say."""
_NO_TITLES = frozenset({"powerpoint presentation", "presentation", "slide 1", "title"})
"""Titles that PowerPoint writes itself into a file's properties, and that name nothing."""


def parse(data: bytes, source: Source, settings: ParsingSettings) -> Document:
    """Return the deck as a document whose pages are its slides, hidden ones included.

    Raises:
        ParserError: The file is empty, protected, damaged, or a binary ``.ppt``.
    """
    show = _open(open_office(data, settings, "presentation"))
    deck = Deck(
        show.part, source.uri, PictureReader(settings), _slide_area(show), read_authors(show.part)
    )
    sections = _sections(show)
    builder = DocumentBuilder(source, NAME, VERSION, unit="slide")
    titles: list[str] = []
    # not show.slides, which raises for all of them where one is not in the file
    for number, slide in enumerate(show.element.iter(q("p:sldId")), 1):
        content = SlideReading(deck, slide.get(q("r:id"), ""), number).read()
        _write(builder, content, sections.get(slide.get("id", ""), ""))
        titles.append(content.title)
    for error in deck.pictures.tool_errors.values():
        builder.add_failure(error.as_failure(source.uri))
    return builder.build(title=_deck_title(titles, _stated_title(show)), doc_type="slides")


def _open(package: bytes) -> Show:
    try:
        return Presentation(io.BytesIO(package))
    except Exception as error:  # python-pptx has no error of its own for a damaged file
        raise DamagedFileError(f"the file is not a readable presentation: {error}") from error


def _stated_title(show: Show) -> str:
    try:
        return str(show.core_properties.title).strip()
    except AttributeError:  # a properties part that cannot be read
        return ""


def _deck_title(slides: list[str], named: str) -> str:
    """Return the first slide's title, else the one in the file's properties, else any slide's."""
    first = slides[0] if slides else ""
    stated = "" if named.lower() in _NO_TITLES else named
    return first or stated or next(filter(None, slides), "")


def _write(builder: DocumentBuilder, content: SlideContent, section: str) -> None:
    """Append a slide to the document."""
    number = content.number
    builder.add_page(
        number,
        _text_source(content),
        _route_reason(content),
        sum(content.confidences) / len(content.confidences) if content.confidences else None,
    )
    above = [section] if section else []
    path = [*above, content.title] if content.title else above
    context = [content.title] if content.title else []
    for item in content.items:
        locator = f"slide_{number}/{item.locator}"
        if isinstance(item, TableItem):
            emit_table(builder, item.grid, page=number, locator=locator, context=context)
            continue
        is_title = item.locator == "title"
        builder.add_block(
            item.kind, item.text, page=number, bbox=item.box, level=item.level, locator=locator,
            context=() if is_title else context,
            heading_path=above if is_title else path,
            separator=item.separator,
        )  # fmt: skip
    builder.count_source(content.source, number)
    for reason, count in content.dropped.items():
        builder.count_dropped(reason, count, number)
    for reason, count in content.generated.items():
        builder.count_generated(reason, count, number)
    for failure in content.failures:
        builder.add_failure(failure)


def _text_source(content: SlideContent) -> TextSource:
    if not content.items:
        return TextSource.NONE
    if not content.confidences:
        return TextSource.BORN_DIGITAL
    return TextSource.MIXED if content.native else TextSource.OCR


def _route_reason(content: SlideContent) -> str:
    phrases = list(content.remarks)
    if content.pictures and content.words < _FEW_WORDS:
        phrases.append(f"picture and fewer than {_FEW_WORDS} words: {TO_BE_DESCRIBED}")
    return "; ".join(phrases)


def _slide_area(show: Show) -> float:
    """Return the area of a slide in square points."""
    width, height = _DEFAULT_SIZE
    with contextlib.suppress(ValueError):  # no numbers
        width, height = show.slide_width or width, show.slide_height or height
    return Emu(width).pt * Emu(height).pt


def _sections(show: Show) -> dict[str, str]:
    """Return the name of the section by slide id."""
    return {
        slide.get("id", ""): section.get("name", "")
        for section in show.element.iter(q("p14:section"))
        for slide in section.iter(q("p14:sldId"))
    }
