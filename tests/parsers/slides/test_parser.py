from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from parsers.base import DamagedFileError, EncryptedFileError, UnsupportedFormatError
from parsers.model import BlockKind, Document, TextSource
from parsers.ooxml_package import OLE_MAGIC

Parse = Callable[..., Document]
Box = Callable[..., Any]
Edited = Callable[..., bytes]
Linked = Callable[[bytes, str, str, str], bytes]

_BLANK, _TITLE_ONLY, _TITLE_AND_BODY = 6, 5, 1


def _slide(deck: Any, layout: int = _BLANK, title: str = "") -> Any:
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    if title:
        slide.shapes.title.text = title
    return slide


def _lines(document: Document) -> list[str]:
    return [line for line in document.text.splitlines() if line.strip()]


def _balanced(document: Document) -> bool:
    return all(row.unaccounted == 0 for row in document.ledger)


def test_the_title_comes_first_and_is_the_context_of_the_rest(
    deck: Any, box: Box, parse_deck: Parse
) -> None:
    slide = _slide(deck, _TITLE_ONLY, "Results of 2024")
    box(slide, "above the title", 1, 0)
    document = parse_deck(deck)
    assert _lines(document) == ["Results of 2024", "above the title"]
    assert document.title == "Results of 2024"
    title, text = document.blocks
    assert (title.kind, title.context) == (BlockKind.SLIDE_TITLE, ())
    assert (text.context, text.heading_path) == (("Results of 2024",), ("Results of 2024",))
    assert (text.page, text.locator) == (1, "slide_1/shape_1")


def test_boxes_are_read_in_rows_whatever_their_order_in_the_file(
    deck: Any, box: Box, parse_deck: Parse
) -> None:
    slide = _slide(deck)
    for text, left, top in [("D", 5, 3), ("B", 5, 1.1), ("C", 1, 3), ("A", 1, 1)]:
        box(slide, text, left, top)
    assert _lines(parse_deck(deck)) == ["A", "B", "C", "D"]


def test_groups_at_any_depth_keep_their_place_and_all_their_text(
    deck: Any, box: Box, parse_deck: Parse
) -> None:
    slide = _slide(deck)
    box(slide, "last", 1, 6)
    outer = slide.shapes.add_group_shape()
    box(outer, "in the group", 1, 3)
    inner = outer.shapes.add_group_shape()
    box(inner, "deep right", 6, 3)
    box(inner, "deep left", 4, 3.1, width=1.5)
    box(slide, "first", 1, 1)
    document = parse_deck(deck)
    assert _lines(document) == ["first", "in the group", "deep left", "deep right", "last"]
    assert _balanced(document)


def test_a_table_becomes_row_sentences_with_merged_cells_carried(
    deck: Any, parse_deck: Parse
) -> None:
    from pptx.util import Inches

    slide = _slide(deck, _TITLE_ONLY, "Prices")
    table = slide.shapes.add_table(3, 3, Inches(1), Inches(2), Inches(6), Inches(2)).table
    for r, row in enumerate([("City", "Item", "Price"), ("Porto", "tea", "2"), ("", "milk", "3")]):
        for c, text in enumerate(row):
            table.cell(r, c).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    document = parse_deck(deck)
    assert "City: Porto, Item: tea, Price: 2." in document.text
    assert "City: Porto, Item: milk, Price: 3." in document.text
    assert [b.locator for b in document.blocks][1:] == [
        "slide_1/table_1/row_1",
        "slide_1/table_1/row_2",
    ]
    assert document.blocks[1].context == ("Prices",)
    assert document.tables[0].pages == (1,)
    assert _balanced(document)


def test_notes_are_a_unit_of_their_own(deck: Any, parse_deck: Parse) -> None:
    slide = _slide(deck, _TITLE_ONLY, "Plan")
    slide.notes_slide.notes_text_frame.text = "Remember the unicorn.\nAnd the dragon."
    document = parse_deck(deck)
    notes = document.blocks[-1]
    assert (notes.kind, notes.locator) == (BlockKind.NOTES, "slide_1/notes")
    assert document.text[notes.start : notes.end].split("\n")[:2] == [
        "Remember the unicorn.",
        "And the dragon.",
    ]
    assert _balanced(document)


