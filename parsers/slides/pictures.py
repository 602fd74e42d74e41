"""Text in pictures, by OCR: each picture of a file once, however often it is shown."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass

from configs.settings import ParsingSettings
from parsers.base import DamagedFileError, MissingToolError
from parsers.model import BoundingBox
from parsers.normalise import fold_spaces

_MIN_SIDE = 50
"""Pixels: a smaller picture is an icon or a bullet (from the task's rule of about 50 x 50)."""
_MIN_CONFIDENCE = 0.5
"""Of Tesseract's words, in [0, 1]: below it a photograph's texture was read (a guess)."""
_MIN_LETTERS = 3
"""A reading with fewer letters and digits says nothing (a guess)."""


@dataclass(frozen=True, slots=True)
class PictureText:
    """What a picture says.

    Attributes:
        text: Recognised text, "" when there is none.
        confidence: Mean word confidence in [0, 1].
        remark: Why there is no text, a short phrase, or "".
        meaningful: False for an icon: it needs no description.
        repeated: The same picture was read before in this file.
    """

    text: str = ""
    confidence: float = 0.0
    remark: str = ""
    meaningful: bool = True
    repeated: bool = False


class PictureReader:
    """Recognises the pictures of one file.

    Args:
        settings: Says whether and in which languages to recognise.

    Attributes:
        tool_errors: Problems of Tesseract itself, each once: they concern every picture.
    """

    def __init__(self, settings: ParsingSettings) -> None:
        self._settings = settings
        self._known: dict[str, PictureText] = {}
        self.tool_errors: dict[str, MissingToolError] = {}

    def read(self, data: bytes, box: BoundingBox | None) -> PictureText:
        """Return the text of a picture.

        Args:
            data: Its bytes, in any format.
            box: Where it is shown, for the scale of the characters.

        Raises:
            ParserError: The bytes are no picture, or Tesseract failed on them.
        """
        key = hashlib.sha256(data).hexdigest()
        known = self._known.get(key)
        if known is not None:
            return PictureText(
                known.text, known.confidence, known.remark, known.meaningful, repeated=True
            )
        found = self._recognise(data, box)
        self._known[key] = found
        return found

    def _recognise(self, data: bytes, box: BoundingBox | None) -> PictureText:
        vector = _vector_format(data)
        if vector:
            return PictureText(remark=f"picture in a format not read ({vector})")
        from PIL import Image, UnidentifiedImageError

        try:
            with Image.open(io.BytesIO(data)) as opened:
                if min(opened.size) < _MIN_SIDE:
                    return PictureText(meaningful=False)
                if not self._settings.ocr:
                    return PictureText(remark="picture not recognised: OCR is off")
                opened.load()
                image = opened.copy()
        except (UnidentifiedImageError, Image.DecompressionBombError) as error:
            raise DamagedFileError(f"a picture cannot be opened: {error}") from error
        except (OSError, ValueError, SyntaxError, EOFError) as error:
            raise DamagedFileError(f"a picture is damaged: {error}") from error
        return self._run(image, box)

    def _run(self, image: object, box: BoundingBox | None) -> PictureText:
        from PIL import Image

        from parsers.ocr.engine import language_remedy, recognise

        assert isinstance(image, Image.Image)
        scale = (box.x1 - box.x0) / image.width if box is not None and box.x1 > box.x0 else 1.0
        try:
            page = recognise(image, self._settings, points_per_pixel=scale)
        except MissingToolError as error:
            self.tool_errors.setdefault(str(error), error)
            return PictureText(remark="picture not recognised: no OCR")
        if page.missing_languages:
            names = ", ".join(page.missing_languages)
            problem = MissingToolError(
                f"Tesseract has no language data for {names}",
                language_remedy(page.missing_languages),
            )
            self.tool_errors.setdefault(str(problem), problem)
        text = fold_spaces(page.text)
        if page.confidence < _MIN_CONFIDENCE or sum(c.isalnum() for c in text) < _MIN_LETTERS:
            return PictureText(remark="picture without readable text")
        return PictureText(text, page.confidence)


def _vector_format(data: bytes) -> str:
    """Return the name of a vector format that no raster library draws here, or ""."""
    if data[40:44] == b" EMF":
        return "EMF"
    if data.startswith((b"\xd7\xcd\xc6\x9a", b"\x01\x00\x09\x00", b"\x02\x00\x09\x00")):
        return "WMF"
    head = data[:512].lstrip().lower()
    if head.startswith((b"<svg", b"<?xml")) and b"<svg" in data[:4096].lower():
        return "SVG"
    return "gzipped EMF or SVG" if data.startswith(b"\x1f\x8b") else ""
