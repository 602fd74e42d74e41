"""One document of the published index, with its forest, for people to look at."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microtome import MicrotomeError
from storage.parts import read_document
from storage.paths import StorePaths
from storage.reader import PublishedIndex
from storage.sql import is_in

_COLUMNS = (
    "chunk_id", "doc_id", "uri", "level", "size_tokens", "start", "end", "n_tokens", "text",
    "fingerprint", "parent_id", "context", "heading_path", "locators", "pages",
)  # fmt: skip


class NotInIndexError(MicrotomeError):
    """What was asked for names no document and no chunk of the index, or several."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document and its chunks.

    Attributes:
        uri: Its address.
        doc_id: Its id.
        title: Its title.
        counts: Chunks per level.
        roots: Chunks of the coarsest level, in order.
        children: Chunks by the id of their parent, in order.
        chunk: The chunk that was asked for, None when a document was.
        ancestors: Its ancestors, the nearest first.
    """

    uri: str
    doc_id: str
    title: str
    counts: dict[int, int]
    roots: tuple[dict[str, Any], ...]
    children: dict[str, tuple[dict[str, Any], ...]]
    chunk: dict[str, Any] | None
    ancestors: tuple[dict[str, Any], ...]


def view(store: Path, target: str) -> DocumentView:
    """Return the document that ``target`` names, or the one that holds the chunk it names.

    Args:
        store: Folder of the index.
        target: A URI or its end, a doc_id or a chunk_id; ids may be shortened to 8 hex digits.

    Raises:
        NotInIndexError: It names nothing, or several things.
        NothingPublishedError: The store is empty.
    """
    paths = StorePaths(store)
    index = PublishedIndex(paths)
    documents = index.documents().to_pylist()
    exact = [d for d in documents if target in (d["uri"], d["doc_id"])]
    matches = exact or [
        d for d in documents if d["uri"].endswith(target) or _shortened(d["doc_id"], target)
    ]
    chunk_id = None
    if not matches:
        ids = index.to_arrow(["chunk_id", "doc_id"]).to_pylist()
        chunks = [c for c in ids if c["chunk_id"] == target or _shortened(c["chunk_id"], target)]
        if len(chunks) == 1:
            chunk_id = chunks[0]["chunk_id"]
            matches = [d for d in documents if d["doc_id"] == chunks[0]["doc_id"]]
        elif chunks:
            matches = chunks
    if len(matches) != 1:
        what = "nothing" if not matches else f"{len(matches)} things"
        raise NotInIndexError(f"{target!r} names {what} in the index at {store}")
    return _view(paths, index, matches[0], chunk_id)


def _shortened(identity: str, target: str) -> bool:
    return len(target) >= 8 and identity.startswith(target)


def _view(
    paths: StorePaths, index: PublishedIndex, document: dict[str, Any], chunk_id: str | None
) -> DocumentView:
    rows = index.to_arrow(_COLUMNS, is_in("doc_id", [document["doc_id"]])).to_pylist()
    rows.sort(key=lambda c: (c["level"], c["start"]))
    by_id = {c["chunk_id"]: c for c in rows}
    children: dict[str, list[dict[str, Any]]] = defaultdict(list)
    counts: dict[int, int] = defaultdict(int)
    for row in rows:
        counts[row["level"]] += 1
        if row["parent_id"]:
            children[row["parent_id"]].append(row)
    chunk = by_id[chunk_id] if chunk_id else None
    ancestors = []
    above = chunk
    while above is not None and above["parent_id"]:
        above = by_id[above["parent_id"]]
        ancestors.append(above)
    title = read_document(paths, document["part"]).column("title")[0].as_py()
    return DocumentView(
        uri=document["uri"],
        doc_id=document["doc_id"],
        title=title,
        counts=dict(counts),
        roots=tuple(c for c in rows if c["parent_id"] is None),
        children={k: tuple(v) for k, v in children.items()},
        chunk=chunk,
        ancestors=tuple(ancestors),
    )
