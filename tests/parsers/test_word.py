from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from configs.settings import ParsingSettings
from parsers import word
from parsers.base import DamagedFileError, EncryptedFileError, UnsupportedFormatError
from parsers.model import Block, BlockKind, Document, Source
from parsers.ooxml_package import OLE_MAGIC

Change = bytes | Callable[[bytes], bytes]
_STYLE = '<w:style w:type="paragraph" w:styleId="X"><w:name w:val="NAME"/></w:style>'
_BODY_END = b"<w:sectPr"


def _parse(data: bytes) -> Document:
    source = Source("/a.docx", "application/x", len(data), hashlib.sha256(data).hexdigest())
    return word.parse(data, source, ParsingSettings(ocr=False))


def _saved(document: Any, parts: dict[str, Change] | None = None) -> bytes:
    before, after = io.BytesIO(), io.BytesIO()
    document.save(before)
    parts = parts or {}
    with zipfile.ZipFile(before) as old, zipfile.ZipFile(after, "w") as new:
        for name in [*old.namelist(), *(p for p in parts if p not in old.namelist())]:
            data = old.read(name) if name in old.namelist() else b""
            change = parts.get(name, data)
            new.writestr(name, change(data) if callable(change) else change)
    return after.getvalue()


def _with_body(document: Any, xml: bytes, more: dict[str, Change] | None = None) -> Document:
    """Parse ``document`` with raw XML at the end of its body."""

    def insert(old: bytes) -> bytes:
        return old.replace(_BODY_END, xml + _BODY_END, 1)

    parsed = _parse(_saved(document, {"word/document.xml": insert, **(more or {})}))
    assert all(row.unaccounted == 0 for row in parsed.ledger)
    return parsed


def _text(document: Document, block: Block) -> str:
    return document.text[block.start : block.end].strip()


def _lines(document: Document) -> list[str]:
    return [line for line in document.text.splitlines() if line.strip()]


def _dropped(document: Document) -> dict[str, int]:
    return document.ledger[0].dropped


@pytest.fixture
def docx() -> Any:
    """An empty document."""
    from docx import Document as new_document

    return new_document()


def test_paragraphs_and_tables_come_in_the_order_of_the_body(docx: Any) -> None:
    docx.add_paragraph("before")
    table = docx.add_table(2, 2)
    for r, row in enumerate([("Item", "Price"), ("tea", "2")]):
        for c, text in enumerate(row):
            table.cell(r, c).text = text
    docx.add_paragraph("after")
    parsed = _with_body(docx, b"")
    assert _lines(parsed) == ["before", "Item: tea, Price: 2.", "after"]
    assert parsed.blocks[1].locator == "table_1/row_1"


def test_heading_levels_follow_the_styles(docx: Any) -> None:
    docx.add_heading("The act", 0)
    docx.add_heading("Scope", 1)
    docx.add_heading("Detail", 2)
    docx.add_paragraph("text")
    parsed = _with_body(docx, b"")
    assert [(b.kind, b.level) for b in parsed.blocks] == [
        (BlockKind.TITLE, None),
        (BlockKind.HEADING, 1),
        (BlockKind.HEADING, 2),
        (BlockKind.PARAGRAPH, None),
    ]
    assert parsed.blocks[-1].heading_path == ("Scope", "Detail")
    assert parsed.title == "The act"


@pytest.mark.parametrize(
    "style",
    [
        b'<w:style w:type="paragraph" w:styleId="X"><w:name w:val="Chapter"/>'
        b'<w:basedOn w:val="Heading2"/></w:style>',
        b'<w:style w:type="paragraph" w:styleId="X"><w:name w:val="Chapter"/>'
        b'<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>',
        _STYLE.replace("NAME", "Título 2").encode(),
        _STYLE.replace("NAME", "Überschrift 2").encode(),
    ],
    ids=["inherited", "outline level", "Portuguese", "German"],
)
def test_a_style_of_ones_own_is_a_heading_too(docx: Any, style: bytes) -> None:
    parsed = _with_body(
        docx,
        b'<w:p><w:pPr><w:pStyle w:val="X"/></w:pPr><w:r><w:t>Chapter</w:t></w:r></w:p>',
        {"word/styles.xml": lambda xml: xml.replace(b"</w:styles>", style + b"</w:styles>")},
    )
    assert [(b.kind, b.level) for b in parsed.blocks] == [(BlockKind.HEADING, 2)]


