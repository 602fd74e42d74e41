"""What Word shows by elements without text: equations, symbols, old form fields."""

from __future__ import annotations

import hashlib
import io

import docx
import pytest
from docx.oxml import parse_xml

from configs.settings import ParsingSettings
from parsers import word
from parsers.model import Source

_SPACES = " ".join(
    f'xmlns:{name}="http://schemas.openxmlformats.org/{path}"'
    for name, path in (
        ("w", "wordprocessingml/2006/main"),
        ("m", "officeDocument/2006/math"),
    )
)


def _last_line(paragraph: str) -> str:
    document, data = docx.Document(), io.BytesIO()
    end = document.element.body.sectPr
    end.addprevious(parse_xml(paragraph.replace("<w:p>", f"<w:p {_SPACES}>", 1)))
    document.save(data)
    content = data.getvalue()
    source = Source("/a.docx", "application/x", len(content), hashlib.sha256(content).hexdigest())
    parsed = word.parse(content, source, ParsingSettings(ocr=False))
    assert all(row.unaccounted == 0 for row in parsed.ledger)
    return parsed.text.splitlines()[0]


@pytest.mark.parametrize(
    ("inner", "said"),
    [
        (
            "<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num>"
            "<m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>",
            "(a+b)/2",
        ),
        (
            "<m:sSup><m:e><m:r><m:t>y</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>",
            "y^2",
        ),
        ("<m:rad><m:deg/><m:e><m:r><m:t>x</m:t></m:r></m:e></m:rad>", "√(x)"),
        (
            '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>'
            "<m:sub><m:r><m:t>i=1</m:t></m:r></m:sub>"
            "<m:sup><m:r><m:t>n</m:t></m:r></m:sup><m:e><m:r><m:t>i</m:t></m:r></m:e></m:nary>",
            "∑_(i=1)^n i",
        ),
        (
            "<m:d><m:e><m:r><m:t>u</m:t></m:r></m:e><m:e><m:r><m:t>v</m:t></m:r></m:e></m:d>",
            "(u|v)",
        ),
    ],
)
def test_an_equation_says_what_its_layout_says(inner: str, said: str) -> None:
    xml = f"<w:p><w:r><w:t>so </w:t></w:r><m:oMath>{inner}</m:oMath></w:p>"
    assert _last_line(xml) == f"so {said}"


@pytest.mark.parametrize(
    ("element", "sign"),
    [
        ('<w:sym w:font="Symbol" w:char="F061"/>', "α"),
        ('<w:sym w:font="Wingdings" w:char="F0FE"/>', "☑"),
        ('<w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox>'
         "</w:ffData></w:fldChar>", "☒"),
        ('<w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/>'
         '<w:listEntry w:val="Lisbon"/><w:listEntry w:val="Porto"/></w:ddList></w:ffData>'
         "</w:fldChar>", "Porto"),
    ],
)  # fmt: skip
def test_signs_and_form_fields_without_text_are_read(element: str, sign: str) -> None:
    xml = f"<w:p><w:r><w:t>chosen </w:t></w:r><w:r>{element}</w:r></w:p>"
    assert _last_line(xml) == f"chosen {sign}"
