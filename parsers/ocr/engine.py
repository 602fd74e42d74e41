"""Recognise a page image with Tesseract. The only module that starts it.

Every process gets ``OMP_THREAD_LIMIT=1``: pages run side by side in processes, and four threads in
each would only fight (tesseract issue 3109). An upright page costs one pass; only a doubtful result
pays for orientation, other rotations or a larger copy.
"""

from __future__ import annotations

import functools
import os
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytesseract
from PIL import Image

from configs.settings import ParsingSettings
from parsers.base import MissingToolError, ParserError, ParseTimeoutError
from parsers.language import detect_language
from parsers.model import BoundingBox
from parsers.normalise import one_line
from parsers.ocr.cells import cells_with_lines, sheets_of
from parsers.ocr.languages import tesseract_code
from parsers.ocr.noise import without_noise
from parsers.ocr.page import OcrLine, OcrPage, OcrWord, RuledTable, around, mean_confidence
from parsers.ocr.prepare import enlarge, grey, is_blank, reduced, straightened, turned
from parsers.ocr.rules import FoundTable, erase_rules, find_tables, without_tables

__all__ = ["OcrLine", "OcrPage", "OcrTimeoutError", "OcrWord", "missing_languages", "recognise"]

_SURE = 0.80
"""Confidence from which the first result stands. Measured on the corpus: upright pages gave 0.83
to 0.97, the same pages on their side or upside down 0.15 to 0.60."""
_HALF_SURE = 0.50
_SURE_ORIENTATION = 1.5
"""Tesseract's own orientation confidence that is worth a full pass (measured: right answers from
2.6, wrong ones below 0.9)."""
_PREVIEW_SIDE = 1600
"""Longest side in pixels of the copies on which the four rotations are tried (a guess: 10 point
text on A4 is still 18 pixels high)."""
_FEW_LANGUAGES = 2
"""Up to this many languages read together without harm. Measured: with four, Portuguese got ``ä``
for ``ã`` and French lost ``î``, ``ÿ`` and ``ç``; its own language first, with one more, got both
right."""
_COARSE_DPI = 150
_COARSE_PIXELS = 3_000_000
"""A picture of fewer dots an inch (or one that does not say) and fewer pixels is doubled at once.
Measured: 9 point text at 72 dpi gave nothing as it was, and no error when doubled."""
_SMALL_TEXT_PX = 20
"""Height of words below which Tesseract reads better on an enlarged copy (its own advice)."""
_GOOD_TEXT_PX = 36
_MAX_ENLARGED_PIXELS = 30_000_000


class OcrTimeoutError(ParseTimeoutError):
    """OCR of one page took longer than parsing.ocr_timeout_s and was stopped."""

    default_remedy = "Raise parsing.ocr_timeout_s, or lower parsing.ocr_dpi."


@dataclass(frozen=True, slots=True)
class _Job:
    languages: str
    deadline: float
    timeout_s: float

    def left(self) -> float:
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise OcrTimeoutError(f"OCR of the page took over {self.timeout_s:g} s")
        return seconds


def recognise(
    image: Image.Image,
    settings: ParsingSettings,
    *,
    points_per_pixel: float = 1.0,
    languages: Sequence[str] | None = None,
) -> OcrPage:
    """Return what stands on ``image``.

    Args:
        image: The page; any mode, transparency counts as white.
        settings: Gives languages and the time limit of the page, all passes together.
        points_per_pixel: Scale of the boxes returned (72 / dpi).
        languages: Tesseract codes in place of ``settings.ocr_languages``.

    Raises:
        MissingToolError: Tesseract, or every one of the languages, is missing.
        OcrTimeoutError: The page took longer than ``settings.ocr_timeout_s``.
        ParserError: Tesseract refused the image.
    """
    asked = tuple(languages or settings.ocr_languages)
    missing = missing_languages(asked)
    present = [code for code in asked if code not in missing]
    if not present:
        raise MissingToolError(
            f"Tesseract has no language data for {', '.join(asked)}", language_remedy(asked)
        )
    empty = OcrPage(missing_languages=missing)
    prepared = grey(image)
    if min(prepared.size) < 3 or is_blank(prepared):
        return empty
    if 72 / points_per_pixel < _COARSE_DPI and prepared.width * prepared.height < _COARSE_PIXELS:
        prepared = enlarge(prepared, 2.0)
    points_per_pixel *= image.width / prepared.width
    timeout_s = settings.ocr_timeout_s
    job = _Job("+".join(present), time.monotonic() + timeout_s, timeout_s)
    page = _best_reading(prepared, job, points_per_pixel)
    code = _only_language(page)
    among_many = len(present) > _FEW_LANGUAGES and code in present and code != present[0]
    if among_many or (code not in present and code in _installed_languages()):
        narrow = replace(job, languages=f"{code}+{present[0]}")
        again = _read(prepared, page.rotation, narrow, points_per_pixel)
        page = max(page, again, key=lambda p: (_worth(p) >= 0.97 * _worth(page), p is again))
    side = prepared.width if page.rotation in (90, 270) else prepared.height
    return replace(without_noise(page), missing_languages=missing, height=side * points_per_pixel)


