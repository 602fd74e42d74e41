"""What can go wrong in a store. Each error says what, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from microtome import MicrotomeError, TransientError


class StorageError(MicrotomeError):
    """A store that cannot be read or written.

    Attributes:
        message: What happened, and where.
        remedy: What the reader can do about it.
    """

    default_remedy = "Run `microtome verify`; `microtome rebuild` makes the index again from parts."

    def __init__(self, message: str, remedy: str = "") -> None:
        """Keep every argument, so that the error crosses a process boundary whole."""
        super().__init__(message, remedy)
        self.message = message
        self.remedy = remedy or self.default_remedy

    def __str__(self) -> str:
        """Return what happened, then what to do."""
        return f"{self.message} {self.remedy}"


class NothingPublishedError(StorageError):
    """The store has no published version."""

    default_remedy = "Run `microtome ingest SOURCE… --store DIR` first."


class PartDamagedError(StorageError):
    """A staged part is incomplete or its bytes are not those that were written."""

    default_remedy = (
        "Run `microtome rebuild`, then ingest again: the part is made anew from its source."
    )


class EncoderMismatchError(StorageError):
    """The index holds vectors of another encoder than the one in use."""

    default_remedy = (
        "Use the index's encoder, re-embed the store with `microtome backfill`, or name another "
        "--store."
    )


class IndexMismatchError(StorageError):
    """Index and catalog disagree; nothing was published."""

    default_remedy = "Run `microtome rebuild`: it makes the index again from the parts."


class CatalogBusyError(StorageError, TransientError):
    """Another process kept the catalog locked for too long."""

    default_remedy = "Try again when the other run has ended."


class LeaseBusyError(StorageError, TransientError):
    """Another process is committing to the store."""

    default_remedy = "Try again when it has ended, or raise run.lease_s."


@contextmanager
def storage_errors(what: str, remedy: str = "") -> Iterator[None]:
    """Turn errors of the file system and of Lance into :class:`StorageError` about ``what``."""
    try:
        yield
    except StorageError:
        raise
    except (OSError, RuntimeError, ValueError) as error:
        cure = remedy or (
            "Free some space and check the permissions, then run the same command again: "
            "what was not finished is done anew."
            if isinstance(error, OSError)
            else ""
        )
        raise StorageError(f"{what}: {error}.", cure) from error