def test_merged_cells_are_carried_to_each_row(docx: Any) -> None:
    table = docx.add_table(3, 3)
    for r, row in enumerate([("City", "Item", "Price"), ("Porto", "tea", "2"), ("", "milk", "3")]):
        for c, text in enumerate(row):
            table.cell(r, c).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    parsed = _with_body(docx, b"")
    assert "City: Porto, Item: milk, Price: 3." in parsed.text


def test_a_table_in_a_cell_is_told_once(docx: Any) -> None:
    outer = docx.add_table(2, 2)
    for r, row in enumerate([("a", "b"), ("c", "d")]):
        for c, text in enumerate(row):
            outer.cell(r, c).text = text
    inner = outer.cell(1, 1).add_table(2, 2)
    for r in range(2):
        for c in range(2):
            inner.cell(r, c).text = f"inner{r}{c}"
    parsed = _with_body(docx, b"")
    assert all(parsed.text.count(f"inner1{c}") == 1 for c in range(2))
    assert len(parsed.tables) == 2


def test_a_table_of_one_cell_is_a_frame_around_text(docx: Any) -> None:
    docx.add_table(1, 1).cell(0, 0).text = "Boxed words."
    parsed = _with_body(docx, b"")
    assert (parsed.tables, _lines(parsed)) == ((), ["Boxed words."])


def test_insertions_are_kept_and_deletions_dropped(docx: Any) -> None:
    parsed = _with_body(
        docx,
        b'<w:p><w:r><w:t xml:space="preserve">The fee is </w:t></w:r><w:del w:id="1"><w:r>'
        b'<w:delText>ten</w:delText></w:r></w:del><w:ins w:id="2"><w:r><w:t>twenty</w:t></w:r>'
        b'</w:ins><w:r><w:t>.</w:t></w:r></w:p><w:p><w:moveFrom w:id="3"><w:r><w:t>moved</w:t>'
        b"</w:r></w:moveFrom></w:p>",
    )
    assert _lines(parsed) == ["The fee is twenty."]
    assert _dropped(parsed) == {"deleted text": 3, "moved text": 5}


def test_a_text_box_is_told_once_behind_its_paragraph(docx: Any) -> None:
    box = b"<w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent>"
    parsed = _with_body(
        docx,
        b'<w:p><w:r><w:t>anchor</w:t></w:r><w:r><mc:AlternateContent xmlns:mc="http://schemas.'
        b'openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps"><w:drawing>'
        + box
        + b"</w:drawing></mc:Choice><mc:Fallback><w:pict>"
        + box
        + b"</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>",
    )
    assert _lines(parsed) == ["anchor", "boxed"]
    assert parsed.blocks[1].locator == "textbox_1"
    assert _dropped(parsed) == {"alternate rendering": 5}


def test_fields_give_their_result_and_links_their_text(docx: Any) -> None:
    parsed = _with_body(
        docx,
        b'<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> DATE </w:instrText>'
        b'</w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1 May</w:t></w:r><w:r>'
        b'<w:fldChar w:fldCharType="end"/></w:r><w:hyperlink><w:r><w:t xml:space="preserve"> see'
        b'</w:t></w:r></w:hyperlink><w:fldSimple w:instr="REF x"><w:r><w:t xml:space="preserve">'
        b" clause 3</w:t></w:r></w:fldSimple></w:p>",
    )
    assert _lines(parsed) == ["1 May see clause 3"]


def test_content_controls_are_read_and_their_prompts_are_not(docx: Any) -> None:
    parsed = _with_body(
        docx,
        b"<w:sdt><w:sdtContent><w:p><w:r><w:t>in a control</w:t></w:r></w:p></w:sdtContent></w:sdt>"
        b"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>Click here</w:t>"
        b"</w:r></w:p></w:sdtContent></w:sdt>",
    )
    assert _lines(parsed) == ["in a control"]
    assert _dropped(parsed) == {"prompt of an empty field": 9}


def test_hidden_text_is_dropped_and_breaks_are_kept(docx: Any) -> None:
    parsed = _with_body(
        docx,
        b"<w:p><w:r><w:t>one</w:t><w:br/><w:t>two</w:t><w:tab/><w:t>non</w:t><w:noBreakHyphen/>"
        b"<w:t>break</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>ghost</w:t></w:r></w:p>",
    )
    assert parsed.text == "one\ntwo\tnon\u2011break\n\n"
    assert _dropped(parsed) == {"hidden text": 5}


