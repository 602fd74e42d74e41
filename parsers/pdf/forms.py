"""Form fields and annotations of a page: text that is not in the page's own stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from parsers.model import BoundingBox
from parsers.normalise import one_line


@dataclass(frozen=True, slots=True)
class PageNote:
    """A form field or a comment.

    Attributes:
        text: ``name: value`` of a field, the words of a comment.
        value: The value alone.
        bbox: Where, on the page as it is turned.
        is_field: A form field; else an annotation.
    """

    text: str
    value: str
    bbox: BoundingBox
    is_field: bool


def read_fields(page: Any) -> list[PageNote]:
    """Return the filled fields of a PyMuPDF page, each group of buttons once."""
    found: list[PageNote] = []
    for widget in page.widgets():
        value = widget.field_value
        if isinstance(value, list | tuple):
            value = ", ".join(str(v) for v in value)
        value = one_line("" if value is None else str(value))
        kind = str(widget.field_type_string)
        if (
            not value
            or kind in ("Signature", "Button")
            or (kind == "RadioButton" and value == "Off")
        ):
            continue
        name = one_line(str(widget.field_label or widget.field_name or "field"))
        note = PageNote(f"{name}: {value}", value, _box(widget.rect), True)
        if kind == "RadioButton" and any(f.text == note.text for f in found):
            continue
        found.append(note)
    return found


def read_comments(page: Any, page_text: str) -> list[PageNote]:
    """Return the comments on a PyMuPDF page that do not stand in its text already."""
    seen = "".join(page_text.split())
    found: list[PageNote] = []
    for annotation in page.annots():
        words = str((annotation.info or {}).get("content") or "").strip()
        if not words or "".join(words.split()) in seen:
            continue
        found.append(PageNote(words, words, _box(annotation.rect), False))
    return found


def _box(rect: Any) -> BoundingBox:
    return BoundingBox(
        min(rect.x0, rect.x1), min(rect.y0, rect.y1), max(rect.x0, rect.x1), max(rect.y0, rect.y1)
    )
