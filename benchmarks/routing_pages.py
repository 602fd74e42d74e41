"""Seeded pages of many kinds for the OCR routing, each with the decision a person would take.

Every page is made here, from word lists and random numbers; fonts, sizes, languages and places vary
with the seed. ``KINDS`` maps the name of a kind to its maker and to whether the page needs OCR.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pymupdf as _untyped
from PIL import Image

pymupdf: Any = _untyped  # it has no annotations
Rng = random.Random

_WORDS = {
    "en": "the of and to in a is that for it as was with be by on not he his but at are this have "
    "from or had which their one were all she would there been bicycle station keeper register "
    "number owner parking every morning winter service report council decision market harbour",
    "pt": "de que e o da em um para com não uma os no se na por mais as dos como mas ao ele das à "
    "seu sua ou quando muito nos já eu também só pelo pela até isso ela estação bicicleta decisão "
    "município proprietário serviço número relatório informação câmara três após poderá "
    "notificação",
    "de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch "
    "es an werden aus er hat dass sie nach wird bei einer Bahnhof Fahrrad Entscheidung Eigentümer "
    "Gemeinde Bericht Nummer Straße überall Prüfung Gebühr können müssen später natürlich",
    "el": "και το της να του η με για που την από στο είναι τα των σε ο οι στη θα τον δεν αυτό "
    "σταθμός ποδήλατο απόφαση δήμος αριθμός έκθεση υπηρεσία ιδιοκτήτης κάθε πρωί χειμώνα",
    "ru": "и в не на я быть он с что а по это она этот к но они мы весь который из у за вы так же "
    "станция велосипед решение город номер отчёт служба владелец каждый утро зима рынок гавань",
    "zh": "的 一 是 在 不 了 有 和 人 这 中 大 为 上 个 国 我 以 要 他 时 来 用 们 生 到 作 地 "
    "于 出 就 分 车站 自行车 决定 报告 服务 号码 所有者 市场 冬天 早晨",
}  # fmt: skip


@dataclass(slots=True)
class Sheet:
    """A page being made: its PDF, the page, a source of chance, and the page's measures."""

    pdf: Any
    page: Any
    rng: Rng

    @property
    def width(self) -> float:
        """Width of the page in points."""
        return float(self.page.rect.width)

    @property
    def height(self) -> float:
        """Height of the page in points."""
        return float(self.page.rect.height)


def sentence(rng: Rng, language: str, n_words: int) -> str:
    """Return ``n_words`` words of a language, one sentence."""
    words = rng.choices(_WORDS[language].split(), k=n_words)
    return ("" if language == "zh" else " ").join(words).capitalize() + "."


def prose(rng: Rng, language: str, n_words: int) -> str:
    """Return about ``n_words`` words in sentences of 6 to 20."""
    parts: list[str] = []
    while n_words > 0:
        length = rng.randint(6, 20)
        parts.append(sentence(rng, language, length))
        n_words -= length
    return " ".join(parts)


def latin(rng: Rng) -> str:
    """Return one of the languages in Latin letters."""
    return rng.choice(["en", "pt", "de"])


def write(sheet: Sheet, text: str, box: Any, size: float = 0.0, font: Any = None) -> None:
    """Fill ``text`` into ``box``; what does not fit is left out."""
    font = font or pymupdf.Font(sheet.rng.choice(["helv", "tiro", "cour"]))
    writer = pymupdf.TextWriter(sheet.page.rect)
    size = size or sheet.rng.choice([9.0, 10.0, 11.0, 12.0])
    writer.fill_textbox(box, text, font=font, fontsize=size, warn=False)
    writer.write_text(sheet.page)


def body_box(sheet: Sheet, top: float = 0.1, bottom: float = 0.9) -> Any:
    """Return the printed area between two shares of the page's height."""
    margin = sheet.rng.uniform(0.08, 0.14) * sheet.width
    return pymupdf.Rect(
        margin, top * sheet.height, sheet.width - margin, bottom * sheet.height
    )  # fmt: skip


def photo(rng: Rng, width: int = 480, height: int = 360) -> Any:
    """Return a photograph of nothing: coloured clouds over several scales, grain, soft shapes."""
    noise = np.random.default_rng(rng.randrange(2**32))
    values = np.zeros((height, width, 3))
    for octave in range(2, 8):
        small = noise.normal(0, 2.0 ** (7.2 - octave), (2**octave, 2**octave, 3)) + 40 / octave
        layer = [
            np.asarray(
                Image.fromarray(small[..., c].astype(np.float32)).resize(
                    (width, height), Image.Resampling.BICUBIC
                )
            )
            for c in range(3)
        ]
        values += np.stack(layer, axis=2)
    values += noise.normal(0, 6, values.shape)
    return Image.fromarray(np.clip(values, 0, 255).astype(np.uint8))


def as_jpeg(image: Any, quality: int = 80) -> bytes:
    """Return an image's bytes as JPEG (PNG for 1-bit)."""
    out = io.BytesIO()
    image.save(out, "PNG" if image.mode == "1" else "JPEG", quality=quality)
    return out.getvalue()


def paper(rng: Rng, draw: Callable[[Sheet], None], dpi: int = 0) -> Any:
    """Return what ``draw`` makes as a scan: grey paper, grain, a slight blur of the resolution."""
    pdf = pymupdf.open()
    draw(Sheet(pdf, pdf.new_page(), rng))
    pixmap = pdf[0].get_pixmap(dpi=dpi or rng.choice([100, 130, 150]), colorspace=pymupdf.csGRAY)
    values = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width)
    noise = np.random.default_rng(rng.randrange(2**32))
    ground = rng.uniform(0.82, 1.0)
    return Image.fromarray(
        np.clip(values * ground + noise.normal(0, rng.uniform(1, 7), values.shape), 0, 255).astype(
            np.uint8
        )
    )


def printed(sheet: Sheet) -> None:
    """Draw the original of a scan: a page of prose, sometimes a letter of a few lines."""
    words = sheet.rng.choice([90, 250, 400])
    write(
        sheet,
        prose(sheet.rng, latin(sheet.rng), words),
        body_box(sheet),
        sheet.rng.choice([10, 12]),
    )


def hide(sheet: Sheet, text: str, size: float = 9.0) -> None:
    """Lay invisible text (render mode 3) over the page, as OCR programs do."""
    box = body_box(sheet)
    writer = pymupdf.TextWriter(sheet.page.rect)
    writer.fill_textbox(box, text, font=pymupdf.Font("helv"), fontsize=size, warn=False)
    writer.write_text(sheet.page, render_mode=3)


def outlines(sheet: Sheet, text: str, box: Any, size: float) -> None:
    """Draw ``text`` as filled paths, the letters of the font turned to outlines."""
    other = pymupdf.open()
    page = other.new_page(width=sheet.width, height=sheet.height)
    write(Sheet(other, page, sheet.rng), text, box, size)
    drawn = pymupdf.open(
        "pdf", pymupdf.open("svg", page.get_svg_image(text_as_path=True).encode()).convert_to_pdf()
    )
    sheet.page.show_pdf_page(sheet.page.rect, drawn, 0)
