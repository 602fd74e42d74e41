from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pymupdf as _untyped
import pytest

from parsers.base import DamagedFileError, EmptyFileError, EncryptedFileError
from parsers.model import BlockKind, Document, TextSource

pymupdf: Any = _untyped
Build = Callable[..., bytes]
Parse = Callable[..., Document]
Column = Callable[[float, float, str], list[Any]]

LEFT = """Lone facts of the left column begin with this line
and go on with another one, for a column is made of
many lines that stand one above the other and of
these this is the last one on the left."""
RIGHT = """Right of the gutter another text is printed, and it
has lines of its own which nobody reads before those
of the left side are at an end, as every reader of
newspapers knows without being told."""


def paragraphs(document: Document) -> list[str]:
    return [
        document.text[b.start : b.end].rstrip()
        for b in document.blocks
        if b.kind is BlockKind.PARAGRAPH
    ]


def balanced(document: Document) -> bool:
    return all(row.unaccounted == 0 for row in document.ledger)


def test_two_columns_under_a_title_are_read_in_order(
    build: Build, parse: Parse, column: Column
) -> None:
    title = [(50, 80, "A title over both of the columns", 20)]
    document = parse(build([[*column(320, 120, RIGHT), *column(50, 120, LEFT), *title]]))
    assert document.title == "A title over both of the columns"
    assert paragraphs(document) == [" ".join(LEFT.split()), " ".join(RIGHT.split())]
    assert balanced(document)


def test_a_sentence_runs_on_from_column_to_column(
    build: Build, parse: Parse, column: Column
) -> None:
    left = LEFT.replace(
        "these this is the last one on the left.", "these this is the last but the sentence goes"
    )
    document = parse(build([[*column(50, 120, left), *column(320, 120, "on here.\n" + RIGHT)]]))
    assert "the sentence goes on here." in document.text


def test_a_sentence_across_pages_is_whole_and_furniture_is_gone(
    build: Build, parse: Parse, column: Column
) -> None:
    """Three pages, a header and "Page n of 3", one sentence over each page break."""
    bodies = [
        "The first page starts a matter that it does not\nend, as one sees when he turns the",
        "page and finds the end of the sentence here. A second\none begins and it is the next",
        "leaf that holds its end. That is all there is to say here\nand nothing more.",
    ]
    pages = [
        [(50, 40, "Report of the year"), *column(50, 120, body), (50, 770, f"Page {n} of 3")]
        for n, body in enumerate(bodies, 1)
    ]
    document = parse(build(pages))
    assert "when he turns the page and finds" in document.text
    assert "it is the next leaf that holds its end." in document.text
    assert "Report of the year" not in document.text
    assert "Page 2" not in document.text
    assert [row.dropped for row in document.ledger] == [{"furniture": 23}] * 3
    assert balanced(document)
    second = document.pages[1]
    assert document.text[second.start : second.end].startswith("page and finds")


def test_a_hyphen_at_a_line_end_goes_and_is_counted(
    build: Build, parse: Parse, column: Column
) -> None:
    document = parse(build([column(50, 100, "It is hard to com-\npile a well-\nknown text.")]))
    assert "It is hard to compile a well-known text." in document.text
    assert document.ledger[0].dropped == {"line_hyphen": 1}
    assert balanced(document)


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_a_page_turned_by_its_entry_reads_the_same(
    build: Build, parse: Parse, column: Column, angle: int
) -> None:
    document = parse(build([[*column(50, 120, LEFT), *column(320, 120, RIGHT)]], rotate=angle))
    assert paragraphs(document) == [" ".join(LEFT.split()), " ".join(RIGHT.split())]


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_a_page_whose_content_is_turned_reads_the_same(
    build: Build, parse: Parse, angle: int
) -> None:
    lines = LEFT.splitlines()
    if angle == 90:
        texts = [(100 + 12 * i, 700, line) for i, line in enumerate(lines)]
    elif angle == 180:
        texts = [(550, 700 - 12 * i, line) for i, line in enumerate(lines)]
    else:
        texts = [(500 - 12 * i, 100, line) for i, line in enumerate(lines)]
    document = parse(build([texts], turn=angle))
    assert paragraphs(document) == [" ".join(lines)]
    assert document.pages[0].rotation == angle
    box = document.blocks[0].bbox
    assert box is not None
    assert box.x1 - box.x0 > box.bottom - box.top


