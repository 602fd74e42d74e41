"""A run whose language model fails indexes the document, says so, and asks again the next time."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from configs.settings import load_settings
from flows.dag import IngestSummary, run_ingest
from flows.progress import TerminalProgress
from flows.runners import LocalRunner
from storage.catalog import Catalog
from storage.parts import read_part
from storage.paths import StorePaths
from tasks.indexing.verify import verify_store

SEEN = "A photograph of a red wall in the sun, without any words on it."


class _Model(ThreadingHTTPServer):
    works = False
    asked = 0


@pytest.fixture
def model() -> Iterator[_Model]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            server.asked += 1
            message = {"choices": [{"message": {"content": SEEN}, "finish_reason": "stop"}]}
            body = json.dumps(message).encode()
            self.send_response(200 if server.works else 403)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    server = _Model(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = "The old wall"
    picture = io.BytesIO()
    Image.new("RGB", (200, 200), "red").save(picture, "PNG")
    slide.shapes.add_picture(picture, 0, Inches(2), Inches(3))
    folder = tmp_path / "corpus"
    folder.mkdir()
    show.save(str(folder / "deck.pptx"))
    (folder / "notes.txt").write_text("The archive moves to the cellar in May.\n", "utf-8")
    return folder


def test_a_missing_description_is_a_failure_until_the_model_gives_it(
    model: _Model, deck: Path, tmp_path: Path, tiny_encoder: Path
) -> None:
    store = tmp_path / "store"

    def ingest(picture_model: str = "eyes") -> IngestSummary:
        settings = load_settings(
            parsing={"workers": 1, "ocr": False},
            encoder={"ref": str(tiny_encoder)},
            endpoint={"base_url": f"http://127.0.0.1:{model.server_port}/v1"},
            enrichment={"picture_model": picture_model},
        )
        with TerminalProgress(quiet=True) as bar:
            return run_ingest([str(deck)], store, settings, LocalRunner(), bar)

    plain = ingest(picture_model="")
    assert (plain.sent, plain.failures, model.asked) == ({}, (), 0)
    refused = ingest()
    assert refused.documents["changed"] == 1  # only the deck asks for pictures
    assert [(f.stage, f.transient) for f in refused.failures] == [("enrich", True)]
    assert SEEN not in _text(store, "deck.pptx")
    model.works = True
    mended = ingest()
    assert mended.failures == ()
    ((host, sent),) = mended.sent.items()
    assert (host, sent["pictures"]) == (f"127.0.0.1:{model.server_port}", 1)
    text = _text(store, "deck.pptx")
    assert text.index("The old wall") < text.index(f"by eyes, not in the source] {SEEN}")
    asked = model.asked
    again = ingest()
    assert (again.documents["unchanged"], again.sent, model.asked) == (2, {}, asked)
    assert verify_store(store).ok


def _text(store: Path, name: str) -> str:
    paths = StorePaths(store)
    with Catalog(paths) as catalog:
        row: Any = next(r for r in catalog.documents() if r.uri.endswith(name))
    document, _ = read_part(paths, row.part)
    return str(document.column("text")[0].as_py())
