"""The kinds of pages of the routing benchmark: what draws each, and whether it needs OCR."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pymupdf as _untyped
from PIL import ImageOps

from benchmarks.routing_pages import (
    Rng,
    Sheet,
    as_jpeg,
    body_box,
    hide,
    latin,
    outlines,
    paper,
    photo,
    printed,
    prose,
    sentence,
    write,
)  # fmt: skip

pymupdf: Any = _untyped  # it has no annotations
Maker = Callable[[Sheet], None]


def _text(sheet: Sheet) -> None:
    write(sheet, prose(sheet.rng, latin(sheet.rng), sheet.rng.randint(120, 450)), body_box(sheet))


def _columns(sheet: Sheet) -> None:
    middle = sheet.width / 2
    for x0, x1 in ((50, middle - 10), (middle + 10, sheet.width - 50)):
        box = pymupdf.Rect(x0, 80, x1, sheet.height - 80)
        write(sheet, prose(sheet.rng, latin(sheet.rng), 160), box, 10)


def _other_script(sheet: Sheet) -> None:
    script = sheet.rng.choice(["el", "ru", "zh"])
    write(sheet, prose(sheet.rng, script, 260), body_box(sheet), 11, pymupdf.Font("cjk"))


def _numbers(sheet: Sheet) -> None:
    """Draw a table of numbers: ruled with shaded rows, ruled, or without a line."""
    rng, page = sheet.rng, sheet.page
    rows, columns = rng.randint(4, 30), rng.randint(3, 6)
    style = rng.choice(["shaded", "ruled", "bare"])
    x0, y0, height, size = rng.uniform(40, 70), rng.uniform(60, 200), 18.0, rng.choice([8, 9, 10])
    width = (sheet.width - 2 * x0) / columns
    heads = ["EUR", "NET", "VAT", "Q1 2024", "TOTAL", "ÁREA"]
    for r in range(rows):
        top = y0 + r * height
        if style == "shaded" and r % 2 == 0:
            page.draw_rect(
                pymupdf.Rect(x0, top, sheet.width - x0, top + height), color=None, fill=(0.9,) * 3
            )
        for c in range(columns):
            if style == "ruled":
                cell = pymupdf.Rect(x0 + c * width, top, x0 + (c + 1) * width, top + height)
                page.draw_rect(cell, width=0.5)
            value = heads[c] if r == 0 else f"{rng.uniform(-5e3, 9e4):,.{rng.choice([0, 2])}f}"
            page.insert_text((x0 + c * width + 6, top + 13), value, fontsize=size)


def _capitals(sheet: Sheet) -> None:
    for r in range(sheet.rng.randint(10, 35)):
        row = sentence(sheet.rng, latin(sheet.rng), 3).upper().rstrip(".")
        code = f"{sheet.rng.choice('ABXZKQ')}{sheet.rng.randint(10, 999)}-{sheet.rng.randint(1, 9)}"
        sheet.page.insert_text((60, 90 + 20 * r), f"{code}  {row}  NYSE XBRL EUR", fontsize=10)


def _nearly_empty(sheet: Sheet) -> None:
    text = sheet.rng.choice(
        ["17", "- 4 -", "iii", "This page is intentionally left blank.", "Annex B"]
    )
    y = sheet.rng.choice([60.0, sheet.height / 2, sheet.height - 50])
    sheet.page.insert_text((sheet.width / 2 - 20, y), text, fontsize=10)
    if sheet.rng.random() < 0.5:
        sheet.page.draw_line((60, y + 8), (sheet.width - 60, y + 8))


def _blank(sheet: Sheet) -> None:
    if sheet.rng.random() < 0.5:  # a frame and a bar, as on the back of a cover
        sheet.page.draw_rect(pymupdf.Rect(20, 20, sheet.width - 20, sheet.height - 20), width=3)
        bar = pymupdf.Rect(20, 700, sheet.width - 20, 740)
        sheet.page.draw_rect(bar, color=None, fill=(0.2, 0.3, 0.6), radius=0.3)


def _photo_text(sheet: Sheet) -> None:
    write(
        sheet, prose(sheet.rng, latin(sheet.rng), sheet.rng.randint(80, 200)), body_box(sheet, 0.55)
    )
    box = pymupdf.Rect(60, 60, sheet.width - 60, sheet.height * sheet.rng.uniform(0.4, 0.52))
    sheet.page.insert_image(box, stream=as_jpeg(photo(sheet.rng)), keep_proportion=False)


def _text_on_photo(sheet: Sheet) -> None:
    picture = photo(sheet.rng).point(lambda v: 200 + v // 5)
    sheet.page.insert_image(sheet.page.rect, stream=as_jpeg(picture), keep_proportion=False)
    _text(sheet)


def _cover(sheet: Sheet) -> None:
    sheet.page.insert_text((60, 120), sentence(sheet.rng, "en", 4).upper(), fontsize=26)
    sheet.page.insert_text((60, 160), sentence(sheet.rng, "en", 6), fontsize=14)
    box = pymupdf.Rect(40, 220, sheet.width - 40, sheet.rng.uniform(600, 760))
    sheet.page.insert_image(box, stream=as_jpeg(photo(sheet.rng)), keep_proportion=False)


def _logo_letter(sheet: Sheet) -> None:
    logo = pymupdf.Rect(50, 40, 50 + sheet.rng.uniform(40, 70), 100)
    sheet.page.insert_image(logo, stream=as_jpeg(photo(sheet.rng, 80, 80)))
    write(sheet, prose(sheet.rng, latin(sheet.rng), 35), body_box(sheet, 0.2), 11)


def _recognised(sheet: Sheet) -> None:
    """Draw a scan under the sound invisible text of an earlier OCR."""
    text = prose(sheet.rng, latin(sheet.rng), sheet.rng.choice([12, 60, 300]))
    box = body_box(sheet)
    rest = sheet.rng.getstate()

    def original(other: Sheet) -> None:
        write(other, text, box, 9, pymupdf.Font("helv"))

    _scan_whole(sheet, paper(sheet.rng, original))
    sheet.rng.setstate(rest)
    writer = pymupdf.TextWriter(sheet.page.rect)
    writer.fill_textbox(box, text, font=pymupdf.Font("helv"), fontsize=9, warn=False)
    writer.write_text(sheet.page, render_mode=3)


def _formulas(sheet: Sheet) -> None:
    signs = "∑∫√≤≥≠∞αβγδλπσφωΔΩ∂∈∀∃⊂±×·"
    for r in range(sheet.rng.randint(6, 20)):
        left = "".join(
            sheet.rng.choices(signs + "xyzabn0123456789()+-=^_", k=sheet.rng.randint(9, 40))
        )
        write(sheet, f"{left}   ({r + 1})", pymupdf.Rect(80, 80 + 32 * r, 520, 110 + 32 * r), 12,
              pymupdf.Font("cjk"))  # fmt: skip
        sheet.page.draw_line((90, 100 + 32 * r), (200, 100 + 32 * r), width=0.6)


def _diagram(sheet: Sheet) -> None:
    """Draw boxes with rounded corners, arrows and short labels, or a chart of many markers."""
    rng, page = sheet.rng, sheet.page
    if rng.random() < 0.5:
        for i in range(rng.randint(4, 9)):
            x, y = 70 + 160 * (i % 3), 90 + 110 * (i // 3)
            page.draw_rect(pymupdf.Rect(x, y, x + 120, y + 60), radius=0.2, fill=(0.9, 0.95, 1))
            page.insert_text((x + 10, y + 34), sentence(rng, "en", 2), fontsize=9)
            page.draw_bezier(
                (x + 120, y + 30), (x + 135, y + 20), (x + 140, y + 40), (x + 158, y + 30)
            )
        return
    colours = [(0.8, 0.2, 0.2), (0.2, 0.5, 0.2), (0.2, 0.2, 0.7)]
    for i in range(rng.randint(60, 400)):
        at = (rng.uniform(90, 500), rng.uniform(120, 600))
        page.draw_circle(at, rng.choice([2.0, 2.5, 3.0]), color=None, fill=colours[i % 3])
    for i in range(8):
        page.insert_text((85 + 55 * i, 640), str(20 * i), fontsize=8)
    page.insert_text((200, 670), "Distance from the station (m)", fontsize=9)


def _code(sheet: Sheet) -> None:
    rng = sheet.rng
    names = ["idx", "buf", "tmpl", "xref_tbl", "fnPtr", "qsz", "ctx", "cfg", "_kwargs", "hdr"]
    for r in range(rng.randint(12, 50)):
        left, right = rng.choice(names), rng.choice(names)
        line = rng.choice(
            [
                f"    if ({left} != {right}[{r}]) {{ return -{r}; }}",
                f"def {left}({right}):",
                f"        {left} <<= 0x{rng.randrange(4096):03x} & ~{right};",
            ]
        )
        sheet.page.insert_text((60, 70 + 14 * r), line, fontsize=9, fontname="cour")


def _contents(sheet: Sheet) -> None:
    for r in range(sheet.rng.randint(8, 30)):
        title = sentence(sheet.rng, latin(sheet.rng), 3).rstrip(".")
        sheet.page.insert_text(
            (70, 90 + 20 * r), f"{r + 1}. {title} {'.' * 60} {3 * r + 1}", fontsize=10
        )


def _form(sheet: Sheet) -> None:
    for r in range(sheet.rng.randint(4, 12)):
        y = 100 + 40 * r
        sheet.page.insert_text((60, y), sentence(sheet.rng, latin(sheet.rng), 2), fontsize=10)
        sheet.page.draw_rect(pymupdf.Rect(220, y - 14, 520, y + 8), width=0.7)
        sheet.page.draw_circle((540, y - 3), 5, width=0.7)


def _scan_whole(sheet: Sheet, image: Any) -> None:
    sheet.page.insert_image(sheet.page.rect, stream=as_jpeg(image), keep_proportion=False)


def _scan(sheet: Sheet) -> None:
    _scan_whole(sheet, paper(sheet.rng, printed))


def _scan_sideways(sheet: Sheet) -> None:
    _scan_whole(
        sheet, paper(sheet.rng, printed).rotate(sheet.rng.choice([90, 180, 270]), expand=True)
    )


def _scan_one_bit(sheet: Sheet) -> None:
    _scan_whole(sheet, paper(sheet.rng, printed, 150).point(lambda v: 255 * (v > 140)).convert("1"))


def _scan_inverted(sheet: Sheet) -> None:
    _scan_whole(sheet, ImageOps.invert(paper(sheet.rng, printed)))


def _scan_strips(sheet: Sheet) -> None:
    image = paper(sheet.rng, printed)
    count = sheet.rng.randint(2, 6)
    for i in range(count):
        part = image.crop(
            (0, i * image.height // count, image.width, (i + 1) * image.height // count)
        )
        box = pymupdf.Rect(0, i * sheet.height / count, sheet.width, (i + 1) * sheet.height / count)
        sheet.page.insert_image(box, stream=as_jpeg(part), keep_proportion=False)


def _scan_trimmed(sheet: Sheet) -> None:
    box = pymupdf.Rect(40, 50, sheet.width - 40, sheet.height - 50)
    sheet.page.insert_image(box, stream=as_jpeg(paper(sheet.rng, printed)), keep_proportion=False)


def _scan_stamped(sheet: Sheet) -> None:
    _scan(sheet)
    words = sheet.rng.choice([3, 12, 60])
    y = sheet.rng.choice([4.0, sheet.height - 24])
    write(sheet, prose(sheet.rng, "en", words), pymupdf.Rect(30, y, 570, y + 22), 6)


def _scan_bad_layer(sheet: Sheet) -> None:
    _scan(sheet)
    text = prose(sheet.rng, latin(sheet.rng), sheet.rng.choice([30, 120, 300]))
    if sheet.rng.random() < 0.5:  # every letter the next one
        text = re.sub(r"[a-y]", lambda m: chr(ord(m[0]) + 1), text)
    else:  # UTF-8 read as cp1252
        text = prose(sheet.rng, sheet.rng.choice(["pt", "de"]), 200)
        text = text.encode("utf-8").decode("cp1252", "replace")
    hide(sheet, text)


def _font_map(sheet: Sheet, change: Callable[[bytes], bytes]) -> None:
    """Write prose in an embedded font, then ``change`` its map from glyphs to Unicode."""
    font = pymupdf.Font(sheet.rng.choice(["helv", "tiro"]))
    sheet.page.insert_font(fontname="F0", fontbuffer=font.buffer)
    text = prose(sheet.rng, latin(sheet.rng), sheet.rng.randint(20, 250))
    sheet.page.insert_textbox(body_box(sheet), text, fontname="F0", fontsize=10)
    saved = pymupdf.open("pdf", sheet.pdf.tobytes())
    for xref in range(1, saved.xref_length()):
        if saved.xref_is_stream(xref) and b"beginbf" in (stream := saved.xref_stream(xref)):
            saved.update_stream(xref, change(stream))
    sheet.pdf = saved


def _map_shifted(sheet: Sheet) -> None:
    shift = sheet.rng.choice([1, 1, 3, -29])  # -29: glyph numbers taken for characters

    def change(stream: bytes) -> bytes:
        return re.sub(
            rb"(<[0-9a-f]{4}> <[0-9a-f]{4}> )<([0-9a-f]{4})>",
            lambda m: m[1] + b"<%04x>" % max(1, int(m[2], 16) + shift),
            stream,
        )

    _font_map(sheet, change)


def _map_signs(sheet: Sheet) -> None:
    """Number the letters from "!" on as they first appear, as some programs number glyphs."""

    def change(stream: bytes) -> bytes:
        numbers: dict[int, int] = {}
        drawn = b"".join(sheet.page.read_contents().split())
        for code in re.findall(rb"<([0-9a-fA-F]+)>", drawn):
            for i in range(0, len(code), 4):
                numbers.setdefault(int(code[i : i + 4], 16), len(numbers))
        rows = b"".join(b"<%04x> <%04x>\n" % (g, 0x21 + n) for g, n in numbers.items())
        made = b"%d beginbfchar\n%sendbfchar" % (len(numbers), rows)
        return re.sub(rb"\d+ beginbf.*endbf\w+", lambda _: made, stream, flags=re.DOTALL)

    _font_map(sheet, change)


def _map_missing(sheet: Sheet) -> None:
    _font_map(
        sheet, lambda stream: re.sub(rb"\d+ beginbf.*?endbf\w+", b"", stream, flags=re.DOTALL)
    )


def _outlined(sheet: Sheet) -> None:
    words = prose(sheet.rng, latin(sheet.rng), sheet.rng.choice([8, 80, 200]))
    outlines(sheet, words, body_box(sheet), sheet.rng.choice([10, 12, 16]))
    if sheet.rng.random() < 0.5:
        sheet.page.insert_text((290, 815), f"Page {sheet.rng.randint(1, 99)}", fontsize=9)


def _half_scanned(sheet: Sheet) -> None:
    """Draw a page of sound type whose other half is the picture of a letter."""
    share = sheet.rng.uniform(0.35, 0.5)
    write(sheet, prose(sheet.rng, latin(sheet.rng), 130), body_box(sheet, 0.06, share), 9)
    whole = paper(sheet.rng, printed)
    image = whole.crop((0, 0, whole.width, whole.height // 2))
    box = pymupdf.Rect(50, (share + 0.04) * sheet.height, sheet.width - 50, sheet.height - 40)
    sheet.page.insert_image(box, stream=as_jpeg(image))


def _table_picture(sheet: Sheet) -> None:
    image = paper(sheet.rng, _numbers)
    box = pymupdf.Rect(80, 150, 500, 700)
    sheet.page.insert_image(box, stream=as_jpeg(image))
    if sheet.rng.random() < 0.5:
        sheet.page.insert_text((80, 130), "Table 3. " + sentence(sheet.rng, "en", 5), fontsize=10)


def _blank_scan(sheet: Sheet) -> None:
    _scan_whole(sheet, paper(sheet.rng, lambda _: None))


KINDS: dict[str, tuple[Maker, bool]] = {
    "prose": (_text, False), "two columns": (_columns, False),
    "Greek, Russian, Chinese": (_other_script, False), "table of numbers": (_numbers, False),
    "capitals and codes": (_capitals, False), "nearly empty": (_nearly_empty, False),
    "blank or a frame": (_blank, False), "photograph, fine text": (_photo_text, False),
    "text over a photograph": (_text_on_photo, False), "cover, photograph": (_cover, False),
    "short letter, logo": (_logo_letter, False), "scan, sound hidden layer": (_recognised, False),
    "formulas": (_formulas, False), "diagram or chart": (_diagram, False),
    "source code": (_code, False), "table of contents": (_contents, False),
    "form with fields": (_form, False), "scan": (_scan, True), "scan lying": (_scan_sideways, True),
    "scan, 1 bit": (_scan_one_bit, True), "scan, light on dark": (_scan_inverted, True),
    "scan in strips": (_scan_strips, True), "scan with margins": (_scan_trimmed, True),
    "scan, typed stamp": (_scan_stamped, True), "scan, rubbish layer": (_scan_bad_layer, True),
    "font map shifted": (_map_shifted, True), "font map of signs": (_map_signs, True),
    "font map missing": (_map_missing, True),
    "letters as outlines": (_outlined, True), "half type, half scan": (_half_scanned, True),
    "picture of a table": (_table_picture, True), "blank scan": (_blank_scan, True),
}  # fmt: skip
"""Name to maker and whether the page needs OCR. A blank scan does: only looking at it tells."""


def make(kind: str, seed: int) -> Any:
    """Return a PDF of one page of a kind, the same at every call."""
    pdf = pymupdf.open()
    width, height = Rng(f"{seed}/size").choice([(595, 842), (612, 792)])
    sheet = Sheet(pdf, pdf.new_page(width=width, height=height), Rng(f"{kind}/{seed}"))
    KINDS[kind][0](sheet)
    return pymupdf.open("pdf", sheet.pdf.tobytes(garbage=3))
