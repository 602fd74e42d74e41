"""Bytes to text for every text format: byte order mark, UTF-8, the declared charset, detection.

No byte is lost: a decoder that meets bytes it does not know gives them a character each, never
nothing. What is decoded here is not canonical yet; :func:`parsers.normalise.canonical` is.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from parsers.charset_guess import guess_charset

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is the first half of it
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# A charset's name promises less than its users write: https://encoding.spec.whatwg.org/#names-and-labels
_SUPERSETS = {
    "ascii": "cp1252",
    "latin_1": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "utf-16": "utf-16-le",
    "utf-32": "utf-32-le",
}
_LABELS = {
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "ks_c_5601-1987": "cp949",
    "x-gbk": "gb18030",
    "x-cp1252": "cp1252",
    "x-mac-roman": "mac_roman",
    "unicode": "utf-16-le",
}
_NO_CHARSETS = frozenset(
    {"utf-7", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "charmap", "undefined"}
)
_SEVEN_BIT = frozenset({"iso2022_jp", "iso2022_kr", "hz"})
_ISO_2022_JP = re.compile(rb"\x1b(?:\$[@B]|\([BJI])")
_ISO_2022_KR = b"\x1b$)C"
_HZ = re.compile(rb"~\{(?:[\x21-\x77][\x21-\x7e]){4,}~\}")

_NUL_PROBE = 4_096
"""Bytes looked at to recognise UTF-16 and UTF-32 without a mark."""
_MIN_ZEROS = 4
"""Zero bytes that tell UTF-16 even where its last character is broken (a guess)."""
_NUL_SHARE = 0.3
"""Of the code units: European text in UTF-16 has a zero byte in nearly each, other data in few."""
_SOUND_PER_BROKEN = 10
"""Sound multi-byte characters for each broken one that still make a text UTF-8 (a guess)."""


def _keep_bytes(error: UnicodeError) -> tuple[str, int]:
    """Error handler: a byte the codec refuses becomes its cp1252 (else Latin-1) character."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    bad = error.object[error.start : error.end]
    return "".join(_CP1252[byte] for byte in bad), error.end


_CP1252 = [bytes([b]).decode("cp1252", "replace") for b in range(256)]
_CP1252 = [chr(b) if c == "\ufffd" else c for b, c in enumerate(_CP1252)]
_KEEP = "microtome.keep_bytes"
codecs.register_error(_KEEP, _keep_bytes)


def decode(data: bytes, declared: str | None = None) -> tuple[str, str]:
    """Return the text in ``data`` and the name of the encoding it was read in.

    In order: a byte order mark; zero bytes where UTF-16 or UTF-32 has them; valid UTF-8 (which
    other encodings hardly ever are by chance, so it beats a declaration); ``declared``; UTF-8 with
    a few broken bytes; the charset in which it reads best.

    Args:
        data: The file's bytes.
        declared: A charset the file names for itself (``<meta charset>``, an XML declaration) or
            its transport did; any spelling; ignored when unknown or when the bytes refute it.

    Returns:
        The text without a byte order mark, line ends untouched, and a Python codec name.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace"), encoding
    data = data.removeprefix(codecs.BOM_UTF8)
    wide = _wide_encoding(data)
    if wide:
        return data.decode(wide, "replace"), wide
    name = _codec_of(declared)
    for encoding in _candidates(data, name):
        text = _strictly(data, encoding)
        if text is not None:
            return text, encoding
    if _nearly_utf8(data, name):
        return data.decode("utf-8", _KEEP), "utf-8"
    return _detected(data)


def _candidates(data: bytes, declared: str | None) -> Iterator[str]:
    if declared in _SEVEN_BIT:
        yield declared
    elif _ISO_2022_JP.search(data):
        yield "iso2022_jp"
    elif _ISO_2022_KR in data:
        yield "iso2022_kr"
    elif _HZ.search(data) and data.isascii():
        yield "hz"
    yield "utf-8"
    if declared and declared not in _SEVEN_BIT:
        yield declared


def _codec_of(declared: str | None) -> str | None:
    """Return the Python codec for a charset's name, the superset its users mean, or None."""
    label = (declared or "").strip().strip("\"'").lower()
    if not label:
        return None
    label = _LABELS.get(label, label)
    try:
        info = codecs.lookup(label)
    except (LookupError, ValueError):
        return None
    # rot13, hex and other codecs that do not make text of bytes are no charsets
    if not getattr(info, "_is_text_encoding", True) or info.name in _NO_CHARSETS:
        return None
    return _SUPERSETS.get(info.name, info.name)


def _strictly(data: bytes, encoding: str) -> str | None:
    if encoding == "cp1252":
        text = data.decode("cp1252", _KEEP)
        return None if "\x81" in text or "\x8d" in text or "\x90" in text else text
    try:
        return data.decode(encoding)
    except UnicodeError:
        return None


def _wide_encoding(data: bytes) -> str | None:
    """Return the encoding of UTF-16 or UTF-32 text without a mark, told by its zero bytes."""
    probe = data[: _NUL_PROBE - _NUL_PROBE % 4]
    if b"\x00" not in probe or len(data) < 4:
        return None
    zeros = [probe[i::4].count(0) / max(1, len(probe[i::4])) for i in range(4)]
    if min(zeros[2], zeros[3]) > 0.9 and zeros[0] < 0.1:
        return "utf-32-le" if _strictly(data, "utf-32-le") is not None else None
    if min(zeros[0], zeros[1]) > 0.9 and zeros[3] < 0.1:
        return "utf-32-be" if _strictly(data, "utf-32-be") is not None else None
    even, odd = (zeros[0] + zeros[2]) / 2, (zeros[1] + zeros[3]) / 2
    found = None
    if odd >= _NUL_SHARE and even < 0.02:
        found = "utf-16-le"
    elif even >= _NUL_SHARE and odd < 0.02:
        found = "utf-16-be"
    # a text cut off in the middle of a character is still told by many zeros, not by a stray one
    if found and probe.count(0) < _MIN_ZEROS and _strictly(data, found) is None:
        return None
    return found


def _nearly_utf8(data: bytes, declared: str | None) -> bool:
    """Whether ``data`` is UTF-8 with a few broken bytes: a cut end, a pasted piece."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd") - data.count(b"\xef\xbf\xbd")
    sound = sum(1 for c in text if c > "\x7f") - text.count("\ufffd")
    return sound >= (1 if declared == "utf-8" else _SOUND_PER_BROKEN) * broken


def _detected(data: bytes) -> tuple[str, str]:
    guess = guess_charset(data)
    if guess is None or guess.encoding == "cp1252":
        return data.decode("cp1252", _KEEP), "cp1252"
    return data.decode(guess.encoding, _KEEP), guess.encoding
