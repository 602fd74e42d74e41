"""Cuts: where the chunks of every level begin and end. Offsets only, never text.

A strategy is one module and one line of ``_STRATEGIES``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from configs.settings import SlicingSettings
from microtome import MicrotomeError
from parsers.model import Document
from tasks.slicing import grid, snapped, structure
from tasks.slicing.tokens import TokenGrid

_Cut = Callable[[Document, SlicingSettings, TokenGrid], tuple[NDArray[np.int64], ...]]

_STRATEGIES: Mapping[str, tuple[int, _Cut]] = MappingProxyType(
    {
        "grid": (grid.VERSION, grid.cut_grid),
        "snapped": (snapped.VERSION, snapped.cut_snapped),
        "structure": (structure.VERSION, structure.cut_structure),
    }
)

STRATEGY_VERSIONS: Mapping[str, int] = MappingProxyType(
    {name: version for name, (version, _) in _STRATEGIES.items()}
)
"""Version of each strategy: another version is another recipe."""


class CutsError(MicrotomeError, ValueError):
    """Cuts that are not laminar, or that do not fit their text."""


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """Cut offsets of every level; any two chunks made from them are nested or disjoint.

    Attributes:
        levels: Level 0 (cells, the finest) first. Each is strictly ascending from 0 to the length
            of the text, and every level's cuts are among those of the next finer one. An empty
            text has the one cut 0 at every level.

    Raises:
        CutsError: The levels are not like that.
    """

    levels: tuple[NDArray[np.int64], ...]

    def __post_init__(self) -> None:
        """Check what containment rests on."""
        if not self.levels:
            raise CutsError("cuts need one level at least")
        for level, offsets in enumerate(self.levels):
            if offsets.ndim != 1 or not len(offsets) or offsets[0] != 0:
                raise CutsError(f"cuts of level {level} must begin at 0")
            if bool(np.any(offsets[1:] <= offsets[:-1])):
                raise CutsError(f"cuts of level {level} must ascend")
        for level, (finer, coarser) in enumerate(itertools.pairwise(self.levels)):
            if finer[-1] != coarser[-1]:
                raise CutsError(f"levels {level} and {level + 1} end at {finer[-1]}, {coarser[-1]}")
            if not bool(np.all(np.isin(coarser, finer, assume_unique=True))):
                raise CutsError(f"a cut of level {level + 1} is none of level {level}")

    @property
    def text_length(self) -> int:
        """Length of the text that is cut, in code points."""
        return int(self.levels[0][-1])


def cut(document: Document, settings: SlicingSettings, tokens: TokenGrid) -> Cuts:
    """Cut ``document`` by the strategy of ``settings``.

    Raises:
        CutsError: ``tokens`` are those of another text.
    """
    if tokens.text_length != len(document.text):
        raise CutsError(
            f"{document.source.uri}: token grid of a text of {tokens.text_length} code points, "
            f"document of {len(document.text)}"
        )
    _, strategy = _STRATEGIES[settings.strategy]
    return Cuts(strategy(document, settings, tokens))
