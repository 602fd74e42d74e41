from __future__ import annotations

import io
import zipfile

import pytest
from lxml import etree

from configs.settings import ParsingSettings
from parsers.base import (
    DamagedFileError,
    EmptyFileError,
    EncryptedFileError,
    UnsupportedFormatError,
)
from parsers.ooxml import NAMESPACES
from parsers.ooxml_package import OLE_MAGIC, UNREADABLE, open_office

_TYPES = (
    b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    b'<Default Extension="xml" ContentType="application/xml"/>%s</Types>'
)
_PROTECTED = OLE_MAGIC + bytes(1000) + "EncryptedPackage".encode("utf-16-le")


def _zip(parts: dict[str, bytes], types: bytes = b"") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("[Content_Types].xml", _TYPES % types)
        for name, data in parts.items():
            package.writestr(name, data)
    return out.getvalue()


def _opened(data: bytes, *passwords: str) -> zipfile.ZipFile:
    settings = ParsingSettings(passwords=passwords)
    return zipfile.ZipFile(io.BytesIO(open_office(data, settings, "presentation")))


def _kind(package: zipfile.ZipFile, part: str) -> str:
    types = etree.fromstring(package.read("[Content_Types].xml"))
    found = {e.get("PartName"): e.get("ContentType", "") for e in types}
    return found.get(part) or ""


def test_no_bytes_are_an_empty_file() -> None:
    with pytest.raises(EmptyFileError):
        _opened(b"")


@pytest.mark.parametrize("data", [b"hello", b"PK\x03\x04 but no more", b"%PDF-1.7"])
def test_what_is_no_zip_is_damaged(data: bytes) -> None:
    with pytest.raises(DamagedFileError, match="presentation"):
        _opened(data)


def test_a_zip_without_content_types_is_no_package() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("a.txt", b"text")
    with pytest.raises(DamagedFileError, match="not a presentation"):
        _opened(out.getvalue())


def test_a_cut_off_package_is_damaged() -> None:
    with pytest.raises(DamagedFileError):
        _opened(_zip({"a.xml": bytes(range(256)) * 40})[:-30])


def test_ole_containers_are_told_apart() -> None:
    with pytest.raises(UnsupportedFormatError):
        _opened(OLE_MAGIC + bytes(1000))
    with pytest.raises(EncryptedFileError):
        _opened(_PROTECTED)


def test_a_broken_container_is_not_opened_by_any_password() -> None:
    with pytest.raises(EncryptedFileError, match=r"none of parsing\.passwords"):
        _opened(_PROTECTED, "secret")


@pytest.fixture(scope="module")
def protected() -> bytes:
    """A deck that says "hush", encrypted with the password "sesame"."""
    from msoffcrypto.format.ooxml import OOXMLFile
    from pptx import Presentation

    deck, plain, out = Presentation(), io.BytesIO(), io.BytesIO()
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "hush"
    deck.save(plain)
    OOXMLFile(plain).encrypt("sesame", out)
    return out.getvalue()


def test_the_right_password_opens_a_protected_file(protected: bytes) -> None:
    assert protected.startswith(OLE_MAGIC)
    package = _opened(protected, "wrong", "sesame")
    assert b"hush" in package.read("ppt/slides/slide1.xml")


@pytest.mark.parametrize("passwords", [(), ("wrong",)])
def test_without_the_right_password_it_stays_closed(
    protected: bytes, passwords: tuple[str, ...]
) -> None:
    with pytest.raises(EncryptedFileError) as caught:
        _opened(protected, *passwords)
    assert "parsing.passwords" in caught.value.remedy


def test_a_zip_bomb_is_not_expanded() -> None:
    package = _opened(_zip({"bomb.xml": bytes(64 * 1024 * 1024), "a.xml": b"<x/>"}))
    assert b"expands to" in package.read("bomb.xml")
    assert _kind(package, "/bomb.xml") == UNREADABLE
    assert package.read("a.xml") == b"<x/>"


