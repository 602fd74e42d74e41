from __future__ import annotations

import itertools
import time
from collections.abc import Callable

import numpy as np
import pytest

from configs.settings import SlicingSettings
from parsers.model import BlockKind, Document
from tasks.slicing.chunks import Chunk, slice_document
from tasks.slicing.tokens import Tokenize

Make = Callable[..., Document]
SETTINGS = SlicingSettings(sizes=(16, 32, 64, 128))
SENTENCE = "The controller keeps one record of it. "  # 9 tokens of the test's tokenizer


def cells(chunks: list[Chunk]) -> list[str]:
    return [c.text for c in chunks if c.level == 0]


def count(text: str, tokenize: Tokenize) -> int:
    return len(tokenize(text))


def test_cells_end_with_sentences(make: Make, tokenize: Tokenize) -> None:
    text = "See Art. 6 of the Act. It applies, e.g. to banks. No 12 was repealed. It ended. " * 20
    document = make((BlockKind.PARAGRAPH, text))
    for cell in cells(slice_document(document, SETTINGS, tokenize)):
        assert cell.rstrip().endswith(("Act.", "banks.", "repealed.", "ended."))


def test_small_sentences_share_a_cell(make: Make, tokenize: Tokenize) -> None:
    document = make((BlockKind.PARAGRAPH, "It ends. " * 80))
    chunks = slice_document(document, SETTINGS, tokenize)
    fill = [c.n_tokens / c.size_tokens for c in chunks]
    assert np.mean(fill) > 0.85


def test_a_point_is_never_cut_nor_mixed_when_it_fits(make: Make, tokenize: Tokenize) -> None:
    points = [f"({c}) the data subject has given consent number {c}; and" for c in "abcdefgh"]
    blocks = [
        (BlockKind.POINT, p, {"locator": f"art_6/par_1/pnt_{p[1]}", "context": ("Article 6",)})
        for p in points
    ]
    document = make((BlockKind.PARAGRAPH, SENTENCE + "One more thing"), *blocks)
    got = cells(slice_document(document, SETTINGS, tokenize))
    assert got[-8:] == [p + "\n\n" for p in points]  # 12 tokens each: no two fit


def test_small_rows_of_one_table_share_a_cell_and_two_tables_do_not(
    make: Make, tokenize: Tokenize
) -> None:
    rows = [
        (BlockKind.TABLE_ROW, f"Year: {n}, Sum: {n}.", {"locator": f"table_{t}/row_{n}"})
        for t in (1, 2)
        for n in (1, 2, 3)
    ]
    got = cells(slice_document(make(*rows), SETTINGS, tokenize))
    assert len(got) == 4
    assert {text.count("Year") for text in got} == {1, 2}
    assert "Year: 3, Sum: 3.\n\nYear: 1" not in "|".join(got)


def test_a_block_too_big_for_a_cell_is_cut_by_sentences_and_kept_apart(
    make: Make, tokenize: Tokenize
) -> None:
    document = make(
        (BlockKind.LAW_PARAGRAPH, "Short one.", {"locator": "art_1/par_1"}),
        (BlockKind.LAW_PARAGRAPH, (SENTENCE * 5).strip(), {"locator": "art_1/par_2"}),
        (BlockKind.LAW_PARAGRAPH, "Last one.", {"locator": "art_1/par_3"}),
    )
    chunks = [c for c in slice_document(document, SETTINGS, tokenize) if c.level == 0]
    assert all(len(c.locators) == 1 for c in chunks)
    assert all(c.text.rstrip().endswith(".") for c in chunks)


def test_a_heading_starts_the_cell_of_what_follows(make: Make, tokenize: Tokenize) -> None:
    document = make(
        (BlockKind.PARAGRAPH, "Before it."),
        (BlockKind.HEADING, "Records", {"level": 1}),
        (BlockKind.HEADING, "Of processing", {"level": 2}),
        (BlockKind.PARAGRAPH, SENTENCE * 4),
    )
    got = cells(slice_document(document, SETTINGS, tokenize))
    assert got[0] == "Before it.\n\n"
    assert got[1].startswith("Records\n\nOf processing\n\nThe controller keeps")


def test_a_sentence_that_does_not_fit_beside_its_heading_is_begun_there(
    make: Make, tokenize: Tokenize
) -> None:
    sentence = "One two three four five six seven, eight nine ten eleven twelve thirteen."
    document = make(
        (BlockKind.HEADING, "A title of six words here", {"level": 1}),
        (BlockKind.PARAGRAPH, sentence),
    )
    got = cells(slice_document(document, SETTINGS, tokenize))
    assert got[0].endswith("six seven, ")
    assert len(got) == 2


def test_cells_break_where_the_context_changes(make: Make, tokenize: Tokenize) -> None:
    document = make(
        (BlockKind.PARAGRAPH, "Under one.", {"context": ("One",)}),
        (BlockKind.PARAGRAPH, "Still one.", {"context": ("One",)}),
        (BlockKind.PARAGRAPH, "Under two.", {"context": ("Two",)}),
    )
    chunks = slice_document(document, SETTINGS, tokenize)
    assert cells(chunks) == ["Under one.\n\nStill one.\n\n", "Under two.\n\n"]
    assert [c.context for c in chunks if c.level == 0] == [("One",), ("Two",)]


