"""Find the files that sources name: files, folders, globs and URLs, through fsspec."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fsspec

from microtome import MicrotomeError
from tasks.loading.files import as_uri, local_path

_GLOB = frozenset("*?[")


class SourceError(MicrotomeError):
    """A source that names nothing: a typing error or a share that is not mounted."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that a source names.

    Attributes:
        uri: Absolute path (local files) or URL.
        root: The source under which it was found, as an absolute URI.
    """

    uri: str
    root: str


@dataclass(frozen=True, slots=True)
class Discovery:
    """What the sources name.

    Attributes:
        files: In order of URI, each once.
        roots: The sources as absolute URIs: documents indexed under these and not found are gone.
        unreadable: (path, reason) of folders that could not be listed. What lies in them is
            unknown, so nothing under them is taken for gone.
    """

    files: tuple[FoundFile, ...]
    roots: tuple[str, ...]
    unreadable: tuple[tuple[str, str], ...]


def absolute_uri(source: str) -> str:
    """Return ``source`` as an absolute local path, or unchanged when it is a URL."""
    path = local_path(source)
    if path is None:
        return source
    return as_uri(os.path.abspath(os.path.expanduser(path)))  # noqa: PTH100, PTH111 - `..` lexical


def discover(sources: Sequence[str], exclude: Path | None = None) -> Discovery:
    """Return every file that ``sources`` name.

    Hidden files and folders (a leading dot) and Office's lock files (``~$…``) inside a folder are
    passed over; a hidden file that is named outright is taken.

    Args:
        sources: Files, folders (all the way down), globs or URLs.
        exclude: A folder never to look into: the store itself.

    Raises:
        SourceError: A source names nothing. Nothing is then taken for gone.
    """
    found: dict[str, str] = {}
    unreadable: list[tuple[str, str]] = []
    roots = [absolute_uri(s) for s in sources]
    excluded = absolute_uri(str(exclude)) if exclude is not None else None
    for root in roots:
        path = local_path(root)
        names = list(_expand_url(root) if path is None else _expand(path, unreadable))
        if not names and not (path is not None and Path(path).is_dir()):
            raise SourceError(f"source {root} names nothing: check the path, or mount the share")
        for uri in names:
            if excluded and (uri == excluded or uri.startswith(excluded + "/")):
                continue
            found.setdefault(uri, root)
    return Discovery(
        tuple(FoundFile(uri, found[uri]) for uri in sorted(found)),
        tuple(dict.fromkeys(roots)),
        tuple(unreadable),
    )


def _expand(path: str, unreadable: list[tuple[str, str]]) -> Iterator[str]:
    if Path(path).is_file():
        yield as_uri(path)
    elif Path(path).is_dir():
        yield from _walk(path, unreadable)
    elif _GLOB & set(path):
        filesystem: Any = fsspec.filesystem("file")
        for match in sorted(filesystem.glob(path)):
            if Path(match).is_dir():
                yield from _walk(match, unreadable)
            elif Path(match).is_file():
                yield as_uri(match)


def _walk(root: str, unreadable: list[tuple[str, str]]) -> Iterator[str]:
    def report(error: OSError) -> None:
        unreadable.append((as_uri(str(error.filename)), str(error.strerror)))

    for folder, folders, files in os.walk(root, onerror=report):  # links to folders not followed
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(files):
            if not name.startswith((".", "~$")):
                yield as_uri(os.path.join(folder, name))  # noqa: PTH118 - strings are the URIs


def _expand_url(root: str) -> Iterator[str]:
    scheme = root.split("://", 1)[0]
    if scheme in ("http", "https"):
        yield root
        return
    filesystem, path = fsspec.core.url_to_fs(root)
    names = filesystem.glob(path) if _GLOB & set(path) else [path]
    for name in names:
        if filesystem.isdir(name):
            yield from (filesystem.unstrip_protocol(n) for n in sorted(filesystem.find(name)))
        elif filesystem.exists(name):
            yield filesystem.unstrip_protocol(name)
