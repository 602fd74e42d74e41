"""Parents' vectors from their cells': token-weighted means of unit length."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def cell_weights(n_tokens: NDArray[np.integer[Any]]) -> NDArray[np.float32]:
    """Return the weight of each cell in its parents: its tokens, at least one."""
    return np.asarray(np.maximum(n_tokens, 1), np.float32)


def unit_rows(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the rows at length 1; a row of zeros stays what it is."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(norms > 0, norms, 1), np.float32)


def compose(
    cells: NDArray[np.float32],
    n_tokens: NDArray[np.int64],
    first: NDArray[np.int64],
    end: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Return the vectors of runs of cells, shape (runs, dim).

    Args:
        cells: Unit vectors of the cells, shape (cells, dim).
        n_tokens: Tokens of each cell, shape (cells,).
        first: First cell of each run, shape (runs,).
        end: After the last cell of each run, shape (runs,); every run has a cell.

    Returns:
        ``sum(w_i * cell_i)`` over the run, L2-normalised, with ``w_i = max(n_tokens_i, 1)``.
    """
    weighted = cells * cell_weights(n_tokens)[:, None]
    runs = np.empty((len(first), cells.shape[1]), np.float32)
    for at, (a, b) in enumerate(zip(first.tolist(), end.tolist(), strict=True)):
        runs[at] = weighted[a:b].sum(axis=0)
    return unit_rows(runs)
