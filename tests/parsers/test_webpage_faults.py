"""Pages whose mark-up is wrong or unusual: nothing of them may be lost in silence."""

from __future__ import annotations

import hashlib

import pytest

from configs.settings import ParsingSettings
from parsers import markdown_text, webpage
from parsers.model import BlockKind, Document, Source


def _parse(markup: str) -> Document:
    data = markup.encode("utf-8")
    source = Source("p.html", "text/html", len(data), hashlib.sha256(data).hexdigest())
    return webpage.parse(data, source, ParsingSettings())


def _texts(document: Document) -> list[str]:
    return [" ".join(document.text[b.start : b.end].split()) for b in document.blocks]


@pytest.mark.parametrize(
    ("markup", "texts"),
    [
        ("<html><body><p>a</p></body></html><p>after</p> tail", ["a", "after", "tail"]),
        ("<html><body>a</body></html>\n<html><body><p>b</p></body></html>", ["a", "b"]),
        ("<frameset><frame><noframes><body><p>text</p></body></noframes></frameset>", ["text"]),
        ("<p>Chart<svg><title>t</title><text>Revenue</text></svg>", ["Chart", "Revenue"]),
        ("<form><textarea>typed</textarea><button>Go</button></form>", ["typed"]),
        ("<p>5 < 6 and 7 <8 &amp <3 &nosuch; &#8364;</p>", ["5 < 6 and 7 <8 & <3 &nosuch; €"]),
        ("<p>one<p>two<ul><li>x<li>y</ul>z", ["one", "two", "x", "y", "z"]),
        ("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", ["漢(kan)"]),
        ("<details><summary>S</summary><p>b</p></details>", ["S", "b"]),
        ("<div>One<br>Two<br><br>Three</div>", ["One Two", "Three"]),
    ],
)
def test_what_a_reader_sees_is_kept(markup: str, texts: list[str]) -> None:
    document = _parse(markup)
    assert _texts(document) == texts
    assert document.ledger[0].unaccounted == 0


def test_cells_without_a_row_are_a_row_and_text_between_cells_is_text() -> None:
    document = _parse(
        "<table>loose<tr><th>A<th>B</tr><td>c</td><td>d</td><tr>stray<td>e<td>f</tr>"
        "<p>para</p></table>"
    )
    assert [row.cells for row in document.tables[0].rows] == [
        (("A", "c"), ("B", "d")), (("A", "e"), ("B", "f")),
    ]  # fmt: skip
    assert {"loose", "stray", "para"} <= set(_texts(document))
    assert document.ledger[0].unaccounted == 0


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:published_time" content="2024-05-01T10:00:00Z">',
        '<meta name="DC.date.issued" content="2024-05-01">',
        '<script type="application/ld+json">{"datePublished": "2024-05-01"}</script>',
        '<body><article><time datetime="2024-05-01">May</time></article>',
        '<meta name="date" content="May 1, 2024"><meta name="viewport" content="2020">',
    ],
)
def test_a_page_states_its_date(head: str) -> None:
    assert _parse(f"<html><head>{head}<body><p>x</p></body></html>").date == "2024-05-01"


def test_a_page_without_a_date_has_none() -> None:
    assert _parse("<p>On 3 May 2024 it rained.</p>").date == ""


def test_front_matter_states_the_date_of_markdown() -> None:
    data = b"---\ntitle: T\ndate: 2024-05-01\n---\n\nText.\n"
    source = Source("p.md", "text/markdown", len(data), hashlib.sha256(data).hexdigest())
    document = markdown_text.parse(data, source, ParsingSettings())
    assert document.date == "2024-05-01"
    assert [b.kind for b in document.blocks][-1] is BlockKind.PARAGRAPH
