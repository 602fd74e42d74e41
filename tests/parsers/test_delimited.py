from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.settings import ParsingSettings
from parsers.base import EmptyFileError
from parsers.delimited import parse
from parsers.detect import CSV, TSV
from parsers.model import Document, Source


def _parse(data: bytes, media_type: str = CSV) -> Document:
    digest = hashlib.sha256(data).hexdigest()
    return parse(data, Source("file:///x.csv", media_type, len(data), digest), ParsingSettings())


def _unaccounted(document: Document) -> list[int]:
    return [row.unaccounted for row in document.ledger]


def test_rows_become_sentences_under_the_headers() -> None:
    document = _parse(b"name,age\nAna,30\nRui,\n")
    assert document.text == "name: Ana, age: 30.\nname: Rui.\n\n"
    assert document.doc_type == "table"
    assert _unaccounted(document) == [0]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    rows = [["Name", "Ort", "Betrag"], ["Müller", "Köln", "350"], ["Xu", "Bonn", "400"]]
    text = "\n".join(delimiter.join(row) for row in rows)
    document = _parse(text.encode(), TSV if delimiter == "\t" else CSV)
    assert document.tables[0].rows[1].cells == (("Name", "Xu"), ("Ort", "Bonn"), ("Betrag", "400"))


def test_semicolons_part_values_with_decimal_commas() -> None:
    document = _parse(b"a;b\n1,5;2,5\n3,5;4,5\n")
    assert document.tables[0].rows[0].cells == (("a", "1,5"), ("b", "2,5"))


def test_the_delimiter_a_spreadsheet_announces_is_believed() -> None:
    document = _parse(b"sep=|\nx|y\n1,2,3|4,5,6\n")
    assert document.tables[0].rows[0].cells == (("x", "1,2,3"), ("y", "4,5,6"))
    assert _unaccounted(document) == [0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_charset_is_detected(encoding: str) -> None:
    rows = "".join(f"Coração {n};São João;{n}\n" for n in range(9))
    document = _parse(("Nome;Cidade;Número\n" + rows).encode(encoding))
    assert document.tables[0].rows[3].cells[0] == ("Nome", "Coração 3")
    assert _unaccounted(document) == [0]


def test_a_line_break_within_quotes_stays_in_its_value() -> None:
    document = _parse(b'id,text\n1,"two\nlines, one ""value"""\n2,x\n')
    assert document.tables[0].rows[0].cells[1] == ("text", 'two lines, one "value"')
    assert _unaccounted(document) == [0]


def test_a_quote_never_closed_does_not_swallow_the_file() -> None:
    document = _parse(b'a,b\n"open,1\n' + b"2,3\n" * 400)
    assert len(document.tables[0].rows) == 401
    assert _unaccounted(document) == [0]


def test_ragged_rows_keep_their_values_in_place() -> None:
    document = _parse(b"a,b,c\n1,2\n3,4,5,6\n7,,8\n")
    assert [row.cells for row in document.tables[0].rows] == [
        (("a", "1"), ("b", "2")),
        (("a", "3"), ("b", "4"), ("c", "5"), ("", "6")),
        (("a", "7"), ("c", "8")),
    ]


def test_numbers_alone_have_no_header() -> None:
    assert _parse(b"200.01,1\n400.01,3\n600.01,5\n").text.startswith("200.01, 1.\n")


def test_tables_of_other_widths_below_each_other_have_their_own_headers() -> None:
    document = _parse(b"name,age,city\nAna,3,Rio\nBo,4,Ulm\n\nCode,Label\nx1,foo\nx2,bar\n")
    assert [t.n_cols for t in document.tables] == [3, 2]
    assert document.tables[1].rows[0].cells == (("Code", "x1"), ("Label", "foo"))


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(EmptyFileError, match="no text"):
        _parse(b"\n \n")


@given(st.lists(st.lists(st.text(max_size=12), min_size=1, max_size=4), min_size=1, max_size=8))
def test_no_character_of_any_file_is_unaccounted_for(rows: list[list[str]]) -> None:
    text = "\n".join(",".join(row) for row in rows)
    if not text.strip():
        return
    try:
        document = _parse(text.encode("utf-8"))
    except EmptyFileError:
        return
    assert _unaccounted(document) == [0]


@pytest.mark.shared
def test_a_japanese_file_without_a_declaration_is_read(shared: Path) -> None:
    document = _parse((shared / "corpus/other/test_mskanji.csv").read_bytes())
    assert document.tables[0].rows[1].cells == (
        ("名前", "三木英子"),
        ("年齢", "25"),
        ("住所", "大阪"),
    )
