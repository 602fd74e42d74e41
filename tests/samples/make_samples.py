"""Make the sample documents: ``python -m tests.samples.make_samples [FOLDER]``, from the root.

Texts come from ``sources/``; ``handbook.md`` is written by hand. Without FOLDER the committed files
are replaced. The same libraries give the same bytes.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import yaml

from tests.samples.make_deck import write_deck
from tests.samples.make_law import write_laws
from tests.samples.make_pdfs import write_prices, write_report, write_scan

HERE = Path(__file__).resolve().parent


def make(folder: Path) -> None:
    """Write every sample into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    write_report(_source("report"), folder / "two_column_report.pdf")
    write_prices(_source("prices"), folder / "price_tables.pdf")
    write_scan(_source("letter"), folder / "scanned_letter.pdf")
    write_deck(_source("deck"), folder / "onboarding_deck.pptx")
    write_laws(_source("law"), folder)
    if folder != HERE:
        shutil.copyfile(HERE / "handbook.md", folder / "handbook.md")
    handbook = (folder / "handbook.md").read_text(encoding="utf-8")
    lines = [
        json.dumps(_question(entry, handbook), ensure_ascii=False) for entry in _source("questions")
    ]
    (folder / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _source(name: str) -> Any:
    return yaml.safe_load((HERE / "sources" / f"{name}.yaml").read_text(encoding="utf-8"))


def _question(entry: dict[str, Any], handbook: str) -> dict[str, Any]:
    """Return a line of ``questions.jsonl``: quotes from the handbook become offsets."""
    gold = []
    for place in entry["gold"]:
        found = {"uri": place["uri"]}
        if "locator" in place:
            found["locator"] = place["locator"]
        else:
            if handbook.count(place["quote"]) != 1:
                raise ValueError(f"not once in the handbook: {place['quote']!r}")
            start = handbook.index(place["quote"])
            found |= {"start": start, "end": start + len(place["quote"])}
        gold.append({**found, "quote": place["quote"]})
    return {**entry, "gold": gold}


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
