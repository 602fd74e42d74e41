"""Dates as acts and pages state them."""

from __future__ import annotations

import pytest

from parsers.dates import find_date, stated_date


@pytest.mark.parametrize(
    "text",
    [
        "REGULATION (EU) 2016/679 of 27 April 2016 on", "de 27 de abril de 2016",
        "vom 27. April 2016", "(2016. április 27.)", "2016 m. balandžio 27 d.",
        "(2016. gada 27. aprīlis)", "от 27 април 2016 година", "27 päivänä huhtikuuta 2016",
        "της 27ης Απριλίου 2016", "ΤΗΣ 27 ΑΠΡΙΛΙΟΥ 2016", "ze dne 27. dubna 2016",
        "z dnia 27 kwietnia 2016 r.", "z 27. apríla 2016", "z dne 27. aprila 2016",
        "27. aprill 2016", "tas-27 ta’ April 2016", "an 27 Aibreán 2016", "du 27 avril 2016",
        "del 27 aprile 2016", "van 27 april 2016", "din 27 aprilie 2016", "od 27. travnja 2016.",
        "DE 27 DE ABRIL DE 2016", "Ausfertigungsdatum: 27.04.2016", "2016-04-27", "April 27, 2016",
    ],
)  # fmt: skip
def test_a_date_is_found_in_any_language_of_the_union(text: str) -> None:
    assert find_date(text) == "2016-04-27"


def test_the_first_of_a_month_and_the_month_with_two_meanings() -> None:
    assert find_date("LEI Nº 1, DE 1º DE MAIO DE 1943") == "1943-05-01"
    assert find_date("du 1er juillet 2004") == "2004-07-01"
    assert find_date("3 listopada 2020", "pl") == "2020-11-03"
    assert find_date("3. listopada 2020.", "hr") == "2020-10-03"


@pytest.mark.parametrize("text", ["", "31 February 2020", "Article 27 of 2016", "12.13.2016"])
def test_what_is_no_date_gives_none(text: str) -> None:
    assert find_date(text) == ""


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("2024-05-01T10:00:00Z", "2024-05-01"), ("2024", "2024"), ("2024-05", "2024-05"),
        ("May 1, 2024", "2024-05-01"), ("2024-13-01", ""), ("soon", ""), ("20240501", ""),
    ],
)  # fmt: skip
def test_a_field_of_metadata_gives_what_it_says(value: str, date: str) -> None:
    assert stated_date(value) == date
