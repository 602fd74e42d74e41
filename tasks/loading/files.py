"""Read a file or URL through fsspec, and identify it."""

from __future__ import annotations

import hashlib
import os
from pathlib import PurePosixPath
from urllib.parse import quote, unquote_to_bytes

import fsspec

from parsers.base import EmptyFileError, ParserError
from parsers.detect import media_type_of
from parsers.model import Source


class UnreadableFileError(ParserError):
    """The file could not be opened or read (permissions, network, vanished)."""

    transient = True
    default_remedy = "Check that the file is there and may be read, and ingest again."


class FileTooLargeError(ParserError):
    """The file is larger than run.max_file_bytes."""

    default_remedy = "Raise run.max_file_bytes, or split the file."


class UnknownTypeError(ParserError):
    """No parser is registered for the type: the file is skipped, which is not a failure."""

    default_remedy = "Convert it to a supported format, or leave it out."


_FILE = "file://"


def as_uri(path: str) -> str:
    """Return a local path as a URI: the path itself, or ``file://`` and percent signs.

    A name that is not valid UTF-8 (an old share, an archive unpacked elsewhere) cannot be stored
    as text; its bytes are percent-encoded, so that the document is indexed all the same.
    """
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return _FILE + quote(os.fsencode(path))
    return path


def local_path(uri: str) -> str | None:
    """Return the local path that a URI names, None for a URL of another kind."""
    if uri.startswith(_FILE):
        return os.fsdecode(unquote_to_bytes(uri.removeprefix(_FILE)))
    return None if "://" in uri else uri


def read_bytes(uri: str, max_bytes: int) -> bytes:
    """Return the bytes at ``uri``.

    Raises:
        UnreadableFileError: It cannot be opened or read.
        FileTooLargeError: It holds more than ``max_bytes``.
    """
    try:
        with fsspec.open(local_path(uri) or uri, "rb") as file:
            data: bytes = file.read(max_bytes + 1)
    except Exception as error:  # each fsspec backend raises errors of its own library
        raise UnreadableFileError(f"{uri} cannot be read: {error}") from error
    if len(data) > max_bytes:
        raise FileTooLargeError(f"{uri} is larger than {max_bytes} bytes")
    return data


def identify(uri: str, data: bytes) -> Source:
    """Return the identity of a file that was read.

    Raises:
        EmptyFileError: There are no bytes.
        UnknownTypeError: Neither content nor name says what it is.
    """
    if not data:
        raise EmptyFileError(f"{uri} is empty (0 bytes)")
    media_type = media_type_of(uri, data)
    if media_type is None:
        extension = PurePosixPath(uri).suffix
        raise UnknownTypeError(f"no parser for {extension or 'such'} files")
    return Source(uri, media_type, len(data), hashlib.sha256(data).hexdigest())
