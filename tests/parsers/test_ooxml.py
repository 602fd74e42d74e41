from __future__ import annotations

import io
import zipfile

import pytest
from lxml import etree

from parsers.base import (
    DamagedFileError,
    EmptyFileError,
    EncryptedFileError,
    UnsupportedFormatError,
)
from parsers.ooxml import NAMESPACES, OLE_MAGIC, Package, count_text_nodes, q, resolve_alternates

_A, _MC, _R = (f'xmlns:{p}="{NAMESPACES[p]}"' for p in ("a", "mc", "r"))


def _zip(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(name, data)
    return out.getvalue()


def test_no_bytes_are_an_empty_file() -> None:
    with pytest.raises(EmptyFileError):
        Package(b"", "presentation")


@pytest.mark.parametrize("data", [b"hello", b"PK\x03\x04 but no more", b"%PDF-1.7"])
def test_what_is_no_zip_is_damaged(data: bytes) -> None:
    with pytest.raises(DamagedFileError, match="presentation"):
        Package(data, "presentation")


def test_a_cut_off_package_is_damaged() -> None:
    with pytest.raises(DamagedFileError):
        Package(_zip({"a.xml": bytes(range(256)) * 40})[:-30], "presentation")


def test_ole_containers_are_told_apart() -> None:
    with pytest.raises(UnsupportedFormatError):
        Package(OLE_MAGIC + bytes(1000), "Word document")
    with pytest.raises(EncryptedFileError):
        Package(OLE_MAGIC + bytes(1000) + "EncryptedPackage".encode("utf-16-le"), "Word document")


def test_a_zip_bomb_is_not_expanded() -> None:
    package = Package(_zip({"bomb.xml": bytes(64 * 1024 * 1024)}), "presentation")
    with pytest.raises(DamagedFileError, match="expands to"):
        package.read("bomb.xml")


def test_entities_are_not_expanded() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'
    root = Package(_zip({"x.xml": bomb}), "presentation").xml("x.xml")
    assert b"aaaa" not in etree.tostring(root).partition(b"]>")[2]


def test_a_damaged_part_is_named() -> None:
    data = bytearray(_zip({"one.xml": b"<x>" + bytes(range(32, 96)) * 9 + b"</x>"}))
    data[60:70] = b"0123456789"
    with pytest.raises(DamagedFileError, match=r"one\.xml"):
        Package(bytes(data), "presentation").xml("one.xml")


def test_relationships_are_resolved_against_their_part() -> None:
    rels = (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        b'<Relationship Id="a" Type="x/image" Target="../media/i.png"/>'
        b'<Relationship Id="b" Type="x/chart" Target="/ppt/charts/c.xml"/>'
        b'<Relationship Id="c" Type="x/link" Target="http://x.y/" TargetMode="External"/>'
        b"</Relationships>"
    )
    package = Package(_zip({"ppt/slides/_rels/s.xml.rels": rels}), "presentation")
    links = package.relationships("ppt/slides/s.xml")
    assert [(k, v.kind, v.target, v.external) for k, v in links.items()] == [
        ("a", "image", "ppt/media/i.png", False),
        ("b", "chart", "ppt/charts/c.xml", False),
        ("c", "link", "http://x.y/", True),
    ]


def test_strict_files_are_read_like_transitional_ones() -> None:
    strict = b'<a:t xmlns:a="http://purl.oclc.org/ooxml/drawingml/main">text</a:t>'
    assert Package(_zip({"x.xml": strict}), "presentation").xml("x.xml").tag == q("a:t")


def test_a_combining_mark_counts_with_the_letter_of_another_run_only() -> None:
    root = etree.fromstring(
        f"<x {_A}><a:p><a:t>e</a:t><a:t>\u0301</a:t></a:p><a:p><a:t>\u0301</a:t></a:p></x>"
    )
    assert count_text_nodes(root, ("a:t",), ("a:p",)) == 2


def test_the_first_branch_with_content_takes_the_alternatives_place() -> None:
    root = etree.fromstring(
        f"<x {_A} {_MC} {_R}>before<mc:AlternateContent><mc:Choice/><mc:Fallback><a:t>old</a:t>"
        "</mc:Fallback></mc:AlternateContent><mc:AlternateContent><mc:Choice><a:blip r:id='1'/>"
        "</mc:Choice><mc:Fallback><a:t>cannot be shown</a:t></mc:Fallback></mc:AlternateContent>"
        "</x>"
    )
    resolve_alternates(root)
    assert [e.tag for e in root] == [q("a:t"), q("a:blip")]
    assert root.text == "before"
