"""Read a file or URL through fsspec, and identify it."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath

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


def read_bytes(uri: str, max_bytes: int) -> bytes:
    """Return the bytes at ``uri``.

    Raises:
        UnreadableFileError: It cannot be opened or read.
        FileTooLargeError: It holds more than ``max_bytes``.
    """
    try:
        with fsspec.open(uri, "rb") as file:
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
