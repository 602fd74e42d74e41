"""What stands around the text of a web page: menus, banners, footers, tools.

Main text must never be lost, so a piece goes only for a reason: the page itself calls it
navigation (``nav``, roles, a page's own header and footer), or its class or id does and what it
holds looks the part (mostly links, or short). A page that would lose nearly everything loses
nothing. trafilatura decides better what is the main text and then drops some of it (tables,
lists, text behind inline tags), so it is not asked.
"""

from __future__ import annotations

import re

from parsers.builder import DocumentBuilder
from parsers.normalise import one_line
from parsers.webpage_dom import Element, count_text, name_of, remove

NAVIGATION = "navigation"
BANNER = "banner"

_ROLES = frozenset({"navigation", "contentinfo", "search", "menu", "menubar", "toolbar", "tablist"})
_MENU_WORDS = frozenset(
    {"nav", "navbar", "navigation", "menu", "menus", "submenu", "sidebar", "breadcrumb",
     "breadcrumbs", "pagination", "pager", "toc", "dropdown", "toolbar", "topbar", "sitemap",
     "navbox", "catlinks", "portlet", "share", "sharing", "social", "related", "tags",
     "footer", "sitemenu", "langs", "languages", "categories", "tableofcontents",
     "printfooter", "contents"}
)  # fmt: skip
_TOOL = re.compile(
    r"(skip|jump)[-_]?(to|link|nav|content)|edit[-_]?section|print[-_]?footer|share[-_]?bar|addthis",
    re.IGNORECASE,
)
_BANNER_WORDS = frozenset(
    {"cookie", "cookies", "consent", "gdpr", "ccpa"}
)  # fmt: skip
_SPLIT = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")
_SECTIONING = frozenset({"article", "main", "section", "blockquote", "figure", "td", "li"})

_LINK_SHARE = 0.5
"""Share of a piece's characters inside links from which it is a menu. Measured on the two pages
with menus in the corpus: menus 0.54-1.0, main text 0.04-0.20."""
_MIN_LINKS = 3
"""Fewer links are a remark ("See also …"), not a menu (a guess)."""
_SMALL = 0.25
"""Most of a page's characters that a piece called by its class alone may hold (a guess)."""
_TOOL_CHARS = 150
"""Longest piece that is a page's tool ("[edit]", "Skip to content") by its class (a guess)."""
_KEEP_SHARE = 0.1
"""When less than this share of the text would stay, everything stays: the rules misread the page
(a guess)."""


def drop_boilerplate(body: Element, builder: DocumentBuilder) -> None:
    """Take navigation and banners out of the page; each is counted with its reason."""
    total = count_text(body)
    chosen: list[tuple[Element, str, int]] = []
    inside: set[Element] = set()
    for element in body.iter("*"):
        if element is body or (inside and any(a in inside for a in element.iterancestors())):
            continue
        reason = _reason(element, total)
        if reason:
            chosen.append((element, reason, count_text(element)))
            inside.add(element)
    if total - sum(size for _, _, size in chosen) < _KEEP_SHARE * total:
        return
    for element, reason, size in chosen:
        builder.count_dropped(reason, size)
        remove(element)


def _reason(element: Element, total: int) -> str:
    name = name_of(element).lower()
    role = str(element.get("role") or "").lower()
    if name == "nav" or role in _ROLES:
        return NAVIGATION
    if name in ("header", "footer") or role in ("banner", "contentinfo"):
        return _edge_of_page(element, name)
    if name in ("html", "body", "main", "article", "h1", "p", "pre", "code"):
        return ""
    words = _words(element)
    if words & _BANNER_WORDS and _share(element, total) <= _SMALL and _is_block_of_page(element):
        return BANNER
    if _TOOL.search(_names(element)) and len(_text(element)) <= _TOOL_CHARS:
        return NAVIGATION
    if (words & _MENU_WORDS or name in ("aside", "menu")) and _is_menu(element, total):
        return NAVIGATION
    return ""


def _edge_of_page(element: Element, name: str) -> str:
    """A header or footer of the page, not of an article in it; a heading keeps it."""
    if any(name_of(a) in _SECTIONING for a in element.iterancestors()):
        return ""
    if name != "footer" and next(element.iter("h1"), None) is not None:
        return ""
    long_text = any(len(_text(p)) > 400 for p in element.iter("p"))
    return "" if long_text else NAVIGATION


def _is_menu(element: Element, total: int) -> bool:
    """Whether a piece holds little but links; one with real paragraphs does not."""
    text = _text(element)
    if not text or _share(element, total) > _SMALL:
        return False
    links = [len(_text(a)) for a in element.iter("a", "button")]
    return len(links) >= _MIN_LINKS and sum(links) >= _LINK_SHARE * len(text)


def _is_block_of_page(element: Element) -> bool:
    """Whether a piece is a box of the page, not part of its text (a heading's anchor, a link)."""
    in_text = {name_of(a) for a in element.iterancestors()} & {"article", "main", "p"}
    return name_of(element) in ("div", "section", "aside", "form", "dialog") and not in_text


def _names(element: Element) -> str:
    return f"{element.get('class') or ''} {element.get('id') or ''}"


def _words(element: Element) -> set[str]:
    value = _names(element)
    words = {w.lower() for w in _SPLIT.split(value) if w}
    joined = {w.lower().replace("-", "").replace("_", "") for w in value.split()}
    return words | joined


def _text(element: Element) -> str:
    return one_line("".join(str(t) for t in element.itertext()))


def _share(element: Element, total: int) -> float:
    return count_text(element) / max(1, total)