def test_glyphs_drawn_twice_are_read_once(build: Build, parse: Parse) -> None:
    texts = [(50 + shift, 100, "A heading made bold by force") for shift in (0, 0.4, 0.8)]
    document = parse(build([[*texts, (50, 140, "Said once."), (50, 160, "Said once.")]]))
    assert document.text.count("A heading made bold by force") == 1
    assert document.text.count("Said once.") == 2
    assert document.ledger[0].dropped == {"duplicate_glyphs": 46}
    assert balanced(document)


def test_text_outside_the_page_is_left_out_and_counted(build: Build, parse: Parse) -> None:
    document = parse(build([[(50, 100, "On the page."), (900, 100, "Beside it.")]]))
    assert "Beside" not in document.text
    assert document.ledger[0].dropped == {"off_page": 9}
    assert balanced(document)


def test_invisible_text_is_text(build: Build, parse: Parse) -> None:
    def hide(pdf: Any) -> None:
        pdf[0].insert_text((50, 100), "A layer that a scanner's OCR left here", render_mode=3)

    document = parse(build([[]], edit=hide))
    assert "A layer that a scanner's OCR left here" in document.text


def test_an_empty_page_between_keeps_its_number(build: Build, parse: Parse) -> None:
    document = parse(build([[(50, 100, "First.")], [], [(50, 100, "Third.")]]))
    assert [p.text_source for p in document.pages] == [
        TextSource.BORN_DIGITAL,
        TextSource.NONE,
        TextSource.BORN_DIGITAL,
    ]
    assert document.pages[1].start == document.pages[1].end
    assert not document.failures


def test_blocks_and_pages_tile_the_text(build: Build, parse: Parse, column: Column) -> None:
    document = parse(build([column(50, 100, LEFT), column(50, 100, RIGHT)]))
    for tiles in (document.blocks, document.pages):
        ends = [tile.end for tile in tiles]
        assert [tile.start for tile in tiles] == [0, *ends[:-1]]
        assert ends[-1] == len(document.text)


def test_headings_take_their_depth_from_the_outline(build: Build, parse: Parse) -> None:
    def mark(pdf: Any) -> None:
        pdf.set_toc([[1, "Things", 1], [2, "Small things", 1]])

    texts = [
        (50, 100, "1 Things"), (50, 140, "Of these there is much to say."),
        (50, 180, "1.1 Small things"), (50, 220, "Of those there is less."),
    ]  # fmt: skip
    document = parse(build([texts], edit=mark))
    headings = [b for b in document.blocks if b.kind is BlockKind.HEADING]
    assert [b.level for b in headings] == [1, 2]
    assert document.blocks[-1].heading_path == ("1 Things", "1.1 Small things")


def test_large_type_makes_a_heading(build: Build, parse: Parse, column: Column) -> None:
    texts = [(50, 60, "Great", 24), (50, 100, "Less great", 16), *column(50, 140, LEFT)]
    document = parse(build([texts]))
    levels = [b.level for b in document.blocks if b.kind is BlockKind.HEADING]
    assert levels == [1, 2]
    assert document.blocks[-1].heading_path == ("Great", "Less great")


def test_list_items_stay_apart(build: Build, parse: Parse, column: Column) -> None:
    document = parse(build([column(50, 100, "(a) the first of the points;\n(b) the second one.")]))
    kinds = [b.kind for b in document.blocks]
    assert kinds == [BlockKind.LIST_ITEM, BlockKind.LIST_ITEM]