def _only_language(page: OcrPage) -> str:
    """Return the Tesseract code of a page's language, "" when its halves disagree."""
    texts = [line.text for line in page.lines]
    half = len(texts) // 2
    languages = {detect_language("\n".join(part)) for part in (texts[:half], texts[half:])}
    return tesseract_code(languages.pop()) if len(languages) == 1 else ""


def missing_languages(languages: Sequence[str]) -> tuple[str, ...]:
    """Return those of ``languages`` that Tesseract has no data for.

    Raises:
        MissingToolError: There is no Tesseract.
    """
    installed = _installed_languages()
    return tuple(code for code in languages if code not in installed)


def language_remedy(languages: Sequence[str]) -> str:
    """Return how to install the data for ``languages`` (Tesseract codes)."""
    packages = " ".join(f"tesseract-ocr-{code.replace('_', '-').lower()}" for code in languages)
    return f"Install the language data: `apt-get install {packages}` (Debian, Ubuntu)."


def _best_reading(image: Image.Image, job: _Job, scale: float) -> OcrPage:
    best = _read(image, 0, job, scale)
    if _certain(best):
        return best
    rotation = _orientation(image, job)
    if rotation is None and (best.confidence < _SURE or any(map(_sideways, best.words))):
        rotation = _try_rotations(image, job)
    if rotation:
        best = max(best, _read(image, rotation, job, scale), key=_worth)
    return best


def _certain(page: OcrPage) -> bool:
    """Return whether there is no doubt: sure words, level, enough of them to be no accident."""
    sure = [word for word in page.words if word.confidence >= _SURE]
    level = sum(len(word.text) for word in sure if not _sideways(word))
    return page.confidence >= _SURE and level >= max(12, sum(len(w.text) for w in sure) / 2)


def _sideways(word: OcrWord) -> bool:
    """Return whether a word stands on its side: Tesseract reads such, with boxes that mislead."""
    box = word.bbox
    return len(word.text) >= 4 and box.bottom - box.top > 1.5 * (box.x1 - box.x0)


def _worth(page: OcrPage) -> float:
    """Return the letters and digits read upright with fair confidence, times it squared."""
    return sum(
        sum(map(str.isalnum, word.text)) * word.confidence**2
        for word in page.words
        if word.confidence >= _HALF_SURE and not _sideways(word)
    )


def _read(image: Image.Image, rotation: int, job: _Job, scale: float) -> OcrPage:
    """Read one rotation in full, on an enlarged copy as well where the letters are small."""
    upright = straightened(turned(image, rotation))
    page = _read_upright(upright, job, scale)
    height = _word_height(page) / scale
    if not 0 < height < _SMALL_TEXT_PX:
        return replace(page, rotation=rotation)
    room = (_MAX_ENLARGED_PIXELS / (upright.width * upright.height)) ** 0.5
    factor = min(4.0, _GOOD_TEXT_PX / height, room)
    if factor > 1.2:
        larger = _read_upright(enlarge(upright, factor), job, scale / factor)
        page = max(page, larger, key=_worth)
    return replace(page, rotation=rotation)


def _read_upright(image: Image.Image, job: _Job, scale: float) -> OcrPage:
    """Read a level, upright image: its ruled tables cell by cell, the rest as a page."""
    found = find_tables(image)
    tables = _read_tables(image, found, job, scale)
    body = without_tables(image, found)
    dpi = 72 / scale
    config = f"--psm 3 --dpi {dpi:.0f}" if 100 <= dpi <= 2400 else "--psm 3"  # else it guesses
    lines = () if found and is_blank(body) else _read_lines(body, job, scale, config)
    page = OcrPage(lines, tables=tables)
    return replace(page, confidence=mean_confidence(page.words))


def _read_tables(
    image: Image.Image, found: Sequence[FoundTable], job: _Job, scale: float
) -> tuple[RuledTable, ...]:
    if not found:
        return ()
    clean = erase_rules(image, found)
    tables = []
    for table in (item.table for item in found):
        cells = list(table.cells)
        for sheet in sheets_of(clean, [cell.bbox for cell in cells]):
            lines = _read_lines(sheet.image, job, 1.0, "--psm 6")
            cells = cells_with_lines(cells, sheet, lines)
        tables.append(_in_points(RuledTable(table.bbox, tuple(cells)), scale))
    return tuple(tables)


def _read_lines(image: Image.Image, job: _Job, scale: float, config: str) -> tuple[OcrLine, ...]:
    data = _run(pytesseract.image_to_data, image, job, config=config, lang=job.languages)
    return _lines(data, scale)


