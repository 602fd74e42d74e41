from __future__ import annotations

from parsers.model import BlockKind, BoundingBox
from parsers.ocr.page import OcrLine, OcrWord
from parsers.ocr.paragraphs import paragraphs_of

FILLER = "the keeper writes the number of every bicycle into the register of the shed each day"


def line(
    text: str, top: float, *, block: int = 1, paragraph: int = 1, size: float = 10, x: float = 50,
    confidence: float = 0.95,
) -> OcrLine:  # fmt: skip
    """A line of words in boxes as high as their letters at type size ``size``."""
    words = []
    for word in text.split():
        up = 0.72 if any(c.isupper() or c in "bdfhkltij" or c.isdigit() for c in word) else 0.5
        down = 0.21 if set(word) & set("gjpqy,") else 0.0
        width = 0.5 * size * len(word)
        box = BoundingBox(x, top - up * size, x + width, top + down * size)
        words.append(OcrWord(word, box, confidence))
        x += width + 0.25 * size
    first, last = words[0].bbox, words[-1].bbox
    box = BoundingBox(first.x0, top - size, last.x1, top + 0.2 * size)
    return OcrLine(text, box, confidence, block, paragraph, tuple(words))


def body(top: float, block: int = 9) -> list[OcrLine]:
    return [line(FILLER, top + 12 * i, block=block) for i in range(3)]


def test_lines_of_a_paragraph_are_joined_and_a_hyphen_at_the_end_goes() -> None:
    found = paragraphs_of([line("The regis-", 10), line("ter of the shed", 22)])
    assert [p.text for p in found] == ["The register of the shed"]


def test_a_sentence_that_runs_on_into_the_next_block_stays_whole() -> None:
    found = paragraphs_of(
        [line("Every bicycle in the shed", 10), line("has a number.", 30, block=2)]
    )
    assert [p.text for p in found] == ["Every bicycle in the shed has a number."]


def test_a_new_paragraph_begins_after_a_full_stop() -> None:
    found = paragraphs_of([line("It has one.", 10), line("has it?", 30, block=2)])
    assert len(found) == 2


def test_bullets_read_as_letters_make_list_items() -> None:
    lines = [line(f"e {w} number", 10 + 12 * i) for i, w in enumerate(("One", "Two", "Three"))]
    found = paragraphs_of(lines)
    assert [(p.kind, p.text) for p in found] == [
        (BlockKind.LIST_ITEM, f"• {w} number") for w in ("One", "Two", "Three")
    ]


def test_the_portuguese_word_e_is_no_bullet() -> None:
    found = paragraphs_of([line("Ana", 10), line("e Bruno vieram", 22)])
    assert [p.text for p in found] == ["Ana e Bruno vieram"]


def test_a_taller_line_is_a_heading_and_ascenders_alone_are_not() -> None:
    lines = [
        line("Opening hours", 10, block=1, size=18),
        *body(40),
        line("halt tilt bill", 90, block=10),
    ]
    found = paragraphs_of(lines)
    assert found[0].kind is BlockKind.HEADING
    assert [p.kind for p in found[1:]] == [BlockKind.PARAGRAPH] * (len(found) - 1)


def test_specks_are_left_out_and_a_sure_word_among_them_is_kept() -> None:
    speck = line("~ ;;", 10, confidence=0.9)
    noise = line("ij WA", 22, confidence=0.05, block=2)
    assert paragraphs_of([speck, noise]) == []
    assert [p.text for p in paragraphs_of([noise, line("Oppose", 40, block=3)])] == ["Oppose"]
