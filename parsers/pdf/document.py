"""Opening a PDF with PyMuPDF: passwords, damage, outline, title, a page as an image."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pymupdf as _untyped

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError, EmptyFileError, EncryptedFileError
from parsers.model import Source
from parsers.normalise import one_line
from parsers.pdf.layout import OutlineEntry

if TYPE_CHECKING:
    from PIL import Image

pymupdf: Any = _untyped  # it has no annotations
# MuPDF writes to stdout, where --json promises one object and nothing else
pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)

_MAX_PIXELS = 60_000_000
"""Pixels of a rendered page (180 MB in RGB); a poster is rendered with fewer dots (a guess)."""
_NO_TITLE = re.compile(
    r"^(untitled|unknown|none|null|no title|document\d*|title|(anonymous)"
    r"|\(?(anonymous|unspecified)\)?|sem título|ohne titel|sans titre|slide \d+"
    r"|presentation\d*|pdf|powerpoint presentation)\b.{0,4}$"
    r"|^(microsoft (word|excel|powerpoint)|adobe photoshop)\b"
    r"|\.(docx?|pdf|psd|indd|qxd|pptx?|xlsx?|tex|rtf|odt|dvi|txt|html?|fm|ai|cdr|eps|jpe?g|png|tiff?)"
    r"\W*$|^[\w./\\:-]*[/\\][\w./\\:-]*$",
    re.IGNORECASE,
)


def open_pdf(data: bytes, source: Source, settings: ParsingSettings) -> Any:
    """Return the opened PyMuPDF document; the caller closes it.

    Raises:
        EmptyFileError: No bytes.
        DamagedFileError: MuPDF finds no document in the bytes, even after repair, or no page.
        EncryptedFileError: Neither the empty password nor one of the settings opens it.
    """
    if not data:
        raise EmptyFileError(f"{source.uri} has no bytes")
    try:
        document = pymupdf.open(stream=data, filetype="pdf")
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
        raise DamagedFileError(f"{source.uri} is not a readable PDF: {error}") from error
    if document.needs_pass and not any(
        document.authenticate(password) for password in ("", *settings.passwords)
    ):
        document.close()
        tried = ", and none of parsing.passwords opens it" if settings.passwords else ""
        raise EncryptedFileError(f"{source.uri} is protected by a password{tried}")
    if _page_count(document) == 0:
        document.close()
        raise DamagedFileError(f"{source.uri} has no pages, even after repair")
    return document


def _page_count(document: Any) -> int:
    try:
        return int(document.page_count)
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
        return 0


def outline_of(document: Any) -> list[OutlineEntry]:
    """Return the bookmarks in order, [] where the outline is broken: the text stands without."""
    try:
        entries = document.get_toc(simple=True)
    except (RuntimeError, ValueError, IndexError, KeyError, TypeError, pymupdf.mupdf.FzErrorBase):
        return []
    return [
        OutlineEntry(int(level), one_line(str(title)), int(page))
        for level, title, page, *_ in entries
        if one_line(str(title))
    ]


def metadata_title(document: Any) -> str:
    """Return the title of the metadata, "" where it is a file name or a program's default."""
    title = one_line(str((document.metadata or {}).get("title") or ""))
    letters = sum(c.isalpha() for c in title)
    return "" if letters < 3 or _NO_TITLE.search(title) else title


def plain_bytes(document: Any, data: bytes) -> bytes:
    """Return bytes that other readers can open: ``data``, or a decrypted or repaired copy."""
    encryption = (document.metadata or {}).get("encryption")
    if not (encryption or document.needs_pass or document.is_repaired):
        return data
    return bytes(document.tobytes(encryption=pymupdf.PDF_ENCRYPT_NONE))


def render(page: Any, dpi: int) -> tuple[Image.Image, float]:
    """Return the page as an RGB image and the points per pixel.

    Args:
        page: A PyMuPDF page, drawn as it is turned.
        dpi: Dots per inch; fewer are used where the image would be too large.
    """
    from PIL import Image

    area = page.rect.width * page.rect.height
    scale = min(dpi / 72, (_MAX_PIXELS / max(area, 1.0)) ** 0.5)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False)
    image = Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)
    return image, 1 / scale
