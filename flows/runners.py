"""How the steps of the DAG are run: the interface, and the local runner.

The DAG (:mod:`flows.dag`) is written once over :class:`Runner`. The local runner calls each step in
turn (a batch is parallel inside, in its parsing processes); the Prefect runner, in
:mod:`flows.prefect_engine`, makes each step a task run. Handles passed as arguments are the edges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol


class Handle(Protocol):
    """The promise of a step's result."""

    def result(self) -> Any:
        """Return the step's result, or raise what it raised."""
        ...


class Runner(Protocol):
    """Runs steps, in an order that respects the handles among their arguments."""

    name: str

    def submit(self, name: str, detail: str, step: Callable[..., Any], *args: Any) -> Handle:
        """Start a step.

        Args:
            name: What the step is, the same for all steps of a kind (``process``).
            detail: What this one works on, for people (``batch 2 of 7, 100 documents``).
            step: A function of the tasks layer.
            args: Its arguments; a handle, or a list of handles, stands for its result.
        """
        ...


@dataclass(frozen=True, slots=True)
class Done:
    """A handle whose step has already run."""

    value: Any

    def result(self) -> Any:
        """Return the value."""
        return self.value


class LocalRunner:
    """Runs every step at once, in this process."""

    name = "local"

    def submit(self, name: str, detail: str, step: Callable[..., Any], *args: Any) -> Handle:
        """Run the step now; an error leaves here, so that nothing after it starts."""
        return Done(step(*(_resolved(a) for a in args)))


def _resolved(argument: Any) -> Any:
    if isinstance(argument, Done):
        return argument.result()
    if isinstance(argument, list):
        return [_resolved(a) for a in argument]
    return argument
