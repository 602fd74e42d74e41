"""Charts as sentences: "Sales, 1st Qtr: 8.2", for every type, from the chart's own XML.

One reading of ``c:ser`` serves all types. python-pptx's ``plots`` raise on stock, surface, bar-3D,
line-3D, pie-3D and pie-of-pie charts, know no x values, bubble sizes or dates, and give numbers as
floats, of which the ledger cannot count the characters: used, they would only be a second way.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from parsers.normalise import count_characters, one_line
from parsers.ooxml import count_text_nodes, q
from parsers.slides.text import paragraph_text

_EXCEL_EPOCH = dt.datetime(1899, 12, 30)
"""Day 0 of Excel's serial dates (its 29 February 1900 included)."""
_TEXT_NODES = ("a:t", "c:v", "cx:v", "cx:pt")
_BREAKS = ("a:p", "a:br", "c:pt", "c:ser", "cx:series", "cx:lvl")


@dataclass(slots=True)
class ChartText:
    """What a chart says.

    Attributes:
        captions: Title, axis titles and hand-written labels.
        series: For each series its lines, one a point.
        generated: Characters of ``series`` beyond the nodes they were made from (a series' name
            repeated on each line, separators, shortened numbers).
        dropped: Reason to count of characters of the XML left out.
        of_cells: Only the series' names are wanted.
    """

    of_cells: bool = False
    captions: list[str] = field(default_factory=list)
    series: list[str] = field(default_factory=list)
    generated: int = 0
    dropped: dict[str, int] = field(default_factory=dict)

    def drop(self, reason: str, count: int) -> None:
        """Add to a reason's count."""
        if count:
            self.dropped[reason] = self.dropped.get(reason, 0) + count


@dataclass(frozen=True, slots=True)
class _Values:
    """One dimension of a series.

    Attributes:
        points: Index to what is shown.
        read: Characters of the nodes it was made from.
        changed: How many of them are shown in another form (8.1999999999999993 as 8.2).
    """

    points: dict[int, str]
    read: int
    changed: int


def count_chart(root: etree._Element) -> int:
    """Return the ledger's own count of the characters in a chart part."""
    return count_text_nodes(root, _TEXT_NODES, _BREAKS)


def read_chart(root: Any, of_cells: bool = False) -> ChartText:
    """Return the text of a chart part (``c:chartSpace`` or the newer ``cx:chartSpace``).

    Args:
        root: Parsed by python-pptx.
        of_cells: The document has the values in a table already: of the series the names alone.
    """
    chart = ChartText(of_cells=of_cells)
    for paragraph in root.iter(q("a:p")):
        if text := one_line(paragraph_text(paragraph)):
            chart.captions.append(text)
    if root.tag == q("cx:chartSpace"):
        _read_extended(root, chart)
    else:
        _read_classic(root, chart)
    return chart


def _read_classic(root: Any, chart: ChartText) -> None:
    for title in root.iter(q("c:title")):  # a title taken from a cell
        chart.captions += [text for v in title.iter(q("c:v")) if (text := one_line(v.text or ""))]
    for extension in root.iter(q("c:extLst")):
        if next(extension.iterancestors(q("c:extLst")), None) is None:
            chart.drop("chart extension", _count_values(extension))
    for bars in root.iter(q("c:errBars")):
        chart.drop("error bars", _count_values(bars))
    for series in root.iter(q("c:ser")):
        names = [v.text or "" for v in series.xpath("c:tx//c:v")]
        labels, values, sizes = (
            _dimension(next(iter(series.xpath(kind)), None))
            for kind in ("c:cat | c:xVal", "c:val | c:yVal", "c:bubbleSize")
        )
        _add_series(chart, names, labels, [values, sizes])


def _read_extended(root: etree._Element, chart: ChartText) -> None:
    data = {e.get("id", ""): e for e in root.iter(q("cx:data"))}
    read: set[str] = set()
    for title in root.iter(q("cx:title")):
        chart.captions += [text for v in title.iter(q("cx:v")) if (text := one_line(v.text or ""))]
    for series in root.iter(q("cx:series")):
        names = [v.text or "" for tx in series.findall(q("cx:tx")) for v in tx.iter(q("cx:v"))]
        reference = series.find(q("cx:dataId"))
        key = "" if reference is None else reference.get("val", "")
        if key not in data or key in read:
            chart.drop("series without data of its own", sum(map(count_characters, names)))
            continue
        read.add(key)
        text_dimensions = [_extended(e) for e in data[key].findall(q("cx:strDim"))]
        labels = text_dimensions[0] if text_dimensions else None
        numbers = [_extended(e) for e in data[key].findall(q("cx:numDim"))]
        _add_series(chart, names, labels, [*text_dimensions[1:], *numbers])


