"""Laws in five mark-ups, a web page, Markdown, and plain text in several encodings."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from tests.planted.words import Planter

_FORMEX = 'xmlns:x="x" SCHEMA="http://formex.publications.europa.eu/schema/formex-05.56"'


def write_markup(folder: Path, planter: Planter) -> None:
    """Write every file of this module into ``folder``."""
    _journal(folder / "journal.html", planter)
    _planalto(folder / "planalto.html", planter)
    _formex(folder / "formex.xml", planter)
    _gesetz(folder / "gesetz.xml", planter)
    _web_page(folder / "page.html", planter)
    _markdown(folder / "manual.md", planter)
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252", "cp1251", "shift_jis"):
        _plain(folder / f"notes_{encoding.replace('-', '_')}.txt", encoding, planter)


def _journal(path: Path, planter: Planter) -> None:
    """An act of the Official Journal: recital, paragraphs, points, annex with a table, a note."""
    plant, say = partial(planter.word, path.name), partial(planter.sentence, path.name)
    point = _layout("(a)", say("point")) + _layout("(b)", say("b") + _layout("(i)", say("sub")))
    articles = "".join(
        f'<div class="eli-subdivision" id="art_{n}"><p class="oj-ti-art">Article {n}</p>'
        f'<div class="eli-title"><p class="oj-sti-art">{plant(f"title of article {n}")}</p></div>'
        f'<div id="{n:03}.001"><p class="oj-normal">1.   {say(f"paragraph of {n}")}</p>'
        f'{point if n == 2 else ""}</div><div id="{n:03}.002"><p class="oj-normal">2.   '
        f"{say(f'second paragraph of {n}')}</p></div></div>"
        for n in (1, 2, 3)
    )
    rows = [[_cell(plant(f"annex row {r} cell {c}")) for c in (0, 1)] for r in range(4)]
    cells = "".join(f'<tr class="oj-table">{"".join(row)}</tr>' for row in rows)
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
        '<head><title>R</title></head><body><div class="eli-container">'
        f'<div class="eli-main-title" id="tit_1"><p class="oj-doc-ti">REGULATION (EU) 2031/7 on '
        f'{plant("title")}</p></div><div class="eli-subdivision" id="pbl_1"><p class="oj-normal">'
        f'THE COUNCIL,</p><div class="eli-subdivision" id="cit_1"><p class="oj-normal">'
        f'{say("citation")}</p></div><p class="oj-normal">Whereas:</p>'
        f'<div class="eli-subdivision" id="rct_1">{_layout("(1)", say("recital"))}</div></div>'
        '<div class="eli-subdivision" id="enc_1"><div id="cpt_I"><p class="oj-ti-section-1">'
        f'CHAPTER I</p><div class="eli-title"><p class="oj-ti-section-2">{plant("chapter")}</p>'
        f'</div>{articles}</div></div><div class="eli-container" id="anx_I"><p class="oj-doc-ti">'
        f'ANNEX I</p><p class="oj-normal">{say("annex")}</p><table class="oj-table" border="1">'
        f'<tbody>{cells}</tbody></table></div><p class="oj-note">(<a id="ntr1">1</a>) '
        f"{say('footnote')}</p></div></body></html>",
        "utf-8",
    )


def _layout(label: str, inner: str) -> str:
    return (
        '<table border="0" cellspacing="0" cellpadding="0"><col width="4%"/><col width="96%"/>'
        f'<tbody><tr><td valign="top"><p class="oj-normal">{label}</p></td><td valign="top">'
        f'<p class="oj-normal">{inner}</p></td></tr></tbody></table>'
    )


def _cell(words: str) -> str:
    return f'<td><p class="oj-tbl-txt">{words}</p></td>'


def _planalto(path: Path, planter: Planter) -> None:
    """A Brazilian law in cp1252, with wording that was struck out."""
    say = partial(planter.sentence, path.name)
    old = planter.furniture(path.name, "superseded wording")
    lines = [
        "LEI Nº 99.709, DE 14 DE AGOSTO DE 2030", say("summary"), "CAPÍTULO I",
        planter.word(path.name, "chapter"), "Art. 1º " + say("article"),
        "Parágrafo único. " + say("sole paragraph"),
        "Art. 2º " + say("second article"), "I - " + say("item"), "a) " + say("sub-item"),
        "§ 1º " + say("paragraph"), "<strike>Art. 3º " + old + ".</strike>",
        "Art. 3º " + say("new wording"), "Brasília, 14 de agosto de 2030.",
    ]  # fmt: skip
    body = "".join(f"<p>{line}</p>\n" for line in lines)
    page = f"<html><body><p>Presidência da República</p>{body}</body></html>"
    path.write_bytes(page.encode("cp1252"))


def _formex(path: Path, planter: Planter) -> None:
    """An act in Formex with a definition, a footnote and an annex with a table."""
    plant, say = partial(planter.word, path.name), partial(planter.sentence, path.name)
    items = "".join(
        f"<ITEM><NP><NO.P>({key})</NO.P><TXT>{say(f'point {key}')}</TXT></NP></ITEM>"
        for key in "ab"
    )
    rows = "".join(
        f"<ROW{kind}>" + "".join(
            f'<CELL COL="{c}">{plant(f"annex row {r} cell {c}")}</CELL>' for c in (1, 2)
        ) + "</ROW>"
        for r, kind in enumerate((' TYPE="HEADER"', "", ""))
    )  # fmt: skip
    path.write_text(
        f'<?xml version="1.0" encoding="UTF-8"?><COMBINED.FMX {_FORMEX}><ACT><BIB.INSTANCE>'
        f"<LG.DOC>EN</LG.DOC></BIB.INSTANCE><TITLE><TI><P>Regulation on {plant('title')}</P></TI>"
        "</TITLE><PREAMBLE><GR.CONSID><CONSID><NP><NO.P>(1)</NO.P><TXT>"
        f"{say('recital')}<NOTE><P>{say('footnote')}</P></NOTE></TXT></NP></CONSID></GR.CONSID>"
        '</PREAMBLE><ENACTING.TERMS><ARTICLE IDENTIFIER="001"><TI.ART>Article 1</TI.ART>'
        f"<STI.ART>{plant('title of article 1')}</STI.ART><PARAG IDENTIFIER=\"001.001\">"
        f"<NO.PARAG>1.</NO.PARAG><ALINEA><P>{say('paragraph')}</P><LIST>{items}</LIST></ALINEA></PARAG>"
        "</ARTICLE><ARTICLE IDENTIFIER=\"002\"><TI.ART>Article 2</TI.ART><ALINEA><P>For this:</P>"
        f"<DLIST SEPARATOR=\":\"><DLIST.ITEM><PREFIX>1.</PREFIX>"
        f"<TERM>{plant('defined term')}</TERM><DEFINITION>{say('definition')}</DEFINITION>"
        "</DLIST.ITEM></DLIST></ALINEA></ARTICLE></ENACTING.TERMS></ACT><ANNEX><BIB.INSTANCE/><TITLE><TI><P>ANNEX</P></TI></TITLE>"
        f"<CONTENTS><P>{say('annex')}</P><TBL><CORPUS>{rows}</CORPUS></TBL></CONTENTS></ANNEX></COMBINED.FMX>",
        "utf-8",
    )  # fmt: skip


def _gesetz(path: Path, planter: Planter) -> None:
    """A German law in the XML of its publisher: abbreviation, section, list."""
    plant, say = partial(planter.word, path.name), partial(planter.sentence, path.name)
    norms = "".join(
        f"<norm><metadaten><jurabk>TstG</jurabk><enbez>§ {n}</enbez><titel>{plant(f'title {n}')}"
        f'</titel></metadaten><textdaten><text format="XML"><Content><P>(1) {say(f"{n} (1)")}</P>'
        f"<P>(2) {say(f'{n} (2)')}<DL><DT>1.</DT><DD><LA>{say(f'{n} item')}</LA></DD></DL></P>"
        "</Content></text></textdaten></norm>"
        for n in (1, 2)
    )
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?><dokumente><norm><metadaten><jurabk>TstG</jurabk>'
        f"<langue>Gesetz über {plant('long title')}</langue></metadaten></norm>{norms}</dokumente>",
        "utf-8",
    )


def _web_page(path: Path, planter: Planter) -> None:
    """A page with a menu that is dropped, and all the rest that must stay."""
    plant, say = partial(planter.word, path.name), partial(planter.sentence, path.name)
    menu = "".join(
        f'<a href="/{n}">{planter.furniture(path.name, f"menu {n}")}</a> ' for n in range(3)
    )
    text = "".join(f"<p>{planter.prose(path.name, f'paragraph {n}', 3)}</p>" for n in range(4))
    path.write_text(
        "<!DOCTYPE html><html><head>"
        f"<title>{plant('title of the tab')}</title></head><body>"
        f"<nav>{menu}</nav>"
        f"<main><h1>{plant('heading')}</h1>{text}<ul><li>{say('item')}<ul><li>{say('nested item')}"
        f"</li></ul></li></ul><pre><code>run --{plant('code')}\n</code></pre><blockquote>"
        f"{say('quotation')}</blockquote><dl><dt>{plant('term')}</dt><dd>{say('meaning')}</dd></dl>"
        f"<table><caption>{plant('caption')}</caption><tr><th>{plant('header 0')}</th>"
        f"<th>{plant('header 1')}</th></tr><tr><td rowspan='2'>{plant('merged cell')}</td>"
        f"<td>{plant('cell')}</td></tr><tr><td>{plant('last cell')}</td></tr></table>"
        f"<figure><img src='x.png' alt='{say('alt text')}'><figcaption>{say('figure caption')}"
        f"</figcaption></figure><details><summary>{plant('summary')}</summary>{say('folded')}"
        "</details></main></body></html>",
        "utf-8",
    )


def _markdown(path: Path, planter: Planter) -> None:
    plant, say = partial(planter.word, path.name), partial(planter.sentence, path.name)
    path.write_text(
        f"---\ntitle: {plant('front matter')}\n---\n\n# {plant('heading')}\n\n"
        f"{say('paragraph')}\n\n- {say('item')}\n  - {say('nested item')}\n\n"
        f"1. {say('numbered item')}\n\n> {say('quote')}\n\n"
        f"```python\n{plant('code')} = 1\n```\n\n    {plant('indented code')}\n\n"
        f"| {plant('header 0')} | {plant('header 1')} |\n|---|---|\n| {plant('cell 0')} | "
        f"{plant('cell 1')} |\n\n![{plant('alt text')}](x.png)\n\nSee it.[^1]\n\n"
        f"[^1]: {say('footnote')}\n\n<div>{say('raw HTML')}</div>\n",
        "utf-8",
    )


def _plain(path: Path, encoding: str, planter: Planter) -> None:
    own: Any = {"cp1252": "Größe für São Paulo", "cp1251": "Обычный русский текст для проверки"}
    text = own.get(encoding, "これは日本語の文章です" if encoding == "shift_jis" else "plain")
    lines = [f"{text}. {planter.sentence(path.name, f'line {row}')}" for row in range(6)]
    path.write_bytes("\n\n".join(lines).encode(encoding))