def test_recordings_are_not_read() -> None:
    package = _opened(_zip({"ppt/media/m.MP4": bytes(range(256)) * 99}))
    assert package.getinfo("ppt/media/m.MP4").file_size < 100


def test_entities_are_not_expanded() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;<!-- c --></x>'
    data = _opened(_zip({"x.xml": bomb})).read("x.xml")
    assert data.endswith(b"<x>&b;</x>")


@pytest.mark.parametrize("part", [b"", b"<broken", b"text"])
def test_a_part_that_is_not_well_formed_is_replaced_by_the_reason(part: bytes) -> None:
    package = _opened(_zip({"one.xml": part}))
    assert b"one.xml is not well-formed" in package.read("one.xml")
    assert _kind(package, "/one.xml") == UNREADABLE


def test_a_damaged_part_is_named() -> None:
    sound = _zip({"one.xml": b"<x>" + bytes(range(32, 96)) * 9 + b"</x>"})
    at = sound.index(b"one.xml") + 12
    package = _opened(sound[:at] + b"0123456789" + sound[at + 10 :])
    assert b"one.xml is damaged" in package.read("one.xml")


def test_links_lead_to_the_parts_that_are_there() -> None:
    links = (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        b'<Relationship Id="a" Type="x/image" Target="../Media/i.png"/>'
        b'<Relationship Id="b" Type="x/chart" Target="/ppt/charts/c.xml"/>'
        b'<Relationship Id="c" Type="x/link" Target="http://x.y/" TargetMode="External"/>'
        b'<Relationship Id="d" Type="x/image" Target="NULL"/></Relationships>'
    )
    parts = {
        "ppt/slides/_rels/s.xml.rels": links,
        "ppt\\media\\i.png": b"picture",
        "ppt/charts/c.xml": b"<c/>",
    }
    package = _opened(_zip(parts))
    root = etree.fromstring(package.read("ppt/slides/_rels/s.xml.rels"))
    assert [(e.get("Id"), e.get("Target")) for e in root] == [
        ("a", "/ppt/media/i.png"),
        ("b", "/ppt/charts/c.xml"),
        ("c", "http://x.y/"),
    ]
    assert package.read("ppt/media/i.png") == b"picture"


def test_a_list_of_links_that_cannot_be_read_is_empty() -> None:
    package = _opened(_zip({"_rels/.rels": b"<Relation"}))
    assert len(etree.fromstring(package.read("_rels/.rels"))) == 0


def test_strict_files_become_transitional_ones() -> None:
    strict = b'<a:t xmlns:a="http://purl.oclc.org/ooxml/drawingml/main">text</a:t>'
    root = etree.fromstring(_opened(_zip({"x.xml": strict})).read("x.xml"))
    assert root.tag == f"{{{NAMESPACES['a']}}}t"


@pytest.mark.parametrize(
    ("variant", "plain"),
    [
        ("openxmlformats-officedocument.presentationml.slideshow", "presentationml.presentation"),
        ("openxmlformats-officedocument.presentationml.template", "presentationml.presentation"),
        ("ms-powerpoint.slideshow.macroEnabled", "presentationml.presentation"),
        ("openxmlformats-officedocument.wordprocessingml.template", "wordprocessingml.document"),
        ("ms-word.document.macroEnabled", "wordprocessingml.document"),
        ("ms-word.template.macroEnabledTemplate", "wordprocessingml.document"),
    ],
)
def test_shows_templates_and_macros_become_plain_documents(variant: str, plain: str) -> None:
    override = f'<Override PartName="/m.xml" ContentType="application/vnd.{variant}.main+xml"/>'
    package = _opened(_zip({"m.xml": b"<m/>"}, override.encode()))
    whole = f"application/vnd.openxmlformats-officedocument.{plain}.main+xml"
    assert _kind(package, "/m.xml") == whole


def test_a_part_without_a_content_type_gets_one() -> None:
    package = _opened(_zip({"ppt/media/i.png": b"picture"}))
    assert _kind(package, "/ppt/media/i.png") == "application/octet-stream"
