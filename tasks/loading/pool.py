"""Parse documents in child processes that can be killed.

MuPDF, Tesseract and other native code may crash or hang; that must cost one document, not the run.
Children are spawned, never forked (LanceDB's runtime does not survive a fork), work one document at
a time under a time limit, and keep their hands off the parent's standard output.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from configs.settings import ParsingSettings
from parsers.base import ParserCrashError, ParserError, ParseTimeoutError
from parsers.model import Document, Failure
from parsers.registry import parser_for
from tasks.enrichment.pictures import SlidePicture, flagged_pictures
from tasks.loading.files import identify, read_bytes

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of one file: a document, or the failure that says why not.

    Attributes:
        uri: The file.
        document: None when it could not be read.
        failure: None when it could.
        pictures: Those that the document asks to have described, where they were wanted.
    """

    uri: str
    document: Document | None
    failure: Failure | None
    pictures: tuple[SlidePicture, ...] = ()


def load(uri: str, settings: ParsingSettings, max_bytes: int, pictures: bool = False) -> Loaded:
    """Read and parse one file in this process; every error becomes a failure.

    Args:
        uri: The file.
        settings: Parsing settings.
        max_bytes: A larger file is a failure.
        pictures: Also return the pictures to be described.
    """
    try:
        data = read_bytes(uri, max_bytes)
        source = identify(uri, data)
        document = parser_for(source.media_type, data, uri).parse(data, source, settings)
        wanted = flagged_pictures(document, data, settings) if pictures else ()
    except ParserError as error:
        return Loaded(uri, None, error.as_failure(uri))
    except MemoryError:
        return Loaded(
            uri, None, ParserCrashError(f"{uri} needs more memory than there is").as_failure(uri)
        )
    except Exception as error:  # a parser's bug must cost one document, and be seen
        return Loaded(
            uri,
            None,
            Failure(
                uri, "parse", None, type(error).__name__, f"unexpected error: {error}",
                "Report it with the file's SHA-256; the other documents are not affected.",
            ),
        )  # fmt: skip
    return Loaded(uri, document, None, wanted)


def _die_with_parent() -> None:
    """Have the kernel kill this process when its parent is gone (Linux).

    A child that hangs in native code never notices that the pipe to its parent is closed: after a
    ``kill -9`` of the run it would burn a core for ever.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def quiet_child() -> None:
    """Point a child's standard output at its standard error: only our JSON goes to stdout."""
    _die_with_parent()
    os.dup2(sys.stderr.fileno(), 1)
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")  # Tesseract: one thread a process


class LoaderPool:
    """A pool of parsing processes; use it as a context manager.

    Args:
        settings: Parsing settings; ``workers`` 0 means one process per core.
        max_bytes: Largest file that is read.
        pictures: Also return the pictures that documents ask to have described.
    """

    def __init__(self, settings: ParsingSettings, max_bytes: int, pictures: bool = False) -> None:
        self._settings = settings
        self._max_bytes = max_bytes
        self._pictures = pictures
        self._pool: Any = None

    def __enter__(self) -> Self:
        """Return the pool; processes start with the first document."""
        from pebble import ProcessPool

        self._pool = ProcessPool(
            max_workers=self._settings.workers or os.cpu_count() or 1,
            context=multiprocessing.get_context("spawn"),
            initializer=quiet_child,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the processes: at once after an error, else when they are idle."""
        if kind is None:
            self._pool.close()
        else:
            self._pool.stop()
        self._pool.join()

    def load_all(self, uris: Sequence[str]) -> Iterator[Loaded]:
        """Yield every file's outcome, in the order given, as soon as its turn is ready."""
        timeout = self._settings.timeout_s
        futures = [
            self._pool.schedule(
                load, args=(uri, self._settings, self._max_bytes, self._pictures), timeout=timeout
            )
            for uri in uris
        ]
        for uri, future in zip(uris, futures, strict=True):
            yield self._outcome(uri, future)

    def _outcome(self, uri: str, future: Any) -> Loaded:
        from pebble import ProcessExpired

        try:
            loaded: Loaded = future.result()
            return loaded
        except FutureTimeout:
            error: ParserError = ParseTimeoutError(
                f"{uri} was stopped after {self._settings.timeout_s:g} s"
            )
        except ProcessExpired as expired:
            error = ParserCrashError(
                f"the process that parsed {uri} died (exit code {expired.exitcode})"
            )
        return Loaded(uri, None, error.as_failure(uri))
