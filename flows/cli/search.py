"""``microtome search``: ask the published index."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.padding import Padding

from configs.settings import load_settings
from flows.cli.options import DEFAULT_STORE, ConfigOption, JsonOption, StoreOption, print_json
from tasks.indexing.reader import open_searcher
from tasks.loading.files import as_uri
from tasks.retrieval.results import Filters, Passage, SearchResult


def search(
    question: Annotated[str, typer.Argument(help="A question in plain words.")],
    store: StoreOption = DEFAULT_STORE,
    budget: Annotated[
        int | None, typer.Option(help="Tokens returned, context lines included.", min=1)
    ] = None,
    k: Annotated[
        int | None, typer.Option("-k", help="Passages instead of a budget.", min=1)
    ] = None,
    strategy: Annotated[
        str, typer.Option(help="fused, level:N, hybrid:N, window:N, automerge.")
    ] = "fused",
    document: Annotated[
        list[str] | None, typer.Option(help="Only this document: a URI or a path. Repeatable.")
    ] = None,
    lang: Annotated[
        list[str] | None, typer.Option(help="Only documents of this language (pt). Repeatable.")
    ] = None,
    doc_type: Annotated[
        list[str] | None, typer.Option("--type", help="Only this type (law). Repeatable.")
    ] = None,
    since: Annotated[str, typer.Option(help="Only documents dated from here (2024-05-01).")] = "",
    until: Annotated[str, typer.Option(help="Only documents dated up to here (2024).")] = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the passages that answer a question, under a token budget."""
    settings = load_settings(config)
    if budget is not None and k is not None:
        raise typer.BadParameter("give --budget or -k, not both")
    searcher = open_searcher(store, settings)
    result = searcher.search(
        question,
        budget=None if k is not None else budget or settings.search.budget,
        k=k,
        strategy=strategy,
        filters=Filters(
            documents=tuple(_uri(one) for one in document or ()),
            languages=tuple(lang or ()),
            doc_types=tuple(doc_type or ()),
            since=since,
            until=until,
        ),
    )
    if as_json:
        print_json(as_object(result))
    else:
        _print(result)


def _uri(name: str) -> str:
    return name if "://" in name else as_uri(str(Path(name).resolve()))


def as_object(result: SearchResult) -> dict[str, Any]:
    """Return the object that ``search --json`` prints (design, section 9)."""
    return {
        "question": result.question,
        "tokens": result.tokens,
        "passages": [
            {
                "rank": p.rank,
                "score": p.score,
                "uri": p.uri,
                "start": p.start,
                "end": p.end,
                "level": p.level,
                "text": p.text,
                "context": list(p.context),
                "pages": list(p.pages),
                "locators": list(p.locators),
                "heading_path": list(p.heading_path),
                "chunk_ids": list(p.chunk_ids),
                "scores_by_level": dict(p.scores_by_level),
                "also_in": list(p.also_in),
            }
            for p in result.passages
        ],
    }


def _print(result: SearchResult) -> None:
    out = Console(highlight=False)
    for p in result.passages:
        out.print(f"[bold]{p.rank}.[/bold] {_where(p)}", soft_wrap=True)
        for line in p.context:
            out.print(Padding(f"[dim]{_plain(line)}[/dim]", (0, 0, 0, 3)))
        out.print(Padding(_plain(p.text.strip()), (0, 0, 1, 3)))
    out.print(f"{len(result.passages)} passages, {result.tokens} tokens", markup=False)


def _where(p: Passage) -> str:
    parts = [p.uri]
    if p.pages:
        parts.append("page " + ", ".join(map(str, p.pages)))
    if p.locators:
        shown = p.locators if len(p.locators) < 3 else (p.locators[0], "…", p.locators[-1])
        parts.append(" ".join(shown))
    return _plain(f"{' · '.join(parts)}  ({p.score:.2f})")


def _plain(text: str) -> str:
    return text.replace("[", r"\[")  # rich would read brackets as markup
