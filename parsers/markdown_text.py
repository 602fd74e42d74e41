"""Markdown: the canonical text is the file's own, and blocks follow its mark-up line by line."""

from __future__ import annotations

import datetime as dt
import itertools
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from configs.settings import ParsingSettings
from parsers.builder import DocumentBuilder
from parsers.dates import stated_date
from parsers.model import BlockKind, Document, Source, Table, TableRow
from parsers.normalise import canonical, one_line
from parsers.plain import count_text, read_text

NAME = "markdown"
VERSION = 2

_FRONT_MATTER = re.compile(r"---[^\S\n]*\n(.*?\n)??(?:---|\.\.\.)[^\S\n]*(?:\n+|$)", re.S)
_MAX_FRONT_MATTER = 100_000
"""Code points: what begins with a rule and never ends is no front matter (a guess)."""
_TOML_MATTER = re.compile(r"\+\+\+[^\S\n]*\n(.*?\n)??\+\+\+[^\S\n]*(?:\n+|$)", re.S)
_PAIR = re.compile(r"(\w[\w-]*)[^\S\n]*:[^\S\n]+(.*)")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
_TYPE = re.compile(r"[\w-]{1,40}")
_TITLE_KEYS = ("title",)
_TYPE_KEYS = ("doc_type", "type", "kind")
_DATE_KEYS = ("date", "published", "pubdate", "created", "updated")
_LANGUAGE_KEYS = ("lang", "language", "locale")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run of lines (0-based, half-open) that is one block."""

    start: int
    end: int
    kind: BlockKind
    level: int | None = None
    heading: str = ""
    locator: str = ""
    header: str = ""


@dataclass(slots=True)
class _Table:
    """A table being read: its header's names and, for each row of its body, line and values."""

    names: list[str]
    rows: list[tuple[int, list[str]]]


def parse(data: bytes, source: Source, settings: ParsingSettings) -> Document:
    """Return the document; its text is the file's, marks included, so offsets are the file's.

    Front matter gives ``title``, ``type`` (or ``doc_type``), ``date`` and ``lang``; without it
    the title is the first heading of level 1.

    Raises:
        EmptyFileError: There are no bytes.
        DamagedFileError: The bytes are no text.
    """
    del settings  # nothing about Markdown can be set
    text = read_text(data)
    own = canonical(text)
    builder = DocumentBuilder(source, NAME, VERSION)
    count_text(builder, text)
    facts, start = _front_matter(own)
    builder.add_verbatim(BlockKind.FRONT_MATTER, own[:start])
    title = _write_body(builder, own, start)
    language = _fact(facts, _LANGUAGE_KEYS).replace("_", "-")
    doc_type = _fact(facts, _TYPE_KEYS).lower().replace(" ", "_")
    return builder.build(
        title=_fact(facts, _TITLE_KEYS) or title,
        language=language if _LANGUAGE.fullmatch(language) else None,
        doc_type=doc_type if _TYPE.fullmatch(doc_type) else "unknown",
        date=stated_date(_fact(facts, _DATE_KEYS)),
    )


def _write_body(builder: DocumentBuilder, own: str, start: int) -> str:
    """Append the blocks behind the front matter; return the first heading of level 1, or ""."""
    lines = own[start:].split("\n")
    offsets = [start]
    for line in lines:
        offsets.append(min(offsets[-1] + len(line) + 1, len(own)))
    markdown = MarkdownIt("commonmark").enable("table").disable("inline")
    tokens = markdown.parse(own[start:])
    pieces = _without_gaps(list(_pieces(tokens, markdown)), lines)
    title = ""
    for number, piece in enumerate(pieces):
        last = number + 1 == len(pieces)
        first = start if number == 0 else offsets[piece.start]
        end = len(own) if last else offsets[pieces[number + 1].start]
        builder.add_verbatim(
            piece.kind, own[first:end], level=piece.level, locator=piece.locator,
            heading=piece.heading,
            context=(*builder.heading_path, piece.header) if piece.header else (),
        )  # fmt: skip
        if piece.kind is BlockKind.HEADING and piece.level == 1:
            title = title or piece.heading
    if not pieces:
        builder.add_verbatim(BlockKind.PARAGRAPH, own[start:])
    for table in _tables(tokens, markdown):
        builder.add_table(_model(table, own, offsets))
    return title


