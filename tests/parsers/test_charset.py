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


_UNDECLARED = {
    "Článek 5 se nepoužije, pokud správce prokáže, že údaje byly získány v souladu s právem.": (
        "cp1250", "iso8859_2", "cp852", "mac_latin2",
    ),
    "Artykuł 7: Administrator jest obowiązany przekazać dane niezwłocznie, w ciągu miesiąca.": (
        "cp1250", "iso8859_2", "cp852", "mac_latin2",
    ),
    "Az adatkezelő köteles bejelenteni az incidenst; kivéve, ha ez nem jár kockázattal.": (
        "cp1250", "iso8859_2", "cp852",
    ),
    "Voditelj obrade dužan je bez odgađanja obavijestiti nadzorno tijelo o povredi podataka.": (
        "cp1250", "iso8859_2", "cp852",
    ),
    "Operatorul notifică autorităţii de supraveghere încălcarea securităţii datelor.": (
        "cp1250", "iso8859_2",
    ),
    "Veri sorumlusu ihlali denetim makamına bildirir; Ağustos ayı geçti, yağmur yağıyor.": (
        "cp1254", "iso8859_9", "cp857",
    ),
    "Duomenų valdytojas nepagrįstai nedelsdamas praneša priežiūros institucijai.": (
        "cp1257", "iso8859_13", "cp775",
    ),
    "Pārzinis bez nepamatotas kavēšanās paziņo uzraudzības iestādei par pārkāpumu.": (
        "cp1257", "iso8859_13", "cp775",
    ),
    "Den ansvarige ska utan onödigt dröjsmål anmäla incidenten, så fort som möjligt.": (
        "cp1252", "cp850", "cp437", "mac_roman",
    ),
    "Município;População;Área\nSão Paulo;11451245;1521\nJundiaí;443116;431\n": (
        "cp1252", "cp850", "cp860", "mac_roman",
    ),
    "Контролёр обязан уведомить надзорный орган о нарушении без задержки.": (
        "cp1251", "koi8_r", "cp866", "iso8859_5", "mac_cyrillic",
    ),
    "Ο υπεύθυνος επεξεργασίας γνωστοποιεί αμελλητί την παραβίαση στην εποπτική αρχή.": (
        "cp1253", "iso8859_7", "cp737", "mac_greek",
    ),
    "הבקר יודיע לרשות הפיקוח על ההפרה ללא דיחוי.": ("cp1255", "iso8859_8", "cp862"),
    "يقوم المتحكم بإخطار السلطة الإشرافية بالخرق دون تأخير.": ("cp1256", "iso8859_6"),
    "ผู้ควบคุมข้อมูลต้องแจ้งเหตุการละเมิดโดยไม่ชักช้า": ("cp874",),
    "管理者は、不当な遅滞なく監督機関に通知するものとする。": ("cp932", "euc_jp", "iso2022_jp"),
    "氏名,住所\n山田太郎,東京都千代田区\n鈴木花子,大阪市北区": ("cp932", "euc_jp"),
    "控制者应当毫不迟延地向监管机构通报数据泄露事件。": ("gb18030", "hz"),
    "姓名,城市\n王伟,北京\n李娜,上海\n张敏,广州": ("gb18030",),
    "控制者應當毫不遲延地向監管機構通報資料外洩事件。": ("big5", "gb18030"),
    "관리자는 부당한 지체 없이 감독기관에 침해를 통지하여야 한다.": (
        "cp949", "johab", "iso2022_kr",
    ),
    "The temperature rose to 25°C and the price was €40 (±5 %) — §3 applies.": ("cp1252",),
    "Don’t worry about it. It’s only a test, and we’re done.": ("cp1252", "mac_roman"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "encoding"), [(t, encoding) for t, many in _UNDECLARED.items() for encoding in many]
)
def test_one_sentence_tells_its_charset(text: str, encoding: str) -> None:
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