_NUMBERING = b"""<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>
<w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"
/><w:lvlText w:val="%1.%2)"/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:lvl
w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="*"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride
w:val="7"/></w:lvlOverride></w:num></w:numbering>"""


def _item(text: str, number: int, level: int = 0) -> bytes:
    return (
        f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
        f"</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
    ).encode()


def test_the_numbers_word_draws_are_written_out(docx: Any) -> None:
    items = [
        _item("Scope", 1), _item("first", 1, 1), _item("second", 1, 1), _item("Term", 1),
        _item("first again", 1, 1), _item("plain", 2), _item("restarted", 3),
    ]  # fmt: skip
    parsed = _with_body(docx, b"".join(items), {"word/numbering.xml": _NUMBERING})
    assert _lines(parsed) == [
        "1. Scope", "1.a) first", "1.b) second", "2. Term", "2.a) first again", "plain",
        "7. restarted",
    ]  # fmt: skip
    assert {b.kind for b in parsed.blocks} == {BlockKind.LIST_ITEM}
    assert parsed.blocks[1].level == 2


def test_a_header_is_kept_once_and_page_numbers_are_not(docx: Any) -> None:
    from docx.enum.section import WD_SECTION

    docx.sections[0].header.paragraphs[0].text = "Acme Ltd, Lisbon"
    docx.sections[0].footer.paragraphs[0].text = "Page 1 of 3"
    docx.add_paragraph("body")
    section = docx.add_section(WD_SECTION.NEW_PAGE)
    section.header.is_linked_to_previous = False
    section.header.paragraphs[0].text = "Acme Ltd, Lisbon"
    parsed = _parse(_saved(docx))
    assert _lines(parsed) == ["Acme Ltd, Lisbon", "body"]
    assert parsed.blocks[0].locator == "header_1"
    assert _dropped(parsed) == {"repeated header": 14, "page number": 8}
    assert parsed.ledger[0].unaccounted == 0


_W = b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def test_notes_and_comments_stand_behind_what_they_speak_of(docx: Any) -> None:
    def link(xml: bytes) -> bytes:
        lines = "".join(
            f'<Relationship Id="x{k}" Type="{_KINDS}{k}" Target="{k}.xml"/>'
            for k in ("footnotes", "comments")
        )
        return xml.replace(b"</Relationships>", lines.encode() + b"</Relationships>")

    note = b"<w:p><w:r><w:t>%s</w:t></w:r></w:p>"
    parsed = _with_body(
        docx,
        b'<w:p><w:r><w:t>claim</w:t><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference '
        b'w:id="0"/></w:r></w:p>' + note % b"next",
        {
            "word/_rels/document.xml.rels": link,
            "word/footnotes.xml": b"<w:footnotes " + _W + b'><w:footnote w:id="2">'
            + note % b"proof" + b'</w:footnote><w:footnote w:id="3">' + note % b"orphan"
            + b"</w:footnote></w:footnotes>",
            "word/comments.xml": b"<w:comments " + _W + b'><w:comment w:id="0" w:author="Ana">'
            + note % b"really?" + b"</w:comment></w:comments>",
        },
    )  # fmt: skip
    assert _lines(parsed) == ["claim", "proof", "Ana: really?", "next"]
    assert [(b.kind, b.locator) for b in parsed.blocks[1:3]] == [
        (BlockKind.FOOTNOTE, "footnote_2"),
        (BlockKind.ANNOTATION, "comment_0"),
    ]
    assert _dropped(parsed) == {"note without a reference": 6}


def test_a_broken_chart_does_not_stop_the_document(docx: Any) -> None:
    docx.add_paragraph("before")
    parsed = _with_body(
        docx,
        b'<w:p><w:r><w:drawing><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/'
        b'chart" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
        b'r:id="rId99"/></w:drawing></w:r></w:p><w:p><w:r><w:t>after</w:t></w:r></w:p>',
    )
    assert _lines(parsed) == ["before", "after"]
    assert [f.error for f in parsed.failures] == ["DamagedFileError"]


