"""A small model server on this machine, and a document with a table that no rule can read."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from configs.settings import EndpointSettings
from parsers.builder import DocumentBuilder
from parsers.model import BlockKind, Document, Source
from parsers.tables.emit import emit_table
from parsers.tables.grid import Grid, GridCell

GOOD = "The table lists riders by city, with Lisboa at 1,204 and Porto at 987."


@dataclass
class ModelServer:
    """Answers as told: a status and a body for each request, the last one for all further ones."""

    url: str = ""
    answers: list[tuple[int, Any]] = field(default_factory=lambda: [(200, GOOD)])
    delay_s: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)

    def settings(self, **more: Any) -> EndpointSettings:
        return EndpointSettings.model_validate({"base_url": self.url, "timeout_s": 2.0, **more})


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    state = ModelServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply(200, json.dumps({"data": [{"id": "small"}]}).encode())

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            state.requests.append(json.loads(self.rfile.read(length)))
            state.keys.append(self.headers.get("Authorization"))
            time.sleep(state.delay_s)
            status, said = state.answers[min(len(state.requests), len(state.answers)) - 1]
            if status == 200 and isinstance(said, str):
                message = {"role": "assistant", "content": said}
                said = {"choices": [{"message": message, "finish_reason": "stop"}]}
            body = said if isinstance(said, bytes) else json.dumps(said).encode()
            self._reply(status, body)

        def _reply(self, status: int, body: bytes) -> None:
            self.send_response(status)
            for name, value in state.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with contextlib.suppress(ConnectionError):  # the client may hang up first
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    yield state
    server.shutdown()
    server.server_close()


@pytest.fixture
def irregular() -> Callable[[], Document]:
    """A document whose table has cells that overlap, so that no column can be trusted."""

    def build(tables: int = 1) -> Document:
        digest = hashlib.sha256(b"a").hexdigest()
        builder = DocumentBuilder(Source("/a.pdf", "application/pdf", 1, digest), "test", 1)
        builder.add_block(BlockKind.PARAGRAPH, "Before the table.")
        builder.count_source(15)
        for number in range(1, tables + 1):
            cells = (
                GridCell(0, 0, f"Riders of city {number}", 2, 2),
                GridCell(1, 1, "Lisboa 1,204"),
                GridCell(2, 0, "Porto 987"),
            )
            emit_table(builder, Grid(cells), locator=f"table_{number}")
            builder.count_source(sum(not c.isspace() for cell in cells for c in cell.text))
        builder.add_block(BlockKind.PARAGRAPH, "Behind the table.")
        builder.count_source(15)
        return builder.build(language="en")

    return build
