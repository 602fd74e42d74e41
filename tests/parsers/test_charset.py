from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.charset import decode

_PORTUGUESE = "A informação não está disponível à população: órgão, opção, ênfase, três."
_CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy; vláda schválila návrh zákona o ochraně údajů."
_RUSSIAN = "Привет, мир: это обычный русский текст для проверки кодировки."
_GERMAN = "Die schöne Frau hat einen Kaffee für 15,50 € und „Kuchen“ gegessen."
_JAPANESE = "名前,年齢,住所\r\n佐藤太郎,30,東京\r\n髙橋淳,35,名古屋\r\n"
_CHINESE = "个人信息保护法规定处理个人信息应当遵循合法、正当、必要和诚信原则"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (_PORTUGUESE, "cp1252"),
        (_PORTUGUESE, "cp850"),
        (_PORTUGUESE, "mac_roman"),
        (_CZECH, "cp1250"),
        (_RUSSIAN, "cp1251"),
        (_RUSSIAN, "koi8_r"),
        (_GERMAN, "cp1252"),
        (_JAPANESE, "cp932"),
        (_JAPANESE, "iso2022_jp_2004"),
        (_CHINESE, "gb18030"),
        (_PORTUGUESE, "utf-16-le"),
        (_PORTUGUESE, "utf-16-be"),
        (_PORTUGUESE, "utf-32-le"),
    ],
)
def test_an_undeclared_charset_is_recognised(text: str, encoding: str) -> None:
    if encoding == "iso2022_jp_2004":
        text, encoding = text.replace("髙", "高"), "iso2022_jp"
    assert decode(text.encode(encoding))[0] == text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides_and_is_not_text(encoding: str) -> None:
    assert decode(_RUSSIAN.encode(encoding))[0] == _RUSSIAN


@pytest.mark.parametrize(
    ("declared", "encoding", "text"),
    [
        ("ISO-8859-1", "cp1252", _GERMAN),
        ("iso-8859-2", "iso8859_2", _CZECH),
        ("Shift_JIS", "cp932", _JAPANESE),
        ("x-sjis", "cp932", _JAPANESE),
        ("GB2312", "gb18030", _CHINESE),
        ("hz", "hz", "个人信息"),
        ("EUC-JP", "euc_jp", _JAPANESE.replace("髙", "高")),
    ],
)
def test_a_declared_charset_is_used_in_the_sense_of_its_users(
    declared: str, encoding: str, text: str
) -> None:
    assert decode(text.encode(encoding), declared)[0] == text


@pytest.mark.parametrize("declared", ["latin-1", "ascii", "no such charset", "rot13", "utf-7", ""])
def test_valid_utf_8_beats_a_wrong_or_unknown_declaration(declared: str) -> None:
    assert decode(_PORTUGUESE.encode(), declared) == (_PORTUGUESE, "utf-8")


def test_a_declaration_that_the_bytes_refute_is_passed_over() -> None:
    assert decode(_GERMAN.encode("cp1252"), "utf-8")[0] == _GERMAN


def test_utf_8_with_a_broken_byte_stays_utf_8_and_keeps_the_byte() -> None:
    data = _RUSSIAN.encode() + b"\xe9" + _RUSSIAN.encode()
    assert decode(data) == (_RUSSIAN + "é" + _RUSSIAN, "utf-8")


def test_line_ends_are_left_alone() -> None:
    assert decode(b"a\r\nb\rc\n")[0] == "a\r\nb\rc\n"


@given(st.text())
def test_utf_8_comes_back_as_it_was(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    if "\x00" in text or "\x1b" in text or data.startswith(_MARKS):
        return
    if any("\ud800" <= c <= "\udfff" for c in text):
        return
    assert decode(data) == (text, "utf-8")


_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@given(st.binary(max_size=400), st.sampled_from([None, "utf-8", "cp1252", "shift_jis", "big5"]))
def test_any_bytes_give_text_and_none_is_lost(data: bytes, declared: str | None) -> None:
    data = data.replace(b"\x00", b"")  # zero bytes speak for UTF-16, and \x1b for ISO 2022
    data = data.replace(b"\x1b", b"")
    text, encoding = decode(b"start " + data + b" end", declared)
    codecs.lookup(encoding)
    assert text.startswith("start ")
    assert len(text) >= (len(data) + 10) / 4


def test_a_stray_zero_byte_makes_no_utf_16() -> None:
    assert decode(b"abc\0def")[1] != "utf-16-be"
    assert decode("ab".encode("utf-16-le")) == ("ab", "utf-16-le")
