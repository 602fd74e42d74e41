from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from parsers.model import BoundingBox
from parsers.pdf.layout import Run, ZoneKind
from parsers.pdf.reading_order import FIGURE, mixes_columns, read_order

SIZE = 10.0
LINE = "some words of running prose that fill it"


def run(x: float, y: float, text: str, width: float | None = None, table: int | None = None) -> Run:
    box = BoundingBox(x, y, x + (5.0 * len(text) if width is None else width), y + SIZE)
    return Run(text, box, SIZE, False, box, table)


def words(runs: list[Run], height: float = 800) -> list[str]:
    return [line.text for zone in read_order(runs, 1, height) for line in zone.lines]


def column(x: float, y: float, name: str, n: int = 6, width: float | None = None) -> list[Run]:
    return [run(x, y + 12 * i, f"{name}{i} {LINE}", width) for i in range(n)]


def names(runs: list[Run]) -> list[str]:
    return [text.split()[0] for text in words(runs)]


def test_left_column_is_read_before_the_right() -> None:
    runs = column(40, 100, "L") + column(320, 100, "R")
    assert names(runs) == [f"L{i}" for i in range(6)] + [f"R{i}" for i in range(6)]


def test_the_order_in_the_file_does_not_matter() -> None:
    runs = column(40, 100, "L") + column(320, 100, "R")
    assert names(runs[::-1]) == names(runs)


def test_columns_off_each_others_baselines_are_still_columns() -> None:
    runs = column(40, 100, "L") + column(320, 105, "R")
    assert names(runs) == [f"L{i}" for i in range(6)] + [f"R{i}" for i in range(6)]


def test_four_short_sentences_a_side_are_columns_below_their_title() -> None:
    left = [run(72, 150 + 20 * i, f"L{i} Here the left side says a thing.") for i in range(1, 5)]
    right = [run(330, 150 + 20 * i, f"R{i} Here the right side says so.") for i in range(1, 5)]
    title = run(72, 100, "T " + "a title over the whole width of the page, from edge to edge", 450)
    pairs = [r for pair in zip(left, right, strict=True) for r in pair]
    assert names([*pairs, title]) == ["T", "L1", "L2", "L3", "L4", "R1", "R2", "R3", "R4"]


def test_a_band_divides_the_columns_above_it_from_those_below() -> None:
    band = run(40, 200, "BAND " + LINE, 500)
    runs = [
        *column(40, 100, "a"), *column(320, 100, "b"), band, *column(40, 240, "c"),
        *column(320, 240, "d"),
    ]  # fmt: skip
    order = [name[0] for name in names(runs)]
    assert order == [*"aaaaaabbbbbb", "B", *"ccccccdddddd"]


def test_a_wide_figure_divides_as_a_band_does() -> None:
    figure = run(40, 190, "", 500, FIGURE)
    runs = [
        *column(40, 100, "a"), *column(320, 100, "b"), figure, *column(40, 240, "c"),
        *column(320, 240, "d"),
    ]  # fmt: skip
    assert [n[0] for n in names(runs)] == [*"aaaaaabbbbbbccccccdddddd"]


def test_a_page_filling_background_divides_nothing() -> None:
    box = BoundingBox(0, 0, 600, 800)
    back = Run("", box, 0, False, box, FIGURE)
    runs = [*column(40, 100, "a"), *column(320, 100, "b"), back]
    assert [n[0] for n in names(runs)] == [*"aaaaaabbbbbb"]


def test_three_columns_are_read_one_after_the_other() -> None:
    runs = [
        r
        for x, name in ((30, "a"), (220, "b"), (410, "c"))
        for r in [
            run(x, 100 + 12 * i, f"{name} words of prose that fill it", 170) for i in range(9)
        ]
    ]
    assert [n[0] for n in names(runs)] == [*"aaaaaaaaabbbbbbbbbccccccccc"]


def test_a_table_stands_at_its_place_in_its_column() -> None:
    table = Run("", BoundingBox(40, 180, 250, 260), 0, False, BoundingBox(40, 180, 250, 260), 0)
    runs = [*column(40, 100, "a"), table, *column(40, 270, "c"), *column(320, 100, "b", 18)]
    zones = read_order(runs, 1, 800)
    order = [line.table if line.table is not None else line.text[0] for line in zones[0].lines]
    assert order == [*"aaaaaa", 0, *"cccccc"]
    assert [line.text[0] for line in zones[1].lines] == ["b"] * 18


def test_a_sidebar_comes_after_the_body_wherever_it_stands() -> None:
    body = [run(200, 100 + 12 * i, "body " + LINE * 2, 380) for i in range(20)]
    side = [run(30, 130 + 14 * i, "side note of few words", 120) for i in range(5)]
    zones = read_order(side + body, 1, 800)
    assert [z.kind for z in zones] == [ZoneKind.BODY, ZoneKind.SIDEBAR]
    assert zones[1].lines[0].text.startswith("side")


def test_a_numeric_table_is_read_row_by_row() -> None:
    runs = [
        run(x, 100 + 14 * row, f"{row}{col}0.5", 30)
        for row in range(8)
        for col, x in enumerate((50, 200, 350, 500))
    ]
    assert words(runs)[0] == "000.5 010.5 020.5 030.5"


def test_labels_of_a_list_stay_with_their_items() -> None:
    runs = [
        r
        for i in range(6)
        for r in (run(50, 100 + 14 * i, f"{i}.", 8), run(80, 100 + 14 * i, LINE))
    ]
    assert words(runs)[0] == f"0. {LINE}"


def test_a_table_of_contents_keeps_its_page_numbers() -> None:
    runs = [
        r
        for i in range(8)
        for r in (
            run(50, 100 + 14 * i, f"Chapter {i} on things . . . . . . . . . .", 300),
            run(520, 100 + 14 * i, str(10 + i), 10),
        )
    ]
    assert words(runs)[2].startswith("Chapter 2")
    assert words(runs)[2].endswith(" 12")


def test_right_to_left_columns_begin_on_the_right() -> None:
    line = "نص طويل من الكلمات يملأ السطر كله هنا"
    runs = [run(x, 100 + 12 * i, line, 230) for x in (40, 320) for i in range(6)]
    zones = read_order(runs, 1, 800)
    assert [zone.x0 for zone in zones] == [320, 40]


def test_an_area_over_the_gutter_with_prose_in_it_mixes_columns() -> None:
    runs = column(40, 100, "L") + column(320, 100, "R")
    assert mixes_columns(BoundingBox(40, 95, 560, 180), runs)
    assert not mixes_columns(BoundingBox(40, 95, 260, 180), runs)


boxes = st.tuples(
    st.floats(0, 500), st.floats(0, 700), st.text(alphabet="abc 1.", min_size=1, max_size=40)
)


@given(st.lists(boxes, max_size=40))
def test_every_character_is_read_once(placed: list[tuple[float, float, str]]) -> None:
    runs = [run(x, y, text) for x, y, text in placed if text.strip()]
    read = "".join("".join(words(runs)).split())
    assert sorted(read) == sorted("".join("".join(r.text.split()) for r in runs))
