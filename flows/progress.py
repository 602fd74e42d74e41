"""Progress in the terminal: one bar over documents, on standard error, nothing when piped."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


class ProgressReport(Protocol):
    """What the DAG tells while it runs."""

    def total(self, documents: int) -> None:
        """Say how many documents will be processed."""
        ...

    def document(self, uri: str, outcome: str) -> None:
        """Say that one document is done (``ok`` or ``failed``)."""
        ...

    def stage(self, name: str) -> None:
        """Say which stage begins."""
        ...


class TerminalProgress:
    """A rich progress bar; use it as a context manager. Silent when stderr is no terminal."""

    def __init__(self, quiet: bool = False) -> None:
        console = Console(stderr=True)
        self._bars = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=quiet or not console.is_terminal,
            transient=True,
        )
        self._task = self._bars.add_task("looking for documents", total=None)
        self._failed = 0

    def __enter__(self) -> Self:
        """Show the bar."""
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the bar."""
        self._bars.stop()

    def total(self, documents: int) -> None:
        """Set the bar's length."""
        self._bars.update(self._task, total=documents)

    def document(self, uri: str, outcome: str) -> None:
        """Move the bar by one document."""
        self._failed += outcome == "failed"
        failed = f" ({self._failed} failed)" if self._failed else ""
        name = uri.rsplit("/", 1)[-1][:40]
        self._bars.update(self._task, description=f"{name}{failed}", advance=1)

    def stage(self, name: str) -> None:
        """Name the stage beside the bar."""
        self._bars.update(self._task, description=name)
