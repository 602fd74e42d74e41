"""Formats read through LibreOffice: binary Office files, OpenDocument, RTF.

LibreOffice makes a file of today's Office format of them, and the reader of that format reads it.
The document says so: in its parser's name, and as a route reason of its slides and sheets.
"""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass, replace
from types import ModuleType

from configs.settings import ParsingSettings
from parsers import detect, spreadsheet, word
from parsers.base import EmptyFileError, EncryptedFileError
from parsers.libreoffice import convert
from parsers.model import Document, Page, ParserInfo, Source
from parsers.ooxml_package import DEFAULT_PASSWORD
from parsers.slides import parser as slides

NAME = "legacy"
VERSION = 1 + slides.VERSION + word.VERSION + spreadsheet.VERSION
"""Rises with each reader's: versions never fall, so neither does their sum."""

_APPLICATION = re.compile(rb"<Application>([^<$]*)")


@dataclass(frozen=True, slots=True)
class _Route:
    """How a media type is read: its own extension, and the reader of what it becomes."""

    extension: str
    target: str
    reader: ModuleType


_ROUTES = {
    detect.PPT: _Route("ppt", "pptx", slides),
    detect.ODP: _Route("odp", "pptx", slides),
    detect.DOC: _Route("doc", "docx", word),
    detect.ODT: _Route("odt", "docx", word),
    detect.RTF: _Route("rtf", "docx", word),
    detect.XLS: _Route("xls", "xlsx", spreadsheet),
    detect.XLSB: _Route("xlsb", "xlsx", spreadsheet),
    detect.ODS: _Route("ods", "xlsx", spreadsheet),
}


def parse(data: bytes, source: Source, settings: ParsingSettings) -> Document:
    """Return the document that LibreOffice makes of the file.

    The ledger's source is what the converted file holds: what LibreOffice itself leaves out of a
    binary file, nothing here can count.

    Raises:
        EmptyFileError: The file has no bytes.
        EncryptedFileError: It is protected, and no password of the settings opens it.
        MissingToolError: LibreOffice is not installed.
        ParseTimeoutError: The conversion took too long.
        DamagedFileError: LibreOffice made nothing of it.
    """
    converted = as_office(data, source, settings)
    route = _ROUTES[source.media_type]
    document: Document = route.reader.parse(converted, source, settings)
    program = _program(converted)
    parser = ParserInfo(f"{route.reader.NAME} after conversion by {program}", VERSION)
    pages = tuple(_noted(page, program) for page in document.pages)
    return replace(document, parser=parser, pages=pages)


def as_office(data: bytes, source: Source, settings: ParsingSettings) -> bytes:
    """Return the file of today's Office format that LibreOffice makes; raises as :func:`parse`."""
    if not data:
        raise EmptyFileError(f"{source.uri} is empty")
    route = _ROUTES[source.media_type]
    opened = _opened(data, settings) if data.startswith(detect.OLE_MAGIC) else data
    return convert(opened, route.extension, route.target, settings.timeout_s)


def _opened(data: bytes, settings: ParsingSettings) -> bytes:
    """Return a binary Office file without its protection.

    Raises:
        EncryptedFileError: None of the passwords opens it.
    """
    import msoffcrypto

    try:
        protected = msoffcrypto.OfficeFile(io.BytesIO(data)).is_encrypted()
    except Exception:  # an old or damaged file it does not know: LibreOffice may
        return data
    if not protected:
        return data
    for password in (*settings.passwords, DEFAULT_PASSWORD):
        opened = io.BytesIO()
        try:
            container = msoffcrypto.OfficeFile(io.BytesIO(data))
            container.load_key(password=password)
            container.decrypt(opened)
        except Exception:  # a wrong password: it has several errors for it
            continue
        return opened.getvalue()
    raise EncryptedFileError(
        "the file is protected by a password"
        + (", and none of parsing.passwords opens it" if settings.passwords else "")
    )


def _program(package: bytes) -> str:
    """Return the name and version that the converting program left in the file."""
    try:
        with zipfile.ZipFile(io.BytesIO(package)) as archive:
            stated = _APPLICATION.search(archive.read("docProps/app.xml"))
    except (zipfile.BadZipFile, KeyError):
        stated = None
    return stated[1].decode("utf-8", "replace").strip() if stated else "LibreOffice"


def _noted(page: Page, program: str) -> Page:
    reasons = filter(None, (page.route_reason, f"converted by {program}"))
    return replace(page, route_reason="; ".join(reasons))
