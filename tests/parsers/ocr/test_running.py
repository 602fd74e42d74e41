from __future__ import annotations

from parsers.model import BoundingBox
from parsers.ocr.page import OcrLine, OcrPage
from parsers.ocr.running import without_running_lines


def line(text: str, y: float) -> OcrLine:
    return OcrLine(text, BoundingBox(60, y, 400, y + 10), 0.9, 1, 1, ())


def scan(*lines: tuple[str, float]) -> OcrPage:
    return OcrPage(tuple(line(text, y) for text, y in lines), 0.9, height=800.0)


def kept(pages: list[OcrPage]) -> list[list[str]]:
    found = without_running_lines(dict(enumerate(pages, 1)))
    return [[one.text for one in found[n + 1][0].lines] for n in range(len(pages))]


def test_a_running_head_read_a_little_differently_goes_and_the_text_stays() -> None:
    heads = [
        "Report of the harbour board",
        "Report of the harhour board",
        "Repart of the harbour board",
    ]
    bodies = ["The pier was mended.", "Nobody came on Monday.", "Ships over nine metres pay."]
    pages = [
        scan((head, 40 + 5 * i), (bodies[i], 70), (str(i + 7), 770)) for i, head in enumerate(heads)
    ]
    assert kept(pages) == [[body] for body in bodies]
    _, gone = without_running_lines(dict(enumerate(pages, 1)))[1]
    assert set(gone) == {"Report of the harbour board", "7"}


def test_two_pages_alike_are_chance_and_what_stands_inside_the_text_is_text() -> None:
    pages = [scan(("Minutes of the board", 40), ("Present: all members", 400)) for _ in range(2)]
    assert [len(page) for page in kept(pages)] == [2, 2]
    titles = ["Of fees", "On mooring", "Closing remarks by the chair"]
    inner = [scan((title, 40), ("Minutes of the board", 60)) for title in titles]
    assert all("Minutes of the board" in page for page in kept(inner))


def test_lines_that_differ_in_one_word_are_no_running_head() -> None:
    pages = [scan((f"{town} is named on this page", 40)) for town in ("Antwerp", "Bergen", "Cadiz")]
    assert [len(page) for page in kept(pages)] == [1, 1, 1]


def test_numbers_that_do_not_count_with_the_pages_stay() -> None:
    pages = [scan((value, 770), ("Sums of the year", 400)) for value in ("180", "75", "9")]
    assert [len(page) for page in kept(pages)] == [2, 2, 2]
