"""Office files (.pptx, .docx, .xlsx) made safe to open: decrypted, bounded, mended.

python-pptx, python-docx and openpyxl read a package whole, trust what it says about its size, and
refuse all of it for one bad part. :func:`open_office` stands in front of them.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib

from lxml import etree

from configs.settings import ParsingSettings
from parsers.base import (
    DamagedFileError,
    EmptyFileError,
    EncryptedFileError,
    UnsupportedFormatError,
)

OLE_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
DEFAULT_PASSWORD = "VelvetSweatshop"
"""With it Excel protects workbooks that it opens without asking."""
UNREADABLE = "application/x-unreadable"
"""Content type of a part replaced by the reason why it cannot be read."""
_MAX_PART_BYTES = 256 * 1024 * 1024
"""Largest part read into memory (a guess: the largest sound XML parts seen are tens of MB)."""
_MAX_TOTAL_BYTES = 2 * 1024 * 1024 * 1024
"""Most that is read of a package, recordings left out (a guess: the readers hold it whole)."""
_MAX_RATIO = 200
"""Expanded to packed size of one part over :data:`_RATIO_FROM` bytes; XML packs 10-40 to one."""
_RATIO_FROM = 16 * 1024 * 1024
_MAX_PARTS = 100_000
_RECORDINGS = (".mp4", ".m4v", ".mov", ".avi", ".wmv", ".mpg", ".mpeg", ".mp3", ".m4a", ".wav")
"""Reach gigabytes in decks, and hold no text that is read here."""
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
"""Namespaces of ISO "strict" files; the transitional ones differ only in the year."""
_TYPES = "[content_types].xml"
_TYPES_XML = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_NO_LINKS = b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>'
_VARIANTS = (
    (
        re.compile(
            rb"application/vnd\.(openxmlformats-officedocument\.presentationml|ms-powerpoint)"
            rb"\.(slideshow|template)(\.macroEnabled)?\.main\+xml"
        ),
        b"application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
    ),
    (
        re.compile(
            rb"application/vnd\.(openxmlformats-officedocument\.wordprocessingml|ms-word)"
            rb"\.(template|document\.macroEnabled|template\.macroEnabledTemplate)\.main\+xml"
        ),
        b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
    ),
)
"""Shows, templates and files with macros: the libraries open plain documents only."""
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, NotImplementedError)


def open_office(data: bytes, settings: ParsingSettings, what: str) -> bytes:
    """Return ``data`` as a package that python-pptx, python-docx and openpyxl can open.

    What is made good: passwords, ISO strict namespaces, shows and templates, links to parts that
    are not there or are spelled in other letter case, parts without a content type. A part that is
    damaged, not well-formed or too large is replaced by the reason (see :data:`UNREADABLE`), so
    that it costs itself alone. Entities are not expanded, nothing is fetched.

    Args:
        data: The file's bytes.
        settings: Its passwords are tried in turn.
        what: What the file should be, for messages: ``presentation``, ``Word document``.

    Raises:
        EmptyFileError: There are no bytes.
        EncryptedFileError: The package is protected and no password of the settings opens it.
        UnsupportedFormatError: It is a binary (1997-2003) Office file, whatever its name says.
        DamagedFileError: It is no zip archive, is cut off, or expands beyond all measure.
    """
    if not data:
        raise EmptyFileError(f"the {what} is empty")
    if data.startswith(OLE_MAGIC):
        data = _decrypted(data, settings.passwords, what)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _ZIP_ERRORS as error:
        raise DamagedFileError(
            f"the {what} is not a readable zip package (cut off, or another kind of file): {error}"
        ) from error
    infos = [i for i in archive.infolist() if not i.is_dir()]
    read = [i for i in infos if not i.filename.lower().endswith(_RECORDINGS)]
    if len(infos) > _MAX_PARTS or sum(i.file_size for i in read) > _MAX_TOTAL_BYTES:
        raise DamagedFileError(f"the {what} expands beyond {_MAX_TOTAL_BYTES} bytes")
    if any(i.flag_bits & 0x1 for i in infos):
        raise EncryptedFileError(f"the {what} is a password-protected zip package")
    return _mended(archive, {_name(i): i for i in infos}, what)


def _decrypted(data: bytes, passwords: tuple[str, ...], what: str) -> bytes:
    """Return the package inside an OLE container, or say what else the container is."""
    if "EncryptedPackage".encode("utf-16-le") not in data:
        raise UnsupportedFormatError(
            f"the file is in the binary Office format of 1997-2003, not a {what} of today's format",
            "Save it as .pptx, .docx or .xlsx (LibreOffice can: `soffice --headless --convert-to "
            "pptx FILE`) and ingest that.",
        )
    import msoffcrypto

    for password in (*passwords, DEFAULT_PASSWORD):
        opened = io.BytesIO()
        try:
            container = msoffcrypto.OfficeFile(io.BytesIO(data))
            container.load_key(password=password, verify_password=True)
            container.decrypt(opened)
        except Exception:  # a wrong password and a damaged container both mean: not opened
            continue
        return opened.getvalue()
    raise EncryptedFileError(
        f"the {what} is protected by a password"
        + (", and none of parsing.passwords opens it" if passwords else "")
    )


def _name(info: zipfile.ZipInfo) -> str:
    return info.filename.replace("\\", "/").lstrip("/")


def _mended(archive: zipfile.ZipFile, infos: dict[str, zipfile.ZipInfo], what: str) -> bytes:
    """Return the package written anew, uncompressed; see :func:`open_office`."""
    spelled = {name.lower(): name for name in infos}
    if _TYPES not in spelled:
        raise DamagedFileError(f"the file is a zip archive but not a {what}: no content types")
    unreadable: set[str] = set()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name, info in infos.items():
            if name.lower() == _TYPES:
                continue
            links = name.lower().endswith(".rels")
            try:
                part = _part(archive, name, info)
                part = _links(name, part, spelled) if links else part
            except DamagedFileError as error:
                unreadable |= set() if links else {name}
                part = _NO_LINKS if links else str(error).encode()
            package.writestr(name, part)
        types = _part(archive, _TYPES, infos[spelled[_TYPES]])
        package.writestr("[Content_Types].xml", _types(types, list(infos), unreadable))
    return out.getvalue()


def _part(archive: zipfile.ZipFile, name: str, info: zipfile.ZipInfo) -> bytes:
    """Return the bytes of a part; XML is proved well-formed, transitional and without comments."""
    bomb = info.file_size > _RATIO_FROM and info.file_size / (info.compress_size or 1) > _MAX_RATIO
    if info.file_size > _MAX_PART_BYTES or bomb or name.lower().endswith(_RECORDINGS):
        raise DamagedFileError(f"part {name} expands to {info.file_size} bytes, not read")
    try:
        data = archive.read(info)
    except (*_ZIP_ERRORS, RuntimeError) as error:
        raise DamagedFileError(f"part {name} is damaged: {error}") from error
    if not name.lower().endswith((".xml", ".rels")):
        return data
    if b"purl.oclc.org/ooxml" in data:
        data = _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", data)
    tree = _parse(name, data).getroottree()
    return etree.tostring(tree, encoding="UTF-8") if b"<!--" in data else data


def _parse(name: str, data: bytes) -> etree._Element:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise DamagedFileError(f"part {name} is not well-formed XML: {error}") from error


def _links(name: str, data: bytes, spelled: dict[str, str]) -> bytes:
    """Return a list of relationships whose targets are there, in the package's own spelling."""
    root = _parse(name, data)
    folder = posixpath.dirname(posixpath.dirname(name))
    for link in list(root):
        if link.get("TargetMode") == "External":
            continue
        target = posixpath.normpath(posixpath.join("/", folder, link.get("Target", ""))).lstrip("/")
        if target.lower() in spelled:
            link.set("Target", "/" + spelled[target.lower()])
        else:
            root.remove(link)
    return etree.tostring(root, encoding="UTF-8")


def _types(data: bytes, names: list[str], unreadable: set[str]) -> bytes:
    """Return the list of content types: complete, and honest about unreadable parts."""
    for variant, plain in _VARIANTS:
        data = variant.sub(plain, data)
    root = _parse("[Content_Types].xml", data)
    known = {
        (e.get("PartName", "") or "." + e.get("Extension", "")).lower() for e in root
    }  # "/ppt/a.xml" of an override, ".xml" of a default
    for entry in list(root):
        if entry.get("PartName", "").lstrip("/") in unreadable:
            root.remove(entry)
    for name in names:
        extension = posixpath.splitext(name)[1].lower()
        if name in unreadable or not {f"/{name}".lower(), extension} & known:
            kind = UNREADABLE if name in unreadable else "application/octet-stream"
            etree.SubElement(root, _TYPES_XML + "Override", PartName=f"/{name}", ContentType=kind)
    return etree.tostring(root, encoding="UTF-8")
