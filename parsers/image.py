"""Single images as documents: every frame of a TIFF is a page, read by OCR."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from concurrent.futures import Future

from PIL import Image, ImageOps, UnidentifiedImageError

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError, EmptyFileError, MissingToolError, ParserError
from parsers.builder import DocumentBuilder
from parsers.model import Document, Source, TextSource
from parsers.ocr.emit import GENERATED, emit_ocr_page
from parsers.ocr.page import OcrPage
from parsers.ocr.pool import PageRecogniser
from parsers.ocr.report import OcrReport
from parsers.ocr.running import without_running_lines

NAME = "image"
VERSION = 2

MAX_PIXELS = 170_000_000
"""Pixels a frame may unfold to, checked before it is decoded: A0 at 330 dpi (Pillow itself refuses
from 179 million)."""
_MAX_FRAMES = 2000
_DEFAULT_DPI = 72.0
"""Of an image that does not say: its boxes are then in pixels."""
_DPI_RANGE = (36.0, 2400.0)
"""Resolutions outside are placeholders that programs write, such as 1 (a guess)."""
_PAGED = "TIFF"
"""The format whose frames are pages; those of GIF, WEBP and PNG are an animation."""


def parse(data: bytes, source: Source, settings: ParsingSettings) -> Document:
    """Return the text of an image file, a page for each frame of a TIFF.

    A frame that cannot be read becomes a ``Failure`` and an empty page while others stand.

    Raises:
        EmptyFileError: There are no bytes.
        DamagedFileError: The bytes are no image, or cut short, or unfold to too many pixels.
    """
    if not data:
        raise EmptyFileError("the image file is empty")
    builder = DocumentBuilder(source, NAME, VERSION)
    with _opened(data) as image:
        frames = _frame_count(image)
        if not settings.ocr:
            for number in range(1, frames + 1):
                builder.add_page(number, TextSource.NONE, "ocr is switched off")
            return builder.build()
        with PageRecogniser(settings) as pool:
            started = [_start(pool, image, number) for number in range(1, frames + 1)]
        _write(builder, started, settings)
    return builder.build()


def _start(pool: PageRecogniser, image: Image.Image, number: int) -> Future[OcrPage] | ParserError:
    """Start the OCR of a frame, or return why it cannot be read."""

    def draw() -> tuple[Image.Image, float]:
        frame = _frame(image, number)
        return frame, 72.0 / _dpi(frame)

    try:
        return pool.submit(draw)
    except ParserError as error:
        return error


def _write(
    builder: DocumentBuilder,
    started: Sequence[Future[OcrPage] | ParserError],
    settings: ParsingSettings,
) -> None:
    report = OcrReport(builder)
    without_tool = False
    pages: dict[int, OcrPage] = {}
    problems: dict[int, str] = {}
    for number, outcome in enumerate(started, 1):
        try:
            if isinstance(outcome, ParserError):
                raise outcome
            pages[number] = outcome.result()
            page = pages[number]
            report.page(page, number, kept=bool(page.words) or page.n_noise > 0)
        except MissingToolError as error:  # told once, not once a page
            problems[number] = "no OCR"
            if not without_tool:
                builder.add_failure(error.as_failure(builder.source.uri))
            without_tool = True
        except DamagedFileError as error:
            if len(started) == 1:
                raise
            problems[number] = "damaged image"
            _fail(builder, error, number)
        except ParserError as error:
            problems[number] = "OCR failed"
            _fail(builder, error, number)
    stripped = without_running_lines(pages)
    for number in range(1, len(started) + 1):
        if number in problems:
            builder.add_page(number, TextSource.NONE, problems[number])
            continue
        page, running = stripped[number]
        read = bool(page.words or running)
        builder.add_page(
            number, TextSource.OCR if read else TextSource.NONE,
            "an image" if read else "an image without readable text",
            page.confidence if read else None, page.rotation,
        )  # fmt: skip
        for line in running:
            builder.count_generated(GENERATED, line, number)
            builder.count_dropped("furniture", line, number)
        emit_ocr_page(builder, page, page=number, settings=settings)


def _fail(builder: DocumentBuilder, error: ParserError, number: int) -> None:
    builder.add_failure(
        type(error)(error.message, error.remedy, number).as_failure(builder.source.uri)
    )


def _opened(data: bytes) -> Image.Image:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # our own limit is checked before anything is decoded
            return Image.open(io.BytesIO(data))
    except UnidentifiedImageError as error:
        raise DamagedFileError("the bytes are no image that can be read") from error
    except Image.DecompressionBombError as error:
        raise _too_large(str(error)) from error
    except (OSError, ValueError, SyntaxError) as error:
        raise DamagedFileError(f"the image cannot be opened: {error}") from error


def _frame_count(image: Image.Image) -> int:
    if image.format != _PAGED:
        return 1
    try:
        frames = int(getattr(image, "n_frames", 1))
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise DamagedFileError(f"the pages of the TIFF cannot be counted: {error}") from error
    if frames > _MAX_FRAMES:
        raise _too_large(f"{frames} pages")
    return frames


def _frame(image: Image.Image, number: int) -> Image.Image:
    """Return a decoded frame (1-based), turned as its EXIF orientation says."""
    try:
        image.seek(number - 1)
        if image.width * image.height > MAX_PIXELS:
            raise _too_large(f"{image.width} x {image.height} pixels", number)
        dpi = image.info.get("dpi")
        frame = ImageOps.exif_transpose(image.copy())
    except Image.DecompressionBombError as error:
        raise _too_large(str(error), number) from error
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise DamagedFileError(
            f"page {number} of the image is damaged or cut short: {error}", page=number
        ) from error
    if dpi:
        frame.info["dpi"] = dpi
    return frame


def _dpi(image: Image.Image) -> float:
    given = image.info.get("dpi")
    try:
        dpi = float(given[0]) if given else _DEFAULT_DPI
    except (TypeError, ValueError, ZeroDivisionError):
        return _DEFAULT_DPI
    return dpi if _DPI_RANGE[0] <= dpi <= _DPI_RANGE[1] else _DEFAULT_DPI


def _too_large(what: str, page: int | None = None) -> DamagedFileError:
    return DamagedFileError(
        f"the image is too large to unfold: {what}; the limit is {MAX_PIXELS:,} pixels a page "
        f"and {_MAX_FRAMES} pages",
        "Scale the image down, or split it, and ingest it again.",
        page,
    )
