"""Recognise pages side by side: Tesseract is a process of its own, so threads suffice to feed it.

All documents of a machine share as many slots as there are cores, whoever parses them: one long
scan uses every core while nothing else does. A slot is a lock of the kernel, so it dies with a
killed process. Each document draws one page ahead, so that no slot waits for a drawing: no more
pages are in memory than slots and one for each document.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from filelock import FileLock, Timeout

from configs.settings import ParsingSettings
from parsers.ocr.page import OcrPage

if TYPE_CHECKING:
    from PIL import Image

    from parsers.ocr.engine import OcrTimeoutError

Draw = Callable[[], tuple["Image.Image", float]]
"""Returns a page as an image, and its points per pixel."""

_DOCUMENT_SHARE = 0.8
"""Share of a document's time after which no page's OCR is begun: what was read by then is kept,
where the kill at the end of it would cost the whole document (a guess)."""
_POLL_S = 0.02


class PageRecogniser:
    """Recognises the pages of one document, several at a time. A context manager.

    Args:
        settings: ``ocr_workers`` pages at a time on the whole machine, ``ocr_timeout_s`` seconds
            each, and none begun when most of ``timeout_s`` is over.
    """

    def __init__(self, settings: ParsingSettings) -> None:
        self._settings = settings
        self._slots = _Slots(settings.ocr_workers or os.cpu_count() or 1)
        self._until = time.monotonic() + _DOCUMENT_SHARE * settings.timeout_s
        self._threads: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        """Return the recogniser; threads start with the first page."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wait for the pages that are being read."""
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=kind is not None)

    def submit(self, draw: Draw, languages: Sequence[str] = ()) -> Future[OcrPage]:
        """Draw a page, and start its OCR as soon as a slot is free.

        The page is drawn in the caller's thread, since MuPDF and Pillow share a document's state.

        Args:
            draw: Called once.
            languages: Tesseract codes in place of the settings'.

        Raises:
            OcrTimeoutError: Most of the document's time is over.
            Exception: Whatever ``draw`` raises.
        """
        from parsers.ocr.engine import recognise

        if time.monotonic() >= self._until:
            raise _no_time(self._settings)
        image, points_per_pixel = draw()
        slot = self._slots.take(self._until)
        if slot is None:
            raise _no_time(self._settings)
        try:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self._slots.count, "ocr")
            future = self._threads.submit(
                recognise, image, self._settings,
                points_per_pixel=points_per_pixel, languages=languages,
            )  # fmt: skip
        except BaseException:
            slot.release()
            raise
        future.add_done_callback(lambda _: slot.release())
        return future


def _no_time(settings: ParsingSettings) -> OcrTimeoutError:
    from parsers.ocr.engine import OcrTimeoutError

    return OcrTimeoutError(
        f"no time was left for OCR: {_DOCUMENT_SHARE:.0%} of the document's "
        f"{settings.timeout_s:g} s were over",
        "Raise parsing.timeout_s, lower parsing.ocr_dpi, or split the file.",
    )


class _Slot:
    def __init__(self, lock: FileLock | None, own: threading.Semaphore) -> None:
        self._lock = lock
        self._own = own

    def release(self) -> None:
        if self._lock is not None:
            self._lock.release()
        self._own.release()


class _Slots:
    """A number of places, shared by the processes of this user on this machine."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._own = threading.Semaphore(count)
        self._folder = Path(tempfile.gettempdir()) / f"microtome-ocr-{_user()}"

    def take(self, until: float) -> _Slot | None:
        """Return a place, None when the time ``until`` (monotonic, seconds) comes first."""
        if not self._own.acquire(timeout=max(0.0, until - time.monotonic())):
            return None
        while time.monotonic() < until:
            slot = self._free()
            if slot is not None:
                return slot
            time.sleep(_POLL_S)
        self._own.release()
        return None

    def _free(self) -> _Slot | None:
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            for number in range(self.count):
                lock = FileLock(self._folder / f"{number}.lock", thread_local=False)
                try:
                    lock.acquire(timeout=0)
                except Timeout:
                    continue
                return _Slot(lock, self._own)
        except OSError:  # no folder to share: this document's own places must do
            return _Slot(None, self._own)
        return None


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0
