"""Make an image fit for Tesseract: grey, the right size, straight. NumPy and Pillow only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

MAX_PIXELS = 60_000_000
"""Larger images are reduced before OCR: A2 at 300 dpi has 35 million pixels (a guess that keeps
Tesseract under about 1 GiB)."""
MAX_SIDE = 30_000
"""Tesseract refuses sides of 32,768 pixels and more."""
_BLANK_SPREAD = 24
"""Grey levels by which the darkest spots must stand out from paper (a guess)."""
_BLANK_PIXELS = 30
"""Pixels of a 1,500 pixel copy that make a spot: one letter of small print (a guess)."""
_SKEW_SIDE = 1000
"""Longest side in pixels of the copy on which the skew is measured."""
_MAX_SKEW = 8.0
_MIN_SKEW = 0.5
"""Degrees: a smaller skew costs Tesseract nothing, and turning blurs."""
_SHARPER = 1.15
"""How much sharper the lines must stand after turning to trust the angle (a guess)."""


def grey(image: Image.Image) -> Image.Image:
    """Return ``image`` as 8-bit grey on white, light on dark inverted, reduced when enormous."""
    if image.mode in ("I;16", "I;16B", "I;16L", "I", "F"):
        values = np.asarray(image, dtype=np.float32)
        low, high = float(values.min()), float(values.max())
        scaled = (values - low) * (255.0 / max(high - low, 1.0))
        image = Image.fromarray(scaled.astype(np.uint8))
    elif image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image)
    image = image.getchannel(0) if image.mode == "LAB" else image.convert("L")
    factor = min(
        1.0, MAX_SIDE / max(image.size), (MAX_PIXELS / max(1, image.width * image.height)) ** 0.5
    )
    if factor < 1.0:
        image = image.resize(_scaled(image.size, factor), Image.Resampling.BOX)
    if _dark_ground(image):
        image = ImageOps.invert(image)
    return image


def is_blank(image: Image.Image) -> bool:
    """Return whether a grey image holds nothing but paper."""
    values = np.asarray(reduced(image, 1500)).ravel()
    nth = min(_BLANK_PIXELS, len(values) - 1)
    return bool(np.median(values) - np.partition(values, nth)[nth] < _BLANK_SPREAD)


def enlarge(image: Image.Image, factor: float) -> Image.Image:
    """Return ``image`` scaled by ``factor`` with a smooth filter."""
    return image.resize(_scaled(image.size, factor), Image.Resampling.BICUBIC)


def reduced(image: Image.Image, side: int) -> Image.Image:
    """Return ``image`` with its longest side at most ``side`` pixels."""
    factor = side / max(image.size)
    if factor >= 1.0:
        return image
    return image.resize(_scaled(image.size, factor), Image.Resampling.BOX)


def turned(image: Image.Image, degrees_clockwise: int) -> Image.Image:
    """Return ``image`` turned by 0, 90, 180 or 270 degrees, without loss."""
    methods = {
        90: Image.Transpose.ROTATE_270,  # Pillow counts anticlockwise
        180: Image.Transpose.ROTATE_180,
        270: Image.Transpose.ROTATE_90,
    }
    return image.transpose(methods[degrees_clockwise]) if degrees_clockwise else image


def straightened(image: Image.Image) -> Image.Image:
    """Return ``image`` turned so that its lines run level, or as it is when they do."""
    angle = skew_degrees(image)
    if abs(angle) < _MIN_SKEW:
        return image
    return image.rotate(angle, Image.Resampling.BICUBIC, expand=False, fillcolor=_paper(image))


def skew_degrees(image: Image.Image) -> float:
    """Return by how many degrees lines fall to the right; 0.0 when there is no clear angle.

    Source:
        Projection profile (Postl 1986): ink summed along the true direction gives the sharpest
        steps, here the largest sum of squared differences between neighbouring rows.
    """
    small = np.asarray(reduced(image, _SKEW_SIDE))
    rows, columns = np.nonzero(small < _ink_threshold(small))
    if len(rows) < 200:
        return 0.0
    if len(rows) > 100_000:  # a third of the ink shows the angle as well as all of it
        step = len(rows) // 50_000
        rows, columns = rows[::step], columns[::step]

    def sharpness(angle: float) -> float:
        shifted = rows - columns * np.tan(np.radians(angle))
        profile = np.bincount(np.rint(shifted - shifted.min()).astype(np.int64))
        return float(np.square(np.diff(profile.astype(np.float64))).sum())

    level = sharpness(0.0)
    coarse = max(np.arange(-_MAX_SKEW, _MAX_SKEW + 0.1, 0.5), key=sharpness)
    best = max(np.arange(coarse - 0.4, coarse + 0.45, 0.1), key=sharpness)
    return float(best) if sharpness(best) > _SHARPER * level else 0.0


def _ink_threshold(values: NDArray[np.uint8]) -> float:
    """Return the grey level halfway between paper (the median) and the darkest hundredth."""
    return float(np.median(values) + np.percentile(values, 1)) / 2


def _dark_ground(image: Image.Image) -> bool:
    values = np.asarray(reduced(image, 800))
    return bool(np.median(values) < 96 and np.percentile(values, 99.9) > 128)


def _paper(image: Image.Image) -> int:
    return int(np.median(np.asarray(reduced(image, 800))))


def _scaled(size: tuple[int, int], factor: float) -> tuple[int, int]:
    return max(1, round(size[0] * factor)), max(1, round(size[1] * factor))
