"""What a search returns, and what it asks of whoever keeps texts and provenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from microtome import MicrotomeError


class SearchError(MicrotomeError):
    """A question, strategy or filter that makes no search."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class DocumentMeta:
    """What of a document is filtered by or returned.

    Attributes:
        doc_id: 64 hex digits.
        uri: Where it is.
        language: BCP 47, ``und`` when not known.
        doc_type: As the parser named it.
        date: ISO 8601, or "" when not known.
    """

    doc_id: str
    uri: str
    language: str = "und"
    doc_type: str = "unknown"
    date: str = ""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which documents take part; an empty field lets all through.

    Attributes:
        documents: URIs or doc_ids.
        languages: ``pt`` also lets ``pt-BR`` through.
        doc_types: Names of types.
        since: ISO 8601 date; a document without a date does not pass.
        until: ISO 8601 date, inclusive; a document without a date does not pass.
    """

    documents: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    doc_types: tuple[str, ...] = ()
    since: str = ""
    until: str = ""

    def admit(self, document: DocumentMeta) -> bool:
        """Say whether a document takes part."""
        if self.documents and not {document.uri, document.doc_id} & set(self.documents):
            return False
        language = document.language.casefold()
        if self.languages and not any(
            language == own or language.startswith(f"{own}-")
            for own in (wanted.casefold() for wanted in self.languages)
        ):
            return False
        if self.doc_types and document.doc_type not in self.doc_types:
            return False
        if (self.since or self.until) and not document.date:
            return False
        # a prefix compares as far as it goes: until "2024" lets all of 2024 through
        after = not self.since or document.date >= self.since
        return after and (not self.until or document.date[: len(self.until)] <= self.until)


class ChunkRow(Protocol):
    """Provenance of one chunk."""

    @property
    def pages(self) -> Sequence[int]:
        """1-based, ascending."""
        ...

    @property
    def locators(self) -> Sequence[str]:
        """In order."""
        ...

    @property
    def heading_path(self) -> Sequence[str]:
        """Outermost first."""
        ...

    @property
    def context(self) -> Sequence[str]:
        """Header lines, outermost first."""
        ...


class ChunkStore(Protocol):
    """Keeps what the arrays of a corpus leave out."""

    def passage_text(self, doc_id: str, start: int, end: int) -> str:
        """Return ``document.text[start:end]``."""
        ...

    def chunk_rows(self, chunk_ids: Sequence[str]) -> Sequence[ChunkRow]:
        """Return the rows of these chunks, in the order asked for."""
        ...


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document that answers.

    Attributes:
        rank: 1-based.
        score: Evidence of its best cell (or of the chunk, for a strategy of one level).
        doc_id: Of the document.
        uri: Of the document.
        start: First code point.
        end: After the last one.
        level: Level of the largest chunk that lies in it.
        tokens: Tokens of the text and of the context lines.
        text: ``document.text[start:end]``.
        pages: 1-based pages, ascending.
        locators: In order, each once.
        heading_path: Of its first cell, outermost first.
        context: Header lines of its first cell, outermost first.
        chunk_ids: The fewest chunks that make it up, in order.
        scores_by_level: For the chunk of each level ("0" the finest) that holds the best cell:
            ``dense`` (cosine; for ``fused`` the mean of its cells'), ``lexical`` (BM25) and
            ``evidence`` (both, standardised and weighted).
        also_in: URIs of other documents that hold one of its chosen texts as well.
    """

    rank: int
    score: float
    doc_id: str
    uri: str
    start: int
    end: int
    level: int
    tokens: int
    text: str
    pages: tuple[int, ...]
    locators: tuple[str, ...]
    heading_path: tuple[str, ...]
    context: tuple[str, ...]
    chunk_ids: tuple[str, ...]
    scores_by_level: Mapping[str, Mapping[str, float]]
    also_in: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages for a question, the best first.

    Attributes:
        question: As asked.
        tokens: Of all passages, context lines included; never over the budget.
        passages: Disjoint, in order of rank.
    """

    question: str
    tokens: int
    passages: tuple[Passage, ...]
