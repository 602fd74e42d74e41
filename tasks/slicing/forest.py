"""The forest of chunks, from fingerprints and markers alone, and the proof that it holds.

A marker names a piece of text, not a place: where a text occurs n times, a marker has n
candidates. So nodes are (level, fingerprint), and the forest is the multiset of edges (parent,
position, child). Expanding the markers from the coarsest level gives back the cells: the k-th time
a node comes up it is the k-th chunk with that text, for both run in the order of the document. No
offset is needed for that, and none is used except to compare.
"""

from __future__ import annotations

import bisect
import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from tasks.slicing.chunks import fingerprint


class ChunkLike(Protocol):
    """What a row must have: chunks as built, and rows read back from the store."""

    @property
    def chunk_id(self) -> str: ...  # noqa: D102
    @property
    def level(self) -> int: ...  # noqa: D102
    @property
    def start(self) -> int: ...  # noqa: D102
    @property
    def end(self) -> int: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def fingerprint(self) -> str: ...  # noqa: D102
    @property
    def markers(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def parent_id(self) -> str | None: ...  # noqa: D102


Row = TypeVar("Row", bound=ChunkLike)
Node = tuple[int, str]
"""Level and fingerprint."""
Edge = tuple[Node, int, Node]
"""Parent, position of the child in it, child."""


class Invariant(StrEnum):
    """What must hold for the chunks of one document."""

    TEXT = "text equals the slice of the document"
    HASH = "fingerprint is the hash of the text"
    UNIQUE = "chunk ids are unique"
    COVER = "each level covers the text without gap or overlap"
    PARENT = "each chunk has exactly one parent of the next bigger size"
    CHILDREN = "the children's texts put together are the parent's"
    MARKERS = "markers are the children's fingerprints in order"
    FOREST = "the forest from markers agrees with the one from offsets"
    CONTAINMENT = "every ancestor's text contains the chunk's"


@dataclass(frozen=True, slots=True)
class Violation:
    """An invariant that does not hold.

    Attributes:
        invariant: Which.
        chunk_id: Where, "" when the document as a whole is meant.
        detail: What was found.
    """

    invariant: Invariant
    chunk_id: str
    detail: str


@dataclass(frozen=True, slots=True)
class Audit:
    """The result of checking one document.

    Attributes:
        checked: How often each invariant was checked.
        violations: In the order of the invariants.
    """

    checked: Counter[Invariant]
    violations: list[Violation]

    @property
    def broken(self) -> Counter[Invariant]:
        """How often each invariant is broken."""
        return Counter(v.invariant for v in self.violations)


class Forest(Generic[Row]):
    """The chunks of one document, found by id or by content.

    Args:
        rows: Chunks of one document, of any order; that of the document is restored.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = sorted(rows, key=lambda row: (row.level, row.start))
        self._by_id = {row.chunk_id: row for row in self.rows}
        self._by_node: dict[Node, list[Row]] = defaultdict(list)
        self.levels: dict[int, list[Row]] = defaultdict(list)
        for row in self.rows:
            self._by_node[row.level, row.fingerprint].append(row)
            self.levels[row.level].append(row)

    def candidates(self, level: int, print_: str) -> list[Row]:
        """Return the chunks of ``level`` that have this fingerprint, in document order."""
        return list(self._by_node.get((level, print_), ()))

    def ancestors(self, row: Row) -> Iterator[Row]:
        """Yield the chunks that hold ``row``, the nearest first, by ``parent_id``."""
        seen = {row.chunk_id}
        while row.parent_id is not None and row.parent_id not in seen:
            seen.add(row.parent_id)
            above = self._by_id.get(row.parent_id)
            if above is None:
                return
            yield above
            row = above

    def cells_from_markers(self) -> list[str]:
        """Return the fingerprints of the cells, by expanding the markers of the coarsest level.

        Raises:
            LookupError: A marker names a text that no chunk of the next level has (any more).
        """
        top = max(self.levels, default=0)
        prints = [row.fingerprint for row in self.levels.get(top, ())]
        for level in range(top, 0, -1):
            met: Counter[str] = Counter()
            expanded: list[str] = []
            for print_ in prints:
                occurrences = self._by_node.get((level, print_), ())
                if met[print_] >= len(occurrences):
                    raise LookupError(f"no chunk {print_[:12]} number {met[print_]} at {level}")
                expanded += occurrences[met[print_]].markers
                met[print_] += 1
            prints = expanded
        return prints

    def edges_from_markers(self) -> Counter[Edge]:
        """Return the edges that the markers state."""
        return Counter(
            ((row.level, row.fingerprint), position, (row.level - 1, marker))
            for row in self.rows
            for position, marker in enumerate(row.markers)
        )

    def edges_from_offsets(self) -> Counter[Edge]:
        """Return the edges that follow from who lies in whom."""
        return Counter(
            ((row.level, row.fingerprint), position, (child.level, child.fingerprint))
            for row in self.rows
            for position, child in enumerate(self.children(row))
        )

    def children(self, row: Row) -> list[Row]:
        """Return the chunks of the next finer level inside ``row``, by offsets."""
        finer = self.levels.get(row.level - 1, [])
        first = bisect.bisect_left(finer, row.start, key=lambda child: child.start)
        inside = itertools.takewhile(lambda child: child.start < row.end, finer[first:])
        return [child for child in inside if child.end <= row.end]

    def parents(self, row: Row) -> list[Row]:
        """Return the chunks of the next coarser level that hold ``row``, by offsets."""
        coarser = self.levels.get(row.level + 1, [])
        after = bisect.bisect_right(coarser, row.start, key=lambda above: above.start)
        return [above for above in coarser[max(0, after - 2) : after] if row.end <= above.end]


def contains(ancestor: ChunkLike, row: ChunkLike) -> bool:
    """Whether the bytes of ``row`` stand in ``ancestor`` where the offsets say."""
    at = row.start - ancestor.start
    return at >= 0 and ancestor.text[at : at + len(row.text)] == row.text


def check_document(document_text: str, chunks: Sequence[ChunkLike]) -> list[Violation]:
    """Return every invariant that the chunks of one document break; see :func:`audit_document`."""
    return audit_document(document_text, chunks).violations


def audit_document(document_text: str, chunks: Sequence[ChunkLike]) -> Audit:
    """Check the chunks of one document against its text and against each other.

    Args:
        document_text: Canonical text of the document.
        chunks: All its chunks, every level, in any order.
    """
    forest = Forest(chunks)
    checked: Counter[Invariant] = Counter()
    violations: list[Violation] = []
    for invariant, check in _CHECKS.items():
        checked[invariant] = len(forest.rows)
        violations += [Violation(invariant, *fault) for fault in check(document_text, forest)]
    return Audit(checked, violations)


_Fault = tuple[str, str]
"""Chunk id and what was found."""


def _check_text(text: str, forest: Forest[ChunkLike]) -> Iterator[_Fault]:
    for row in forest.rows:
        if not 0 <= row.start < row.end <= len(text):
            yield row.chunk_id, f"span {row.start}..{row.end} in a text of {len(text)}"
        elif text[row.start : row.end] != row.text:
            yield row.chunk_id, f"differs from the document at {row.start}..{row.end}"


def _check_hash(_: str, forest: Forest[ChunkLike]) -> Iterator[_Fault]:
    for row in forest.rows:
        if fingerprint(row.text) != row.fingerprint:
            yield row.chunk_id, f"fingerprint {row.fingerprint[:12]} is not that of the text"


def _check_unique(_: str, forest: Forest[ChunkLike]) -> Iterator[_Fault]:
    for identity, n in Counter(row.chunk_id for row in forest.rows).items():
        if n > 1:
            yield identity, f"{n} chunks have this id"


def _check_cover(text: str, forest: Forest[ChunkLike]) -> Iterator[_Fault]:
    for level in range(max(forest.levels, default=0) + 1):
        rows = forest.levels.get(level, [])
        end = 0
        for row in rows:
            if row.start != end:
                yield row.chunk_id, f"level {level} begins at {row.start} where {end} is due"
            end = row.end
        if end != len(text):
            yield rows[-1].chunk_id if rows else "", f"level {level} ends at {end} of {len(text)}"


def _check_parent(_: str, forest: Forest[ChunkLike]) -> Iterator[_Fault]:
    top = max(forest.levels, default=0)
    for row in forest.rows:
        parents = forest.parents(row)
        if row.level == top:
            if row.parent_id is not None:
                yield row.chunk_id, "a chunk of the coarsest level names a parent"
        elif len(parents) != 1:
            yield row.chunk_id, f"lies in {len(parents)} chunks of level {row.level + 1}"
        elif row.parent_id != parents[0].chunk_id:
            yield row.chunk_id, "parent_id is not the chunk that holds it"


def _check_children(_: str, forest: Forest[ChunkLike]) -> Iterator[_Fault]:
    for row in forest.rows:
        if row.level and "".join(child.text for child in forest.children(row)) != row.text:
            yield row.chunk_id, "its children's texts do not add up to its own"


def _check_markers(_: str, forest: Forest[ChunkLike]) -> Iterator[_Fault]:
    for row in forest.rows:
        if list(row.markers) != [child.fingerprint for child in forest.children(row)]:
            yield row.chunk_id, "markers are not the fingerprints of its children"


def _check_forest(_: str, forest: Forest[ChunkLike]) -> Iterator[_Fault]:
    stated, actual = forest.edges_from_markers(), forest.edges_from_offsets()
    for difference, what in ((stated - actual, "stated only"), (actual - stated, "not stated")):
        if n := difference.total():
            (level, print_), position, __ = next(iter(difference))
            yield "", f"{n} edges {what}, first {print_[:12]} at level {level}, child {position}"
    try:
        expanded = forest.cells_from_markers()
    except LookupError as error:
        yield "", str(error)
        return
    if expanded != [cell.fingerprint for cell in forest.levels.get(0, [])]:
        yield "", "the expanded markers are not the sequence of cells"


def _check_containment(_: str, forest: Forest[ChunkLike]) -> Iterator[_Fault]:
    for row in forest.rows:
        for above in forest.ancestors(row):
            if not contains(above, row):
                yield row.chunk_id, f"its text does not stand in {above.chunk_id[:12]}"


_CHECKS: Mapping[Invariant, Callable[[str, Forest[ChunkLike]], Iterator[_Fault]]] = {
    Invariant.TEXT: _check_text,
    Invariant.HASH: _check_hash,
    Invariant.UNIQUE: _check_unique,
    Invariant.COVER: _check_cover,
    Invariant.PARENT: _check_parent,
    Invariant.CHILDREN: _check_children,
    Invariant.MARKERS: _check_markers,
    Invariant.FOREST: _check_forest,
    Invariant.CONTAINMENT: _check_containment,
}