def test_a_hidden_slide_is_indexed_and_flagged(deck: Any, box: Box, parse_deck: Parse) -> None:
    slide = _slide(deck)
    box(slide, "secret figures", 1, 1)
    slide._element.set("show", "0")
    document = parse_deck(deck)
    assert "secret figures" in document.text
    assert "hidden slide" in document.pages[0].route_reason


def test_a_slide_number_is_dropped_and_a_footer_is_kept_once(
    deck: Any, box: Box, parse_deck: Parse
) -> None:
    for text in ("one", "two"):
        slide = _slide(deck, _TITLE_ONLY, text)
        for kind, words in (("ftr", "Acme Ltd"), ("sldNum", "7")):
            shape = box(slide, words, 1, 7, height=0.3)
            properties = shape._element.nvSpPr.nvPr
            properties.append(
                properties.makeelement(
                    "{http://schemas.openxmlformats.org/presentationml/2006/main}ph",
                    {"type": kind, "idx": "11"},
                )
            )
    document = parse_deck(deck)
    assert _lines(document) == ["one", "Acme Ltd", "two"]
    assert document.ledger[0].dropped == {"slide number": 1}
    assert document.ledger[1].dropped == {"repeated footer": 7, "slide number": 1}
    assert _balanced(document)


def test_a_vertical_tab_is_a_line_break(deck: Any, parse_deck: Parse) -> None:
    _slide(deck, _TITLE_ONLY, "Upper line\vlower line")
    document = parse_deck(deck)
    assert _lines(document) == ["Upper line", "lower line"]
    assert document.title == "Upper line lower line"


def test_an_escaped_control_character_is_no_text(
    deck: Any, parse_deck: Parse, edited: Edited
) -> None:
    _slide(deck, _TITLE_ONLY, "Upper HERE lower")
    data = edited(deck, {"ppt/slides/slide1.xml": lambda xml: xml.replace(b" HERE ", b"_x000B_")})
    document = parse_deck(data)
    assert _lines(document) == ["Upper", "lower"]
    assert document.ledger[0].dropped == {"control character": 7}
    assert _balanced(document)


@pytest.mark.parametrize("kind", ["missing data", "dangling relation", "no picture"])
def test_a_broken_picture_costs_itself_alone(
    deck: Any, box: Box, parse_deck: Parse, edited: Edited, kind: str
) -> None:
    from PIL import Image

    picture = io.BytesIO()
    Image.new("RGB", (80, 80), "white").save(picture, "PNG")
    picture.seek(0)
    slide = _slide(deck, _TITLE_ONLY, "Broken")
    slide.shapes.add_picture(picture, 0, 0)
    box(slide, "still here", 1, 5)
    box(_slide(deck), "next slide", 1, 1)
    changes: dict[str, Callable[[bytes], bytes]] = {
        "missing data": lambda xml: xml.replace(b"r:embed=", b"r:nothing="),
        "dangling relation": lambda xml: xml.replace(b'r:embed="rId2"', b'r:embed="rId99"'),
    }
    if kind in changes:
        data = edited(deck, {"ppt/slides/slide1.xml": changes[kind]})
    else:
        data = edited(deck, {"ppt/media/image1.png": b"this is no picture"})
    document = parse_deck(data)
    assert _lines(document) == ["Broken", "still here", "next slide"]
    assert [(f.page, f.error) for f in document.failures] == [(1, "DamagedFileError")]
    assert _balanced(document)


def test_a_slide_that_cannot_be_read_costs_itself_alone(
    deck: Any, box: Box, parse_deck: Parse, edited: Edited
) -> None:
    for text in ("one", "two", "three"):
        box(_slide(deck), text, 1, 1)
    document = parse_deck(edited(deck, {"ppt/slides/slide2.xml": b"<broken"}))
    assert _lines(document) == ["one", "three"]
    assert [f.page for f in document.failures] == [2]
    assert [p.text_source for p in document.pages][1] is TextSource.NONE
    assert document.pages[1].route_reason == "slide cannot be read"


_CLASSIC = b"""<p:cmLst xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main">
<p:cm authorId="0" idx="1"><p:pos x="0" y="0"/><p:text>Please check this.</p:text></p:cm></p:cmLst>
"""
_MODERN = b"""<p188:cmLst xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">
<p188:cm authorId="{A}"><p188:replyLst><p188:reply authorId="{B}"><p188:txBody><a:p><a:r><a:t>Done.
</a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst>
<p188:txBody><a:p><a:r><a:t>Who owns this?</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>"""
_MODERN_KIND = "http://schemas.microsoft.com/office/2018/10/relationships/comments"


