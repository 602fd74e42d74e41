"""Which parser reads which media type. A new format is one module and one line here."""

from __future__ import annotations

import importlib
from typing import cast

from parsers import detect
from parsers.base import Parser, UnsupportedFormatError
from parsers.laws.detect import law_markup

_LAW = "parsers.laws.parser"
_MODULES: dict[str, str] = {
    detect.PDF: "parsers.pdf.parser",
    detect.PPTX: "parsers.slides.parser",
    detect.DOCX: "parsers.word",
    detect.XLSX: "parsers.spreadsheet",
    **dict.fromkeys(
        (
            detect.PPT,
            detect.DOC,
            detect.XLS,
            detect.XLSB,
            detect.ODP,
            detect.ODT,
            detect.ODS,
            detect.RTF,
        ),
        "parsers.legacy",
    ),
    detect.HTML: "parsers.webpage",
    detect.XML: "parsers.webpage",
    detect.MARKDOWN: "parsers.markdown_text",
    detect.CSV: "parsers.delimited",
    detect.TSV: "parsers.delimited",
    detect.PLAIN: "parsers.plain",
    "image/png": "parsers.image",
    "image/jpeg": "parsers.image",
    "image/tiff": "parsers.image",
    "image/gif": "parsers.image",
    "image/bmp": "parsers.image",
    "image/webp": "parsers.image",
}
_SAVE_AS = (
    "Save it as .pptx, .docx, .xlsx or PDF (LibreOffice can: `soffice --headless --convert-to pptx "
    "FILE`) and ingest that."
)
_REMEDIES = {
    detect.EMAIL: "Save the message as PDF or HTML, its attachments as files, and ingest those.",
    detect.EPUB: "Convert the book to HTML or PDF (Calibre's `ebook-convert` can) and ingest that.",
}
_MARKED_UP = frozenset({detect.HTML, detect.XML})


def parser_for(media_type: str, data: bytes, name: str = "") -> Parser:
    """Return the parser module for a file.

    Args:
        media_type: From :func:`parsers.detect.media_type_of`.
        data: The file's bytes: they tell a law from another web page.
        name: For the error message.

    Raises:
        UnsupportedFormatError: The format is known but not read (e-mail, e-books, other OLE files).
    """
    if media_type in _MARKED_UP and law_markup(data, media_type) is not None:
        module = _LAW
    elif media_type in _MODULES:
        module = _MODULES[media_type]
    else:
        raise UnsupportedFormatError(
            f"{name or 'the file'} is {media_type}, a format microtome does not read",
            _REMEDIES.get(media_type, _SAVE_AS),
        )
    return cast("Parser", importlib.import_module(module))


def parser_versions() -> dict[str, int]:
    """Return the version of every parser by name: part of each document's recipe."""
    modules = [importlib.import_module(m) for m in sorted({*_MODULES.values(), _LAW})]
    return {str(m.NAME): int(m.VERSION) for m in modules}
