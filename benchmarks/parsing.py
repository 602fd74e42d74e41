"""Speed of parsing born-digital PDFs, and the facts of a corpus that each reader holds.

    python benchmarks/parsing.py [--quick] [--part speed|facts] [--runs 3]
        [--rival pymupdf4llm=PYTHON] [--rival markitdown=PYTHON] [--rival kreuzberg=PYTHON]
        [--rival pymupdf2=PYTHON] [--tools 'pymupdf;kreuzberg']

A rival is the Python of an environment that holds it; one that is not given is reported absent:

    python -m venv /tmp/r1 && /tmp/r1/bin/pip install pymupdf4llm pymupdf    # 2.0: layout, OCR
    python -m venv /tmp/r2 && /tmp/r2/bin/pip install 'markitdown[all]'
    python -m venv /tmp/r3 && /tmp/r3/bin/pip install kreuzberg
    python -m venv /tmp/r4 && /tmp/r4/bin/pip install . 'pymupdf==2.0'       # pymupdf2: microtome

Speed is CPU time (threads and children included) of one process after a warm-up, imports left out,
tools in turn within each run; ratios are to plain PyMuPDF text extraction in the same run. A PDF is
born digital when every page has words and either 50 of them or no image. Facts come from the
corpus's own checker, one file at a time: half an hour on two cores, so ``--tools`` measures some
again and the rest keeps its figures in ``--results``. The table goes into ``parsing.md``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pymupdf as _untyped

pymupdf: Any = _untyped
HERE = Path(__file__).resolve().parent
RIVALS = HERE / "parsing_rivals.py"
LIMIT = "pymupdf"
MARK = "<!-- measured by parsing.py -->"
OURS = {
    "microtome": "microtome",
    "microtome, no tables": "microtome",
    "pymupdf": "microtome",
    "pymupdf+find_tables": "microtome",
}
TOOLS = {
    **OURS,
    "pymupdf4llm": "pymupdf4llm",
    "pymupdf4llm, no OCR": "pymupdf4llm",
    "pymupdf4llm, no layout": "pymupdf4llm",
    "markitdown": "markitdown",
    "kreuzberg": "kreuzberg",
    "microtome on PyMuPDF 2": "pymupdf2",
}
"""Each reader, and the environment that has it."""
SLOW = {"pymupdf4llm", "pymupdf4llm, no OCR", "pymupdf4llm, no layout"}
"""A second a page: measured once, whatever ``--runs`` says."""


def born_digital(path: Path) -> bool:
    """Return whether every page has words, and fifty of them or no image."""
    with pymupdf.open(path) as document:
        if document.needs_pass:
            return False
        counts = [(len(p.get_text("words")), len(p.get_images())) for p in document]
    return bool(counts) and all(words >= 50 or (words and not images) for words, images in counts)


def born_digital_files(corpus: Path) -> dict[Path, int]:
    """Return the corpus's born-digital PDFs with their pages."""
    found: dict[Path, int] = {}
    for path in sorted(corpus.glob("*/*.pdf")):
        try:
            if born_digital(path):
                with pymupdf.open(path) as document:
                    found[path] = len(document)
        except (RuntimeError, ValueError):  # damaged on purpose
            continue
    return found


def run_tool(python: str, tool: str, paths: Sequence[Path], environment: dict[str, str]) -> Any:
    """Return what one reader measured over ``paths``, or None when it gave no answer."""
    name = "microtome" if tool.endswith("PyMuPDF 2") else tool
    command = [python, str(RIVALS), name, "time", *map(str, paths)]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=900, check=False
    )
    if done.returncode:
        print(f"{tool}: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def measure_speed(
    wanted: dict[str, str], pages: dict[Path, int], runs: int, environment: dict[str, str]
) -> dict[str, Any]:
    """Return by tool the medians over ``runs`` of pages a second and ratios to the limit.

    ``wanted`` (tool to its Python) must hold ``pymupdf`` and ``microtome``, which tells the files
    with tables from those without.
    """
    raw: dict[str, list[Any]] = {}
    for run in range(runs):
        for tool, python in wanted.items():
            if not (run and tool in SLOW):
                result = run_tool(python, tool, list(pages), environment)
                if result is not None:
                    raw.setdefault(tool, []).append(result)
                    print(f"run {run + 1}: {tool}", file=sys.stderr)
    with_tables = {
        name for name, file in raw["microtome"][0]["files"].items() if file.get("tables")
    }
    counts = {path.name: count for path, count in pages.items()}
    groups = {
        "all": set(counts), "prose": set(counts) - with_tables, "tables": with_tables,
    }  # fmt: skip
    table: dict[str, Any] = {
        "files": len(counts),
        "pages": {group: sum(counts[n] for n in names) for group, names in groups.items()},
    }
    for tool, results in raw.items():
        entry: dict[str, Any] = {
            "version": results[0]["version"],
            "peak_mib": statistics.median(r["peak_mib"] for r in results),
            "unread": sum("error" in file for file in results[0]["files"].values()),
        }
        for group, names in groups.items():
            pairs = list(zip(results, raw[LIMIT], strict=False))
            entry[group] = {
                "pages_per_s": statistics.median(_rate(r, names, counts) for r in results),
                "ratio": statistics.median(_ratio(r, limit, names) for r, limit in pairs),
            }
        table[tool] = entry
    return table


def _cpu(result: Any, names: set[str]) -> float:
    files = result["files"]
    return float(sum(files[n]["cpu_s"] for n in names if "cpu_s" in files[n]))


def _rate(result: Any, names: set[str], counts: dict[str, int]) -> float:
    read = sum(counts[n] for n in names if "cpu_s" in result["files"][n])
    return read / max(_cpu(result, names), 1e-9)