@pytest.mark.parametrize(
    ("part", "kind", "wanted"),
    [
        (_CLASSIC, "comments", ["Please check this."]),
        (_MODERN, _MODERN_KIND, ["Who owns this?", "Done."]),
    ],
    ids=["classic", "threaded"],
)
def test_comments_are_annotations(
    deck: Any, box: Box, parse_deck: Parse, edited: Edited, linked: Linked,
    part: bytes, kind: str, wanted: list[str],
) -> None:  # fmt: skip
    box(_slide(deck), "text", 1, 1)
    rels = "ppt/slides/_rels/slide1.xml.rels"
    data = edited(
        deck,
        {
            "ppt/comments/c1.xml": part,
            rels: lambda xml: linked(xml, "rId77", kind, "../comments/c1.xml"),
        },
    )
    document = parse_deck(data)
    comments = [b for b in document.blocks if b.kind is BlockKind.ANNOTATION]
    assert sorted(document.text[b.start : b.end].strip() for b in comments) == sorted(wanted)
    assert comments[0].locator == "slide_1/comment_1"
    assert _balanced(document)


def test_alternative_text_is_kept_unless_it_is_a_file_name(
    deck: Any, box: Box, parse_deck: Parse
) -> None:
    slide = _slide(deck)
    for text, alt in [("one", "A bar chart of exports"), ("two", "IMG_0001.png")]:
        shape = box(slide, text, 1, 1 if text == "one" else 4)
        shape._element.nvSpPr.cNvPr.set("descr", alt)
    document = parse_deck(deck)
    assert _lines(document) == ["one", "A bar chart of exports", "two"]
    assert document.ledger[0].generated == {"alternative text": 18}
    assert _balanced(document)


def test_a_hidden_shape_is_dropped_with_a_reason(deck: Any, box: Box, parse_deck: Parse) -> None:
    slide = _slide(deck)
    box(slide, "seen", 1, 1)
    box(slide, "unseen", 1, 3)._element.nvSpPr.cNvPr.set("hidden", "1")
    document = parse_deck(deck)
    assert _lines(document) == ["seen"]
    assert document.ledger[0].dropped == {"hidden shape": 6}
    assert _balanced(document)


def test_only_one_rendering_of_an_alternative_is_read(
    deck: Any, box: Box, parse_deck: Parse, edited: Edited
) -> None:
    box(_slide(deck), "equation", 1, 1)
    new = (
        b'<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/'
        b'2006"><mc:Choice Requires="a14">SHAPE</mc:Choice><mc:Fallback>SHAPE</mc:Fallback>'
        b"</mc:AlternateContent>"
    )

    def double(xml: bytes) -> bytes:
        shape = xml[xml.index(b"<p:sp>") : xml.index(b"</p:sp>") + 7]
        return xml.replace(shape, new.replace(b"SHAPE", shape))

    document = parse_deck(edited(deck, {"ppt/slides/slide1.xml": double}))
    assert _lines(document) == ["equation"]
    assert document.ledger[0].dropped == {"alternate rendering": 8}
    assert _balanced(document)


def test_sections_stand_above_the_slides_title(
    deck: Any, parse_deck: Parse, edited: Edited
) -> None:
    slide = _slide(deck, _TITLE_AND_BODY, "Budget")
    slide.placeholders[1].text = "a point"
    key = deck.slides._sldIdLst[0].id
    section = (
        '<p:extLst><p:ext uri="x"><p14:sectionLst xmlns:p14="http://schemas.microsoft.com/office/'
        f'powerpoint/2010/main"><p14:section name="Money"><p14:sldIdLst><p14:sldId id="{key}"/>'
        "</p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst></p:presentation>"
    )
    data = edited(
        deck,
        {"ppt/presentation.xml": lambda xml: xml.replace(b"</p:presentation>", section.encode())},
    )
    document = parse_deck(data)
    assert document.blocks[1].heading_path == ("Money", "Budget")
    assert document.blocks[1].kind is BlockKind.LIST_ITEM


