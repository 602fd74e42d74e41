"""Which mark-up of laws a file is written in, told without parsing it."""

from __future__ import annotations

import codecs
import re

from parsers.detect import XML

_FORMEX_ROOT = re.compile(rb"<(?:ACT|ANNEX|CONS\.ACT|CONS\.ANNEX|GENERAL|AGR)[\s>]")
_CLASS = rb"class\s*=\s*[\"']?(?:[\w-]+\s)*"
_CONSOLIDATED = re.compile(_CLASS + rb"(?:title-article-norm|title-division-1|no-parag)\b")
_OFFICIAL_JOURNAL = re.compile(_CLASS + rb"(?:oj-)?s?ti-art[\"'\s>]")
_ACT_PART = re.compile(rb"id\s*=\s*[\"']?(?:art|rct|cpt|anx)_\w")
_ELI = re.compile(_CLASS + rb"eli-(?:container|subdivision)\b")
"""With the ids of its parts: an act, whatever its other classes are called. A notice in the
Official Journal has neither and is a web page like others."""
_GESETZE = re.compile(_CLASS + rb"(?:jnnorm|jnenbez|jurAbsatz|jnhtml)\b")
_PLANALTO = re.compile(rb"planalto\.gov\.br|Presid(?:\xea|\xc3\xaa|&ecirc;)ncia da Rep", re.I)
_BRAZILIAN_ARTICLE = re.compile(rb"[>\s]Art\.?(?:\s|&nbsp;|\xa0|\xc2\xa0)*\d")
_MIN_ARTICLES = 2
"""A page of Planalto with fewer articles is news about a law, not one (a guess)."""
_HEAD = 65_536
_WIDE = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def law_markup(data: bytes, media_type: str) -> str | None:
    """Return ``oj``, ``consolidated``, ``formex``, ``planalto``, ``gesetze``, or None for no law.

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
    if media_type == XML and b"<html" not in head.lower():
        return None
    if _CONSOLIDATED.search(data):
        return "consolidated"
    if _OFFICIAL_JOURNAL.search(data) or (_ELI.search(data) and _ACT_PART.search(data)):
        return "oj"
    if _GESETZE.search(data):
        return "gesetze"
    if _PLANALTO.search(data) and len(_BRAZILIAN_ARTICLE.findall(data)) >= _MIN_ARTICLES:
        return "planalto"
    return None
