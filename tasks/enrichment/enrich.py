"""The step between parsing and slicing: ask, check, put in. A failure is a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from configs.settings import EndpointSettings, EnrichmentSettings
from parsers.model import Block, BlockKind, Document, Failure
from parsers.normalise import one_line
from tasks.enrichment.answers import AnswerCache, Reply
from tasks.enrichment.checks import AnswerRefusedError, checked
from tasks.enrichment.endpoint import BACKOFF_S, Endpoint, EndpointError
from tasks.enrichment.insert import Insertion, insert_blocks
from tasks.enrichment.key import ENRICH_STAGE
from tasks.enrichment.pictures import SlidePicture
from tasks.enrichment.prompts import PROMPT_VERSION
from tasks.enrichment.requests import ModelRequest, picture_requests, table_requests

_SENT_AS_IS = "It is indexed without a description; store the picture as PNG or JPEG to have one."
_SHORTER = "Raise enrichment.max_input_characters, or split the table, and ingest again."
_FEWER = "Raise enrichment.max_per_document, or split the document, and ingest again."


class Enricher:
    """Enriches the documents of one batch. A context manager.

    Args:
        endpoint: Where to ask.
        settings: What to ask, with which model; nothing where no model is named.
        cache_path: File of the answers so far; None keeps them in memory.
        backoff_s: Seconds before a request is tried again.
    """

    def __init__(
        self,
        endpoint: EndpointSettings,
        settings: EnrichmentSettings,
        cache_path: Path | None = None,
        backoff_s: float = BACKOFF_S,
    ) -> None:
        self._settings = settings
        self._endpoint = endpoint
        self._cache_path = cache_path
        self._backoff_s = backoff_s
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        """Return the enricher itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ask nothing more and close the connections."""
        self._stack.close()

    @cached_property
    def _cache(self) -> AnswerCache:
        return self._stack.enter_context(AnswerCache(self._cache_path))

    @cached_property
    def _client(self) -> Endpoint:
        return self._stack.enter_context(Endpoint(self._endpoint, self._backoff_s))

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        pool = ThreadPoolExecutor(self._endpoint.concurrency, thread_name_prefix="enrich")
        self._stack.callback(pool.shutdown, wait=True, cancel_futures=True)
        return pool

    @property
    def sent(self) -> dict[str, dict[str, int]]:
        """What each host received: requests, characters of text, pictures."""
        return self._client.sent if "_client" in vars(self) else {}

    def enrich(self, document: Document, pictures: Sequence[SlidePicture] = ()) -> Document:
        """Return the document with what the model says of irregular tables and flagged pictures.

        Each summary stands behind its table, each description at the end of what its slide shows;
        where there is no good answer, a failure says so.
        """
        asked = [
            *table_requests(document, self._settings),
            *picture_requests(document, pictures, self._settings),
        ]
        if not asked:
            return document
        failures: list[Failure] = []
        insertions: list[Insertion] = []
        limit = self._settings.max_per_document
        if len(asked) > limit:
            failures.append(_over_limit(document, asked[limit:], limit))
        asked = asked[:limit]
        replies = self._replies(asked)
        for request in asked:
            if request.fault:
                failures.append(_fault(document, request))
                continue
            reply = replies[request.key]
            if isinstance(reply, EndpointError):
                failures.append(_no_answer(document, request, reply))
                continue
            try:
                insertions.append(_insertion(document, request, reply))
            except AnswerRefusedError as error:
                failures.append(_refused(document, request, error))
        enriched = insert_blocks(document, insertions)
        return replace(enriched, failures=(*document.failures, *dict.fromkeys(failures)))

    def _replies(self, asked: Sequence[ModelRequest]) -> Mapping[bytes, Reply | EndpointError]:
        """Return the reply to each request by key: from the cache, else from the endpoint."""
        replies: dict[bytes, Reply | EndpointError] = {}
        running: dict[bytes, tuple[ModelRequest, Future[Reply]]] = {}
        for request in asked:
            if request.fault or request.key in replies or request.key in running:
                continue
            known = self._cache.get(request.key)
            if known is not None:
                replies[request.key] = known
                continue
            future = self._pool.submit(
                self._client.ask, request.body, request.characters, request.pictures
            )
            running[request.key] = (request, future)
        for key, (request, future) in running.items():
            try:
                replies[key] = self._cache.keep(key, request.model, future.result())
            except EndpointError as error:
                replies[key] = error
        return replies


def _insertion(document: Document, request: ModelRequest, reply: Reply) -> Insertion:
    summary = request.kind is BlockKind.SUMMARY
    text = checked(reply, request.source, request.told, document.language, summary)
    model = one_line(request.model)
    what = "summary" if summary else "description"
    block = Block(
        request.kind,
        0,
        0,
        page=request.page,
        heading_path=request.heading_path,
        locator=request.locator,
        context=request.context,
    )
    return Insertion(
        block,
        f"[{request.label} by {model}, not in the source] {text}",
        request.offset,
        f"{what} by {model}, prompt {PROMPT_VERSION}",
        "" if summary else f"described by {model}",
    )


def _where(request: ModelRequest) -> str:
    return f"{request.locator}: "


def _fault(document: Document, request: ModelRequest) -> Failure:
    summary = request.kind is BlockKind.SUMMARY
    error = "TableTooLongError" if summary else "PictureNotSentError"
    remedy = _SHORTER if summary else _SENT_AS_IS
    return Failure(
        document.source.uri,
        ENRICH_STAGE,
        request.page,
        error,
        _where(request) + request.fault,
        remedy,
    )


def _no_answer(document: Document, request: ModelRequest, error: EndpointError) -> Failure:
    return Failure(
        document.source.uri, ENRICH_STAGE, request.page, type(error).__name__,
        _where(request) + error.message, error.remedy, error.transient,
    )  # fmt: skip


def _refused(document: Document, request: ModelRequest, error: AnswerRefusedError) -> Failure:
    return Failure(
        document.source.uri, ENRICH_STAGE, request.page, type(error).__name__,
        f"{_where(request)}{error} ({request.model})", error.remedy,
    )  # fmt: skip


def _over_limit(document: Document, left: Sequence[ModelRequest], limit: int) -> Failure:
    return Failure(
        document.source.uri, ENRICH_STAGE, None, "TooManyRequestsError",
        f"{len(left)} tables or pictures were not sent: over {limit} requests for one document, "
        f"from {left[0].locator} on",
        _FEWER,
    )  # fmt: skip
