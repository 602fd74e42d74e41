"""Which pages go to OCR, and whose text is kept. Pure: numbers and strings in, a decision out."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from configs.settings import ParsingSettings
from parsers.ocr.garbled import garbled_ratio

__all__ = ["OcrDecision", "PageStats", "garbled_ratio", "keep_better", "route_page"]

GARBLED = 0.30
"""Share of rubbish from which a text layer is not trusted (a guess: sound layers measured below
0.05, shifted ones above 0.8)."""
COVERS = 0.85
"""Share of the page from which an image is the page itself (a scan with white margins trimmed)."""
SMALL_PICTURE = 0.02
"""Share of the page below which a picture beside some words is a logo, not a scan (a guess)."""
_FEW_FACTOR = 3
"""A page-filling image beside fewer than this many times ``ocr_min_words`` words that all lie
outside it still holds the page's content (a guess)."""
_SOUND_HIDDEN_WORDS = 5
"""Words of an invisible layer that show the page was recognised before (a guess)."""
_OUTLINE_CURVES = 20
"""Curves from which drawings may be letters turned into outlines: two or three letters (a guess).
Borders of tables have none."""
_OUTLINE_DRAWINGS = 60
"""Drawings that stand for curves where these were not counted (a guess)."""


@dataclass(frozen=True, slots=True)
class PageStats:
    """What routing looks at.

    Attributes:
        n_words: Words of the page's own text layer, invisible ones included.
        n_chars: Its non-space characters.
        garbled_ratio: Of that text, see :func:`garbled_ratio`.
        image_area_ratio: Share of the page that images cover, in [0, 1].
        n_drawings: Vector drawings on the page.
        text_outside_images_ratio: Share of the characters that lie outside every image.
        hidden_ratio: Share of the characters painted invisibly (render mode 3).
        n_curves: Bézier curves in the drawings, None when not counted.
    """

    n_words: int
    n_chars: int
    garbled_ratio: float
    image_area_ratio: float
    n_drawings: int
    text_outside_images_ratio: float = 1.0
    hidden_ratio: float = 0.0
    n_curves: int | None = None


@dataclass(frozen=True, slots=True)
class OcrDecision:
    """Whether a page needs OCR, and the short phrase that goes into ``Page.route_reason``."""

    needed: bool
    reason: str


def route_page(stats: PageStats, settings: ParsingSettings) -> OcrDecision:
    """Decide from one page's own numbers, never from a document's average."""
    needed, reason = _route(stats, settings.ocr_min_words)
    if needed and not settings.ocr:
        return OcrDecision(False, "ocr is switched off")
    return OcrDecision(needed, reason)


def _route(stats: PageStats, min_words: int) -> tuple[bool, str]:
    image = stats.image_area_ratio
    if stats.n_words and stats.garbled_ratio >= GARBLED:
        return True, "garbled text layer"
    if stats.n_words >= min_words:
        outside = stats.text_outside_images_ratio >= 0.9
        if image >= COVERS and outside and stats.n_words < _FEW_FACTOR * min_words:
            return True, "image covers the page"
        return False, "enough words"
    if image <= 0 and stats.n_drawings == 0:
        return False, "few words, nothing drawn" if stats.n_words else "empty page"
    if image >= COVERS:
        hidden = stats.hidden_ratio >= 0.9 and stats.n_words >= _SOUND_HIDDEN_WORDS
        if hidden:
            return False, "hidden text layer is sound"
        return True, "image covers the page"
    if stats.n_words == 0:
        return True, "no words, an image" if image > 0 else "no words, drawings"
    if image >= SMALL_PICTURE:
        return True, "few words, an image"
    if _may_be_outlines(stats):
        return True, "few words, drawn outlines"
    return False, "few words, only rules or a small picture"


def _may_be_outlines(stats: PageStats) -> bool:
    if stats.n_curves is not None:
        return stats.n_curves >= max(_OUTLINE_CURVES, 2 * stats.n_words)
    return stats.n_drawings >= max(_OUTLINE_DRAWINGS, 4 * stats.n_words)


_WORD = re.compile(r"\w+")
_TRUSTED = 0.5
"""Mean confidence below which recognised text does not replace a sound native one (a guess)."""
_SAME = 0.7
"""Share of one text's words found in the other from which it adds nothing (a guess that leaves
room for misread words)."""


def keep_better(
    native: str, recognised: str, confidence: float
) -> Literal["native", "ocr", "both"]:
    """Return which text of a page to keep.

    ``both`` only where each holds words the other lacks, so nothing is told twice and nothing is
    lost. Recognised text with less in it never replaces a sound native layer.

    Args:
        native: The page's own text.
        recognised: What OCR read.
        confidence: Mean word confidence of OCR, in [0, 1].
    """
    own, read = _words(native), _words(recognised)
    if not read:
        return "native"
    if not own or (garbled_ratio(native) >= GARBLED and confidence >= _TRUSTED):
        return "ocr"
    if confidence < _TRUSTED or _share(read, own) >= _SAME:
        return "native"
    return "ocr" if _share(own, read) >= _SAME else "both"


def _words(text: str) -> Counter[str]:
    folded = unicodedata.normalize("NFKD", text.casefold())
    return Counter(_WORD.findall("".join(c for c in folded if not unicodedata.combining(c))))


def _share(part: Counter[str], whole: Counter[str]) -> float:
    """Return the share of ``part``'s words, by letters, that ``whole`` holds as well."""
    total = sum(len(word) * n for word, n in part.items())
    return sum(len(word) * n for word, n in (part & whole).items()) / total
