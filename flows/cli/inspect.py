"""``microtome verify``, ``ledger`` and ``show``: is the index right, and what is in it?"""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.tree import Tree

from flows.cli.options import DEFAULT_STORE, JsonOption, StoreOption, print_json
from flows.cli.parse import ledger_object
from tasks.indexing.accounts import ledger_of
from tasks.indexing.rows import failure_row
from tasks.indexing.verify import verify_store
from tasks.indexing.view import DocumentView, view


def verify(store: StoreOption = DEFAULT_STORE, as_json: JsonOption = False) -> None:
    """Re-read, re-hash and re-prove every chunk of the published index."""
    report = verify_store(store)
    if as_json:
        print_json(
            {
                "ok": report.ok,
                "version": report.version,
                "invariants": [
                    {
                        "name": i.name,
                        "checked": i.checked,
                        "broken": i.broken,
                        "examples": list(i.examples),
                    }
                    for i in report.invariants
                ],
                "notes": list(report.notes),
            }
        )
    else:
        out = Console(highlight=False)
        table = Table("invariant", "checked", "broken")
        for i in report.invariants:
            mark = "[red]" if i.broken else "[green]"
            table.add_row(i.name, str(i.checked), f"{mark}{i.broken}")
        out.print(table)
        for i in report.invariants:
            for example in i.examples:
                out.print(f"{i.name}: {example}", markup=False)
        for note in report.notes:
            out.print(f"note: {note}", markup=False)
        verdict = "proven: every invariant holds" if report.ok else "BROKEN: see above"
        out.print(f"version {report.version}: {verdict}", markup=False)
    if not report.ok:
        raise typer.Exit(1)


def ledger(
    store: StoreOption = DEFAULT_STORE,
    document: Annotated[str, typer.Option(help="Only documents whose URI contains this.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Account for every page: what the source held, what was dropped or made, and why."""
    accounts = ledger_of(store, document)
    if as_json:
        print_json(
            {
                "documents": [
                    {
                        "uri": a.uri,
                        "status": a.status,
                        "units": [ledger_object(r) for r in a.rows],
                        "covered": a.covered,
                        "failures": [failure_row(f) for f in a.failures],
                    }
                    for a in accounts
                ]
            }
        )
        return
    out = Console(highlight=False)
    table = Table("document", "unit", "source", "dropped", "generated", "text", "rest", "route")
    for a in accounts:
        for r in a.rows:
            table.add_row(
                a.uri.rsplit("/", 1)[-1],
                r.unit,
                str(r.source),
                _reasons(r.dropped),
                _reasons(r.generated),
                str(r.text),
                str(r.unaccounted),
                r.route,
            )
        for f in a.failures:
            table.add_row(a.uri.rsplit("/", 1)[-1], f"{f.stage}: {f.error}", "", "", "", "", "", "")
    out.print(table)
    for a in accounts:
        for f in a.failures:
            out.print(f"{f.uri}: {f.message}\n  → {f.remedy}", markup=False)


def _reasons(counts: dict[str, int]) -> str:
    return ", ".join(f"{reason} {n}" for reason, n in counts.items())


def show(
    target: Annotated[str, typer.Argument(help="A URI (or its end), a doc_id or a chunk_id.")],
    store: StoreOption = DEFAULT_STORE,
    forest: Annotated[
        bool, typer.Option("--forest", help="Draw which chunk contains which.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a document of the index, or one chunk with its ancestors."""
    found = view(store, target)
    if as_json:
        print_json(_view_object(found, forest))
    elif found.chunk is not None and not forest:
        out = Console(highlight=False)
        for key, value in _chunk_object(found.chunk).items():
            out.print(f"{key}: {value}", markup=False, soft_wrap=True)
    else:
        Console(highlight=False).print(_tree(found, forest))


def _view_object(found: DocumentView, forest: bool) -> dict[str, Any]:
    value: dict[str, Any] = {
        "uri": found.uri,
        "doc_id": found.doc_id,
        "title": found.title,
        "chunks": {str(level): n for level, n in found.counts.items()},
    }
    if found.chunk is not None:
        value["chunk"] = _chunk_object(found.chunk)
        value["ancestors"] = [_chunk_object(c) for c in found.ancestors]
    if forest:
        value["forest"] = [_node(found, c) for c in found.roots]
    return value


def _node(found: DocumentView, chunk: dict[str, Any]) -> dict[str, Any]:
    children = found.children.get(chunk["chunk_id"], ())
    return {**_chunk_object(chunk), "children": [_node(found, c) for c in children]}


def _chunk_object(chunk: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in chunk.items() if k not in ("vector", "markers")}


def _tree(found: DocumentView, forest: bool) -> Tree:
    counts = ", ".join(f"level {level}: {n}" for level, n in found.counts.items())
    tree = Tree(_escaped(f"{found.uri} — {found.title} ({counts})"))
    if forest:
        marked = {c["chunk_id"] for c in found.ancestors}
        if found.chunk is not None:
            marked.add(found.chunk["chunk_id"])
        for root in found.roots:
            _grow(tree, found, root, marked)
    return tree


def _grow(tree: Tree, found: DocumentView, chunk: dict[str, Any], marked: set[str]) -> None:
    words = " ".join(chunk["text"].split())
    label = f"{chunk['fingerprint'][:12]} [{chunk['start']}:{chunk['end']}] {chunk['n_tokens']}t "
    line = _escaped(label + (words if len(words) <= 60 else words[:59] + "…"))
    branch = tree.add(f"[bold green]{line}[/]" if chunk["chunk_id"] in marked else line)
    for child in found.children.get(chunk["chunk_id"], ()):
        _grow(branch, found, child, marked)


def _escaped(text: str) -> str:
    return text.replace("[", r"\[")
