from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.ocr.garbled import garbled_ratio

ENGLISH = (
    "The keeper of the shed shall write the number of every bicycle into the register before the "
    "evening and hand the register to the next keeper without delay."
)
PORTUGUESE = (
    "O responsável pelo depósito deve anotar o número de cada bicicleta no registo antes do fim "
    "do dia e entregar o registo ao responsável seguinte sem demora."
)


def shifted(text: str, by: int) -> str:
    """Return ``text`` as a font map that is off by ``by`` glyphs gives it."""
    return "".join(chr(ord(c) + by) if not c.isspace() else c for c in text)


@pytest.mark.parametrize("by", [1, 2, 3, -1, -3, -29])
@pytest.mark.parametrize("text", [ENGLISH, PORTUGUESE], ids=["English", "Portuguese"])
def test_shifted_letters_are_garbled(text: str, by: int) -> None:
    assert garbled_ratio(shifted(text, by)) >= 0.3


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\ufffd\ufffd\ufffd\ufffd sum \ufffd\ufffd", id="replacement characters"),
        pytest.param("\ue012\ue013\ue05f \ue012\uf020", id="private use"),
        pytest.param("(cid:12)(cid:7)(cid:33) (cid:4)", id="glyph numbers"),
        pytest.param("nÃ£o informaÃ§Ã£o decisÃ£o estaÃ§Ã£o", id="mojibake"),
    ],
)
def test_characters_without_meaning_are_garbled(text: str) -> None:
    assert garbled_ratio(text) >= 0.3


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(ENGLISH, id="English"),
        pytest.param(PORTUGUESE, id="Portuguese"),
        pytest.param("1.204,50 3.911,00 -17,2 % 88 104 2026-01-31 0,00 7.215 " * 8, id="figures"),
        pytest.param("EUR USD GBP CHF NOK SEK DKK JPY CNY BRL MXN PLN CZK HUF RON", id="codes"),
        pytest.param("株式会社の個人情報保護方針について、以下のとおり定めます。", id="Japanese"),
        pytest.param("개인정보 처리방침은 다음과 같은 내용을 포함하고 있습니다.", id="Korean"),
        pytest.param("تلتزم الشركة بحماية البيانات الشخصية لجميع المستخدمين", id="Arabic"),
        pytest.param("Оператор обязан уведомить субъекта персональных данных", id="Russian"),
        pytest.param(
            "Rekisterinpitäjän on ilmoitettava viipymättä tietoturvaloukkauksesta "
            "valvontaviranomaiselle ja rekisteröidylle.", id="Finnish",
        ),
        pytest.param(
            "Administrator bez zbędnej zwłoki zgłasza naruszenie organowi nadzorczemu "
            "oraz osobie, której dane dotyczą.", id="Polish",
        ),
        pytest.param(
            "for key, value in sorted(config.items()): print(f'{key}={value}') if value else "
            "os.environ.setdefault(key, str(default)); return json.dumps(rows, indent=2)",
            id="code",
        ),
        pytest.param("", id="empty"),
    ],
)  # fmt: skip
def test_sound_text_is_not_garbled(text: str) -> None:
    assert garbled_ratio(text) < 0.05


def test_the_ratio_is_the_share_of_the_page_that_is_rubbish() -> None:
    half = garbled_ratio(ENGLISH + "\n" + shifted(ENGLISH, 1))
    assert 0.25 < half < 0.75


@given(st.text())
def test_the_ratio_lies_between_0_and_1(text: str) -> None:
    assert 0.0 <= garbled_ratio(text) <= 1.0