def _ratio(result: Any, limit: Any, names: set[str]) -> float:
    """Return CPU time over that of the limit, on the files that both have read."""
    both = {n for n in names if "cpu_s" in result["files"][n] and "cpu_s" in limit["files"][n]}
    return _cpu(result, both) / max(_cpu(limit, both), 1e-9)


def measure_facts(
    wanted: dict[str, str], checker: Path, corpus: Path, environment: dict[str, str]
) -> dict[str, Any]:
    """Return by tool the share of facts that hold, in all and by folder."""
    table: dict[str, Any] = {}
    for tool, python in wanted.items():
        if tool == "microtome, no tables":
            continue
        if tool.startswith("microtome"):
            command = [python, "-m", "microtome", "parse", "--json"]
        else:
            command = [python, str(RIVALS), tool, "facts"]
        done = subprocess.run(
            [sys.executable, checker, corpus, "--jobs", "1", "--command", shlex.join(command)],
            env=environment, capture_output=True, text=True, check=False, cwd=HERE.parent,
        )  # fmt: skip
        folders = dict(re.findall(r"(?m)^(\w+): (\d+ of \d+)$", done.stdout))
        total = re.search(r"(?m)^([\d.]+) of (\d+) facts", done.stdout)
        if total:
            table[tool] = {"share": float(total[1]), "of": int(total[2]), "folders": folders}
            print(f"facts: {tool} {total[1]}", file=sys.stderr)
    return table


def rows_of(results: dict[str, Any], pythons: dict[str, str]) -> Iterator[str]:
    """Yield the lines of the Markdown table."""
    speed, facts = results.get("speed", {}), results.get("facts", {})
    if speed:
        p = speed["pages"]
        yield (
            f"{speed['files']} born-digital PDFs, {p['all']} pages: {p['prose']} in files without "
            f"a table, {p['tables']} in files with one. Times are multiples of plain PyMuPDF's."
        )
        yield ""
    yield (
        "| reader | version | pages/s a core | × limit, all | without tables | with tables "
        "| peak MiB | facts held |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for tool, place in TOOLS.items():
        entry, held = speed.get(tool), facts.get(tool)
        cells = ["", "", "", "", "", ""]
        if entry:
            ratios = [f"{entry[g]['ratio']:.1f}" for g in ("all", "prose", "tables")]
            cells = [
                entry["version"], f"{entry['all']['pages_per_s']:.1f}", *ratios,
                f"{entry['peak_mib']:.0f}",
            ]  # fmt: skip
        elif place not in pythons:
            cells[0] = "absent"
        share = f"{held['share']:.3f} of {held['of']}" if held else ""
        yield f"| {tool} | {' | '.join(cells)} | {share} |"
    if facts:
        folders = sorted({f for held in facts.values() for f in held["folders"]})
        yield ""
        yield "| facts by folder | " + " | ".join(folders) + " |"
        yield "|---" * (len(folders) + 1) + "|"
        for tool, held in facts.items():
            yield f"| {tool} | " + " | ".join(held["folders"].get(f, "") for f in folders) + " |"


def write_table(path: Path, lines: Sequence[str]) -> None:
    """Put ``lines`` between the two marks of the report."""
    before, _, after = path.read_text("utf-8").split(MARK)
    path.write_text("\n".join([f"{before}{MARK}", *lines, f"{MARK}{after}"]), "utf-8")


def main() -> None:
    """Measure what was asked for, keep the figures, write the table."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--corpus", type=Path, default=HERE.parents[1] / "shared" / "corpus")
    options.add_argument("--checker", type=Path, help="default: ../checks/corpus.py of the corpus")
    options.add_argument("--rival", action="append", default=[], metavar="NAME=PYTHON")
    options.add_argument("--part", choices=("speed", "facts"))
    options.add_argument("--tools", help="names of the table, by semicolons; all without it")
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--quick", action="store_true", help="few files, one run, no facts, print")
    options.add_argument("--results", type=Path, default=Path("parsing_results.json"))
    given = options.parse_args()
    pythons = {"microtome": sys.executable, **dict(r.split("=", 1) for r in given.rival)}
    environment = {
        **os.environ, "OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }  # fmt: skip
    settings = given.corpus / "settings.yaml"
    if settings.exists():
        lists = dict(re.findall(r"(\w+): \[(.*)\]", settings.read_text("utf-8")))
        environment["BENCH_PASSWORDS"] = lists.get("passwords", "").replace(" ", "")
        environment["BENCH_LANGUAGES"] = lists.get("ocr_languages", "eng").replace(" ", "")
    chosen = set(given.tools.split(";")) if given.tools else set(TOOLS)
    wanted = {t: pythons[place] for t, place in TOOLS.items() if place in pythons and t in chosen}
    pages = born_digital_files(given.corpus)
    results: dict[str, Any] = {}
    if given.quick:
        pages = dict([item for item in pages.items() if item[1] <= 6][::3])
        results["speed"] = measure_speed(wanted, pages, 1, environment)
        print("\n".join(rows_of(results, pythons)))
        return
    if given.results.exists():
        results = json.loads(given.results.read_text("utf-8"))
    if given.part != "facts":
        results["speed"] = measure_speed(wanted, pages, given.runs, environment)
    if given.part != "speed":
        checker = given.checker or given.corpus.parent / "checks" / "corpus.py"
        held = measure_facts(wanted, checker, given.corpus, environment)
        results["facts"] = {**results.get("facts", {}), **held}
    given.results.write_text(json.dumps(results, indent=1), "utf-8")
    lines = list(rows_of(results, pythons))
    write_table(HERE / "parsing.md", lines)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
