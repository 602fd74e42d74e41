"""Which charset bytes without a declaration are in: read in each, judged by letters and language.

charset-normalizer is weak among charsets that share most bytes (ISO 8859-2 and cp1250, cp1254 and
cp1252, DOS and Mac pages). Here every reading is asked which language it looks like, and how many
of its letters outside ASCII that language has. The scripts of East Asia are told by kana, hangul
and the commonest Chinese characters.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from parsers.language import most_likely_language

SAMPLE = 16_384
"""Bytes judged, of lines with a byte over 127 (a guess; half of it gave the same answers)."""
_LANGUAGE_SAMPLE = 4_096
"""Characters of a reading whose language is asked for (a guess)."""

_SINGLE_BYTE = (
    "cp1252", "cp1250", "cp1251", "cp1254", "cp1257", "iso8859_2", "cp1253", "koi8_u", "koi8_r",
    "cp1255", "cp1256", "cp874", "iso8859_5", "iso8859_7", "iso8859_9", "iso8859_13", "iso8859_15",
    "iso8859_4", "iso8859_6", "iso8859_8", "iso8859_16", "cp850", "cp852", "cp866", "cp437",
    "cp857", "cp775", "cp855", "cp860", "cp861", "cp865", "cp737", "cp869", "cp862", "cp864",
    "mac_roman", "mac_latin2", "mac_cyrillic", "mac_greek", "mac_turkish", "mac_iceland",
)  # fmt: skip
"""In the order in which the first of two equal readings wins."""

_WESTERN = "áàâäãåæçéèêëíìîïñóòôöõøœúùûüÿß"
_LETTERS = {
    "pt": "áâãàçéêíóôõúü", "gl": "áéíñóúüç", "es": "áéíñóúü", "ca": "àçéèíïóòúü", "an": "áéíñóúü",
    "fr": "àâæçéèêëîïôœùûüÿ", "oc": "àáçèéíïòóúü", "br": "âêîôûùüñé", "wa": "åéèêîôûç",
    "de": "äöüßé", "lb": "äëéöüß", "nl": "éèëïóöüáê", "af": "éèêëîïôöûáú", "it": "àèéìíîòóùú",
    "da": "æøåéö", "no": "æøåéòôö", "nb": "æøåéòôö", "nn": "æøåéòôö", "sv": "åäöéàü",
    "fi": "äöåšž", "se": "áäåčđŋšŧž", "is": "áðéíóúýþæö", "fo": "áðíóúýæø", "et": "äöõüšž",
    "ga": "áéíóú", "cy": "âêîôûŵŷáéïö", "eu": "ñüç", "sq": "çëêé", "mt": "àċèġħìòùż",
    "eo": "ĉĝĥĵŝŭ", "la": _WESTERN, "en": _WESTERN,
    "cs": "áčďéěíňóřšťúůýžöü", "sk": "áäčďéíĺľňóôŕšťúýžě", "pl": "ąćęłńóśźż", "hu": "áéíóöőúüű",
    "ro": "ăâîşţșț", "hr": "čćđšž", "bs": "čćđšž", "sl": "čšžćđ", "lt": "ąčęėįšųūž",
    "lv": "āčēģīķļņšūžōŗ", "tr": "âçğıîöşûüİ", "az": "çəğıöşüİ", "vi": "àáâãèéêìíòóôõùúýăđĩũơư",
    "ru": "абвгдежзийклмнопрстуфхцчшщъыьэюяё", "uk": "абвгдежзийклмнопрстуфхцчшщьюяіїєґ’",
    "be": "абвгдежзйклмнопрстуфхцчшыьэюяіўё", "bg": "абвгдежзийклмнопрстуфхцчшщъьюя",
    "sr": "абвгдежзиклмнопрстуфхцчшђјљњћџčćđšž", "mk": "абвгдежзиклмнопрстуфхцчшѓѕјљњќџѐѝ",
    "el": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
}  # fmt: skip
"""Small letters outside ASCII of languages, by BCP 47 code."""
_BLOCKS = {"he": ("\u0590", "\u05ff"), "ar": ("\u0600", "\u06ff"), "fa": ("\u0600", "\u06ff"),
           "ur": ("\u0600", "\u06ff"), "th": ("\u0e00", "\u0e7f")}  # fmt: skip
_SIGNS = frozenset("“”„‘’‚«»‹›–—…•·°ºª§©®™€£¥¢¿¡½¼¾²³¹±×÷µ¶†‡´¨\xa0\xad№־׳״،؛؟ـ")
"""Signs that any text may hold; they speak neither for nor against a reading."""
_ODD = re.compile(
    r"(?<=[^\W\d_])[^\w\s\x00-\x7f’‘·ºª\u00ad־׳״ًٌٍَُِّْ\u0e31\u0e34-\u0e3a\u0e47-\u0e4e](?=[^\W\d_])"
    r"|[¹²³¼½¾ºª](?=[^\W\d_])|(?<=[^\W\d_])µ(?=[^\W\d_])"
)
"""A sign amid letters."""
_SIGNS_ONLY = 0.9
"""Score of a reading in which nothing but signs is outside ASCII: English with curly quotes (a
guess: less than letters of a language, more than letters that it lacks)."""
_FREQUENT = {
    "ru": "оеаинтсрвл", "uk": "оаниівтеср", "be": "аніеоыртск", "bg": "аоиентрсвл",
    "sr": "аоиенрстјв", "mk": "аоиентрвсд", "el": "αοιετσνηυρςάίόέ", "he": "יוהלאתרבשמ",
    "ar": "اليمونرتبةأ", "fa": "ایرندهمتوس", "th": "านรอกเงมยลวดท่ี้ั",
}  # fmt: skip
"""The commonest letters of scripts that any byte could spell: two thirds of a text (by count)."""
_FREQUENT_SHARE = 0.5
_AMID_LATIN = re.compile(r"[a-zA-Z][^\x00-\x7f]|[^\x00-\x7f][a-z]")
_AMID_SHARE = 0.3
"""Of East Asian characters, those that touch a Latin letter at most (a guess)."""

_COMMON = frozenset(
    "的一是不了在人有我他这個个们中来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于於着"
    "下自之年过過发發后後作里用道行所然家种事成方多经經么去法学如都同现當当没动面起看定天分还還进進小部其些"
    "主样理心本前开但因只从想实日三月十公第二及或应應规規定等律信息保护護者与與"
)
_COMMON_JAPANESE = frozenset(
    "日一国人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千"
    "水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨京都府県市区町村番号住所齢氏藤田佐橋林鈴松井野原岡"
    "渡辺伊加吉坂阪株式会社合計数量商品価格税込値注文送料明細担当部課様備考電話郵便屋古屋神福島広石和美幸郎太"
)
"""Of lists and forms that hold no kana: names, places, headings of columns."""
_KANA_SHARE = 0.1
"""Of a Japanese text's characters outside ASCII, at least (a guess: prose has 0.5)."""
_KNOWN_SHARE = 0.3
_PLAIN_SHARE = 0.97
_LAST_COMMON_LEAD = 0xD7
"""Lead byte of the last of the 3,755 everyday characters of GB 2312."""
_MIN_RUNS = 4
"""Stretches of even length that a list of names has before it is taken for Chinese (a guess:
bytes of another charset have so many by chance once in sixteen times, in everyday characters less
often)."""
_FOREIGN_RUN = re.compile(r"[^\x00-\x7f]+")
_HANGUL_SHARE = 0.85
_COMMON_SHARE = 0.12
"""Of a Chinese text's characters, those among the commonest hundred or so (a guess: prose has 0.3,
other bytes read as Chinese under 0.05)."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A charset and how well the reading fits, at most 1."""

    encoding: str
    score: float


