from __future__ import annotations

import hashlib
import io
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from configs.settings import ParsingSettings
from parsers import image
from parsers.base import DamagedFileError, EmptyFileError
from parsers.model import Document, Source, TextSource

ENGLISH_ONLY = ParsingSettings(ocr_languages=("eng",))
OFF = ParsingSettings(ocr=False)


def drawn(text: str) -> Image.Image:
    with pymupdf.open() as document:  # type: ignore[no-untyped-call]
        page = document.new_page(width=320, height=120)
        page.insert_text((30, 60), text, fontsize=18)
        pixmap = page.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY, alpha=False)
        return Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)


def saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def parse(data: bytes, settings: ParsingSettings = ENGLISH_ONLY) -> Document:
    source = Source("scan.img", "image/*", len(data), hashlib.sha256(data).hexdigest())
    return image.parse(data, source, settings)


@pytest.fixture
def tesseract() -> None:
    pytesseract = pytest.importorskip("pytesseract")
    try:
        pytesseract.get_tesseract_version()
    except pytesseract.TesseractNotFoundError:
        pytest.skip("Tesseract is not installed")


@pytest.mark.ocr
@pytest.mark.usefixtures("tesseract")
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "BMP", "GIF", "WEBP", "TIFF"])
def test_each_format_is_read(kind: str) -> None:
    found = parse(saved(drawn("Parking register"), kind))
    assert found.text.strip() == "Parking register"
    (page,) = found.pages
    assert page.text_source is TextSource.OCR
    assert page.ocr_confidence is not None
    assert page.ocr_confidence > 0.8
    assert found.ledger[0].unaccounted == 0


@pytest.mark.ocr
@pytest.mark.usefixtures("tesseract")
def test_every_page_of_a_tiff_is_a_page_and_an_empty_one_keeps_its_number() -> None:
    pages = [drawn("First sheet"), Image.new("L", (600, 300), 255), drawn("Third sheet")]
    found = parse(saved(pages[0], "TIFF", save_all=True, append_images=pages[1:]))
    assert [found.text[p.start : p.end].strip() for p in found.pages] == [
        "First sheet", "", "Third sheet"
    ]  # fmt: skip
    assert [p.text_source for p in found.pages] == [
        TextSource.OCR, TextSource.NONE, TextSource.OCR
    ]  # fmt: skip
    assert found.failures == ()


@pytest.mark.ocr
@pytest.mark.usefixtures("tesseract")
def test_the_orientation_a_camera_wrote_is_obeyed() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees clockwise to see it upright
    found = parse(saved(drawn("Upright again").rotate(90, expand=True), "JPEG", exif=exif))
    assert found.text.strip() == "Upright again"
    assert found.pages[0].rotation == 0


@pytest.mark.ocr
@pytest.mark.usefixtures("tesseract")
def test_a_missing_language_is_told_once_and_the_text_stands() -> None:
    pages = [drawn("First sheet"), drawn("Next sheet")]
    data = saved(pages[0], "TIFF", save_all=True, append_images=pages[1:])
    found = parse(data, ParsingSettings(ocr_languages=("eng", "xyz")))
    assert "First sheet" in found.text
    assert [f.error for f in found.failures] == ["MissingToolError"]
    assert "tesseract-ocr-xyz" in found.failures[0].remedy


def test_with_ocr_off_pages_stay_empty_and_say_why() -> None:
    found = parse(saved(drawn("Unread"), "PNG"), OFF)
    assert found.text == ""
    assert [p.route_reason for p in found.pages] == ["ocr is switched off"]


def test_an_empty_file_has_its_own_error() -> None:
    with pytest.raises(EmptyFileError):
        parse(b"")


@pytest.mark.parametrize("data", [b"no image at all", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0"])
def test_bytes_that_are_no_image_are_damaged(data: bytes) -> None:
    with pytest.raises(DamagedFileError):
        parse(data)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "BMP"])
def test_an_image_cut_short_is_damaged(kind: str) -> None:
    data = saved(drawn("Half of it is missing"), kind)
    with pytest.raises(DamagedFileError, match="damaged or cut short"):
        parse(data[: len(data) // 2])


def test_an_image_that_unfolds_to_too_many_pixels_is_refused_before_it_does() -> None:
    bomb = saved(Image.new("1", (20_000, 9_500)), "PNG", optimize=True)
    assert len(bomb) < 100_000
    with pytest.raises(DamagedFileError, match="too large"):
        parse(bomb)


@pytest.mark.shared
@pytest.mark.ocr
@pytest.mark.usefixtures("tesseract")
@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("eurotext.tif", "salta sobre o cão preguiçoso"),
        ("phototest-rotated-L.png", "This is a lot of 12 point text to test the ocr code"),
    ],
)
def test_images_of_the_corpus_hold_their_facts(shared: Path, name: str, fact: str) -> None:
    data = (shared / "corpus" / "pdf_scanned" / name).read_bytes()
    found = parse(data, ParsingSettings(ocr_languages=("eng", "por")))
    assert fact in " ".join(found.text.split())
