from __future__ import annotations

import datetime as dt
import importlib
import io
from collections.abc import Callable
from typing import Any

import pytest

from parsers.model import BlockKind, Document, TextSource

Parse = Callable[..., Document]


def _chart_data(kind: str) -> Any:
    return getattr(importlib.import_module("pptx.chart.data"), kind)()


def _chart_deck(deck: Any, kind: str, data: Any) -> Any:
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    slide = deck.slides.add_slide(deck.slide_layouts[6])
    size = (Inches(1), Inches(1), Inches(6), Inches(4))
    slide.shapes.add_chart(getattr(XL_CHART_TYPE, kind), *size, data)
    return slide


@pytest.mark.parametrize("kind", ["COLUMN_CLUSTERED", "PIE", "LINE", "RADAR", "AREA", "DOUGHNUT"])
def test_a_chart_states_its_series_categories_and_values(
    deck: Any, parse_deck: Parse, kind: str
) -> None:
    data = _chart_data("CategoryChartData")
    data.categories = ["1st Qtr", "2nd Qtr", "3rd Qtr"]
    data.add_series("Sales", (8.2, 3.2, 1.4))
    _chart_deck(deck, kind, data)
    document = parse_deck(deck)
    block = next(b for b in document.blocks if b.locator == "slide_1/chart_1/series_1")
    assert document.text[block.start : block.end].strip().split("\n") == [
        "Sales, 1st Qtr: 8.2",
        "Sales, 2nd Qtr: 3.2",
        "Sales, 3rd Qtr: 1.4",
    ]
    assert all(row.unaccounted == 0 for row in document.ledger)


def test_each_series_of_a_chart_is_a_block(deck: Any, parse_deck: Parse) -> None:
    data = _chart_data("CategoryChartData")
    data.categories = ["a", "b"]
    data.add_series("East", (1, 2))
    data.add_series("West", (3, None))
    slide = _chart_deck(deck, "BAR_CLUSTERED", data)
    chart = slide.shapes[0].chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "By region"
    document = parse_deck(deck)
    assert [b.locator.removeprefix("slide_1/chart_1/") for b in document.blocks] == [
        "caption",
        "series_1",
        "series_2",
    ]
    assert "By region" in document.text
    assert "East, a: 1\nEast, b: 2" in document.text
    assert "West, a: 3\nWest, b" in document.text
    assert all(row.unaccounted == 0 for row in document.ledger)


def test_a_scatter_chart_states_its_pairs(deck: Any, parse_deck: Parse) -> None:
    data = _chart_data("XyChartData")
    series = data.add_series("Model")
    series.add_data_point(0.7, 2.7)
    series.add_data_point(1.8, 3.2)
    _chart_deck(deck, "XY_SCATTER", data)
    document = parse_deck(deck)
    assert "Model, 0.7: 2.7\nModel, 1.8: 3.2" in document.text
    assert all(row.unaccounted == 0 for row in document.ledger)


def test_dates_on_an_axis_are_dates(deck: Any, parse_deck: Parse) -> None:
    data = _chart_data("CategoryChartData")
    data.categories = [dt.date(2024, 1, 31), dt.date(2024, 2, 29)]
    data.add_series("Rate", (1.5, 2.5))
    _chart_deck(deck, "LINE", data)
    assert "Rate, 2024-02-29: 2.5" in parse_deck(deck).text


_EXTENDED = b"""<cx:chartSpace xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><cx:chartData><cx:data id="0">
<cx:strDim type="cat"><cx:lvl ptCount="2"><cx:pt idx="0">Start</cx:pt><cx:pt idx="1">End</cx:pt>
</cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl ptCount="2"><cx:pt idx="0">100</cx:pt>
<cx:pt idx="1">70</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:plotArea>
<cx:plotAreaRegion><cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:v>Cash</cx:v></cx:txData>
</cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart>
</cx:chartSpace>"""
_FRAME = b"""<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="f"/><p:cNvGraphicFramePr/>
<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="99" cy="99"/></p:xfrm>
<a:graphic><a:graphicData uri="x">%s</a:graphicData></a:graphic></p:graphicFrame></p:spTree>"""
_SMART_ART = b"""<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst>
<dgm:pt modelId="2"><dgm:t><a:p><a:r><a:t>Second</a:t></a:r></a:p></dgm:t></dgm:pt>
<dgm:pt modelId="0" type="doc"/>
<dgm:pt modelId="3"><dgm:t><a:p><a:r><a:t>Below the first</a:t></a:r></a:p></dgm:t></dgm:pt>
<dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>First</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst>
<dgm:cxnLst><dgm:cxn modelId="7" srcId="0" destId="2" srcOrd="1" destOrd="0"/>
<dgm:cxn modelId="8" srcId="0" destId="1" srcOrd="0" destOrd="0"/>
<dgm:cxn modelId="9" srcId="1" destId="3" srcOrd="0" destOrd="0"/></dgm:cxnLst></dgm:dataModel>"""
_R = b'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'