def guess_charset(data: bytes) -> Guess | None:
    """Return the charset in which ``data`` reads best, None when it fits no reading.

    Args:
        data: Bytes that are no UTF-8; lines with bytes over 127 are judged.
    """
    sample = _sample(data)
    east_asian = _east_asian(sample)
    if east_asian is not None:
        return east_asian
    best: Guess | None = None
    seen: set[str] = set()
    for encoding in _SINGLE_BYTE:
        try:
            text = sample.decode(encoding)
        except UnicodeDecodeError:
            continue
        if text in seen:
            continue
        seen.add(text)
        score = _score(text)
        if best is None or score > best.score:
            best = Guess(encoding, score)
    return best


def _sample(data: bytes) -> bytes:
    lines: list[bytes] = []
    size = 0
    for line in data.splitlines(keepends=True):
        if not line.isascii():
            lines.append(line[:SAMPLE])
            size += len(line)
            if size >= SAMPLE:
                break
    return b"".join(lines)


def _score(text: str) -> float:
    """Return how well a reading fits the language it looks like."""
    foreign = [c for c in text if c > "\x7f" and c not in _SIGNS]
    if not foreign:
        return _SIGNS_ONLY
    language = most_likely_language(text[:_LANGUAGE_SAMPLE])
    block = _BLOCKS.get(language)
    letters = _LETTERS.get(language, "")
    good = 0.0
    for c in foreign:
        if block is not None:
            fits = block[0] <= c <= block[1]
        else:
            fits = c in letters or (c.isalpha() and c.lower() in letters)
        good += (
            (0.8 if letters is _WESTERN else 1.0)
            if fits
            else 0.3
            if not letters and not block and c.isalpha()
            else -1.0
        )
    capitals = sum(b.isupper() and a.islower() for a, b in itertools.pairwise(text) if b > "\x7f")
    score = (good - 2 * (len(_ODD.findall(text)) + capitals)) / len(foreign)
    if language in _FREQUENT:
        small = [c.lower() for c in foreign if c.isalpha()]
        share = sum(c in _FREQUENT[language] for c in small) / max(1, len(small))
        score -= max(0.0, _FREQUENT_SHARE - share) + 0.1 * (1 - share)
    return score


