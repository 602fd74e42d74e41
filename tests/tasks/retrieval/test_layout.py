from __future__ import annotations

import numpy as np

from tasks.retrieval.corpus import LAYOUT_VERSION, ChunkColumns, build_corpus

NAMES = {
    1: "context_tokens doc doc_ids ends fingerprints level0.chunk_ids level0.first level0.norms "
    "n_tokens postings.* starts unit_end unit_first vectors"
}
"""Names of the stored arrays by version of the layout."""


def test_other_arrays_have_another_layout_version() -> None:
    columns = ChunkColumns(
        chunk_id=["c" * 64],
        doc_id=["d" * 64],
        level=[0],
        start=[0],
        end=[5],
        cell_start=[0],
        cell_end=[1],
        n_tokens=[1],
        fingerprint=["f" * 64],
        text=["words"],
        context_tokens=[0],
        locators=[()],
    )
    arrays = build_corpus(columns, np.ones((1, 1), np.float32)).to_arrays()
    names = {"postings.*" if n.startswith("postings.") else n for n in arrays}
    assert sorted(names) == sorted(NAMES[LAYOUT_VERSION].split())
