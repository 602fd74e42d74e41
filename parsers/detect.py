"""What a file is, by its first bytes before its name. Standard library only.

Names lie (a ``.ppt`` renamed ``.pptx``, a web page saved as ``.doc``), bytes do not; where bytes
say too little (a cut-off archive, plain text) the extension decides, so that the parser of the
promised format can say what is wrong.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from pathlib import PurePosixPath

PDF = "application/pdf"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
OLE = "application/x-ole-storage"
"""A container of the old Office that says no more about itself."""
PPT = "application/vnd.ms-powerpoint"
DOC = "application/msword"
XLS = "application/vnd.ms-excel"
XLSB = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
ODP = "application/vnd.oasis.opendocument.presentation"
ODT = "application/vnd.oasis.opendocument.text"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
RTF = "application/rtf"
EPUB = "application/epub+zip"
EMAIL = "message/rfc822"
HTML = "text/html"
XML = "application/xml"
MARKDOWN = "text/markdown"
CSV = "text/csv"
TSV = "text/tab-separated-values"
PLAIN = "text/plain"

OLE_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
_IMAGES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"II+\x00", "image/tiff"),
    (b"MM\x00+", "image/tiff"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_BY_EXTENSION = {
    ".pdf": PDF,
    ".pptx": PPTX, ".pptm": PPTX, ".ppsx": PPTX, ".potx": PPTX,
    ".docx": DOCX, ".docm": DOCX, ".dotx": DOCX,
    ".xlsx": XLSX, ".xlsm": XLSX, ".xltx": XLSX,
    ".ppt": PPT, ".pps": PPT, ".pot": PPT, ".doc": DOC, ".dot": DOC, ".xls": XLS, ".xlt": XLS,
    ".xlsb": XLSB, ".odp": ODP, ".odt": ODT, ".ods": ODS, ".rtf": RTF,
    ".epub": EPUB, ".eml": EMAIL,
    ".html": HTML, ".htm": HTML, ".xhtml": HTML,
    ".xml": XML, ".fmx": XML,
    ".md": MARKDOWN, ".markdown": MARKDOWN, ".mdown": MARKDOWN,
    ".csv": CSV, ".tsv": TSV, ".tab": TSV,
    ".txt": PLAIN, ".text": PLAIN, ".rst": PLAIN, ".log": PLAIN, "": PLAIN,
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".tif": "image/tiff",
    ".tiff": "image/tiff", ".gif": "image/gif", ".bmp": "image/bmp", ".webp": "image/webp",
}  # fmt: skip
_PACKAGES = (("ppt/", PPTX), ("word/", DOCX), ("xl/", XLSX))
_OFFICE = {PPTX, DOCX, XLSX}
_STREAMS = {
    PPT: ("PowerPoint Document",),
    DOC: ("WordDocument",),
    XLS: ("Workbook", "Book"),
}
"""Streams by which a binary Office file is told. A file that embeds another one has both: what its
name promises is believed first."""
_OPEN_FORMATS = (ODP, ODT, ODS, EPUB)
_OLD_XML = (
    (b"urn:schemas-microsoft-com:office:spreadsheet", XLS),
    (b"http://schemas.microsoft.com/office/word/2003/wordml", DOC),
)
"""Office 2003's single XML files, under the old extensions."""
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s|<\?xml[^>]*>|<!--.*?-->|<!doctype\s+html[^>]*>)*"
    rb"<(?:!doctype\s+html|html[\s>]|head[\s>]|body[\s>])",
    re.I | re.S,
)
"""At the very beginning: a program or a page of documentation may quote mark-up further down."""
_XML_START = re.compile(rb"\s*<\?xml[\s>]")
_PDF_WINDOW = 1024
"""Bytes in which ``%PDF-`` may begin: what PDF readers tolerate before the header."""
_SNIFF = 4096


def media_type_of(name: str, data: bytes) -> str | None:
    """Return the IANA media type of a file, or None for a type microtome does not know.

    Args:
        name: Path or URL; only its last part's extension is used.
        data: The file's bytes.
    """
    extension = PurePosixPath(name.split("?")[0].split("#")[0]).suffix.lower()
    promised = _BY_EXTENSION.get(extension)
    found = _by_content(data, promised)
    if found is not None:
        return found
    if promised == PLAIN and extension == "" and b"\x00" in data[:_SNIFF]:
        return None  # a binary file without an extension
    return promised


def _by_content(data: bytes, promised: str | None) -> str | None:
    if b"%PDF-" in data[:_PDF_WINDOW]:
        return PDF
    if data.startswith(OLE_MAGIC):
        return _ole(data, promised)
    if data.startswith(b"PK\x03\x04"):
        return _package(data)
    for magic, media_type in _IMAGES:
        if data.startswith(magic):
            return media_type
    if data.startswith(b"BM") and promised == "image/bmp":
        return promised
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    head = data[:_SNIFF]
    if head.startswith(b"{\\rtf"):
        return RTF
    if promised in _STREAMS:
        for namespace, media_type in _OLD_XML:
            if namespace in head:
                return media_type
    if promised not in (MARKDOWN, CSV, TSV) and _HTML_START.match(head):
        return HTML
    if promised in (None, PLAIN, HTML) and _XML_START.match(head.lstrip(b"\xef\xbb\xbf")):
        return HTML if promised == HTML else XML
    return None


def _ole(data: bytes, promised: str | None) -> str:
    """Tell what is in an OLE container."""
    if "EncryptedPackage".encode("utf-16-le") in data:
        return promised if promised in _OFFICE else OLE  # its parser has the passwords
    likely = sorted(_STREAMS, key=lambda media_type: media_type != promised)
    for media_type in likely:
        if any(f"{name}\0".encode("utf-16-le") in data for name in _STREAMS[media_type]):
            return media_type
    return promised if promised in _OFFICE else OLE  # whose parser says what it is not


def _package(data: bytes) -> str | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            names = package.namelist()
            kind = package.read("mimetype")[:_SNIFF] if "mimetype" in names else b""
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, NotImplementedError, RuntimeError):
        return None  # cut off: the extension decides, and its parser reports the damage
    stated = kind.decode("ascii", "replace").strip().removesuffix("-template")
    if stated in _OPEN_FORMATS:
        return stated
    if "xl/workbook.bin" in names:
        return XLSB
    for prefix, media_type in _PACKAGES:
        if any(n.startswith(prefix) for n in names):
            return media_type
    return None
