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
from tasks.slicing import baselines, grid, semantic, snapped, structure
from tasks.slicing.semantic import Embed
from tasks.slicing.tokens import TokenGrid

_Cut = Callable[[Document, SlicingSettings, TokenGrid], tuple[NDArray[np.int64], ...]]
_CutByMeaning = Callable[
    [Document, SlicingSettings, TokenGrid, Embed], tuple[NDArray[np.int64], ...]
]

_STRATEGIES: Mapping[str, tuple[int, _Cut]] = MappingProxyType(
    {
        "grid": (grid.VERSION, grid.cut_grid),
        "snapped": (snapped.VERSION, snapped.cut_snapped),
        "structure": (structure.VERSION, structure.cut_structure),
        "sentences": (baselines.VERSION, baselines.cut_sentences),
        "sentence_window": (baselines.VERSION, baselines.cut_sentence_window),
        "hierarchical": (baselines.VERSION, baselines.cut_hierarchical),
        "recursive": (baselines.VERSION, baselines.cut_recursive),
    }
)
_BY_MEANING: Mapping[str, tuple[int, _CutByMeaning]] = MappingProxyType(
    {"semantic": (semantic.VERSION, semantic.cut_semantic)}
)
"""Strategies that look at vectors of sentences."""

STRATEGY_VERSIONS: Mapping[str, int] = MappingProxyType(
    {name: version for name, (version, _) in (*_STRATEGIES.items(), *_BY_MEANING.items())}
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


def cut(
    document: Document, settings: SlicingSettings, tokens: TokenGrid, embed: Embed | None = None
) -> Cuts:
    """Cut ``document`` by the strategy of ``settings``.

    Args:
        document: The document.
        settings: Strategy and sizes.
        tokens: Its tokens.
        embed: Gives vectors of sentences; asked only by strategies that cut by meaning.

    Raises:
        CutsError: ``tokens`` are those of another text, or the strategy needs ``embed``.
    """
    if tokens.text_length != len(document.text):
        raise CutsError(
            f"{document.source.uri}: token grid of a text of {tokens.text_length} code points, "
            f"document of {len(document.text)}"
        )
    if settings.strategy in _STRATEGIES:
        return Cuts(_STRATEGIES[settings.strategy][1](document, settings, tokens))
    if embed is None:
        raise CutsError(f"{document.source.uri}: {settings.strategy} cuts by meaning: no encoder")
    return Cuts(_BY_MEANING[settings.strategy][1](document, settings, tokens, embed))
