"""Reading order of whole pages: made ones in columns, and what rivals' users complain about."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from statistics import fmean
from typing import Any

import pymupdf as _untyped
import pytest

from benchmarks.column_pages import make_document
from benchmarks.page_kinds import KINDS
from benchmarks.reading_order import score, tau
from configs.settings import ParsingSettings
from parsers.model import BlockKind, Document, Source
from parsers.pdf import parser

pymupdf: Any = _untyped
Build = Callable[..., bytes]
Parse = Callable[..., Document]
Column = Callable[[float, float, str], list[Any]]

LINE = "{} here the {} side says a thing or two that is of no use"


def kinds_of(document: Document) -> dict[str, BlockKind]:
    return {document.text[b.start : b.end].strip()[:9]: b.kind for b in document.blocks}


def order(document: Document, *names: str) -> float:
    return tau([document.text.find(name) for name in names])


@pytest.mark.parametrize("kind", KINDS)
def test_sentences_of_made_pages_are_read_in_order(kind: str) -> None:
    """27 kinds, two pages each: Kendall's tau of each document is 0.98 or more."""
    made = make_document(kind, seed=7, n_pages=2)
    source = Source(
        "/made.pdf", "application/pdf", len(made.data), hashlib.sha256(made.data).hexdigest()
    )
    settings = ParsingSettings(ocr=False, tables=kind == "tables")
    document = parser.parse(made.data, source, settings)
    found = score(made, document.text)
    assert sum(len(page) for page in made.order) > 30
    assert fmean(found.taus) >= 0.98
    assert (found.missing, found.doubled) == (0, 0)
    assert found.whole >= 0.9
    assert all(row.unaccounted == 0 for row in document.ledger)


def test_made_documents_are_the_same_at_every_call() -> None:
    assert make_document("footnotes", 3) == make_document("footnotes", 3)


def test_tau_counts_a_missing_sentence_as_out_of_order() -> None:
    assert tau([1, 5, 9]) == 1.0
    assert tau([9, 5, 1]) == -1.0
    assert tau([1, -1, 9]) == pytest.approx(-1 / 3)


def test_two_columns_of_numbered_sentences_are_read_after_their_title(
    build: Build, parse: Parse
) -> None:
    """The left column was left half-read, then the right one started."""
    texts: list[Any] = [(72, 80, "T A title over the whole width of the page", 20)]
    for i in range(1, 5):
        texts.append((320, 110 + 30 * i, f"R{i} here the right side says a thing of its own."))
        texts.append((72, 110 + 30 * i, f"L{i} here the left side says a thing of its own."))
    document = parse(build([texts]))
    names = ["T A", "L1", "L2", "L3", "L4", "R1", "R2", "R3", "R4"]
    assert order(document, *names) == 1.0


def test_columns_are_read_above_a_band_and_then_below_it(build: Build, parse: Parse) -> None:
    """Rows were read across columns."""
    texts: list[Any] = [
        (72, 300, "BAND one sentence that runs over both of the columns and parts those above", 12)
    ]
    for part, y in (("a", 100), ("b", 340)):
        for i in range(1, 5):
            for side, x in (("L", 72), ("R", 320)):
                texts.append((x, y + 30 * i, f"{side}{i}{part} says a thing of its own, no more."))
    document = parse(build([texts]))
    names = [f"{side}{i}a" for side in "LR" for i in range(1, 5)]
    names += ["BAND", *(f"{side}{i}b" for side in "LR" for i in range(1, 5))]
    assert order(document, *names) == 1.0


LEFT = """Qleft the column on this side is made of many lines
that stand one above the other, and of these there
are as many as it takes to be a column at all, and
the sentence with which it ends is not at its end
when the foot of the column is reached, but goes"""
RIGHT = """on at the head of the other column, where a reader
finds its end. Qright after it a second sentence is
printed that has lines of its own, which nobody
reads before those of the left are at an end."""


def test_a_footnote_does_not_interrupt_the_sentence_above_it(
    build: Build, parse: Parse, column: Column
) -> None:
    note = [(50, 700, "1 Qnote of small print at the foot of the column.", 7)]
    document = parse(build([[*column(50, 600, LEFT), *note, *column(320, 600, RIGHT)]]))
    assert "but goes on at the head of the other column" in document.text
    assert kinds_of(document)["1 Qnote o"] is BlockKind.FOOTNOTE


def test_a_caption_does_not_interrupt_the_sentence_beside_it(
    build: Build, parse: Parse, column: Column
) -> None:
    caption = [(320, 580, "Figure 2: Qcaption of what is drawn above.", 8.5)]
    document = parse(build([[*column(50, 600, LEFT), *caption, *column(320, 600, RIGHT)]]))
    assert "but goes on at the head of the other column" in document.text
    assert "Qcaption" in document.text


def test_a_foot_of_one_page_does_not_interrupt_its_columns(
    build: Build, parse: Parse, column: Column
) -> None:
    foot = [(50, 780, "The Journal 12, 1-15 (2021)", 8)]
    document = parse(build([[*column(50, 600, LEFT), *foot, *column(320, 600, RIGHT)]]))
    assert "but goes on at the head of the other column" in document.text
    assert document.text.rstrip().endswith("(2021)")


def test_a_sentence_that_begins_with_a_figures_number_is_no_caption(
    build: Build, parse: Parse
) -> None:
    texts = [(50, 100, "Figure 7 shows the thing."), (50, 140, "Figure 7. The thing.")]
    kinds = [b.kind for b in parse(build([texts])).blocks]
    assert kinds == [BlockKind.PARAGRAPH, BlockKind.CAPTION]


def test_a_tinted_box_in_the_margin_is_read_after_the_body(
    build: Build, parse: Parse, column: Column
) -> None:
    def tint(pdf: Any) -> None:
        pdf[0].draw_rect(pymupdf.Rect(40, 120, 180, 190), fill=(0.9, 0.9, 0.9), overlay=False)

    body = [(200, 100 + 12 * i, f"Qbody{i} " + LINE.format("", "body")) for i in range(12)]
    box = column(46, 134, "Qbox a few words in a\nbox beside the text of\nthe page, in its margin.")
    document = parse(build([[*box, *body]], edit=tint))
    assert order(document, *[f"Qbody{i}" for i in range(12)], "Qbox") == 1.0


def test_a_drop_cap_begins_its_word(build: Build, parse: Parse) -> None:
    texts = [
        (50, 119, "O", 30), (74, 100, "nce there was a large letter at the head of a text"),
        (74, 112, "and two lines stood beside it, as it is the use, and"), (50, 124, LEFT[:50]),
    ]  # fmt: skip
    assert "Once there was a large letter" in parse(build([texts])).text


def test_right_to_left_text_ends_in_its_stop() -> None:
    made = make_document("right to left", seed=1, n_pages=1)
    found = score(made, parser.parse(
        made.data, Source("/r.pdf", "application/pdf", 1, "0" * 64), ParsingSettings(ocr=False)
    ).text)  # fmt: skip
    assert found.whole >= 0.9
