"""The sample PDFs: a two-column report, a price list with two tables, a scanned letter."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pymupdf
from PIL import Image
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, A5
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    NextPageTemplate,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

_WIDTH, _HEIGHT = A4
_MARGIN, _GUTTER = 56.0, 20.0
_BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=10.5, leading=13.5, spaceAfter=6)
_HEADING = ParagraphStyle(
    "heading", fontName="Helvetica-Bold", fontSize=13, leading=17, spaceBefore=8, spaceAfter=5
)
_TITLE = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=20, leading=25)
_REPORT = ParagraphStyle("report", parent=_BODY, fontSize=12, leading=15.5)
_CAPTION = ParagraphStyle("caption", parent=_BODY, fontName="Helvetica-Oblique", fontSize=9.5)
_SCAN_DPI = 150
_JPEG_QUALITY = 45


def write_report(report: dict[str, Any], path: Path) -> None:
    """Write the report: title over both columns, running header, page numbers in the footer."""
    width, height = A5
    margin, bottom, top, title = 40.0, 58.0, height - 56.0, 64.0
    column = (width - 2 * margin - _GUTTER) / 2

    def columns(upper: float) -> list[Frame]:
        return [
            Frame(x, bottom, column, upper - bottom, 0, 0, 0, 0)
            for x in (margin, margin + column + _GUTTER)
        ]

    def furniture(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(margin, height - 34, report["header"])
        canvas.drawCentredString(width / 2, 30, f"Page {document.page}")

    def first_page(canvas: Canvas, document: BaseDocTemplate) -> None:
        furniture(canvas, document)
        canvas.setFont("Helvetica-Bold", 18)
        canvas.drawString(margin, top - 18, report["title"])
        canvas.setFont("Helvetica", 12)
        canvas.drawString(margin, top - 40, report["subtitle"])

    document = BaseDocTemplate(str(path), pagesize=A5, title=report["title"], invariant=1)
    document.addPageTemplates(
        [
            PageTemplate("first", columns(top - title), onPage=first_page),
            PageTemplate("next", columns(top), onPage=furniture),
        ]
    )
    story: list[Flowable] = [NextPageTemplate("next")]
    for section in report["sections"]:
        story.append(Paragraph(section["heading"], _HEADING))
        story += [Paragraph(text, _REPORT) for text in section["paragraphs"]]
    document.build(story)


def write_prices(prices: dict[str, Any], path: Path) -> None:
    """Write the price list: a ruled table that runs over two pages, and one without rulings."""
    document = BaseDocTemplate(str(path), pagesize=A4, title=prices["title"], invariant=1)
    frame = Frame(_MARGIN, 60, _WIDTH - 2 * _MARGIN, _HEIGHT - 120, 0, 0, 0, 0)
    document.addPageTemplates([PageTemplate("page", [frame])])
    ruled = Table(
        [prices["parts_header"], *prices["parts"]], [60, 170, 110, 60, 60], repeatRows=1,
        style=[
            ("GRID", (0, 0), (-1, -1), 0.6, colors.black),
            ("BACKGROUND", (0, 0), (-1, 0), colors.lightgrey),
            ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 10),
            ("FONT", (0, 1), (-1, -1), "Helvetica", 10),
            ("ALIGN", (3, 0), (-1, -1), "RIGHT"),
        ],
    )  # fmt: skip
    plain = Table(
        [prices["services_header"], *prices["services"]], [170, 80, 80, 80],
        style=[
            ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 10),
            ("FONT", (0, 1), (-1, -1), "Helvetica", 10),
            ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
        ],
    )  # fmt: skip
    document.build(
        [
            Paragraph(prices["title"], _TITLE),
            Spacer(1, 8),
            Paragraph(prices["intro"], _BODY),
            Spacer(1, 6),
            Paragraph(prices["parts_caption"], _CAPTION),
            ruled,
            Spacer(1, 16),
            Paragraph(prices["services_intro"], _BODY),
            Spacer(1, 6),
            Paragraph(prices["services_caption"], _CAPTION),
            plain,
            Spacer(1, 12),
            Paragraph(prices["closing"], _BODY),
        ]
    )


def write_scan(letter: dict[str, Any], path: Path) -> None:
    """Write the letter as it comes from a scanner: one noisy, slightly turned image a page."""
    canvas = Canvas(str(path), pagesize=A4, invariant=1)
    canvas.setTitle("Scanned letter")
    for number, entries in enumerate(letter["pages"]):
        picture = _scanned(_typed(entries), np.random.default_rng(number), 0.4 - number)
        out = io.BytesIO()
        picture.save(out, "JPEG", quality=_JPEG_QUALITY)
        out.seek(0)
        canvas.drawImage(ImageReader(out), 0, 0, _WIDTH, _HEIGHT)
        canvas.showPage()
    canvas.save()


def _typed(entries: list[list[str]]) -> bytes:
    """Return a PDF with the page as it was typed."""
    out = io.BytesIO()
    styles = {
        "heading": ParagraphStyle("h", fontName="Times-Bold", fontSize=18, leading=26),
        "line": ParagraphStyle("l", fontName="Times-Roman", fontSize=12, leading=16),
        "text": ParagraphStyle(
            "t", fontName="Times-Roman", fontSize=12, leading=16, spaceBefore=6, spaceAfter=6
        ),
    }
    document = BaseDocTemplate(out, pagesize=A4, invariant=1)
    frame = Frame(72, 72, _WIDTH - 144, _HEIGHT - 144, 0, 0, 0, 0)
    document.addPageTemplates([PageTemplate("page", [frame])])
    document.build([Paragraph(text, styles[kind]) for kind, text in entries])
    return out.getvalue()


def _scanned(typed: bytes, random: np.random.Generator, degrees: float) -> Image.Image:
    with pymupdf.open(stream=typed, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        pixmap = document[0].get_pixmap(dpi=_SCAN_DPI, colorspace=pymupdf.csGRAY, alpha=False)
        page = Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)
    page = page.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=255)
    values = np.asarray(page, dtype=np.float32) * 0.86 + 18
    values += random.normal(0, 3.5, values.shape)
    return Image.fromarray(values.clip(0, 255).astype(np.uint8))
