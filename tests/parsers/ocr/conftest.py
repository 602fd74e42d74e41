"""Rendered pages for the OCR tests, in PyMuPDF's built-in Helvetica: no font is needed."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable

import pymupdf
import pytest
from PIL import Image

PORTUGUESE = (
    "A associação de moradores decidiu que as bicicletas não podem ficar presas às grades da "
    "estação. Quem não respeitar a decisão receberá uma notificação e terá três dias úteis para "
    "retirar o veículo. Após esse prazo, a câmara municipal poderá removê-lo e cobrar as despesas "
    "de armazenamento ao proprietário."
)

Render = Callable[..., Image.Image]


@functools.cache
def _render(text: str, size: float, dpi: int, width: float, height: float) -> Image.Image:
    with pymupdf.open() as document:  # type: ignore[no-untyped-call]
        page = document.new_page(width=width, height=height)
        page.insert_textbox((40, 40, width - 40, height - 40), text, fontsize=size, fontname="helv")
        pixmap = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY, alpha=False)
        return Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)


@pytest.fixture(scope="session")
def render() -> Render:
    """Return ``render(text, size=12, dpi=200, width=420, height=300)``: a page as an image."""

    def call(
        text: str, size: float = 12, dpi: int = 200, width: float = 420, height: float = 300
    ) -> Image.Image:
        return _render(text, size, dpi, width, height).copy()

    return call


@pytest.fixture(scope="session")
def portuguese() -> str:
    return PORTUGUESE


@pytest.fixture(scope="session")
def tesseract() -> str:
    """The path of Tesseract; tests that need it skip where it is not installed."""
    path = shutil.which("tesseract")
    if path is None:
        pytest.skip("Tesseract is not installed")
    return path
