"""Which mark-up of laws a file is written in, told without parsing it."""

from __future__ import annotations

import codecs
import re

from parsers.detect import XML

_FORMEX_ROOT = re.compile(
    rb"<(?:ACT|ANNEX|CONS\.ACT|CONS\.ANNEX|GENERAL|AGR|CORR|COMBINED\.FMX)[\s>]"
)
_CLASS = rb"class\s*=\s*[\"']?(?:[\w-]+\s)*"
_CONSOLIDATED = re.compile(_CLASS + rb"(?:title-article-norm|title-division-1|no-parag)\b")
_OFFICIAL_JOURNAL = re.compile(_CLASS + rb"(?:oj-)?s?ti-art[\"'\s>]")
_ACT_PART = re.compile(rb"id\s*=\s*[\"']?(?:art|rct|cpt|anx)_\w")
_ELI = re.compile(_CLASS + rb"eli-(?:container|subdivision)\b")
"""With the ids of its parts: an act, whatever its other classes are called. A notice in the
Official Journal has neither and is a web page like others."""
_GESETZE_XML = re.compile(rb"<dokumente[\s>].{0,400}?<norm[\s>]", re.DOTALL)
_GESETZE = re.compile(_CLASS + rb"(?:jnnorm|jnenbez|jurAbsatz|jnhtml)\b")
_PLAIN_ACT = re.compile(rb"<div[^>]*\sid\s*=\s*[\"']?TexteOnly\b", re.IGNORECASE)
_PLANALTO = re.compile(rb"planalto\.gov\.br|Presid(?:\xea|\xc3\xaa|&ecirc;)ncia da Rep", re.I)
_BRAZILIAN_ARTICLE = re.compile(
    rb"[>\s](?:Art(?:igo)?|ART(?:IGO)?)\.?(?:\s|&nbsp;|\xa0|\xc2\xa0)*\d"
)
_ARTICLE_LINES = re.compile(
    rb">(?:\s|&nbsp;|\xa0|\xc2\xa0)*(?:<[^>]{1,80}>\s*)*Art(?:\.|igo)?(?:\s|&nbsp;|\xa0|\xc2\xa0)*"
    rb"([1-9])\s?(?:\xba|\xc2\xba|\xb0|\xc2\xb0|&ordm;|&deg;|o\b|<sup>|<u>)",
    re.I,
)
_BRAZILIAN_TITLE = re.compile(
    rb"(?:\bLei|\bDecreto(?:-Lei)?|\bResolu[^\s<]{2,14}|\bPortaria|\bEmenda|\bMedida Provis[^\s<]+)"
    rb"(?: Complementar| Municipal| Estadual| Federal)?\s+N\s?[^\s<\d]{0,6}\s?\d",
    re.I,
)
_MIN_IN_ORDER = 3
"""Articles from 1 on, each at the beginning of a line, that make a page of any other site a
Brazilian law together with a title like "Lei nº 1" (a guess)."""
_MIN_ARTICLES = 2
"""A page of Planalto with fewer articles is news about a law, not one (a guess)."""
_HEAD = 65_536
_WIDE = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def law_markup(data: bytes, media_type: str) -> str | None:
    """Return the mark-up's name, a key of the readers of :mod:`parsers.laws.parser`, or None.

    Args:
        data: The file's bytes.
        media_type: IANA media type; only XML can be Formex.
    """
    for mark, encoding in _WIDE:
        if data.startswith(mark):
            data = data.decode(encoding, "replace").encode("utf-8")
    head = data[:_HEAD]
    if _FORMEX_ROOT.search(head) and (b"BIB.INSTANCE" in head or b"formex" in head.lower()):
        return "formex"
    if _GESETZE_XML.search(head):
        return "gesetze_xml"
    if media_type == XML and b"<html" not in head.lower():
        return None
    if _CONSOLIDATED.search(data):
        return "consolidated"
    if _OFFICIAL_JOURNAL.search(data) or (_ELI.search(data) and _ACT_PART.search(data)):
        return "oj"
    if _PLAIN_ACT.search(data):
        return "text"
    if _GESETZE.search(data):
        return "gesetze"
    if _PLANALTO.search(data) and len(_BRAZILIAN_ARTICLE.findall(data)) >= _MIN_ARTICLES:
        return "planalto"
    return "planalto" if _is_brazilian_law(data) else None


def _is_brazilian_law(data: bytes) -> bool:
    numbers = [int(n) for n in _ARTICLE_LINES.findall(data)]
    in_order = 1
    for number in numbers:
        in_order += number == in_order
    return in_order > _MIN_IN_ORDER and _BRAZILIAN_TITLE.search(data) is not None
