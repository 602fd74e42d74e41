from __future__ import annotations

import io
import zipfile

import pytest

from parsers import detect
from parsers.base import UnsupportedFormatError
from parsers.registry import parser_for, parser_versions

OLE = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504)


_SHEET_2003 = b"urn:schemas-microsoft-com:office:spreadsheet"


def _package(*names: str, content: str = "x") -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        for name in names:
            package.writestr(name, content)
    return stream.getvalue()


def _old(*streams: str) -> bytes:
    """Return the like of a binary Office file with these streams."""
    return OLE + b"".join(f"{name}\0".encode("utf-16-le") for name in streams)


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.pdf", b"%PDF-1.7\n", detect.PDF),
        ("no-extension", b"\n\n%PDF-1.4", detect.PDF),
        ("lies.txt", b"%PDF-1.4", detect.PDF),
        ("broken.pdf", b"nothing of the kind", detect.PDF),
        ("deck.bin", _package("[Content_Types].xml", "ppt/presentation.xml"), detect.PPTX),
        ("letter.docx", _package("word/document.xml"), detect.DOCX),
        ("sheet.xlsx", _package("xl/workbook.xml"), detect.XLSX),
        ("cut.pptx", b"PK\x03\x04cut off", detect.PPTX),
        ("archive.zip", _package("a.txt"), None),
        ("old.ppt", OLE, detect.OLE),
        ("disguised.pptx", OLE, detect.PPTX),
        ("disguised.pptx", _old("PowerPoint Document"), detect.PPT),
        ("old.doc", _old("WordDocument", "Workbook"), detect.DOC),
        ("old.xls", _old("WordDocument", "Workbook"), detect.XLS),
        ("locked.docx", _old("EncryptedPackage"), detect.DOCX),
        ("letter.doc", b"{\\rtf1 hello}", detect.RTF),
        ("report.xls", b"<html><table>", detect.HTML),
        (
            "report.xls",
            b"<?xml version='1.0'?>\n<Workbook xmlns='" + _SHEET_2003 + b"'>",
            detect.XLS,
        ),
        ("book.xlsx", _package("xl/workbook.bin"), detect.XLSB),
        ("text.zip", _package("mimetype", content=detect.ODT), detect.ODT),
        ("slides.otp", _package("mimetype", content=detect.ODP + "-template"), detect.ODP),
        ("novel", _package("mimetype", content=detect.EPUB), detect.EPUB),
        ("page.html", b"<p>no head", detect.HTML),
        ("page", b"<!DOCTYPE html><html>", detect.HTML),
        ("page.txt", b"<!-- saved -->\n<html lang='en'>", detect.HTML),
        ("maker.py", b'PAGE = """<html><body>"""', None),
        ("notes.txt", b"Write <html> first.", detect.PLAIN),
        ("act.xml", b"<?xml version='1.0'?><ACT/>", detect.XML),
        ("page.xhtml", b"<?xml version='1.0'?><html xmlns='x'>", detect.HTML),
        ("notes.md", b"# <html> in Markdown", detect.MARKDOWN),
        ("data.csv", b"a,b\n1,2\n", detect.CSV),
        ("README", b"plain words", detect.PLAIN),
        ("program", b"\x7fELF\x00\x00", None),
        ("tool.exe", b"MZ\x00", None),
        ("scan.dat", b"\x89PNG\r\n\x1a\n...", "image/png"),
        ("https://example.org/a.pdf?version=2#page=3", b"?", detect.PDF),
    ],
)
def test_content_decides_and_the_name_where_it_cannot(
    name: str, data: bytes, expected: str | None
) -> None:
    assert detect.media_type_of(name, data) == expected


def test_a_law_is_told_from_another_page_by_its_markup() -> None:
    law = b'<html><body><p class="oj-ti-art">Article 1</p><p class="oj-normal">x</p></body></html>'
    assert parser_for(detect.HTML, law).NAME == "law"
    assert parser_for(detect.HTML, b"<html><body><p>Hello</p></body></html>").NAME == "webpage"


def test_a_legacy_format_says_how_to_convert() -> None:
    with pytest.raises(UnsupportedFormatError) as caught:
        parser_for(detect.OLE, OLE, "old.ppt")
    assert "old.ppt" in str(caught.value)
    assert "--convert-to" in caught.value.remedy


@pytest.mark.parametrize(("media_type", "wanted"), [(detect.EMAIL, "HTML"), (detect.EPUB, "HTML")])
def test_a_format_not_read_names_one_that_is(media_type: str, wanted: str) -> None:
    with pytest.raises(UnsupportedFormatError) as caught:
        parser_for(media_type, b"x", "some file")
    assert wanted in caught.value.remedy


def test_every_parser_has_a_name_of_its_own_and_a_version() -> None:
    versions = parser_versions()
    assert len(versions) >= 10
    assert all(v >= 1 for v in versions.values())
