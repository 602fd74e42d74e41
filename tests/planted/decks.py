"""A deck with a word in every place where PowerPoint keeps text."""

from __future__ import annotations

import importlib
import io
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from tests.planted.pdfs import picture
from tests.planted.words import Planter

_BLANK, _TITLE_AND_BODY = 6, 1
_DIAGRAM = """<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst>
<dgm:pt modelId="0" type="doc"/>{points}</dgm:ptLst><dgm:cxnLst>{links}</dgm:cxnLst>
</dgm:dataModel>"""
_POINT = (
    '<dgm:pt modelId="{n}"><dgm:t><a:bodyPr/><a:p><a:r><a:t>{t}</a:t></a:r></a:p></dgm:t></dgm:pt>'
)
_LINK = '<dgm:cxn modelId="{id}" srcId="{above}" destId="{n}" srcOrd="{order}" destOrd="0"/>'
_FRAME = """<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="90" name="d"/>
<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/>
<a:ext cx="999999" cy="999999"/></p:xfrm><a:graphic>
<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/diagram"><dgm:relIds
 xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"
 xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:dm="rId70"/>
</a:graphicData></a:graphic></p:graphicFrame></p:spTree>"""
_RELATION = (
    '<Relationship Id="rId70" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
    'relationships/diagramData" Target="/ppt/diagrams/data1.xml"/></Relationships>'
)
_TYPE = (
    '<Override PartName="/ppt/diagrams/data1.xml" ContentType="application/'
    'vnd.openxmlformats-officedocument.drawingml.diagramData+xml"/></Types>'
)


def write_decks(folder: Path, planter: Planter) -> None:
    """Write ``deck.pptx`` into ``folder``."""
    path = folder / "deck.pptx"
    deck, plant = Presentation(), partial(planter.word, path.name)
    _text_slide(deck, plant)
    _group_slide(deck, plant)
    _table_slide(deck, plant)
    _chart_slide(deck, plant)
    _picture_slide(deck, planter, path.name)
    hidden = _slide(deck)
    _box(hidden, plant("hidden slide"), 1)
    hidden._element.set("show", "0")
    _slide(deck)
    deck.save(str(path))
    _add_diagram(path, len(deck.slides), plant)


def _slide(deck: Any, layout: int = _BLANK) -> Any:
    return deck.slides.add_slide(deck.slide_layouts[layout])


def _box(parent: Any, text: str, top: float, left: float = 1) -> Any:
    shape = parent.shapes.add_textbox(Inches(left), Inches(top), Inches(3), Inches(0.6))
    shape.text_frame.text = text
    return shape


def _text_slide(deck: Any, plant: Any) -> None:
    slide = _slide(deck, _TITLE_AND_BODY)
    slide.shapes.title.text = plant("title")
    body = slide.placeholders[1].text_frame
    body.text = plant("bullet")
    for level in (1, 2):
        paragraph = body.add_paragraph()
        paragraph.text, paragraph.level = plant(f"bullet of level {level}"), level
    slide.notes_slide.notes_text_frame.text = plant("speaker note")
    _box(slide, plant("text box"), 6)


def _group_slide(deck: Any, plant: Any) -> None:
    slide = _slide(deck)
    group = slide
    for depth in range(1, 4):
        group = group.shapes.add_group_shape()
        _box(group, plant(f"group of depth {depth}"), depth)
    _box(slide, plant("beside the group"), 5)


def _table_slide(deck: Any, plant: Any) -> None:
    slide = _slide(deck)
    size = (Inches(1), Inches(1), Inches(7), Inches(3))
    table = slide.shapes.add_table(4, 3, *size).table
    table.cell(1, 0).merge(table.cell(2, 0))
    for row in range(4):
        for column in range(3):
            if not table.cell(row, column).is_spanned:
                place = "header" if row == 0 else f"row {row}"
                table.cell(row, column).text = plant(f"table {place} column {column}")


def _chart_slide(deck: Any, plant: Any) -> None:
    data = importlib.import_module("pptx.chart.data").CategoryChartData()
    data.categories = [plant(f"chart category {n}") for n in range(3)]
    for n in range(2):
        data.add_series(plant(f"chart series {n}"), (1.5, 2.5, 3.5))
    size = (Inches(1), Inches(1), Inches(7), Inches(4))
    chart = _slide(deck).shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *size, data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = plant("chart title")
    axis = chart.category_axis
    axis.has_title = True
    axis.axis_title.text_frame.text = plant("axis title")


def _picture_slide(deck: Any, planter: Planter, name: str) -> None:
    slide = _slide(deck)
    lines = [planter.sentence(name, f"picture line {row}") for row in range(3)]
    image = slide.shapes.add_picture(io.BytesIO(picture(lines)), Inches(1), Inches(1), Inches(8))
    image._element.nvPicPr.cNvPr.set("descr", planter.sentence(name, "alt text"))


def _add_diagram(path: Path, slide: int, plant: Any) -> None:
    """Add SmartArt to a slide, which python-pptx cannot write: three nodes, one below another."""
    above = (0, 0, 1)
    points = "".join(_POINT.format(n=n, t=plant(f"SmartArt node {n}")) for n in (1, 2, 3))
    links = "".join(
        _LINK.format(id=10 + n, above=a, n=n, order=n) for n, a in enumerate(above, start=1)
    )
    page = f"ppt/slides/slide{slide}.xml"
    ends = {
        page: ("</p:spTree>", _FRAME),
        f"ppt/slides/_rels/slide{slide}.xml.rels": ("</Relationships>", _RELATION),
        "[Content_Types].xml": ("</Types>", _TYPE),
    }
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    for name, (old, new) in ends.items():
        parts[name] = parts[name].decode().replace(old, new).encode()
    parts["ppt/diagrams/data1.xml"] = _DIAGRAM.format(points=points, links=links).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(name, data)
