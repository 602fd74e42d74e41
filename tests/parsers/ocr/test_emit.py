from __future__ import annotations

from configs.settings import ParsingSettings
from parsers.builder import DocumentBuilder
from parsers.model import BlockKind, BoundingBox, Document, Source, TextSource
from parsers.ocr.emit import emit_ocr_page
from parsers.ocr.page import OcrLine, OcrPage, OcrWord, RuledCell, RuledTable


def line(text: str, top: float, x: float = 50.0, block: int = 1) -> OcrLine:
    words: list[OcrWord] = []
    left = x
    for word in text.split():
        words.append(OcrWord(word, BoundingBox(left, top, left + 5 * len(word), top + 10), 0.9))
        left += 5 * len(word) + 3
    return OcrLine(text, BoundingBox(x, top, left, top + 10), 0.9, block, 1, tuple(words))


def page() -> OcrPage:
    rows = [("Item", "Price"), ("Lock", "12.50"), ("Pump", "7.25")]
    cells = tuple(
        RuledCell(
            r, c, 1, 1,
            BoundingBox(50 + 100 * c, 100 + 20 * r, 150 + 100 * c, 120 + 20 * r),
            (line(text, 105 + 20 * r, 55 + 100 * c),),
        )
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
    )  # fmt: skip
    table = RuledTable(BoundingBox(50, 100, 250, 160), cells)
    lines = (
        line("The list of prices fol-", 40), line("lows.", 52),
        line("It holds until summer.", 200, block=2),
    )  # fmt: skip
    return OcrPage(lines, 0.9, 0, (table,))


def document(settings: ParsingSettings) -> Document:
    builder = DocumentBuilder(Source("scan.png", "image/png", 1, "0" * 64), "test", 1)
    builder.add_page(1, TextSource.OCR, "an image", 0.9)
    emit_ocr_page(builder, page(), page=1, settings=settings)
    return builder.build()


def test_a_table_stands_between_the_paragraphs_above_and_below_it() -> None:
    found = document(ParsingSettings())
    assert [b.kind for b in found.blocks] == [
        BlockKind.PARAGRAPH, BlockKind.TABLE_ROW, BlockKind.TABLE_ROW, BlockKind.PARAGRAPH
    ]  # fmt: skip
    assert found.text.startswith("The list of prices follows.\n\n")
    assert "Item: Lock, Price: 12.50." in found.text
    assert found.blocks[1].locator == "page_1/table_1/row_1"


def test_every_recognised_character_is_accounted_for() -> None:
    for settings in (ParsingSettings(), ParsingSettings(tables=False)):
        (row,) = document(settings).ledger
        assert row.unaccounted == 0
        assert row.source == 0
        assert row.generated["ocr"] > 40


def test_with_tables_off_their_text_stays() -> None:
    found = document(ParsingSettings(tables=False))
    assert found.tables == ()
    assert "12.50" in found.text