def _pieces(tokens: Sequence[Token], markdown: MarkdownIt) -> Iterator[_Piece]:
    """Yield the blocks' pieces in order, one a line at most; they may leave lines out."""
    taken = -1
    depth = tables = rows = 0
    header = ""
    for number, token in enumerate(tokens):
        depth += token.nesting if token.type.startswith("list_item") else 0
        if token.type == "table_open":
            tables, rows, header = tables + 1, 0, ""
        if token.map is None or token.map[0] <= taken:
            continue
        start, end = token.map
        piece: _Piece | None = None
        if token.type == "heading_open":
            heading = _words(tokens[number + 1], markdown)
            piece = _Piece(start, end, BlockKind.HEADING, int(token.tag[1]), heading)
        elif token.type == "list_item_open":
            piece = _Piece(start, start + 1, BlockKind.LIST_ITEM, depth)
        elif token.type in ("fence", "code_block"):
            piece = _Piece(start, end, BlockKind.CODE)
        elif token.type == "thead_open":
            header = _row_words(tokens, number + 1, markdown)
            piece = _Piece(start, end, BlockKind.CAPTION, locator=f"table_{tables}/header")
        elif token.type == "tr_open":
            rows += 1
            locator = f"table_{tables}/row_{rows}"
            piece = _Piece(start, end, BlockKind.TABLE_ROW, locator=locator, header=header)
        elif token.type in ("paragraph_open", "html_block", "hr"):
            piece = _Piece(start, end, BlockKind.PARAGRAPH)
        if piece is not None:
            taken = start
            yield piece


def _without_gaps(pieces: list[_Piece], lines: list[str]) -> list[_Piece]:
    """Return the pieces with one more wherever text lies between two (link definitions)."""
    whole: list[_Piece] = []
    reach = 0
    for piece in [*pieces, _Piece(len(lines), len(lines), BlockKind.PARAGRAPH)]:
        gap = next((i for i in range(reach, piece.start) if lines[i].strip()), None)
        if gap is not None and not (whole and _continues(whole[-1], lines, reach)):
            whole.append(_Piece(gap, piece.start, BlockKind.PARAGRAPH))
        if piece.start < len(lines):
            whole.append(piece)
        reach = piece.end
    return whole


def _continues(piece: _Piece, lines: list[str], reach: int) -> bool:
    """Whether the line at ``reach`` goes on with a list item or with a table's header."""
    goes_on = piece.kind is BlockKind.LIST_ITEM or piece.locator.endswith("/header")
    return goes_on and bool(lines[reach].strip())


def _tables(tokens: Sequence[Token], markdown: MarkdownIt) -> Iterator[_Table]:
    table = _Table([], [])
    for number, token in enumerate(tokens):
        if token.type == "table_open":
            table = _Table([], [])
        elif token.type == "inline" and tokens[number - 1].type == "th_open":
            table.names.append(_words(token, markdown))
        elif token.type == "inline" and tokens[number - 1].type == "td_open":
            table.rows[-1][1].append(_words(token, markdown))
        elif token.type == "tr_open" and token.map and table.names:
            table.rows.append((token.map[0], []))
        elif token.type == "table_close":
            yield table


def _model(table: _Table, own: str, offsets: list[int]) -> Table:
    rows = []
    for line, values in table.rows:
        written = own[offsets[line] : offsets[line + 1]]
        start = offsets[line] + len(written) - len(written.lstrip())
        pairs = tuple((n, v) for n, v in zip(table.names, values, strict=False) if v)
        rows.append(TableRow(start, start + len(written.strip()), None, pairs))
    return Table(
        pages=(),
        caption="",
        n_rows=len(rows) + 1,
        n_cols=len(table.names),
        header_rows=1,
        rows=tuple(rows),
    )


def _row_words(tokens: Sequence[Token], start: int, markdown: MarkdownIt) -> str:
    """Return the cells of the row of tokens from ``start`` on, as one line."""
    row = itertools.takewhile(lambda t: t.type != "tr_close", tokens[start:])
    return " | ".join(_words(t, markdown) for t in row if t.type == "inline")


def _words(token: Token, markdown: MarkdownIt) -> str:
    """Return the words of an inline token without its marks, on one line."""
    markdown.enable("inline")
    try:
        parsed = markdown.parseInline(token.content)
    finally:
        markdown.disable("inline")
    children = parsed[0].children or [] if parsed else []
    return one_line("".join(" " if c.type.endswith("break") else c.content for c in children))


def _front_matter(own: str) -> tuple[dict[str, str], int]:
    """Return the facts of the front matter and where it ends; ``({}, 0)`` without one."""
    head = own[:_MAX_FRONT_MATTER]
    facts: Any = None
    match = _FRONT_MATTER.match(head)
    try:
        if match:
            facts = yaml.safe_load(match.group(1) or "")
        elif match := _TOML_MATTER.match(head):
            facts = tomllib.loads(match.group(1) or "")
    except (yaml.YAMLError, ValueError, RecursionError):
        # "title: GDPR: a guide" is no YAML, but its writer meant it
        facts = {m[1]: m[2] for m in _PAIR.finditer((match and match.group(1)) or "")}
    if not match or not isinstance(facts, dict) or not facts:
        return {}, 0
    scalars = (str, int, float, dt.date)
    return {str(k).lower(): str(v) for k, v in facts.items() if isinstance(v, scalars)}, match.end()


def _fact(facts: dict[str, str], keys: Sequence[str]) -> str:
    return next((one_line(facts[key]).strip("\"'") for key in keys if facts.get(key)), "")
