"""Office Open XML packages (.pptx, .docx, .xlsx): safe opening, parts, relationships, text counts.

Read with zipfile and lxml alone, because the high-level readers refuse a whole file for one bad
part, know neither SmartArt nor comments nor newer charts, and reject templates and shows.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from lxml import etree

from parsers.base import (
    DamagedFileError,
    EmptyFileError,
    EncryptedFileError,
    UnsupportedFormatError,
)
from parsers.normalise import count_characters
from parsers.ooxml_package import OLE_MAGIC, UNREADABLE

_SCHEMAS = "http://schemas.openxmlformats.org"
NAMESPACES = {
    "a": f"{_SCHEMAS}/drawingml/2006/main",
    "c": f"{_SCHEMAS}/drawingml/2006/chart",
    "cx": "http://schemas.microsoft.com/office/drawing/2014/chartex",
    "dgm": f"{_SCHEMAS}/drawingml/2006/diagram",
    "m": f"{_SCHEMAS}/officeDocument/2006/math",
    "mc": f"{_SCHEMAS}/markup-compatibility/2006",
    "p": f"{_SCHEMAS}/presentationml/2006/main",
    "p14": "http://schemas.microsoft.com/office/powerpoint/2010/main",
    "p188": "http://schemas.microsoft.com/office/powerpoint/2018/8/main",
    "pic": f"{_SCHEMAS}/drawingml/2006/picture",
    "r": f"{_SCHEMAS}/officeDocument/2006/relationships",
    "w": f"{_SCHEMAS}/wordprocessingml/2006/main",
    "wp": f"{_SCHEMAS}/drawingml/2006/wordprocessingDrawing",
    "dc": "http://purl.org/dc/elements/1.1/",
}

_MAX_PART_BYTES = 256 * 1024 * 1024
"""Largest part read into memory (a guess: the largest sound XML parts seen are tens of MB)."""
_MAX_TOTAL_BYTES = 4 * 1024 * 1024 * 1024
"""Largest package once expanded (a guess: videos in a deck reach gigabytes, and are not read)."""
_MAX_RATIO = 200
"""Expanded to packed size of one part over :data:`_RATIO_FROM` bytes; XML packs 10-40 to one."""
_RATIO_FROM = 16 * 1024 * 1024
_MAX_PARTS = 100_000
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
"""Namespaces of ISO "strict" files; the transitional ones differ only in the year."""
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, NotImplementedError)


def q(name: str) -> str:
    """Return lxml's name for a prefixed one: ``q("a:t")`` is ``{…/drawingml/2006/main}t``."""
    prefix, _, local = name.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


@dataclass(frozen=True, slots=True)
class Relationship:
    """A link from one part to another.

    Attributes:
        kind: Last segment of its type (``slide``, ``image``, ``comments``, …).
        target: Name of the part it points to, without a leading slash; a URL when external.
        external: Whether the target lies outside the package.
    """

    kind: str
    target: str
    external: bool


class Package:
    """An opened package. Parts are read one at a time, and are bounded in size.

    Args:
        data: The file's bytes.
        what: What the file should be, for messages: ``presentation``, ``Word document``.

    Raises:
        EmptyFileError: There are no bytes.
        EncryptedFileError: The package is protected by a password.
        UnsupportedFormatError: It is a binary (1997-2003) Office file, whatever its name says.
        DamagedFileError: It is no zip archive, is cut off, or expands beyond all measure.
    """

    def __init__(self, data: bytes, what: str) -> None:
        self.what = what
        if not data:
            raise EmptyFileError(f"the {what} is empty")
        if data.startswith(OLE_MAGIC):
            _refuse_ole(data, what)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _ZIP_ERRORS as error:
            raise DamagedFileError(
                f"the {what} is not a readable zip package (cut off, or another kind of file): "
                f"{error}"
            ) from error
        infos = self._zip.infolist()
        if len(infos) > _MAX_PARTS or sum(i.file_size for i in infos) > _MAX_TOTAL_BYTES:
            raise DamagedFileError(f"the {what} expands beyond {_MAX_TOTAL_BYTES} bytes")
        if any(i.flag_bits & 0x1 for i in infos):
            raise EncryptedFileError(f"the {what} is a password-protected zip package")
        self._infos = {i.filename.replace("\\", "/").lstrip("/").lower(): i for i in infos}

    def has(self, part: str) -> bool:
        """Whether the package holds ``part`` (names are compared without regard to case)."""
        return part.lower() in self._infos

    def read(self, part: str) -> bytes:
        """Return the bytes of a part.

        Raises:
            DamagedFileError: It is missing, damaged or too large.
        """
        info = self._infos.get(part.lower())
        if info is None:
            raise DamagedFileError(f"the {self.what} lacks its part {part}")
        packed = max(1, info.compress_size)
        bomb = info.file_size > _RATIO_FROM and info.file_size / packed > _MAX_RATIO
        if info.file_size > _MAX_PART_BYTES or bomb:
            raise DamagedFileError(f"part {part} expands to {info.file_size} bytes, not read")
        try:
            return self._zip.read(info)
        except (*_ZIP_ERRORS, RuntimeError) as error:
            raise DamagedFileError(f"part {part} of the {self.what} is damaged: {error}") from error

    def xml(self, part: str) -> etree._Element:
        """Return the root element of an XML part; entities are not expanded, nothing is fetched.

        Raises:
            DamagedFileError: The part cannot be read or is not well-formed.
        """
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
        )
        data = self.read(part)
        if b"purl.oclc.org/ooxml" in data:
            data = _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", data)
        try:
            return etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise DamagedFileError(f"part {part} is not well-formed XML: {error}") from error

    def relationships(self, part: str) -> dict[str, Relationship]:
        """Return the relationships of a part by id; none when it has no (sound) list of them."""
        folder, name = posixpath.split(part)
        rels = posixpath.join(folder, "_rels", f"{name}.rels")
        if not self.has(rels):
            return {}
        found: dict[str, Relationship] = {}
        for element in self.xml(rels):
            target = element.get("Target", "")
            external = element.get("TargetMode") == "External"
            if not external:
                absolute = target.startswith("/")
                target = target.lstrip("/") if absolute else posixpath.join(folder, target)
                target = posixpath.normpath(target)
            kind = element.get("Type", "").rpartition("/")[2]
            found[element.get("Id", "")] = Relationship(kind, target, external)
        return found

    def main_part(self, fallback: str) -> str:
        """Return the name of the main part: what the package says, else ``fallback``.

        Raises:
            DamagedFileError: The package has neither.
        """
        try:
            links = self.relationships("").values()
        except DamagedFileError:
            links = {}.values()
        for link in links:
            if link.kind == "officeDocument" and self.has(link.target):
                return link.target
        if self.has(fallback):
            return fallback
        raise DamagedFileError(f"the file is a zip archive but not a {self.what}: no {fallback}")

    def core_title(self) -> str:
        """Return the title in the file's properties, or ""."""
        try:
            title = self.xml("docProps/core.xml").find(q("dc:title"))
        except DamagedFileError:
            return ""
        return "" if title is None else (title.text or "").strip()


