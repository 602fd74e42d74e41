"""Reading order on made pages in columns: Kendall's tau by kind of page, beside plain PyMuPDF.

    python benchmarks/reading_order.py [--documents 10] [--seed 0] [--kind NAME] [--worst N]

The pages come from column_pages.py. A page's tau compares the places of its sentences in the text
with the order they were set in; a sentence that is not in the text counts as in the wrong order
with every other. "Whole" is the share of sentences that stand in one piece, line breaks and
hyphens apart.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import pymupdf as _untyped

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.column_pages import MadeDocument, make_document
from benchmarks.page_canvas import HEBREW
from benchmarks.page_kinds import KINDS
from configs.settings import ParsingSettings
from parsers.model import Source
from parsers.pdf import parser

pymupdf: Any = _untyped  # it has no annotations
_SETTINGS = ParsingSettings(ocr=False)
_GLUE = re.compile(r"[\s\-]+")
Reader = Callable[[bytes], str]


@dataclass(frozen=True, slots=True)
class Score:
    """What a reader made of a document.

    Attributes:
        taus: Kendall's tau of each page, -1 to 1.
        whole: Share of sentences that stand in one piece.
        missing: Sentences whose first word is not in the text.
        doubled: Sentences whose first word is there more than once.
        furniture: Headers and footers that are in the text.
    """

    taus: tuple[float, ...]
    whole: float
    missing: int
    doubled: int
    furniture: int


def microtome(data: bytes) -> str:
    """Return the text of the document as microtome reads it."""
    source = Source("/made.pdf", "application/pdf", len(data), hashlib.sha256(data).hexdigest())
    return parser.parse(data, source, _SETTINGS).text


def plain(data: bytes) -> str:
    """Return PyMuPDF's text in the order of the file."""
    with pymupdf.open(stream=data) as document:
        return "\n".join(page.get_text("text") for page in document)


def by_rows(data: bytes) -> str:
    """Return PyMuPDF's text sorted from top to bottom."""
    with pymupdf.open(stream=data) as document:
        return "\n".join(page.get_text("text", sort=True) for page in document)


READERS: dict[str, Reader] = {
    "microtome": microtome,
    "PyMuPDF": plain,
    "PyMuPDF, sorted": by_rows,
}
"""Who is compared."""


def score(made: MadeDocument, text: str) -> Score:
    """Compare a text with what is known of the document it was read from."""
    folded = text.casefold()
    squeezed = _GLUE.sub("", folded)
    rtl = "right to left" in made.kind

    def shown(words: str) -> str:
        return words.casefold().translate(HEBREW) if rtl else words.casefold()

    markers = [m for page in made.order for m in page]
    places = {m: folded.find(shown(m)) for m in markers}
    counts = [len(re.findall(rf"\b{shown(m)}\b", folded)) for m in markers]
    return Score(
        tuple(tau([places[m] for m in page]) for page in made.order),
        fmean(_GLUE.sub("", shown(s)) in squeezed for s in made.sentences.values()),
        sum(place < 0 for place in places.values()),
        sum(count > 1 for count in counts),
        sum(s in folded for s in made.absent),
    )


def tau(places: Sequence[int]) -> float:
    """Return Kendall's tau of places that should ascend; a negative one is a missing sentence."""
    pairs = disordered = 0
    for i, place in enumerate(places):
        for other in places[i + 1 :]:
            pairs += 1
            disordered += place < 0 or other < 0 or other < place
    return 1.0 - 2.0 * disordered / pairs if pairs else 1.0


def main() -> None:
    """Print a table of kinds by readers."""
    parsed = argparse.ArgumentParser(description=__doc__)
    parsed.add_argument("--documents", type=int, default=10, help="of each kind, of 3 pages")
    parsed.add_argument("--seed", type=int, default=0)
    parsed.add_argument("--kind", action="append", choices=sorted(KINDS))
    parsed.add_argument("--worst", type=int, default=0, help="name so many of the worst pages")
    given = parsed.parse_args()
    scores: dict[tuple[str, str], list[Score]] = defaultdict(list)
    worst: list[tuple[float, str, int, int]] = []
    for kind in given.kind or KINDS:
        for seed in range(given.seed, given.seed + given.documents):
            made = make_document(kind, seed)
            for name, read in READERS.items():
                one = score(made, read(made.data))
                scores[kind, name].append(one)
                if name == "microtome":
                    worst += [(t, kind, seed, n) for n, t in enumerate(one.taus, 1)]
        print(_row(kind, [scores[kind, name] for name in READERS]), flush=True)
    print(
        _row(
            "all",
            [
                [s for (_, n), found in scores.items() if n == name for s in found]
                for name in READERS
            ],
        )
    )
    for value, kind, seed, number in sorted(worst)[: given.worst]:
        print(f"{value:.4f} {kind}, seed {seed}, page {number}")


def _row(kind: str, readers: Sequence[Sequence[Score]]) -> str:
    cells = [kind, str(sum(len(s.taus) for s in readers[0]))]
    ours = readers[0]
    taus = [t for s in ours for t in s.taus]
    lost = [
        sum(counts)
        for counts in zip(*((s.missing, s.doubled, s.furniture) for s in ours), strict=True)
    ]
    cells += [f"{fmean(taus):.4f}", f"{min(taus):.3f}", f"{fmean(s.whole for s in ours):.4f}"]
    cells.append(" / ".join(map(str, lost)))
    for other in readers[1:]:
        cells += [
            f"{fmean(t for s in other for t in s.taus):.3f}",
            f"{fmean(s.whole for s in other):.3f}",
        ]
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()
