"""Languages as Tesseract names them."""

from __future__ import annotations

_CODES = {
    "en": "eng", "pt": "por", "fr": "fra", "de": "deu", "es": "spa", "it": "ita", "nl": "nld",
    "da": "dan", "sv": "swe", "fi": "fin", "pl": "pol", "cs": "ces", "sk": "slk", "sl": "slv",
    "hu": "hun", "ro": "ron", "bg": "bul", "el": "ell", "hr": "hrv", "et": "est", "lv": "lav",
    "lt": "lit", "ga": "gle", "mt": "mlt", "ca": "cat", "ru": "rus", "uk": "ukr", "tr": "tur",
}  # fmt: skip
"""BCP 47 primary tags to Tesseract's codes."""


def tesseract_code(language: str) -> str:
    """Return Tesseract's code of a BCP 47 primary tag, "" where it has none here."""
    return _CODES.get(language, "")