def test_a_deck_without_slides_is_a_document_without_text(deck: Any, parse_deck: Parse) -> None:
    document = parse_deck(deck)
    assert (document.text, document.pages, document.doc_type) == ("", (), "slides")


def test_an_empty_slide_is_a_page(deck: Any, box: Box, parse_deck: Parse) -> None:
    _slide(deck)
    box(_slide(deck), "text", 1, 1)
    document = parse_deck(deck)
    assert [(p.number, p.text_source) for p in document.pages] == [
        (1, TextSource.NONE),
        (2, TextSource.BORN_DIGITAL),
    ]


def test_a_binary_deck_in_disguise_is_named(parse_deck: Parse) -> None:
    with pytest.raises(UnsupportedFormatError, match="1997-2003"):
        parse_deck(OLE_MAGIC + bytes(600))


def test_a_protected_deck_is_named(parse_deck: Parse) -> None:
    with pytest.raises(EncryptedFileError):
        parse_deck(OLE_MAGIC + bytes(600) + "EncryptedPackage".encode("utf-16-le"))


def test_a_cut_off_deck_is_damaged(deck: Any, parse_deck: Parse) -> None:
    out = io.BytesIO()
    deck.save(out)
    with pytest.raises(DamagedFileError, match="cut off"):
        parse_deck(out.getvalue()[:9000])


def test_every_planted_word_comes_out_once(deck: Any, box: Box, parse_deck: Parse) -> None:
    from pptx.util import Inches

    planted: list[str] = []

    def word(place: str) -> str:
        planted.append(f"{place}{len(planted):03d}")
        return planted[-1]

    for _ in range(3):
        slide = _slide(deck, _TITLE_AND_BODY, word("title"))
        slide.placeholders[1].text = "\n".join(word("body") for _ in range(3))
        group = slide.shapes.add_group_shape()
        box(group, word("group"), 1, 5)
        box(group.shapes.add_group_shape(), word("nested"), 4, 5)
        table = slide.shapes.add_table(1, 3, Inches(1), Inches(6), Inches(6), Inches(1)).table
        for c in range(3):
            table.cell(0, c).text = word("cell")
        slide.notes_slide.notes_text_frame.text = word("notes")
    document = parse_deck(deck)
    assert {w: document.text.count(w) for w in planted} == dict.fromkeys(planted, 1)
    assert _balanced(document)


def _strict(xml: bytes) -> bytes:
    return re.sub(
        rb"http://schemas\.openxmlformats\.org/(officeDocument|presentationml|drawingml)/2006/",
        rb"http://purl.oclc.org/ooxml/\1/",
        xml,
    )


@pytest.mark.parametrize("kind", ["strict", "show", "other case", "layout", "placeholder"])
def test_what_python_pptx_refuses_is_mended(
    deck: Any, box: Box, parse_deck: Parse, edited: Edited, kind: str
) -> None:
    slide = _slide(deck, _TITLE_AND_BODY, "Title")
    slide.placeholders[1].text = "point"
    box(slide, "last", 1, 6)
    out = io.BytesIO()
    deck.save(out)
    names = zipfile.ZipFile(out).namelist()
    rels, slide_part = "ppt/slides/_rels/slide1.xml.rels", "ppt/slides/slide1.xml"
    changes: dict[str, dict[str, bytes | Callable[[bytes], bytes]]] = {
        "strict": {n: _strict for n in names if n.endswith((".xml", ".rels"))},
        "show": {
            "[Content_Types].xml": lambda xml: xml.replace(
                b"presentation.main+xml", b"slideshow.main+xml"
            )
        },
        "other case": {rels: lambda xml: xml.replace(b"slideLayouts", b"SlideLAYOUTS")},
        "layout": {n: b"<broken" for n in names if "/slideLayout" in n and n.endswith(".xml")},
        "placeholder": {slide_part: lambda xml: xml.replace(b'type="title"', b'type="nonsense"')},
    }
    document = parse_deck(edited(deck, changes[kind]))
    # where nothing says where a placeholder is, it comes last
    wanted = {
        "layout": ["Title", "last", "point"],
        "placeholder": ["point", "last", "Title"],
    }
    assert _lines(document) == wanted.get(kind, ["Title", "point", "last"])
    missed = [failure.message for failure in document.failures]
    assert missed == (
        ["the layout or master that a slide stands on cannot be read"] if kind == "layout" else []
    )
    assert _balanced(document)
