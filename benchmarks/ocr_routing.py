"""OCR routing on generated pages of known kinds: share of right decisions and confusion matrix.

    python benchmarks/ocr_routing.py [--seeds 12] [--wrong FOLDER]

The decision only: no page is recognised, and Tesseract is not needed. ``--wrong`` saves the pages
that were judged wrongly as PDFs, to be looked at.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.routing_kinds import KINDS, make
from configs.settings import ParsingSettings
from parsers.ocr.routing import OcrDecision, route_page
from parsers.pdf.ocr_evidence import page_stats
from parsers.pdf.text_layer import read_page

SETTINGS = ParsingSettings()


def decide(kind: str, seed: int) -> OcrDecision:
    """Return what routing says of a generated page."""
    page = make(kind, seed)[0]
    return route_page(page_stats(page, read_page(page, 1), SETTINGS), SETTINGS)


def main() -> None:
    """Print the table of kinds and the confusion matrix as Markdown."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seeds", type=int, default=12)
    arguments.add_argument("--wrong", type=Path)
    options = arguments.parse_args()
    began = time.process_time()
    matrix: Counter[tuple[bool, bool]] = Counter()
    print("| kind | needs OCR | pages | right | reasons |\n|---|---|---|---|---|")
    for kind, (_, needed) in KINDS.items():
        decisions = [decide(kind, seed) for seed in range(options.seeds)]
        matrix.update((needed, decision.needed) for decision in decisions)
        right = sum(decision.needed == needed for decision in decisions)
        reasons = Counter(decision.reason for decision in decisions)
        listed = ", ".join(f"{reason} {n}" for reason, n in reasons.most_common())
        print(f"| {kind} | {'yes' if needed else 'no'} | {len(decisions)} | {right} | {listed} |")
        for seed, decision in enumerate(decisions):
            if options.wrong and decision.needed != needed:
                options.wrong.mkdir(parents=True, exist_ok=True)
                make(kind, seed).save(options.wrong / f"{kind.replace(' ', '_')}_{seed}.pdf")
    total = matrix.total()
    right = matrix[True, True] + matrix[False, False]
    print(f"\n{right} of {total} right ({right / total:.4f}).\n")
    print("| | sent to OCR | not sent |\n|---|---|---|")
    for needed in (True, False):
        name = "needs OCR" if needed else "does not"
        print(f"| {name} | {matrix[needed, True]} | {matrix[needed, False]} |")
    print(f"\n{time.process_time() - began:.0f} s CPU, making the pages included.")


if __name__ == "__main__":
    main()
