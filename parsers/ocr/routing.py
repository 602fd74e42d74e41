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
_SOUND_HIDDEN_WORDS = 5
"""Words of an invisible layer that show the page was recognised before (a guess)."""
_OUTLINES = 8
"""Letters drawn as paths from which drawings beside a few words are text (a guess: two words)."""
_FEW_OUTLINES = 4
"""The same on a page without a word, where nothing else would be read."""
_PIXEL_DRAWINGS = 500
"""Paths on a page without a word from which they may be the dots of a picture of text (a guess)."""
_LINES, _LINES_SHARE = 18, 0.10
"""Cells of a picture that look like lines of text, and their share of the picture outside the
words, from which it is read although the page has words enough. Measured: scans of text 0.08 to
0.50 of the whole page, 20 photographs at most 0.056."""
_HIDDEN_SHARE = 0.3
"""The same beside an invisible layer, whose words may stand a little off (a guess)."""
_HIDDEN_FEW_SHARE = 0.15
"""The same where that layer holds few words: a layer that covers the page leaves next to none."""
GARBLED_HIDDEN = 0.20
"""Share of rubbish from which an invisible layer is not trusted: it was recognised once before, by
who knows what (measured: sound ones below 0.05, made-up rubbish from 0.26)."""
_PHOTO_STROKES = 0.01
_PHOTO_PAPER = 0.78
"""A picture with a smaller share of strokes and less of one shade is a photograph. Measured on made
pages: photographs no stroke and a paper of 0.06 to 0.75, tables and text strokes from 0.028."""


@dataclass(frozen=True, slots=True)
class PictureLooks:
    """How the pictures of a page look where no words of its layer stand.

    Attributes:
        n_cells: Cells that they cover, see :mod:`parsers.ocr.pictures`; 0 where not looked at.
        n_strokes: Those that look like a piece of text.
        n_lines: Those that stand in lines of text.
        paper: Share of their pixels near the commonest shade.
    """

    n_cells: int = 0
    n_strokes: int = 0
    n_lines: int = 0
    paper: float = 1.0


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
        n_outlines: Letters drawn as paths, see :mod:`parsers.ocr.outlines`.
        pictures: How its pictures look outside the words.
    """

    n_words: int
    n_chars: int
    garbled_ratio: float
    image_area_ratio: float
    n_drawings: int
    text_outside_images_ratio: float = 1.0
    hidden_ratio: float = 0.0
    n_outlines: int = 0
    pictures: PictureLooks = PictureLooks()


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
    hidden = stats.hidden_ratio >= 0.9
    if stats.garbled_ratio >= (GARBLED_HIDDEN if hidden else GARBLED):
        return True, "garbled text layer"
    if stats.n_words >= min_words:
        known = stats.hidden_ratio >= 0.5
        share = (_HIDDEN_SHARE if known else _LINES_SHARE) * stats.pictures.n_cells
        if stats.pictures.n_lines >= max(_LINES, share):
            covers = image >= COVERS and not known
            return True, "image covers the page" if covers else "text in a picture"
        return False, "enough words"
    if image <= 0 and stats.n_drawings == 0:
        return False, "few words, nothing drawn" if stats.n_words else "empty page"
    if image >= COVERS:
        unread = stats.pictures.n_lines >= max(_LINES, _HIDDEN_FEW_SHARE * stats.pictures.n_cells)
        if hidden and stats.n_words >= _SOUND_HIDDEN_WORDS and not unread:
            return False, "hidden text layer is sound"
        return True, "image covers the page"
    if stats.n_words == 0:
        return _without_words(stats)
    if image >= SMALL_PICTURE and not _is_photograph(stats.pictures):
        return True, "few words, an image"
    if stats.n_outlines >= max(_OUTLINES, stats.n_words):
        return True, "few words, drawn outlines"
    if image >= SMALL_PICTURE:
        return False, "few words, a photograph"
    return False, "few words, only rules or a small picture"


def _is_photograph(looks: PictureLooks) -> bool:
    return looks.n_strokes < _PHOTO_STROKES * looks.n_cells and looks.paper < _PHOTO_PAPER


def _without_words(stats: PageStats) -> tuple[bool, str]:
    if stats.image_area_ratio > 0:
        return True, "no words, an image"
    if stats.n_outlines >= _FEW_OUTLINES or stats.n_drawings >= _PIXEL_DRAWINGS:
        return True, "no words, drawings"
    return False, "no words, only shapes"


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
