from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from configs.settings import SlicingSettings
from parsers.model import BlockKind, Document
from tasks.slicing.chunks import Chunk, fingerprint, slice_document
from tasks.slicing.forest import Forest, Invariant, audit_document, check_document, contains
from tasks.slicing.tokens import Tokenize

Make = Callable[..., Document]
Corrupt = Callable[[list[Chunk]], Sequence[Chunk]]
SETTINGS = SlicingSettings(sizes=(8, 16, 32))


@pytest.fixture
def document(make: Make) -> Document:
    text = "".join(f"Rule {n} binds every processor. " for n in range(30))
    same = "It is so. " * 30
    return make((BlockKind.PARAGRAPH, text), (BlockKind.PARAGRAPH, same), (BlockKind.CODE, same))


@pytest.fixture
def chunks(document: Document, tokenize: Tokenize) -> list[Chunk]:
    return slice_document(document, SETTINGS, tokenize)


def first(chunks: list[Chunk], level: int, after: int = 0) -> int:
    return [i for i, c in enumerate(chunks) if c.level == level][after]


def put(chunks: list[Chunk], at: int, **changes: object) -> list[Chunk]:
    return [*chunks[:at], replace(chunks[at], **changes), *chunks[at + 1 :]]  # type: ignore[arg-type]


def with_text(chunks: list[Chunk], at: int, text: str) -> list[Chunk]:
    """Another text with its right hash: only the document and the neighbours give it away."""
    return put(chunks, at, text=text, fingerprint=fingerprint(text))


CORRUPTIONS: dict[str, tuple[Corrupt, set[Invariant]]] = {
    "a letter changed": (
        lambda c: put(c, 3, text=c[3].text.replace("b", "d")),
        {Invariant.TEXT, Invariant.HASH, Invariant.CHILDREN, Invariant.CONTAINMENT},
    ),
    "a letter changed and hashed": (
        lambda c: with_text(c, 3, c[3].text.replace("b", "d")),
        {Invariant.TEXT, Invariant.MARKERS, Invariant.FOREST, Invariant.CONTAINMENT},
    ),
    "a wrong fingerprint": (
        lambda c: put(c, 0, fingerprint="0" * 64),
        {Invariant.HASH, Invariant.MARKERS, Invariant.FOREST},
    ),
    "an id given twice": (
        lambda c: put(c, 1, chunk_id=c[0].chunk_id),
        {Invariant.UNIQUE},
    ),
    "a row stored twice": (
        lambda c: [*c, c[0]],
        {Invariant.UNIQUE, Invariant.COVER, Invariant.CHILDREN},
    ),
    "a cell lost": (
        lambda c: c[1:],
        {Invariant.COVER, Invariant.CHILDREN, Invariant.MARKERS, Invariant.FOREST},
    ),
    "a parent lost": (
        lambda c: [x for i, x in enumerate(c) if i != first(c, 1)],
        {Invariant.COVER, Invariant.PARENT, Invariant.MARKERS},
    ),
    "the last level lost": (
        lambda c: [x for x in c if x.level != 2],
        {Invariant.PARENT},
    ),
    "a middle level lost": (
        lambda c: [x for x in c if x.level != 1],
        {Invariant.COVER, Invariant.PARENT, Invariant.CHILDREN},
    ),
    "a parent_id of another": (
        lambda c: put(c, 0, parent_id=c[first(c, 1, 2)].chunk_id),
        {Invariant.PARENT, Invariant.CONTAINMENT},
    ),
    "no parent_id": (lambda c: put(c, 0, parent_id=None), {Invariant.PARENT}),
    "a parent over the top": (
        lambda c: put(c, len(c) - 1, parent_id=c[0].chunk_id),
        {Invariant.PARENT},
    ),
    "markers swapped": (
        lambda c: put(c, first(c, 1), markers=c[first(c, 1)].markers[::-1]),
        {Invariant.MARKERS, Invariant.FOREST},
    ),
    "a marker lost": (
        lambda c: put(c, first(c, 2), markers=c[first(c, 2)].markers[1:]),
        {Invariant.MARKERS, Invariant.FOREST},
    ),
    "a marker of no chunk": (
        lambda c: put(c, first(c, 2), markers=("f" * 64, *c[first(c, 2)].markers[1:])),
        {Invariant.MARKERS, Invariant.FOREST},
    ),
    "a cell with markers": (
        lambda c: put(c, 0, markers=(c[1].fingerprint,)),
        {Invariant.MARKERS, Invariant.FOREST},
    ),
    "offsets moved by one": (
        lambda c: put(c, 2, start=c[2].start - 1, end=c[2].end - 1),
        {Invariant.TEXT, Invariant.COVER},
    ),
    "offsets beyond the text": (
        lambda c: put(c, len(c) - 1, end=c[-1].end + 5),
        {Invariant.TEXT, Invariant.COVER},
    ),
}


def test_sound_chunks_break_nothing_and_everything_was_checked(
    document: Document, chunks: list[Chunk]
) -> None:
    audit = audit_document(document.text, chunks)
    assert audit.violations == []
    assert set(audit.checked) == set(Invariant)
    assert all(audit.checked[i] == len(chunks) for i in Invariant)
    assert check_document(document.text, list(reversed(chunks))) == []


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_planted_corruption_is_found(name: str, document: Document, chunks: list[Chunk]) -> None:
    corrupt, expected = CORRUPTIONS[name]
    audit = audit_document(document.text, corrupt(chunks))
    assert expected <= set(audit.broken), audit.violations


def test_every_invariant_has_a_corruption_that_breaks_it() -> None:
    assert set().union(*(broken for _, broken in CORRUPTIONS.values())) == set(Invariant)


def test_chunks_of_another_text_are_found(document: Document, chunks: list[Chunk]) -> None:
    assert check_document(document.text[:-1] + "x", chunks)
    assert check_document(document.text + "x", chunks)
    assert check_document(document.text, [])
    assert check_document("", []) == []


def test_a_repeated_text_has_as_many_candidates_as_places(chunks: list[Chunk]) -> None:
    forest = Forest(chunks)
    cell = next(c for c in chunks if c.level == 0 and c.text == "It is so. It is so. ")
    named = forest.candidates(0, cell.fingerprint)
    assert len(named) > 10
    assert cell in named
    assert {c.text for c in named} == {cell.text}
    assert len({c.chunk_id for c in named}) == len(named)


def test_trading_up_keeps_the_bytes(chunks: list[Chunk]) -> None:
    forest = Forest(chunks)
    for cell in forest.levels[0]:
        above = list(forest.ancestors(cell))
        assert [a.level for a in above] == [1, 2]
        assert all(cell.text.encode() in a.text.encode() and contains(a, cell) for a in above)
        assert cell.fingerprint in above[0].markers


def test_a_ring_of_parents_ends(chunks: list[Chunk]) -> None:
    ring = put(chunks, first(chunks, 1), parent_id=chunks[0].chunk_id)
    assert len(list(Forest(ring).ancestors(ring[0]))) == 1
