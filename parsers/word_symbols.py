"""What Word shows by elements without text: signs of symbol fonts, old form fields."""

from __future__ import annotations

from lxml import etree

from parsers.ooxml import q

_LOW = (
    "\u2200#\u2203%&\u220b()\u2217+,\u2212./0123456789:;<=>?\u2245"
    "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[\u2234]\u22a5_\u203e"
    "αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}\u223c"
)
"""Adobe's Symbol encoding from 0x22 on."""
_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑"
"""The same from 0xA0 on."""
_SYMBOL = {
    **{0x22 + i: sign for i, sign in enumerate(_LOW)},
    **{0xA0 + i: sign for i, sign in enumerate(_HIGH)},
}
_WINGDINGS = {
    0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x76: "❖", 0x9F: "•", 0xA7: "▪", 0xA8: "☐",
    0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {0x50: "✓", 0x4F: "✗", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "☐"}
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2}
_PRIVATE = 0xF000
"""Symbol fonts stand at 0xF000 and up; other signs are Unicode already."""


def sign_of(symbol: etree._Element) -> str:
    """Return the character that a ``w:sym`` shows, "" for a sign of a font not known here."""
    code = symbol.get(q("w:char"), "")
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    table = _FONTS.get(symbol.get(q("w:font"), "").lower())
    if table is not None:
        return table.get(number & 0xFF, "")
    return chr(number) if 0x20 < number < _PRIVATE else ""


def field_value(field: etree._Element) -> str:
    """Return what an old form field (``w:ffData``) shows that no run of text does.

    The entry chosen of a list, or whether a box is ticked; "" for a text field, which has runs.
    """
    choices = field.find(q("w:ddList"))
    if choices is not None:
        entries = [e.get(q("w:val"), "") for e in choices.findall(q("w:listEntry"))]
        chosen = _number(choices, "w:result") or _number(choices, "w:default") or 0
        return entries[chosen] if chosen < len(entries) else ""
    box = field.find(q("w:checkBox"))
    if box is None:
        return ""
    ticked = box.find(q("w:checked"))
    ticked = box.find(q("w:default")) if ticked is None else ticked
    on = ticked is not None and ticked.get(q("w:val"), "1") not in ("0", "false", "off")
    return "☒" if on else "☐"


def _number(parent: etree._Element, name: str) -> int | None:
    element = parent.find(q(name))
    value = "" if element is None else element.get(q("w:val"), "")
    return int(value) if value.isdecimal() else None
