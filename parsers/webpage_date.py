"""When a page was published, by its own word: metadata, structured data, ``time``."""

from __future__ import annotations

import re

from parsers.dates import stated_date
from parsers.webpage_dom import Element

_NAMES = (
    "article:published_time", "og:published_time", "datepublished", "citation_publication_date",
    "citation_date", "dcterms.issued", "dc.date.issued", "dcterms.date", "dc.date",
    "dcterms.created", "dc.date.created", "pubdate", "publishdate", "publication_date", "date",
    "parsely-pub-date", "sailthru.date", "article:modified_time", "last-modified",
)  # fmt: skip
"""Of ``meta`` (name, property, itemprop or http-equiv), the surest first."""
_STRUCTURED = re.compile(r"\"datePublished\"\s*:\s*\"([^\"]{4,40})\"")
_ATTRIBUTES = ("property", "name", "itemprop", "http-equiv")


def page_date(root: Element) -> str:
    """Return the date in ISO 8601, "" when the page states none."""
    found: dict[str, str] = {}
    for meta in root.iter("meta"):
        date = stated_date(str(meta.get("content") or ""))
        for attribute in _ATTRIBUTES:
            if date and (name := str(meta.get(attribute) or "").lower()):
                found.setdefault(name, date)
    for name in _NAMES:
        if name in found:
            return found[name]
    for script in root.iter("script"):
        match = _STRUCTURED.search(script.text or "")
        if match and (date := stated_date(match[1])):
            return date
    times = [e for e in root.iter("time") if e.get("datetime")]
    marked = [e for e in times if e.get("pubdate") is not None or e.get("itemprop")]
    return next(
        (d for e in (*marked, *times[:1]) if (d := stated_date(str(e.get("datetime"))))), ""
    )
