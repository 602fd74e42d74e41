from __future__ import annotations

from collections.abc import Callable

from configs.settings import SlicingSettings
from parsers.model import BlockKind, Document
from tasks.slicing.chunks import Chunk, slice_document
from tasks.slicing.tokens import Tokenize

Make = Callable[..., Document]
WIDE = SlicingSettings(strategy="structure", sizes=(200, 400, 2000, 8000))


def law(make: Make, points: str = "ab", words: int = 5) -> Document:
    blocks: list[tuple[BlockKind, str, dict[str, object]]] = []
    for chapter in (1, 2):
        blocks.append((BlockKind.HEADING, f"CHAPTER {chapter}", {"level": 1}))
        for article in (2 * chapter - 1, 2 * chapter):
            at = f"art_{article}"
            blocks.append((BlockKind.ARTICLE, f"Article {article}", {"locator": at}))
            for number in (1, 2):
                here = f"{at}/par_{number}"
                text = f"{number}. The controller shall " + "keep " * words
                blocks.append((BlockKind.LAW_PARAGRAPH, text, {"locator": here}))
                for letter in points:
                    text = f"({letter}) records of {letter};"
                    blocks.append((BlockKind.POINT, text, {"locator": f"{here}/pnt_{letter}"}))
    return make(*blocks, doc_type="law")


def texts(chunks: list[Chunk], level: int) -> list[str]:
    return [" ".join(c.text.split()) for c in chunks if c.level == level]


def test_points_lie_in_paragraphs_in_articles_in_chapters(make: Make, tokenize: Tokenize) -> None:
    chunks = slice_document(law(make), WIDE, tokenize)
    assert len(texts(chunks, 0)) == 4 * 2 * 3  # a lead-in and two points each
    paragraphs, articles, chapters = (texts(chunks, level) for level in (1, 2, 3))
    assert len(paragraphs) == 4 * 2
    assert paragraphs[1].startswith("2. The controller")
    assert paragraphs[1].endswith("(b) records of b;")
    assert [t[:19] for t in articles] == [
        "CHAPTER 1 Article 1", "Article 2 1. The co", "CHAPTER 2 Article 3", "Article 4 1. The co",
    ]  # fmt: skip
    assert [t[:9] for t in chapters] == ["CHAPTER 1", "CHAPTER 2"]


def test_a_heading_shares_the_chunk_of_what_it_heads(make: Make, tokenize: Tokenize) -> None:
    cells = texts(slice_document(law(make), WIDE, tokenize), 0)
    assert cells[0].startswith("CHAPTER 1 Article 1 1. The controller")


def test_a_paragraph_above_its_size_ends_between_points(make: Make, tokenize: Tokenize) -> None:
    settings = SlicingSettings(strategy="structure", sizes=(20, 40, 200, 800))
    chunks = slice_document(law(make, "abcdefgh", words=12), settings, tokenize)
    split = [c for c in chunks if c.level == 1]
    assert len(split) > 8
    assert all(c.n_tokens <= 40 for c in split)
    assert all(c.text.startswith(("(", "1.", "2.", "CHAPTER", "Article")) for c in split)


def test_no_chunk_of_a_finer_level_crosses_a_section(make: Make, tokenize: Tokenize) -> None:
    document = make(
        (BlockKind.HEADING, "Part", {"level": 2}),
        (BlockKind.PARAGRAPH, "One."),
        (BlockKind.HEADING, "Section", {"level": 3}),
        (BlockKind.PARAGRAPH, "Two."),
        (BlockKind.PARAGRAPH, "Three."),
        (BlockKind.HEADING, "Subsection", {"level": 4}),
        (BlockKind.PARAGRAPH, "Four."),
        (BlockKind.HEADING, "Section", {"level": 3}),
        (BlockKind.PARAGRAPH, "Five."),
    )
    chunks = slice_document(document, WIDE, tokenize)
    assert texts(chunks, 0) == ["Part One.", "Section Two.", "Three.", "Subsection Four.",
                                "Section Five."]  # fmt: skip
    assert texts(chunks, 1) == ["Part One.", "Section Two. Three.", "Subsection Four.",
                                "Section Five."]  # fmt: skip
    assert texts(chunks, 2) == ["Part One.", "Section Two. Three. Subsection Four.",
                                "Section Five."]  # fmt: skip
    assert len(texts(chunks, 3)) == 1


def test_rows_lie_in_their_table_and_slides_stay_apart(make: Make, tokenize: Tokenize) -> None:
    rows = [
        (BlockKind.TABLE_ROW, f"Year: {y}.", {"page": 1, "locator": f"page_1/table_{t}/row_{y}"})
        for t in (1, 2)
        for y in (1, 2)
    ]
    chunks = slice_document(make((BlockKind.PARAGRAPH, "Before."), *rows), WIDE, tokenize)
    assert texts(chunks, 0) == ["Before.", *["Year: 1.", "Year: 2."] * 2]
    assert texts(chunks, 1) == ["Before.", *["Year: 1. Year: 2."] * 2]

    slides = [
        block
        for page in (1, 2)
        for block in (
            (BlockKind.SLIDE_TITLE, "Title", {"page": page}),
            (BlockKind.LIST_ITEM, "A point", {"page": page}),
            (BlockKind.LIST_ITEM, "another", {"page": page}),
            (BlockKind.NOTES, "Say it slowly.", {"page": page}),
        )
    ]
    chunks = slice_document(make(*slides, doc_type="slides"), WIDE, tokenize)
    assert texts(chunks, 0) == ["Title A point another", "Say it slowly."] * 2
    assert texts(chunks, 1) == ["Title A point another Say it slowly."] * 2


def test_a_grid_may_start_again_with_each_article(make: Make, tokenize: Tokenize) -> None:
    settings = SlicingSettings(strategy="grid", sizes=(8, 16), origin="article")
    chunks = slice_document(law(make, points=""), settings, tokenize)
    held = [c.text for c in chunks if "CHAPTER" in c.text or "Article" in c.text]
    assert {text[:9] for text in held} == {"CHAPTER 1", "Article 2", "CHAPTER 2", "Article 4"}