def test_damaged_and_binary_files_are_named(docx: Any) -> None:
    with pytest.raises(DamagedFileError):
        _parse(_saved(docx)[:3000])
    with pytest.raises(DamagedFileError):
        _parse(_saved(docx, {"word/document.xml": b"<w:document"}))
    with pytest.raises(UnsupportedFormatError):
        _parse(OLE_MAGIC + bytes(512))


def test_every_planted_word_comes_out_once(docx: Any) -> None:
    planted: list[str] = []

    def new(place: str) -> str:
        planted.append(f"{place}{len(planted):03d}")
        return planted[-1]

    docx.sections[0].header.paragraphs[0].text = new("header")
    docx.sections[0].footer.paragraphs[0].text = new("footer")
    docx.add_heading(new("title"), 0)
    for _ in range(3):
        docx.add_heading(new("heading"), 1)
        docx.add_paragraph(new("text"))
        docx.add_paragraph(new("bullet"), style="List Bullet")
        docx.add_paragraph(new("number"), style="List Number")
        table = docx.add_table(1, 3)
        for cell in table.rows[0].cells:
            cell.text = new("cell")
    parsed = _parse(_saved(docx))
    assert {w: parsed.text.count(w) for w in planted} == dict.fromkeys(planted, 1)
    assert parsed.ledger[0].unaccounted == 0


_LINK_TO_NOTHING = (
    f'<Relationship Id="x" Type="{_KINDS}image" Target="NULL"/></Relationships>'.encode()
)


@pytest.mark.parametrize(
    ("part", "change", "lines"),
    [
        ("word/styles.xml", b"<broken", ["Scope", "1. text"]),
        ("word/numbering.xml", b"<broken", ["Scope", "text"]),
        (
            "word/_rels/document.xml.rels",
            lambda xml: xml.replace(b"</Relationships>", _LINK_TO_NOTHING),
            ["Scope", "1. text"],
        ),
        (
            "[Content_Types].xml",
            lambda xml: xml.replace(b"document.main+xml", b"template.main+xml"),
            ["Scope", "1. text"],
        ),
    ],
    ids=["styles", "numbering", "link to nothing", "template"],
)
def test_what_python_docx_refuses_whole_costs_itself_alone(
    docx: Any, part: str, change: Change, lines: list[str]
) -> None:
    docx.add_heading("Scope", 1)
    parsed = _with_body(docx, _item("text", 1), {"word/numbering.xml": _NUMBERING, part: change})
    assert _lines(parsed) == lines
    assert parsed.failures == ()


def test_wrappers_of_every_kind_hold_text(docx: Any) -> None:
    math = b'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    parsed = _with_body(
        docx,
        b"<w:p><w:smartTag><w:smartTag><w:r><w:t>one </w:t></w:r></w:smartTag></w:smartTag>"
        b"<m:oMathPara " + math + b"><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></m:oMathPara>"
        b"<w:r><w:br w:type='page'/></w:r><w:hyperlink><w:ins><w:fldSimple><w:r>"
        b"<w:t>two</w:t></w:r></w:fldSimple></w:ins></w:hyperlink><w:r><w:ruby><w:rt><w:r><w:t>kan</w:t></w:r></w:rt>"
        b"<w:rubyBase><w:r><w:t>\xe6\xbc\xa2</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>"
        b"<w:sdt><w:sdtContent><w:tbl><w:tr><w:sdt><w:sdtContent><w:tc><w:p><w:r><w:t>cell</w:t>"
        b"</w:r></w:p></w:tc></w:sdtContent></w:sdt><w:tc><w:p/></w:tc></w:tr></w:tbl>"
        b"</w:sdtContent></w:sdt>",
    )
    assert _lines(parsed) == ["one x=1", "two\u6f22", "cell."]
    assert _dropped(parsed) == {"phonetic guide": 3}


def test_a_protected_document_opens_with_its_password(docx: Any) -> None:
    from msoffcrypto.format.ooxml import OOXMLFile

    docx.add_paragraph("hush")
    out = io.BytesIO()
    OOXMLFile(io.BytesIO(_saved(docx))).encrypt("sesame", out)
    data = out.getvalue()
    source = Source("/a.docx", "application/x", len(data), hashlib.sha256(data).hexdigest())
    settings = ParsingSettings(ocr=False, passwords=("wrong", "sesame"))
    assert "hush" in word.parse(data, source, settings).text
    with pytest.raises(EncryptedFileError):
        _parse(data)
