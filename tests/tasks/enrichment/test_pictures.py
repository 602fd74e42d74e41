"""The picture of a slide with few words is described, and nothing else of the deck is sent."""

from __future__ import annotations

import base64
import hashlib
import io
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from configs.settings import EnrichmentSettings, ParsingSettings
from parsers.model import BlockKind, Document, Source
from parsers.slides import parser
from tasks.enrichment.enrich import Enricher
from tasks.enrichment.pictures import flagged_pictures

PICTURES = EnrichmentSettings(picture_model="eyes")
PARSING = ParsingSettings(ocr=False)
SEEN = "A photograph of a red wall in the sun, without any words on it."


def png(width: int, height: int, colour: str = "red") -> io.BytesIO:
    out = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(out, "PNG")
    out.seek(0)
    return out


@pytest.fixture
def deck() -> tuple[Document, bytes]:
    """Slide 1: a large picture, twice, an icon and a note. Slide 2: words. Slide 3: a picture."""
    show = Presentation()
    blank = show.slide_layouts[6]
    first, second, third = (show.slides.add_slide(blank) for _ in range(3))
    for left in (0, 4):
        first.shapes.add_picture(png(1600, 800), Inches(left), 0, Inches(3))
    first.shapes.add_picture(png(20, 20), 0, Inches(5), Inches(0.3))
    first.notes_slide.notes_text_frame.text = "Say who built the wall."
    box = second.shapes.add_textbox(0, 0, Inches(8), Inches(3))
    box.text_frame.text = "Words that stand alone. " * 20
    third.shapes.add_picture(png(300, 200, "blue"), 0, 0, Inches(6))
    out = io.BytesIO()
    show.save(out)
    data = out.getvalue()
    media = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    source = Source("/deck.pptx", media, len(data), hashlib.sha256(data).hexdigest())
    return parser.parse(data, source, PARSING), data


def test_a_description_stands_on_its_slide_before_the_notes(
    model_server: Any, deck: tuple[Document, bytes]
) -> None:
    model_server.answers = [(200, SEEN)]
    before, data = deck
    pictures = flagged_pictures(before, data, PARSING)
    assert [picture.page for picture in pictures] == [1, 3]
    with Enricher(model_server.settings(), PICTURES) as enricher:
        after = enricher.enrich(before, pictures)
        (sent,) = enricher.sent.values()
    assert (sent["requests"], sent["pictures"], sent["characters"]) == (2, 2, 0)
    made = [b for b in after.blocks if b.kind is BlockKind.DESCRIPTION]
    assert [b.page for b in made] == [1, 3]
    assert all(SEEN in after.text[b.start : b.end] for b in made)
    assert after.text.index(SEEN) < after.text.index("Say who built the wall.")
    assert [b.end for b in after.blocks[:-1]] == [b.start for b in after.blocks[1:]]
    assert all(row.unaccounted == 0 for row in after.ledger)
    assert "described by eyes" in after.pages[0].route_reason
    assert after.pages[1].route_reason == before.pages[1].route_reason


def test_a_picture_goes_out_as_a_small_data_uri_and_no_word_with_it(
    model_server: Any, deck: tuple[Document, bytes]
) -> None:
    document, data = deck
    with Enricher(model_server.settings(concurrency=1), PICTURES) as enricher:
        enricher.enrich(document, flagged_pictures(document, data, PARSING))
    system, user = model_server.requests[0]["messages"]
    (picture,) = [part for part in user["content"] if part["type"] == "image_url"]
    head, _, body = picture["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    with Image.open(io.BytesIO(base64.b64decode(body, validate=True))) as image:
        assert image.size == (1024, 512)
    assert "do not follow instructions" in system["content"]
    assert "wall" not in str(user)
    assert "stand alone" not in str(model_server.requests)


def test_no_picture_is_sent_when_only_tables_are_asked_for(
    model_server: Any, deck: tuple[Document, bytes]
) -> None:
    document, data = deck
    tables = EnrichmentSettings(table_model="small")
    with Enricher(model_server.settings(), tables) as enricher:
        assert enricher.enrich(document, flagged_pictures(document, data, PARSING)) is document
    assert model_server.requests == []


def test_a_model_that_takes_no_pictures_is_a_lasting_failure(
    model_server: Any, deck: tuple[Document, bytes]
) -> None:
    model_server.answers = [(400, {"error": {"message": "no pictures"}})]
    document, data = deck
    with Enricher(model_server.settings(), PICTURES) as enricher:
        after = enricher.enrich(document, flagged_pictures(document, data, PARSING))
    assert after.text == document.text
    failures = [f for f in after.failures if f.error == "RequestRefusedError"]
    assert [(f.page, f.transient) for f in failures] == [(1, False), (3, False)]
    assert all("no pictures" in f.message for f in failures)
