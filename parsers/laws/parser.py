"""Laws: EUR-Lex, Formex, Planalto and gesetze-im-internet pages to documents with addresses."""

from __future__ import annotations

from collections.abc import Callable

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError
from parsers.builder import DocumentBuilder
from parsers.dates import find_date
from parsers.laws.detect import law_markup
from parsers.laws.emit import emit_law
from parsers.laws.eurlex import read_eurlex
from parsers.laws.eurlex_text import read_eurlex_text
from parsers.laws.formex import read_formex
from parsers.laws.gesetze import read_gesetze
from parsers.laws.gesetze_xml import read_gesetze_xml
from parsers.laws.planalto import read_planalto
from parsers.laws.units import Law, UnitKind
from parsers.model import Document, Source
from parsers.webpage_boilerplate import drop_boilerplate
from parsers.webpage_clean import drop_unseen
from parsers.webpage_dom import Element, parse_markup

NAME = "law"
VERSION = 2

_READERS: dict[str, Callable[[Element, DocumentBuilder], Law]] = {
    "oj": read_eurlex,
    "consolidated": read_eurlex,
    "text": read_eurlex_text,
    "formex": read_formex,
    "planalto": read_planalto,
    "gesetze": read_gesetze,
    "gesetze_xml": read_gesetze_xml,
}
_XML = frozenset({"formex", "gesetze_xml"})
_MAY_HAVE_NO_UNIT = frozenset({"text", "formex"})
"""Written in these, too: corrigenda, notices, recommendations, preambles of treaties."""


def parse(data: bytes, source: Source, settings: ParsingSettings) -> Document:
    """Return the law in ``data``.

    Raises:
        DamagedFileError: It looks like a law and not one article, recital or annex was found, or
            the mark-up cannot be read.
    """
    markup = law_markup(data, source.media_type)
    page = parse_markup(data)
    builder = DocumentBuilder(source, NAME, VERSION)
    builder.count_source(page.characters)
    if markup is None:
        raise DamagedFileError("the file is written in no mark-up of laws that is known")
    if markup == "formex" and not page.is_xml:
        raise DamagedFileError("the Formex file is not well-formed XML, or breaks off")
    if markup not in _XML:
        drop_unseen(page.root, builder)
    if markup == "planalto":
        drop_boilerplate(next(page.root.iter("body"), page.root), builder)
    try:
        law = _READERS[markup](page.root, builder)
        found = law.count(UnitKind.ARTICLE, UnitKind.RECITAL, UnitKind.ANNEX)
        if not found and markup not in _MAY_HAVE_NO_UNIT:
            raise DamagedFileError(
                f"the file has the mark-up of a law ({markup}), but no article, recital or annex "
                "was found in it",
                "Compare its class or element names with those in parsers/laws; the publisher may "
                "have changed them.",
            )
        emit_law(builder, law)
    except RecursionError as error:
        raise DamagedFileError("elements are nested too deeply to be read as a law") from error
    language = law.language or page.language.split("-")[0].lower()
    title = _title(law)
    return builder.build(
        title=title, language=language or None, doc_type="law", date=_date(law, title, language)
    )


def _title(law: Law) -> str:
    """Return the act's title; that of its annex where the file holds nothing else."""
    annexes = [f"{u.label} {u.title}" for u in law.units if u.kind is UnitKind.ANNEX]
    return " ".join(law.title) or next(iter(annexes), "")


def _date(law: Law, title: str, language: str) -> str:
    """Return the date of the act: that in its title, else the first in the lines above it."""
    lines = [title]
    for unit in law.units:
        if unit.kind is not UnitKind.FRONT:
            break
        lines.append(unit.text)
    return next((d for line in lines if (d := find_date(line, language))), "")