def _east_asian(sample: bytes) -> Guess | None:
    best: Guess | None = None
    for encoding in ("euc_jp", "cp932", "cp949", "gb18030", "big5hkscs", "johab"):
        text = _decoded(sample, encoding)
        foreign = [c for c in text if c > "\x7f"]
        if not foreign:
            continue
        count = len(foreign)
        if len(_AMID_LATIN.findall(text)) > _AMID_SHARE * count:
            continue
        kana = sum("\u3041" <= c <= "\u30ff" for c in foreign) / count
        hangul = sum("\uac00" <= c <= "\ud7a3" for c in foreign) / count
        han = sum("\u4e00" <= c <= "\u9fff" for c in foreign)
        common = sum(c in _COMMON for c in foreign) / max(1, han)
        marks = sum("\u3000" <= c <= "\u303f" or "\uff01" <= c <= "\uff5e" for c in foreign)
        whole = (kana * count + hangul * count + han + marks) / count
        if encoding in ("euc_jp", "cp932"):
            known = sum(c in _COMMON_JAPANESE for c in foreign) / max(1, han)
            score = whole + max(kana, known)
            score *= kana >= _KANA_SHARE or known >= _KNOWN_SHARE
        elif encoding in ("cp949", "johab"):
            plain = _plain_share(foreign, "euc_kr")
            score = whole + hangul * plain if hangul * plain >= _HANGUL_SHARE else 0.0
        else:
            is_list = _plain_share(foreign, "gb2312") >= _PLAIN_SHARE and _runs(text) >= _MIN_RUNS
            known = common if common >= _COMMON_SHARE else 0.05 if is_list else 0.0
            score = whole + known if known and han > count / 2 else 0.0
        if score > 1.0 and whole > 0.9 and (best is None or score > best.score):
            best = Guess(encoding, score)
    return best


def _plain_share(foreign: list[str], encoding: str) -> float:
    """Return the share of characters in the everyday part of a national standard."""
    found = 0
    for c in foreign:
        try:
            code = c.encode(encoding)
        except UnicodeEncodeError:
            continue
        # a syllable that KS X 1001 lacks is spelt in eight bytes
        found += len(code) == 2 and (encoding != "gb2312" or code[0] <= _LAST_COMMON_LEAD)
    return found / len(foreign)


def _runs(text: str) -> int:
    """Return how many stretches of characters outside ASCII there are."""
    return len(_FOREIGN_RUN.findall(text))


def _decoded(sample: bytes, encoding: str) -> str:
    """Return the sample read strictly, its last character perhaps cut off; "" when it cannot be."""
    for cut in range(4):
        try:
            return sample[: len(sample) - cut].decode(encoding)
        except UnicodeDecodeError as error:
            if error.start < len(sample) - 4:
                return ""
    return ""
