from __future__ import annotations

from parsers.model import BoundingBox
from parsers.ocr.noise import without_noise
from parsers.ocr.page import OcrLine, OcrPage, OcrWord, mean_confidence


def page(*lines: tuple[str, float]) -> OcrPage:
    box = BoundingBox(0, 0, 9, 9)
    made = tuple(
        OcrLine(text, box, sure, 1, 1, tuple(OcrWord(w, box, sure) for w in text.split()))
        for text, sure in lines
    )
    words = [word for line in made for word in line.words]
    return OcrPage(made, mean_confidence(words))


def test_a_photograph_keeps_only_the_lines_a_word_speaks_for() -> None:
    read = page(("4m “i a. o! r “14", 0.2), ("PE E a -, e dedo", 0.3), ("Exit", 0.9))
    kept = without_noise(read)
    assert [line.text for line in kept.lines] == ["Exit"]
    assert kept.n_noise == len(read.words) - 1
    assert kept.confidence == read.confidence


def test_a_doubtful_line_of_a_legible_page_stays() -> None:
    read = page(("A sentence that was read well", 0.9), ("r= Oppose", 0.22))
    assert without_noise(read) is read
