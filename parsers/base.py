"""The contract of a parser, and the errors a parser may raise.

A parser is a module with three names: ``NAME``, ``VERSION`` (raise it when the same bytes give
another document) and ``parse(data, source, settings) -> Document``. It reads bytes, never the
network, and prints nothing. Bytes it cannot read raise a :class:`ParserError`; a part it cannot
read becomes a ``Failure`` in the document while the rest stands.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from configs.settings import ParsingSettings
from microtome import MicrotomeError
from parsers.model import Document, Failure, Source


@runtime_checkable
class Parser(Protocol):
    """What a parser module offers."""

    NAME: str
    VERSION: int

    def parse(self, data: bytes, source: Source, settings: ParsingSettings) -> Document:
        """Return the document in ``data``; raise :class:`ParserError` when there is none."""
        ...


class ParserError(MicrotomeError):
    """A file, or a part of it, that cannot be read.

    Attributes:
        remedy: What the reader can do about it.
        page: 1-based page, None when the whole file is meant.
        transient: The same bytes may be read later (a missing tool, a timeout).
    """

    exit_code = 65  # EX_DATAERR of sysexits.h
    transient = False
    default_remedy = "Open the file in its own program, repair or re-export it, and ingest again."

    def __init__(self, message: str, remedy: str = "", page: int | None = None) -> None:
        """Keep every argument, so that the error crosses a process boundary whole."""
        super().__init__(message, remedy, page)
        self.message = message
        self.remedy = remedy or self.default_remedy
        self.page = page

    def __str__(self) -> str:
        """Return the message alone."""
        return self.message

    def as_failure(self, source_uri: str, stage: str = "parse") -> Failure:
        """Return the row for the failures table."""
        return Failure(
            source_uri, stage, self.page, type(self).__name__, self.message, self.remedy,
            self.transient,
        )  # fmt: skip


class DamagedFileError(ParserError):
    """The bytes are not what the format demands."""


class EmptyFileError(ParserError):
    """The file has no bytes."""

    default_remedy = "The file is 0 bytes long: copy it again from where it came from."


class EncryptedFileError(ParserError):
    """The file needs a password that the settings do not hold."""

    default_remedy = (
        "Add the password to parsing.passwords in the settings file (or "
        "MICROTOME_PARSING__PASSWORDS), or store an unprotected copy."
    )


class UnsupportedFormatError(ParserError):
    """A known format that microtome does not read."""

    default_remedy = "Convert the file to a format microtome reads and ingest that."


class MissingToolError(ParserError):
    """An external program or its language data is missing; installing it cures the file."""

    transient = True
    default_remedy = "Install the missing program (`microtome doctor` names it) and ingest again."


class ParseTimeoutError(ParserError):
    """Parsing took longer than parsing.timeout_s and was stopped."""

    transient = True
    default_remedy = "Raise parsing.timeout_s, or split the file."


class ParserCrashError(ParserError):
    """The process that parsed the file died (native code, memory)."""

    transient = True
    default_remedy = "Re-export the file; if it is sound, report it with the file's SHA-256."
