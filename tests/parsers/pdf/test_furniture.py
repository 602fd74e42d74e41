from __future__ import annotations

from parsers.model import BoundingBox
from parsers.pdf.furniture import PageRuns, find_furniture
from parsers.pdf.layout import Run


def run(y: float, text: str, size: float = 10, x: float = 50) -> Run:
    box = BoundingBox(x, y, x + 5 * len(text), y + size)
    return Run(text, box, size, False, box)


def dropped(pages: list[list[Run]]) -> list[list[str]]:
    given = [PageRuns(i + 1, 800, runs) for i, runs in enumerate(pages)]
    found = find_furniture(given, 10)
    return [[p.runs[i].text for i in sorted(found.get(p.number, ()))] for p in given]


def body(page: int) -> list[Run]:
    return [run(200 + 14 * i, f"line {i} of what page {page} says") for i in range(10)]


def test_a_header_and_a_counting_footer_go() -> None:
    pages = [[run(30, "Annual report"), *body(n), run(770, f"Page {n} of 3")] for n in (1, 2, 3)]
    assert dropped(pages) == [["Annual report", f"Page {n} of 3"] for n in (1, 2, 3)]


def test_two_pages_are_not_enough_for_words() -> None:
    pages = [[run(30, "Annual report"), *body(n)] for n in (1, 2)]
    assert dropped(pages) == [[], []]


def test_two_pages_are_enough_for_page_n_of_m() -> None:
    pages = [[*body(n), run(770, f"Página {n} de 2")] for n in (1, 2)]
    assert dropped(pages) == [["Página 1 de 2"], ["Página 2 de 2"]]


def test_bare_numbers_go_only_where_they_count_the_pages() -> None:
    counting = [[*body(n), run(770, str(n + 16))] for n in (1, 2, 3)]
    assert dropped(counting) == [["17"], ["18"], ["19"]]
    values = [[*body(n), run(770, v)] for n, v in enumerate(("412", "97", "230"), 1)]
    assert dropped(values) == [[], [], []]


def test_roman_page_numbers_count_as_well() -> None:
    pages = [[*body(n), run(770, r)] for n, r in enumerate(("ii", "iii", "iv"), 1)]
    assert dropped(pages) == [["ii"], ["iii"], ["iv"]]


def test_left_and_right_pages_may_have_headers_of_their_own() -> None:
    pages = [
        [run(30, f"{n} The book" if n % 2 else f"A chapter {n}"), *body(n)] for n in range(1, 9)
    ]
    assert all(len(gone) == 1 for gone in dropped(pages))


def test_a_repeated_line_inside_the_page_stays() -> None:
    pages = [[*body(n), run(500, "See the notes below.")] for n in range(1, 5)]
    assert dropped(pages) == [[]] * 4


def test_a_heading_that_numbers_something_else_stays() -> None:
    pages = [[run(60, f"Article {n * 3}"), *body(n)] for n in range(1, 5)]
    assert dropped(pages) == [[]] * 4


def test_the_only_words_of_the_pages_stay() -> None:
    assert dropped([[run(30, "Approved")] for _ in range(4)]) == [[]] * 4
