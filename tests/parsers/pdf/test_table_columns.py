"""Tables whose rules are few: columns, rows and names told by where the words stand."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pdfplumber
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from parsers.pdf.tables import page_tables
from parsers.tables.reading import read_grid

_XS = (60, 220, 320, 420)


def _lines(draw: Callable[[Any], None]) -> list[list[str]]:
    data = io.BytesIO()
    canvas = Canvas(data, pagesize=A4)
    draw(canvas)
    canvas.save()
    with pdfplumber.open(data) as pdf:
        return [[line.text for line in read_grid(t.grid).lines] for t in page_tables(pdf, 1)]


def _row(canvas: Any, y: float, first: str, *rest: str) -> None:
    canvas.drawString(_XS[0], y, first)
    for x, text in zip(_XS[1:], rest, strict=False):
        canvas.drawRightString(x + 40, y, text)


def _rules(canvas: Any, *ys: float) -> None:
    for y in ys:
        canvas.line(56, y, 470, y)


def test_a_rule_beside_the_names_only_leaves_columns_of_figures() -> None:
    def draw(canvas: Any) -> None:
        _rules(canvas, 714, 694, 610)
        canvas.line(200, 610, 200, 714)
        _row(canvas, 700, "Offence", "Total", "Men", "Women")
        for i, row in enumerate([("Theft", "310", "200", "110"), ("Fraud", "95", "60", "35")]):
            _row(canvas, 680 - 14 * i, *row)
        _row(canvas, 652, "Murder and negligent")
        _row(canvas, 638, "  manslaughter", "12", "9", "3")
        _row(canvas, 624, "Arson", "8", "7", "1")

    (lines,) = _lines(draw)
    assert lines[0] == "Offence: Theft, Total: 310, Men: 200, Women: 110."
    assert lines[2] == "Offence: Murder and negligent manslaughter, Total: 12, Men: 9, Women: 3."
    assert len(lines) == 4


def test_a_short_rule_gives_its_name_to_the_columns_that_it_covers() -> None:
    def draw(canvas: Any) -> None:
        _rules(canvas, 716, 680, 620)
        canvas.line(215, 700, 365, 700)
        canvas.drawRightString(360, 704, "Modified")
        _row(canvas, 686, "Loans", "Rate", "Term", "Total")
        for i, row in enumerate([("Auto", "7", "63", "70"), ("Cards", "311", "2", "313")]):
            _row(canvas, 664 - 16 * i, *row)

    assert _lines(draw) == [
        ["Loans: Auto, Modified / Rate: 7, Modified / Term: 63, Total: 70.",
         "Loans: Cards, Modified / Rate: 311, Modified / Term: 2, Total: 313."]
    ]  # fmt: skip


def test_a_currency_sign_far_from_its_number_is_part_of_it() -> None:
    def draw(canvas: Any) -> None:
        _rules(canvas, 716, 696, 620)
        _row(canvas, 702, "In thousands", "2023", "2022")
        for i, row in enumerate(
            [("Sales", "1,480", "(12)"), ("Rent", "90", "88"), ("Sum", "7", "6")]
        ):
            _row(canvas, 680 - 20 * i, *row)
        for x in (214, 314):
            canvas.drawString(x, 680, "$")
            canvas.drawString(x, 640, "$")

    (lines,) = _lines(draw)
    assert lines[0] == "In thousands: Sales, 2023: $ 1,480, 2022: $ (12)."
    assert lines[1] == "In thousands: Rent, 2023: 90, 2022: 88."


def test_the_title_of_a_section_is_context_of_its_rows() -> None:
    def draw(canvas: Any) -> None:
        _rules(canvas, 716, 696, 590)
        _row(canvas, 702, "Item", "2023", "2022", "2021")
        _row(canvas, 680, "Assets")
        for i, row in enumerate([("   Cash", "1", "2", "3"), ("   Land", "4", "5", "6")]):
            _row(canvas, 664 - 16 * i, *row)
        _row(canvas, 632, "Debts")
        _row(canvas, 616, "   Bonds", "7", "8", "9")

    (lines,) = _lines(draw)
    assert lines[0] == "Assets"
    assert lines[3] == "Debts"
    assert lines[4] == "Item: Bonds, 2023: 7, 2022: 8, 2021: 9."


def test_bold_names_over_full_columns_of_words_make_a_table_without_rules() -> None:
    def draw(canvas: Any) -> None:
        canvas.setFont("Helvetica-Bold", 12)
        _row(canvas, 700, "City", "Trade", "Port")
        canvas.setFont("Helvetica", 12)
        for i, row in enumerate([("Riga", "amber", "open"), ("Cork", "butter", "shut"),
                                 ("Faro", "salt", "open")]):  # fmt: skip
            _row(canvas, 684 - 16 * i, *row)

    (lines,) = _lines(draw)
    assert lines[1] == "City: Cork, Trade: butter, Port: shut."


def test_contents_in_columns_are_no_table() -> None:
    def draw(canvas: Any) -> None:
        for column, x in enumerate((60, 320)):
            for n in range(1, 9):
                canvas.drawString(x, 700 - 14 * n, f"{column + 1}.{n} About the thing")
                canvas.drawRightString(x + 200, 700 - 14 * n, str(20 * column + 3 * n))

    assert _lines(draw) == []