def _refuse_ole(data: bytes, what: str) -> None:
    """Raise the error that says which kind of OLE container this is."""
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise EncryptedFileError(
            f"the {what} is protected by a password",
            "Remove the password in Office (File > Info > Protect) and ingest the copy: microtome "
            "does not decrypt Office files.",
        )
    raise UnsupportedFormatError(
        f"the file is in the binary Office format of 1997-2003, not a {what} of today's format",
        "Save it as .pptx, .docx or .xlsx (LibreOffice can: `soffice --headless --convert-to pptx "
        "FILE`) and ingest that.",
    )


class Part(Protocol):
    """A part of an opened package, as python-pptx and python-docx both have it."""

    @property
    def blob(self) -> bytes: ...  # noqa: D102
    @property
    def content_type(self) -> str: ...  # noqa: D102
    @property
    def rels(self) -> Mapping[str, Any]: ...  # noqa: D102


def part_bytes(part: Part) -> bytes:
    """Return the bytes of a part.

    Raises:
        DamagedFileError: :func:`parsers.ooxml_package.open_office` could not read it.
    """
    if part.content_type == UNREADABLE:
        raise DamagedFileError(part.blob.decode())
    return part.blob


def part_root(part: Part, parse_xml: Callable[[bytes], Any]) -> Any:
    """Return the root of an XML part: the library's own tree where it keeps one, else parsed.

    Args:
        part: Any part.
        parse_xml: ``pptx.oxml.parse_xml`` or ``docx.oxml.parse_xml``: it gives the elements the
            library's classes.

    Raises:
        DamagedFileError: The part cannot be read or is no XML.
    """
    root = getattr(part, "_element", None)
    if root is None:
        try:
            root = parse_xml(part_bytes(part))
        except etree.XMLSyntaxError as error:
            raise DamagedFileError(f"a part is not well-formed XML: {error}") from error
    return root


def related(part: Part, key: str | None) -> Any:
    """Return the part that a relationship points to.

    Raises:
        DamagedFileError: There is no such part in the file.
    """
    link = part.rels.get(key or "")
    if link is None or link.is_external:
        raise DamagedFileError(f"a shape points to {key!r}, which is not in the file")
    return link.target_part


def parts_of_kind(part: Part, *kinds: str) -> list[Any]:
    """Return the parts linked from ``part`` by kind: the last segment of the link's type."""
    links = [link for link in part.rels.values() if not link.is_external]
    return [x.target_part for x in links if x.reltype.rpartition("/")[2] in kinds]


def local_name(element: etree._Element) -> str:
    """Return the element's name without its namespace ("" for a comment or an entity)."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def count_text_nodes(root: etree._Element, names: Iterable[str], breaks: Iterable[str]) -> int:
    """Return how many characters the text nodes below ``root`` hold: the ledger's own counter.

    It knows nothing of shapes, styles or visibility, and so cannot share a parser's mistake.

    Args:
        root: Any element; itself included.
        names: Prefixed names of the elements that hold text: ``a:t``, ``w:t``.
        breaks: Prefixed names of elements that part words, so that a letter and a combining
            mark of two paragraphs are not counted as one character.
    """
    wanted = {q(name) for name in names}
    pieces: list[str] = []
    for element in root.iter(*wanted, *(q(name) for name in breaks)):
        pieces.append((element.text or "") if element.tag in wanted else "\n")
    return count_characters("".join(pieces))


def resolve_alternates(root: etree._Element) -> None:
    """Put one branch in the place of each ``mc:AlternateContent`` below ``root``.

    The branches say the same thing for new and old programs; reading both would double it.
    """
    reference = f"{{{NAMESPACES['r']}}}"

    def has_content(branch: etree._Element) -> bool:
        return any(
            (e.text or "").strip() for e in branch.iter(q("a:t"), q("w:t"), q("m:t"))
        ) or any(str(key).startswith(reference) for e in branch.iter() for key in e.attrib)

    while (alternate := next(root.iter(q("mc:AlternateContent")), None)) is not None:
        branches = [b for b in alternate if local_name(b) in ("Choice", "Fallback")]
        chosen = next((b for b in branches if has_content(b)), branches[0] if branches else None)
        parent = alternate.getparent()
        if parent is None:
            return
        place = parent.index(alternate)
        for child in reversed([] if chosen is None else list(chosen)):
            parent.insert(place, child)
        alternate.tail = None
        parent.remove(alternate)
