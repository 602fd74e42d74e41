"""Web pages: nothing of the text lost, nothing twice, what stands around it out with a reason."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html

from configs.settings import ParsingSettings
from parsers import webpage
from parsers.base import DamagedFileError, EmptyFileError
from parsers.model import BlockKind, Document, Source


def _parse(markup: str | bytes, media_type: str = "text/html", *, tables: bool = True) -> Document:
    data = markup.encode("utf-8") if isinstance(markup, str) else markup
    source = Source("page.html", media_type, len(data), hashlib.sha256(data).hexdigest())
    return webpage.parse(data, source, ParsingSettings(tables=tables))


def _blocks(document: Document, kind: BlockKind) -> list[str]:
    return [document.text[b.start : b.end].strip() for b in document.blocks if b.kind is kind]


@pytest.fixture
def other(shared: Path) -> Callable[[str], Document]:
    return lambda name: _parse((shared / "corpus/other" / name).read_bytes())


@pytest.mark.shared
@pytest.mark.parametrize(
    "name",
    [
        "colspan-table.html", "complex_table.html", "fake-html-cp1252.html",
        "html_rich_table_cells.html", "ideas-page.html", "nested-table.html", "test_blog.html",
        "wiki_duck.html",
    ],
)  # fmt: skip
def test_every_character_of_a_page_is_accounted_for(
    other: Callable[[str], Document], name: str
) -> None:
    assert [row.unaccounted for row in other(name).ledger] == [0]


@pytest.mark.shared
def test_menus_go_and_every_paragraph_of_the_article_stays(shared: Path) -> None:
    data = (shared / "corpus/other/wiki_duck.html").read_bytes()
    document = _parse(data)
    for menu in ("Main menu", "Create account", "Retrieved from", "Hidden categories", "Jump to"):
        assert menu not in document.text
    text = "".join(document.text.split())
    main = next(lxml_html.fromstring(data.decode("utf-8")).iter("main"))
    paragraphs = [p for p in main.iter("p") if next(p.iter("style"), None) is None]
    assert len(paragraphs) > 30
    for paragraph in paragraphs:
        assert "".join("".join(map(str, paragraph.itertext())).split()) in text


@pytest.mark.shared
def test_a_page_laid_out_as_one_table_is_text(other: Callable[[str], Document]) -> None:
    document = other("ideas-page.html")
    assert not document.tables
    assert "The way to get new ideas is to notice anomalies" in document.text


@pytest.mark.shared
def test_a_page_in_cp1252_without_a_charset_comes_out_right(
    other: Callable[[str], Document],
) -> None:
    code = _blocks(other("fake-html-cp1252.html"), BlockKind.CODE)
    assert len(code) == 1
    assert len(code[0].splitlines()) == 6
    assert "15,50 €" in code[0]


@pytest.mark.shared
def test_nested_tables_are_written_once(other: Callable[[str], Document]) -> None:
    document = other("nested-table.html")
    values = [value for table in document.tables for row in table.rows for _, value in row.cells]
    assert len(document.tables) == 3
    assert len(values) == len(set(values))
    assert "t0,2r1c1" in values


@pytest.mark.shared
def test_a_title_over_the_whole_width_is_no_header(other: Callable[[str], Document]) -> None:
    document = other("colspan-table.html")
    assert "huge title" in document.text
    assert document.tables[0].rows[0].cells == (("field1", "row1field1"), ("field2", "row1field2"))


def test_text_behind_inline_tags_is_kept_in_its_sentence() -> None:
    document = _parse("<p>One <i>two</i> three <b>four</b>, five<br>six.</p>tail")
    assert _blocks(document, BlockKind.PARAGRAPH) == ["One two three four, five\nsix.", "tail"]


def test_headings_open_the_path_of_what_follows() -> None:
    document = _parse("<h1>A</h1><p>x</p><h2>B</h2><p>y</p><h1>C</h1><p>z</p>")
    paths = [b.heading_path for b in document.blocks if b.kind is BlockKind.PARAGRAPH]
    assert paths == [("A",), ("A", "B"), ("C",)]


def test_nested_lists_keep_their_depth_and_order() -> None:
    document = _parse("<ul><li>a<ol><li>b</li><li><p>c</p></li></ol>d</li><li>e</li></ul>")
    items = [(document.text[b.start : b.end].strip(), b.level) for b in document.blocks]
    assert items == [("a", 1), ("b", 2), ("c", 2), ("d", 1), ("e", 1)]
    assert all(b.kind is BlockKind.LIST_ITEM for b in document.blocks)


def test_code_keeps_its_white_space() -> None:
    document = _parse("<pre><code>def f():\n    return  1\n</code></pre>")
    assert _blocks(document, BlockKind.CODE) == ["def f():\n    return  1"]


def test_what_is_not_shown_goes_with_its_reason() -> None:
    document = _parse(
        "<html><head><title>Shop</title><style>p{}</style></head><body><p>Seen</p>"
        "<p hidden>aa</p><p style='display: none'>bbb</p><script>cccc</script>"
        "<details><summary>More</summary>folded</details><button>Buy!</button></body></html>"
    )
    assert document.text.split() == ["Shop", "Seen", "More", "folded"]
    assert document.title == "Shop"
    ledger = document.ledger[0]
    assert ledger.dropped == {"page head": 7, "hidden": 5, "script": 4, "form control": 4}
    assert ledger.unaccounted == 0


_LINKS = "".join(f'<li><a href="#{n}">Link number {n}</a></li>' for n in range(6))


def test_navigation_and_cookie_banners_go() -> None:
    story = "<p>" + "A long and winding story about a duck. " * 20 + "</p>"
    document = _parse(
        f"<body><header><a href='/'>Logo</a></header><nav><ul>{_LINKS}</ul></nav>"
        f"<div class='cookie-banner'><p>We use cookies.</p><button>OK</button></div>"
        f"<div id='side-menu'><ul>{_LINKS}</ul></div><main><h1>Duck</h1>{story}</main>"
        "<footer><p>© 2024 Pond</p></footer></body>"
    )
    assert "Link number" not in document.text
    assert "cookies" not in document.text
    assert "© 2024" not in document.text
    assert document.ledger[0].dropped["banner"] == len("Weusecookies.")
    assert document.ledger[0].unaccounted == 0


def test_an_article_keeps_its_own_header_and_a_section_about_cookies() -> None:
    prose = "Cookies are baked from flour, butter and sugar. " * 8
    document = _parse(
        "<body><article><header><h1>Baking</h1><p>By Ann</p></header>"
        f"<section id='cookies'><p>{prose}</p></section>"
        "<footer>Printed in Porto</footer></article></body>"
    )
    for piece in ("By Ann", "flour, butter", "Printed in Porto"):
        assert piece in document.text


def test_a_page_of_links_only_is_not_emptied() -> None:
    document = _parse(f"<body><nav><ul>{_LINKS}</ul></nav></body>")
    assert document.text.count("Link number") == 6


def test_spans_of_a_table_are_carried_to_each_row() -> None:
    document = _parse(
        "<table><tr><th rowspan=2>Region<th colspan=2>Sales</tr><tr><th>Q1<th>Q2</tr>"
        "<tr><td rowspan=2>North<td>1<td>2</tr><tr><td>3<td>4</tr></table>"
    )
    assert [row.cells for row in document.tables[0].rows] == [
        (("Region", "North"), ("Sales / Q1", "1"), ("Sales / Q2", "2")),
        (("Region", "North"), ("Sales / Q1", "3"), ("Sales / Q2", "4")),
    ]
    assert document.ledger[0].unaccounted == 0


def test_a_table_in_a_cell_comes_behind_its_row_under_the_row_s_name() -> None:
    document = _parse(
        "<table><tr><th>Animal</th><th>Sounds</th></tr><tr><td>Duck</td><td><table>"
        "<tr><th>Kind</th><th>Sound</th></tr><tr><td>Short</td><td>quak</td></tr>"
        "<tr><td>Long</td><td>quaaak</td></tr></table></td></tr></table>"
    )
    inner = [b for b in document.blocks if b.locator.startswith("table_2/")]
    assert "Duck" in inner[0].context
    assert document.text.count("quaaak") == 1
    assert document.ledger[0].unaccounted == 0


def test_tables_can_be_left_as_text() -> None:
    markup = "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>"
    document = _parse(markup, tables=False)
    assert not document.tables
    assert document.text.split() == ["A", "B", "1", "2"]


def test_alternative_texts_stand_where_the_image_stands() -> None:
    document = _parse(
        "<p>Water is <img alt='H2O' src=x>.</p><figure><img alt='A pond' src=y>"
        "<figcaption>Fig. 1</figcaption></figure><p><img alt='' src=z></p>"
        "<div><img alt=Reeds></div>"
    )
    assert _blocks(document, BlockKind.PARAGRAPH)[0] == "Water is H2O ."
    assert _blocks(document, BlockKind.ALT_TEXT) == ["A pond", "Reeds"]
    assert _blocks(document, BlockKind.CAPTION)[-1] == "Fig. 1"
    assert document.ledger[0].generated == {"alternative text": 13}
    assert document.ledger[0].unaccounted == 0


def test_a_definition_list_gives_terms_and_definitions() -> None:
    document = _parse("<dl><dt>Duck</dt><dd>A bird.</dd></dl>")
    assert _blocks(document, BlockKind.LIST_ITEM) == ["Duck", "A bird."]


def test_the_declared_charset_is_used() -> None:
    page = '<html><head><meta charset="iso-8859-2"></head><body><p>Żółta gęś</p></body></html>'
    assert "Żółta gęś" in _parse(page.encode("iso-8859-2")).text


def test_utf_16_is_read() -> None:
    assert "Ação" in _parse("<html><body><p>Ação</p></body></html>".encode("utf-16")).text


def test_xhtml_entities_of_an_unread_dtd_are_known() -> None:
    document = _parse(
        '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd">'
        '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="pt-BR"><body>'
        "<p>caf&eacute;&nbsp;com leite</p></body></html>"
    )
    assert "café com leite" in document.text.replace("\xa0", " ")
    assert document.language == "pt"


def test_a_fragment_without_any_frame_is_read() -> None:
    assert _parse("Just <b>words</b> of it").text.strip() == "Just words of it"


def test_xml_of_any_vocabulary_keeps_its_texts_in_order() -> None:
    document = _parse(
        '<?xml version="1.0"?><a xmlns="urn:x"><b>One</b><c>two <d>three</d> four</c><e/></a>',
        "application/xml",
    )
    assert _blocks(document, BlockKind.PARAGRAPH) == ["One", "two three four"]
    assert document.ledger[0].unaccounted == 0


def test_entities_that_multiply_are_refused_at_once() -> None:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE a [<!ENTITY l0 "lol">{levels}]><a>&l11;</a>'
    with pytest.raises(DamagedFileError, match="entities"):
        _parse('<?xml version="1.0"?>' + bomb, "application/xml")
    with pytest.raises(DamagedFileError, match="entities"):
        _parse(bomb, "application/xml")


def test_a_file_of_the_machine_is_not_read_through_an_entity() -> None:
    with pytest.raises(DamagedFileError):
        _parse(
            '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a>&f;</a>'
        )


def test_an_empty_page_is_an_error() -> None:
    with pytest.raises(EmptyFileError):
        _parse(b"")


def test_deep_nesting_is_read_or_refused_but_never_lost_in_silence() -> None:
    deep = "<div>" * 1500 + "bottom" + "</div>" * 1500
    assert "bottom" in _parse(f"<html><body>{deep}</body></html>").text
    deeper = "<div>" * 5000 + "bottom" + "</div>" * 5000
    with pytest.raises(DamagedFileError, match="nested"):
        _parse(f"<html><body>{deeper}</body></html>")


_WORDS = st.text("abcdefghijkl éü", min_size=1, max_size=12).filter(str.strip)
_INLINE = st.recursive(
    _WORDS,
    lambda inner: st.tuples(st.sampled_from(["i", "b", "a", "span", "br"]), st.lists(inner)).map(
        lambda t: f"<{t[0]}>" if t[0] == "br" else f"<{t[0]}>{''.join(t[1])}</{t[0]}>"
    ),
    max_leaves=5,
)
_BLOCKS = st.recursive(
    st.one_of(
        _INLINE, _INLINE.map(lambda t: f"<p>{t}</p>"), _INLINE.map(lambda t: f"<h2>{t}</h2>")
    ),
    lambda inner: st.tuples(
        st.sampled_from(["div", "ul><li", "blockquote", "table><tr><td", "dl><dd", "section"]),
        st.lists(inner, min_size=1, max_size=4),
    ).map(
        lambda t: (
            f"<{t[0]}>{''.join(t[1])}" + "".join(f"</{x}>" for x in reversed(t[0].split("><")))
        )
    ),
    max_leaves=12,
)


@given(st.lists(_BLOCKS, max_size=4))
def test_any_page_balances_and_shows_its_words_in_order(parts: list[str]) -> None:
    markup = "".join(parts)
    document = _parse(f"<html><body>{markup}</body></html>", tables=False)
    shown = re.sub(r"<[^>]*>", "", markup)
    assert "".join(document.text.split()) == "".join(shown.split())
    assert [row.unaccounted for row in document.ledger] == [0]


@given(st.lists(_BLOCKS, max_size=4))
def test_any_page_with_tables_balances(parts: list[str]) -> None:
    document = _parse(f"<html><body>{''.join(parts)}</body></html>")
    assert [row.unaccounted for row in document.ledger] == [0]


@pytest.mark.parametrize(
    ("body", "first"),
    [
        ("<p>Nobody may smoke.</p>", "House rules"),  # only the head says what the page is
        ("<h1>The house rules</h1><p>Nobody may smoke.</p>", "The house rules"),
    ],
)
def test_a_title_that_only_the_head_states_begins_the_text(body: str, first: str) -> None:
    document = _parse(f"<html><head><title>House rules</title></head><body>{body}</body></html>")
    assert document.title == "House rules"
    assert document.text.splitlines()[0] == first
    assert document.text.count("ouse rules") == 1
    assert all(row.unaccounted == 0 for row in document.ledger)