def _orientation(image: Image.Image, job: _Job) -> int | None:
    """Return Tesseract's rotation, None when it has none or doubts it."""
    small = reduced(image, 2 * _PREVIEW_SIDE)
    try:
        found = _run(pytesseract.image_to_osd, small, job, config="--psm 0", lang="osd")
    except (_TooLittleText, MissingToolError):
        return None
    if float(found["orientation_conf"]) < _SURE_ORIENTATION:
        return None
    return int(found["rotate"]) % 360


def _try_rotations(image: Image.Image, job: _Job) -> int:
    """Return the rotation whose small copy reads best; upright on a tie."""
    small = reduced(image, _PREVIEW_SIDE)
    readings = {
        rotation: _worth(_read_upright(turned(small, rotation), job, 1.0))
        for rotation in (0, 180, 90, 270)
    }
    return max(readings, key=lambda rotation: (readings[rotation], rotation == 0))


class _TooLittleText(ParserError):
    """Tesseract cannot tell the orientation of so few characters."""


def _run(call: Callable[..., Any], image: Image.Image, job: _Job, **options: Any) -> Any:
    """Call pytesseract with the time that is left, and translate what it raises."""
    pytesseract.pytesseract.environ = {**os.environ, "OMP_THREAD_LIMIT": "1"}  # of the child only
    image.format = "TIFF"  # the temporary file: PNG would spend a second on compression
    image.info.pop("compression", None)  # a fax's own, which the grey image cannot take
    try:
        return call(
            image, output_type=pytesseract.Output.DICT, timeout=job.left(), **options
        )  # fmt: skip
    except pytesseract.TesseractNotFoundError as error:
        raise _no_tesseract() from error
    except pytesseract.TesseractError as error:
        if "osd" in str(options["lang"]):
            raise _TooLittleText(f"no orientation: {error.message}") from error
        raise ParserError(
            f"Tesseract refused the image ({image.width} x {image.height}): {error.message}",
            "Check the image in a viewer, and Tesseract with `microtome doctor`.",
        ) from error
    except RuntimeError as error:
        if "timeout" in str(error).lower():
            raise OcrTimeoutError(f"OCR of the page took over {job.timeout_s:g} s") from error
        raise


@functools.cache
def _installed_languages() -> frozenset[str]:
    try:
        return frozenset(pytesseract.get_languages())
    except (pytesseract.TesseractNotFoundError, pytesseract.TesseractError, OSError) as error:
        raise _no_tesseract() from error


def _no_tesseract() -> MissingToolError:
    return MissingToolError(
        "Tesseract is not installed or not on PATH",
        "Install it: `apt-get install tesseract-ocr tesseract-ocr-por` (Debian, Ubuntu).",
    )


def _lines(data: dict[str, list[Any]], scale: float) -> tuple[OcrLine, ...]:
    """Group Tesseract's table of words into lines."""
    groups: dict[tuple[int, int, int], list[OcrWord]] = defaultdict(list)
    for i, raw in enumerate(data["text"]):
        text, confidence = one_line(str(raw)), float(data["conf"][i])
        if not text or confidence < 0:
            continue
        left, top = float(data["left"][i]), float(data["top"][i])
        box = BoundingBox(
            left * scale,
            top * scale,
            (left + float(data["width"][i])) * scale,
            (top + float(data["height"][i])) * scale,
        )
        key = (int(data["block_num"][i]), int(data["par_num"][i]), int(data["line_num"][i]))
        groups[key].append(OcrWord(text, box, min(1.0, confidence / 100)))
    return tuple(
        OcrLine(
            " ".join(word.text for word in words), around([word.bbox for word in words]),
            mean_confidence(words), key[0], key[1], tuple(words),
        )
        for key, words in groups.items()
    )  # fmt: skip


def _word_height(page: OcrPage) -> float:
    """Return the median height of words with letters, in points; 0.0 without any."""
    heights = sorted(
        word.bbox.bottom - word.bbox.top
        for word in page.words
        if sum(map(str.isalnum, word.text)) >= 3
    )
    return heights[len(heights) // 2] if heights else 0.0


def _in_points(table: RuledTable, scale: float) -> RuledTable:
    def box(b: BoundingBox) -> BoundingBox:
        return BoundingBox(b.x0 * scale, b.top * scale, b.x1 * scale, b.bottom * scale)

    def line(item: OcrLine) -> OcrLine:
        words = tuple(replace(word, bbox=box(word.bbox)) for word in item.words)
        return replace(item, bbox=box(item.bbox), words=words)

    cells = tuple(
        replace(cell, bbox=box(cell.bbox), lines=tuple(map(line, cell.lines)))
        for cell in table.cells
    )
    return RuledTable(box(table.bbox), cells)