def test_a_listing_keeps_its_lines(build: Build, parse: Parse) -> None:
    def write(pdf: Any) -> None:
        for i, line in enumerate(("for x in y:", "print(x)", "return x-", "y")):
            pdf[0].insert_text((50, 100 + 12 * i), line, fontname="cour", fontsize=10)

    document = parse(build([[]], edit=write))
    assert document.text.rstrip() == "for x in y:\nprint(x)\nreturn x-\ny"
    assert document.blocks[0].kind is BlockKind.CODE


def test_form_fields_and_comments_are_in_the_text(build: Build, parse: Parse) -> None:
    def fill(pdf: Any) -> None:
        field = pymupdf.Widget()
        field.field_name, field.field_value = "applicant", "Ana Souza"
        field.field_type = pymupdf.PDF_WIDGET_TYPE_TEXT
        field.rect = pymupdf.Rect(50, 200, 250, 220)
        pdf[0].add_widget(field)
        pdf[0].add_text_annot((300, 300), "Check this with the office")

    document = parse(build([[(50, 100, "An application form.")]], edit=fill))
    assert document.text.count("Ana Souza") == 1
    assert "applicant: Ana Souza" in document.text
    assert "Check this with the office" in document.text
    kinds = [b.kind for b in document.blocks]
    assert BlockKind.FORM_FIELD in kinds
    assert BlockKind.ANNOTATION in kinds
    assert balanced(document)


def test_a_title_in_the_metadata_wins_unless_it_is_a_file_name(build: Build, parse: Parse) -> None:
    def name(title: str) -> Callable[[Any], None]:
        return lambda pdf: pdf.set_metadata({"title": title})

    texts = [[(50, 100, "Shown heading", 20), (50, 140, "And some text below it.")]]
    assert parse(build(texts, edit=name("True title"))).title == "True title"
    assert parse(build(texts, edit=name("Microsoft Word - x.doc"))).title == "Shown heading"
    assert parse(build(texts, edit=name("untitled"))).title == "Shown heading"


def encrypted(build: Build, user: str) -> bytes:
    return build(
        [[(50, 100, "A secret.")]],
        encryption=pymupdf.PDF_ENCRYPT_AES_256,
        user_pw=user,
        owner_pw="owner",
    )


def test_passwords_are_tried_in_turn(build: Build, parse: Parse) -> None:
    data = encrypted(build, "let me in")
    assert "A secret." in parse(data, passwords=("wrong", "let me in")).text
    assert "A secret." in parse(encrypted(build, "")).text


def test_without_the_password_the_error_names_the_file(build: Build, parse: Parse) -> None:
    with pytest.raises(EncryptedFileError, match=r"/in/made\.pdf") as caught:
        parse(encrypted(build, "let me in"), passwords=("wrong",))
    assert "parsing.passwords" in caught.value.remedy
    assert "wrong" not in str(caught.value)


def test_no_bytes_and_no_document_are_errors_of_their_own(parse: Parse) -> None:
    with pytest.raises(EmptyFileError):
        parse(b"")
    with pytest.raises(DamagedFileError):
        parse(b"%PDF-1.4 and nothing that a PDF has")


def test_a_broken_cross_reference_is_repaired(build: Build, parse: Parse) -> None:
    data = build([[(50, 100, "Still here.")]])
    cut = data[: data.rindex(b"startxref")] + b"startxref\n99999999\n%%EOF"
    assert "Still here." in parse(cut).text


def test_nothing_is_printed(build: Build, parse: Parse, capfd: pytest.CaptureFixture[str]) -> None:
    data = build([[(50, 100, "Quiet.")]])
    parse(data[: data.rindex(b"startxref")] + b"startxref\n99999999\n%%EOF")
    with pytest.raises(DamagedFileError):
        parse(b"%PDF-1.7\n1 0 obj << /Type /Catalog")
    assert capfd.readouterr().out == ""


def test_the_same_bytes_give_the_same_document(build: Build, parse: Parse, column: Column) -> None:
    data = build([[*column(50, 120, LEFT), *column(320, 120, RIGHT)]])
    assert parse(data) == parse(data)