def test_slides_and_their_notes_share_no_cell(make: Make, tokenize: Tokenize) -> None:
    document = make(
        (BlockKind.SLIDE_TITLE, "First", {"page": 1}),
        (BlockKind.PARAGRAPH, "Body one.", {"page": 1}),
        (BlockKind.NOTES, "Say hello.", {"page": 1, "locator": "slide_1/notes"}),
        (BlockKind.PARAGRAPH, "No title here.", {"page": 2}),
        (BlockKind.SLIDE_TITLE, "Third", {"page": 3}),
        (BlockKind.SLIDE_TITLE, "Fourth", {"page": 4}),
        doc_type="slides",
    )
    got = [c for c in slice_document(document, SETTINGS, tokenize) if c.level == 0]
    assert [c.pages for c in got] == [(1,), (1,), (2,), (3,), (4,)]


def test_bigger_chunks_end_with_articles(make: Make, tokenize: Tokenize) -> None:
    blocks: list[tuple[BlockKind, str, dict[str, object]]] = []
    for number in range(1, 13):
        blocks.append((BlockKind.ARTICLE, f"Article {number}", {"locator": f"art_{number}"}))
        blocks += [
            (BlockKind.LAW_PARAGRAPH, SENTENCE.strip(), {"locator": f"art_{number}/par_{p}"})
            for p in range(1, 6)
        ]
    chunks = slice_document(make(*blocks, doc_type="law"), SETTINGS, tokenize)
    by_level = [[c for c in chunks if c.level == level] for level in range(4)]
    for level in (2, 3):  # 49 tokens an article: one in 64, two in 128
        assert all(c.text.startswith("Article") for c in by_level[level])
    assert len(by_level[2]) == 12
    assert len(by_level[3]) == 6


@pytest.mark.parametrize(
    "text",
    [
        "word",
        "个人数据应当合法处理" * 300,
        "ข้อมูลส่วนบุคคลต้องได้รับการประมวลผล" * 100,
        "word " * 300,
        "x" * 5000,
        "👩‍👩‍👧‍👦" * 300,
        "🇵🇹" * 2000,
        "a\u0301" * 2000,
        "one\ttwo\tthree\n" * 300,
        "Same paragraph here.\n\n" * 200,
    ],
)
def test_hard_texts_stay_within_every_size(text: str, make: Make) -> None:
    def characters(text: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.arange(len(text), dtype=np.int64)

    document = make((BlockKind.PARAGRAPH, text))
    chunks = slice_document(document, SETTINGS, characters)
    assert "".join(cells(chunks)) == document.text
    assert all(c.n_tokens <= c.size_tokens for c in chunks)


def test_a_giant_sentence_is_cut_at_clauses_and_spaces(make: Make, tokenize: Tokenize) -> None:
    document = make(
        (BlockKind.PARAGRAPH, "one two three four five six seven eight nine ten eleven, " * 40)
    )
    got = cells(slice_document(document, SETTINGS, tokenize))
    assert all(cell.endswith((", ", ",\n\n")) for cell in got)
    document = make((BlockKind.PARAGRAPH, "wordwordword " * 300))
    got = cells(slice_document(document, SETTINGS, tokenize))
    assert all(cell.endswith((" ", "\n")) for cell in got)


def test_a_grapheme_above_the_size_stands_alone(make: Make, tokenize: Tokenize) -> None:
    def pieces(text: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        starts = itertools.chain.from_iterable(
            [i] * (30 if c == "👪" else 1) for i, c in enumerate(text)
        )
        return np.fromiter(starts, dtype=np.int64)

    document = make((BlockKind.PARAGRAPH, "abc👪def👪👪."))
    chunks = slice_document(document, SlicingSettings(sizes=(16, 32)), pieces)
    assert [c.text for c in chunks if c.level == 0] == ["abc", "👪", "def", "👪", "👪", ".\n\n"]
    assert all(c.n_tokens <= c.size_tokens or c.text == "👪" for c in chunks)


def test_an_empty_document_has_no_chunks(make: Make, tokenize: Tokenize) -> None:
    assert slice_document(make(), SETTINGS, tokenize) == []


def test_an_edit_in_the_middle_changes_few_cells(make: Make, tokenize: Tokenize) -> None:
    sentences = [
        f"Rule {n} binds {'every ' * (n % 7)}controller and processor." for n in range(900)
    ]
    before = make((BlockKind.PARAGRAPH, " ".join(sentences)))
    sentences[450] = (
        "Rule 450 was repealed by a much longer sentence than the one it had before it."
    )
    after = make((BlockKind.PARAGRAPH, " ".join(sentences)))
    old = {c.fingerprint for c in slice_document(before, SETTINGS, tokenize) if c.level == 0}
    new = {c.fingerprint for c in slice_document(after, SETTINGS, tokenize) if c.level == 0}
    assert len(new - old) <= 6


@pytest.mark.slow
def test_one_line_of_five_megabytes_is_cut_in_seconds(make: Make) -> None:
    def every_fourth(text: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.arange(0, len(text), 4, dtype=np.int64)

    document = make((BlockKind.PARAGRAPH, "lorem ipsum dolor " * 280_000))
    started = time.perf_counter()
    chunks = slice_document(document, SlicingSettings(), every_fourth)
    assert time.perf_counter() - started < 15  # 1.7 s measured
    assert all(c.n_tokens <= c.size_tokens for c in chunks)
