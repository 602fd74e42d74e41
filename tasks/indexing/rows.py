"""Domain objects to rows of the store, and back. Plain dictionaries; storage makes Arrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parsers.model import (
    Block,
    BlockKind,
    BoundingBox,
    Document,
    Failure,
    LedgerRow,
    Page,
    ParserInfo,
    Source,
    Table,
    TableRow,
    TextSource,
)
from storage.rows import FailureRow
from tasks.slicing.chunks import Chunk


def document_row(
    document: Document, recipe: str, encoder: str, n_chunks: int, n_cells: int
) -> dict[str, Any]:
    """Return the row of ``documents`` for one document."""
    return {
        "doc_id": document.doc_id,
        "uri": document.source.uri,
        "media_type": document.source.media_type,
        "size_bytes": document.source.size_bytes,
        "sha256": document.source.sha256,
        "title": document.title,
        "language": document.language,
        "doc_type": document.doc_type,
        "date": document.date,
        "text": document.text,
        "text_sha256": document.text_sha256,
        "parser": document.parser.name,
        "parser_version": document.parser.version,
        "recipe": recipe,
        "encoder": encoder,
        "n_chunks": n_chunks,
        "n_cells": n_cells,
        "blocks": [_block_row(b) for b in document.blocks],
        "pages": [page_row(p) for p in document.pages],
        "tables": [_table_row(t) for t in document.tables],
        "ledger": [
            {
                "unit": r.unit,
                "source": r.source,
                "dropped": [{"reason": k, "count": v} for k, v in r.dropped.items()],
                "generated": [{"reason": k, "count": v} for k, v in r.generated.items()],
                "text": r.text,
                "route": r.route,
            }
            for r in document.ledger
        ],
        "failures": [failure_row(f) for f in document.failures],
    }


def page_row(page: Page) -> dict[str, Any]:
    """Return a page as a row."""
    return {
        "number": page.number,
        "start": page.start,
        "end": page.end,
        "text_source": page.text_source.value,
        "route_reason": page.route_reason,
        "ocr_confidence": page.ocr_confidence,
        "rotation": page.rotation,
    }


def _block_row(block: Block) -> dict[str, Any]:
    box = block.bbox
    return {
        "kind": block.kind.value,
        "start": block.start,
        "end": block.end,
        "page": block.page,
        "level": block.level,
        "heading_path": list(block.heading_path),
        "locator": block.locator,
        "context": list(block.context),
        "bbox": None
        if box is None
        else {"x0": box.x0, "top": box.top, "x1": box.x1, "bottom": box.bottom},
    }


def _table_row(table: Table) -> dict[str, Any]:
    return {
        "pages": list(table.pages),
        "caption": table.caption,
        "n_rows": table.n_rows,
        "n_cols": table.n_cols,
        "header_rows": table.header_rows,
        "irregular": table.irregular,
        "rows": [
            {
                "start": r.start,
                "end": r.end,
                "page": r.page,
                "cells": [{"header": h, "value": v} for h, v in r.cells],
            }
            for r in table.rows
        ],
    }


def failure_row(failure: Failure) -> dict[str, Any]:
    """Return the row of ``failures`` for one failure."""
    return {
        "uri": failure.uri,
        "stage": failure.stage,
        "page": failure.page,
        "error": failure.error,
        "message": failure.message,
        "remedy": failure.remedy,
        "transient": failure.transient,
    }


def failure_from(row: Mapping[str, Any]) -> Failure:
    """Return the failure that :func:`failure_row` wrote."""
    return Failure(
        uri=row["uri"],
        stage=row["stage"],
        page=row["page"],
        error=row["error"],
        message=row["message"],
        remedy=row["remedy"],
        transient=bool(row["transient"]),
    )


def failure_of(row: FailureRow) -> Failure:
    """Return the failure that a row of the catalog keeps."""
    return Failure(row.uri, row.stage, row.page, row.error, row.message, row.remedy, row.transient)


def chunk_rows(document: Document, chunks: Sequence[Chunk]) -> list[dict[str, Any]]:
    """Return the rows of ``chunks`` for one document, vectors apart."""
    return [
        {
            "chunk_id": c.chunk_id,
            "doc_id": c.doc_id,
            "uri": document.source.uri,
            "level": c.level,
            "size_tokens": c.size_tokens,
            "start": c.start,
            "end": c.end,
            "cell_start": c.cell_start,
            "cell_end": c.cell_end,
            "n_tokens": c.n_tokens,
            "text": c.text,
            "fingerprint": c.fingerprint,
            "markers": list(c.markers),
            "parent_id": c.parent_id,
            "context": list(c.context),
            "heading_path": list(c.heading_path),
            "locators": list(c.locators),
            "pages": list(c.pages),
            "language": document.language,
            "doc_type": document.doc_type,
            "date": document.date,
        }
        for c in chunks
    ]


def document_from(row: Mapping[str, Any]) -> Document:
    """Return the document that :func:`document_row` wrote."""
    return Document(
        source=Source(row["uri"], row["media_type"], row["size_bytes"], row["sha256"]),
        title=row["title"],
        language=row["language"],
        doc_type=row["doc_type"],
        text=row["text"],
        blocks=tuple(
            Block(
                BlockKind(b["kind"]),
                b["start"],
                b["end"],
                b["page"],
                None if b["bbox"] is None else BoundingBox(**b["bbox"]),
                b["level"],
                tuple(b["heading_path"]),
                b["locator"],
                tuple(b["context"]),
            )
            for b in row["blocks"]
        ),
        tables=tuple(
            Table(
                tuple(t["pages"]),
                t["caption"],
                t["n_rows"],
                t["n_cols"],
                t["header_rows"],
                tuple(
                    TableRow(
                        r["start"],
                        r["end"],
                        r["page"],
                        tuple((c["header"], c["value"]) for c in r["cells"]),
                    )
                    for r in t["rows"]
                ),
                t["irregular"],
            )
            for t in row["tables"]
        ),
        pages=tuple(
            Page(
                p["number"],
                p["start"],
                p["end"],
                TextSource(p["text_source"]),
                p["route_reason"],
                p["ocr_confidence"],
                p["rotation"],
            )
            for p in row["pages"]
        ),
        parser=ParserInfo(row["parser"], row["parser_version"]),
        ledger=ledger_from(row),
        failures=tuple(failure_from(f) for f in row["failures"]),
        date=row["date"],
    )


def ledger_from(row: Mapping[str, Any]) -> tuple[LedgerRow, ...]:
    """Return the ledger of a document's row."""
    return tuple(
        LedgerRow(
            r["unit"],
            r["source"],
            {d["reason"]: d["count"] for d in r["dropped"]},
            {g["reason"]: g["count"] for g in r["generated"]},
            r["text"],
            r["route"],
        )
        for r in row["ledger"]
    )
