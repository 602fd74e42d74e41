"""Cuts that may change only together with the version of their strategy.

After raising a VERSION, write the new file from the failing test's ``got`` and keep the old one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import ValidationError

from configs.settings import SlicingSettings
from parsers.model import BlockKind, Document
from tasks.slicing.chunks import slice_document
from tasks.slicing.cuts import STRATEGY_VERSIONS
from tasks.slicing.tokens import Tokenize

Make = Callable[..., Document]
GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "slicing"


def law(make: Make) -> Document:
    blocks: list[tuple[BlockKind, str, dict[str, object]]] = [
        (BlockKind.TITLE, "Regulation on records", {"level": 1}),
        (
            BlockKind.RECITAL,
            "(1) Records help. They are kept by controllers.",
            {"locator": "rct_1"},
        ),
    ]
    for n in range(1, 5):
        title = f"Article {n}"
        blocks.append((BlockKind.ARTICLE, f"{title}\nDuties of kind {n}", {"locator": f"art_{n}"}))
        text = (
            "1. The controller keeps a record, cf. Art. 30. It names purposes, e.g. payroll. " * n
        )
        at = f"art_{n}/par_1"
        blocks.append((BlockKind.LAW_PARAGRAPH, text, {"locator": at, "context": (title,)}))
        for letter in "abc":
            blocks.append(
                (
                    BlockKind.POINT,
                    f"({letter}) the purpose {letter} of processing;",
                    {"locator": f"{at}/pnt_{letter}", "context": (title, "The record names:")},
                )
            )
    return make(*blocks, doc_type="law", uri="file:///law")


def prose(make: Make) -> Document:
    text = (
        "Dr. Silva spoke at 9 a.m. on the topic. Nobody left! 👩‍👩‍👧‍👦 stayed, "
        + "and so on, " * 30
    )
    return make(
        (BlockKind.HEADING, "Report", {"level": 1, "page": 1}),
        (BlockKind.PARAGRAPH, text, {"page": 1}),
        (BlockKind.HEADING, "Figures", {"level": 2, "page": 2}),
        (BlockKind.CAPTION, "Table 1. Revenue", {"page": 2}),
        *((BlockKind.TABLE_ROW, f"Year: {y}, Revenue: {y}.", {"page": 2}) for y in range(9)),
        (BlockKind.PARAGRAPH, "个人数据应当合法处理。" * 12, {"page": 3}),
        uri="file:///prose",
    )


def by_length(texts: Sequence[str]) -> NDArray[np.float32]:
    """Vectors that turn with the lengths of the texts."""
    turned = np.array([len(text) % 7 for text in texts])
    return np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)


@pytest.mark.parametrize("strategy", sorted(STRATEGY_VERSIONS))
def test_the_same_version_gives_the_same_cuts(
    strategy: str, make: Make, tokenize: Tokenize
) -> None:
    try:
        settings = SlicingSettings.model_validate({"strategy": strategy, "sizes": (16, 32, 64)})
    except ValidationError:  # a strategy of one size
        settings = SlicingSettings.model_validate({"strategy": strategy, "sizes": (16,)})
    got = {}
    for name, document in (("law", law(make)), ("prose", prose(make))):
        chunks = slice_document(document, settings, tokenize, by_length)
        got[name] = {
            "cuts": [[c.start for c in chunks if c.level == n] for n in range(len(settings.sizes))],
            "cells": [c.text for c in chunks if c.level == 0],
            "chunks": hashlib.sha256(repr(chunks).encode()).hexdigest(),
        }
    path = GOLDEN / f"{strategy}_v{STRATEGY_VERSIONS[strategy]}.json"
    assert path.is_file(), f"no golden file {path.name}: {json.dumps(got, ensure_ascii=False)}"
    assert got == json.loads(path.read_text("utf-8"))