def _add_series(
    chart: ChartText, names: list[str], labels: _Values | None, values: list[_Values | None]
) -> None:
    known = [v for v in values if v is not None and v.points]
    if chart.of_cells:
        chart.drop("shown in its cells", sum(v.read for v in (labels, *known) if v is not None))
        labels, known = None, []
    name = one_line(" ".join(names))
    indexes = sorted({i for v in known for i in v.points} | set(labels.points if labels else ()))
    lines = []
    for index in indexes:
        label = labels.points.get(index, "") if labels else ""
        value = ", ".join(v.points[index] for v in known if index in v.points)
        head = ", ".join(part for part in (name, label) if part)
        lines.append(f"{head}: {value}" if head and value else head or value)
    text = "\n".join(lines or [name])
    if not text.strip():
        return
    chart.series.append(text)
    parts = [v for v in (labels, *known) if v is not None]
    changed = sum(v.changed for v in parts)
    chart.drop("number format", changed)
    kept = sum(map(count_characters, names)) + sum(v.read for v in parts) - changed
    chart.generated += count_characters(text) - kept


def _dimension(holder: etree._Element | None) -> _Values | None:
    """Return the cached points of a ``c:cat``, ``c:val``, … element."""
    if holder is None:
        return None
    levels = list(holder.iter(q("c:lvl")))
    if levels:
        return _join_levels([_points(level) for level in levels])
    numeric = holder.find(q("c:numRef")) is not None or holder.find(q("c:numLit")) is not None
    code = next((e.text or "" for e in holder.iter(q("c:formatCode"))), "")
    return _flat(_points(holder), code if numeric else None)


def _extended(dimension: etree._Element) -> _Values:
    levels = [
        {int(p.get("idx") or 0): p.text or "" for p in level.iter(q("cx:pt"))}
        for level in dimension.iter(q("cx:lvl"))
    ]
    if dimension.tag == q("cx:numDim"):
        return _flat(levels[0] if levels else {}, "")
    return _join_levels(levels)


def _flat(raw: dict[int, str], number_format: str | None) -> _Values:
    """Return one level of points; ``number_format`` is None for text."""
    shown = {
        i: one_line(t) if number_format is None else _number(t, number_format)
        for i, t in raw.items()
    }
    changed = sum(count_characters(t) for i, t in raw.items() if shown[i] != one_line(t))
    return _Values(shown, sum(map(count_characters, raw.values())), changed)


def _join_levels(levels: list[dict[int, str]]) -> _Values:
    """Join levels (innermost first): an outer label holds until the next one of its level."""
    points: dict[int, str] = {}
    for index in sorted(levels[0] if levels else ()):
        parts = []
        for level in reversed(levels[1:]):
            before = [i for i in level if i <= index]
            parts += [one_line(level[max(before)])] if before else []
        points[index] = " / ".join([*parts, one_line(levels[0][index])])
    return _Values(points, sum(count_characters(t) for level in levels for t in level.values()), 0)


def _points(holder: etree._Element) -> dict[int, str]:
    found: dict[int, str] = {}
    for point in holder.iter(q("c:pt")):
        value = point.find(q("c:v"))
        if value is not None and (value.text or "").strip():
            found[int(point.get("idx") or 0)] = value.text or ""
    return found


def _number(text: str, code: str) -> str:
    """Return a cached number as a reader would write it; a serial date as an ISO date."""
    try:
        number = float(text)
    except ValueError:
        return one_line(text)
    plain = code.lower().split(";")[0]
    if ("yy" in plain or ("d" in plain and "m" in plain)) and 0 < number < 2_958_466:
        moment = _EXCEL_EPOCH + dt.timedelta(days=number)
        return (
            moment.date().isoformat() if number.is_integer() else moment.isoformat(" ", "minutes")
        )
    return f"{number:.15g}"


def _count_values(element: etree._Element) -> int:
    return sum(count_characters(v.text or "") for v in element.iter(q("c:v")))