def _with_frame(deck: Any, edited: Any, linked: Any, inner: bytes, kind: str, part: bytes) -> bytes:
    deck.slides.add_slide(deck.slide_layouts[6])
    rels = "ppt/slides/_rels/slide1.xml.rels"
    result: bytes = edited(
        deck,
        {
            "ppt/slides/slide1.xml": lambda xml: xml.replace(b"</p:spTree>", _FRAME % inner),
            rels: lambda xml: linked(xml, "rId50", kind, "/ppt/extra/part.xml"),
            "ppt/extra/part.xml": part,
        },
    )
    return result


def test_a_chart_of_the_newer_kind_is_read(
    deck: Any, parse_deck: Parse, edited: Any, linked: Any
) -> None:
    inner = (
        b'<cx:chart xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" '
        + _R
        + b' r:id="rId50"/>'
    )
    kind = "http://schemas.microsoft.com/office/2014/relationships/chartEx"
    document = parse_deck(_with_frame(deck, edited, linked, inner, kind, _EXTENDED))
    assert "Cash, Start: 100\nCash, End: 70" in document.text
    assert all(row.unaccounted == 0 for row in document.ledger)


def test_smart_art_is_read_in_the_order_of_its_outline(
    deck: Any, parse_deck: Parse, edited: Any, linked: Any
) -> None:
    inner = (
        b'<dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
        + _R
        + b' r:dm="rId50"/>'
    )
    document = parse_deck(_with_frame(deck, edited, linked, inner, "diagramData", _SMART_ART))
    nodes = [(b.level, document.text[b.start : b.end].strip()) for b in document.blocks]
    assert nodes == [(1, "First"), (2, "Below the first"), (1, "Second")]
    assert document.blocks[0].kind is BlockKind.LIST_ITEM
    assert all(row.unaccounted == 0 for row in document.ledger)


def test_a_broken_chart_is_a_failure_of_its_slide(
    deck: Any, parse_deck: Parse, edited: Any
) -> None:
    data = _chart_data("CategoryChartData")
    data.categories = ["a"]
    data.add_series("s", (1,))
    slide = _chart_deck(deck, "PIE", data)
    part = str(slide.shapes[0].chart.part.partname).lstrip("/")
    document = parse_deck(edited(deck, {part: b"<broken"}))
    assert [(f.page, f.error) for f in document.failures] == [(1, "DamagedFileError")]


def _picture(text: str, size: tuple[int, int] = (900, 200)) -> io.BytesIO:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", size, "white")
    font = ImageFont.load_default(size=60)
    ImageDraw.Draw(image).text((30, 50), text, fill="black", font=font)
    out = io.BytesIO()
    image.save(out, "PNG")
    out.seek(0)
    return out


@pytest.mark.ocr
def test_a_picture_is_recognised_and_its_slide_flagged(deck: Any, parse_deck: Parse) -> None:
    from pptx.util import Inches

    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_picture(_picture("Happy new year 2003"), 0, 0, width=Inches(8))
    document = parse_deck(deck, ocr=True)
    assert "Happy new year 2003" in document.text
    page = document.pages[0]
    assert page.text_source is TextSource.OCR
    assert page.ocr_confidence is not None
    assert page.ocr_confidence > 0.8
    assert "to be described" in page.route_reason
    assert document.blocks[0].locator == "slide_1/picture_1"
    assert document.ledger[0].generated == {"OCR": 16}


@pytest.mark.ocr
def test_a_logo_on_every_slide_is_written_out_once(deck: Any, parse_deck: Parse) -> None:
    from pptx.util import Inches

    for _ in range(3):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        slide.shapes.add_picture(_picture("ACME company"), 0, 0, width=Inches(2))
    document = parse_deck(deck, ocr=True)
    assert document.text.count("ACME company") == 1


def test_a_picture_is_not_recognised_when_ocr_is_off(deck: Any, parse_deck: Parse) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_picture(_picture("words"), 0, 0)
    document = parse_deck(deck, ocr=False)
    assert document.text == ""
    assert "OCR is off" in document.pages[0].route_reason


def test_an_icon_needs_no_description(deck: Any, parse_deck: Parse) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_picture(_picture("x", (32, 32)), 0, 0)
    assert parse_deck(deck, ocr=False).pages[0].route_reason == ""
