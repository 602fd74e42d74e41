"""A client of an OpenAI-compatible endpoint: one question, one answer, under limits.

httpx and not the ``openai`` package: it is installed already (Prefect needs it), follows no
redirect unless told to, sends nothing about this machine, and streams, so that one deadline covers
an answer that drips. The dialect needed here is one POST.
"""

from __future__ import annotations

import ipaddress
import json
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import httpx

from configs.settings import EndpointSettings
from microtome import MicrotomeError
from tasks.enrichment.answers import Reply

BACKOFF_S = 1.0
"""Seconds before the second try; doubled for each further one (a guess)."""
_LONGEST_WAIT_S = 60.0
"""A server that asks for a longer pause (Retry-After) is given up for this run (a guess)."""
_MAX_REPLY_BYTES = 2_000_000
"""A reply of a few hundred tokens has some kilobytes; more is not an answer (a guess)."""
_GIVE_UP_AFTER = 3
"""Requests that failed for good, one after the other, until nothing more is asked (a guess)."""
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""HTTP statuses after which the same request may succeed (those the ``openai`` package retries)."""
_SETUP = frozenset({401, 402, 403, 404, 405, 407})
"""HTTP statuses that say key, address or model are wrong: no other request will do better."""
_DETAIL = 300
"""Characters quoted of a server's own words."""


class EndpointError(MicrotomeError):
    """The endpoint gave no answer.

    Attributes:
        remedy: What the reader can do.
        transient: The next run tries again.
        hopeless: No other request of this run would fare better.
    """

    transient = True
    hopeless = False
    default_remedy = "Check that the endpoint runs (`microtome doctor`); the next run asks again."

    def __init__(self, message: str, remedy: str = "") -> None:
        """Keep every argument, so that the error crosses a process boundary whole."""
        super().__init__(message, remedy)
        self.message = message
        self.remedy = remedy or self.default_remedy

    def __str__(self) -> str:
        """Return the message alone."""
        return self.message


class EndpointUnavailableError(EndpointError):
    """No connection, no answer in time, too many requests, or a fault of the server."""


class EndpointSetupError(EndpointError):
    """Key, address or model are wrong."""

    hopeless = True
    default_remedy = (
        "Check endpoint.base_url, endpoint.api_key_env and the model's name in the settings "
        "(`microtome doctor`); the next run asks again."
    )


class RequestRefusedError(EndpointError):
    """The endpoint will not take this very request (too long, no pictures)."""

    transient = False
    default_remedy = (
        "Give the model a larger context, lower enrichment.max_input_characters, or name a model "
        "that takes such input; then ingest with --retry-failed."
    )


class UnusableReplyError(EndpointError):
    """What came back is not what the API promises."""

    default_remedy = (
        "Check that endpoint.base_url is the address of an OpenAI-compatible API (mostly it ends "
        "in /v1); the next run asks again."
    )


@dataclass(slots=True)
class Sent:
    """What one host received."""

    requests: int = 0
    characters: int = 0
    pictures: int = 0


class Endpoint:
    """One endpoint for one batch; safe to use from several threads. A context manager.

    Args:
        settings: Where it is, and the limits.
        backoff_s: Seconds before the second try.

    Attributes:
        host: ``name:port`` that receives what is sent.
    """

    def __init__(self, settings: EndpointSettings, backoff_s: float = BACKOFF_S) -> None:
        self._settings = settings
        self._backoff_s = backoff_s
        url = httpx.URL(settings.base_url)
        port = url.port or {"http": 80, "https": 443}[url.scheme]
        self.host = f"{url.host}:{port}"
        self._lock = threading.Lock()
        self._sent = Sent()
        self._in_a_row = 0
        self._given_up: EndpointError | None = None
        self._client = httpx.Client(
            timeout=settings.timeout_s,
            follow_redirects=False,  # nobody but the host that was named may receive text
            trust_env=not is_this_machine(url.host),  # a proxy has no business with localhost
        )

    def __enter__(self) -> Endpoint:
        """Return the endpoint itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close its connections."""
        self._client.close()

    @property
    def sent(self) -> dict[str, dict[str, int]]:
        """What each host received so far: requests, characters of text, pictures; tries count."""
        with self._lock:
            return {self.host: asdict(self._sent)} if self._sent.requests else {}

    def ask(self, body: Mapping[str, Any], characters: int, pictures: int = 0) -> Reply:
        """Send one request and return its answer.

        Args:
            body: The JSON of ``POST /chat/completions``.
            characters: Characters of text in it, for the account.
            pictures: Pictures in it, for the account.

        Raises:
            EndpointError: There is no answer; see the subclasses.
        """
        with self._lock:
            if self._given_up is not None:
                raise self._given_up
        try:
            reply = self._ask_patiently(body, characters, pictures)
        except RequestRefusedError:
            raise  # it says nothing about the next request
        except EndpointError as error:
            self._count_failure(error)
            raise
        with self._lock:
            self._in_a_row = 0
        return reply

    def models(self) -> list[str]:
        """Return the names of the models that the endpoint offers; sends no text.

        Raises:
            EndpointError: It does not answer, or not as it should.
        """
        try:
            value = self._exchange("GET", "/models", None)
            return [str(model["id"]) for model in value["data"]]
        except _TryAgain as error:
            raise EndpointUnavailableError(error.what) from error
        except (KeyError, TypeError) as error:
            raise UnusableReplyError(f"{self.host} does not list its models") from error

    def _count_failure(self, error: EndpointError) -> None:
        with self._lock:
            self._in_a_row += 1
            if self._given_up is None and (error.hopeless or self._in_a_row >= _GIVE_UP_AFTER):
                self._given_up = type(error)(
                    f"not asked, after this: {error.message}", error.remedy
                )

    def _ask_patiently(self, body: Mapping[str, Any], characters: int, pictures: int) -> Reply:
        for attempt in range(1, self._settings.attempts + 1):
            try:
                value = self._exchange("POST", "/chat/completions", body, (characters, pictures))
                return _reply_in(value, self.host)
            except _TryAgain as error:
                wait = error.wait_s or self._backoff_s * 2 ** (attempt - 1)
                if attempt == self._settings.attempts or wait > _LONGEST_WAIT_S:
                    raise EndpointUnavailableError(
                        f"{error.what} (asked {attempt} time{'s' if attempt > 1 else ''})"
                    ) from error
                time.sleep(wait)
        raise AssertionError("attempts is at least 1")

    def _exchange(
        self, method: str, path: str, body: Mapping[str, Any] | None, size: tuple[int, int] = (0, 0)
    ) -> Any:
        """Return the JSON that comes back; count what was sent."""
        limit = self._settings.timeout_s
        deadline = time.monotonic() + limit
        headers = self._headers()
        content = bytearray()
        try:
            with self._client.stream(
                method, self._settings.base_url + path, json=body, headers=headers
            ) as response:
                for piece in response.iter_bytes():
                    content += piece
                    if time.monotonic() > deadline:
                        raise httpx.ReadTimeout("the answer dripped")
                    if len(content) > _MAX_REPLY_BYTES:
                        raise UnusableReplyError(
                            f"{self.host} sent more than {_MAX_REPLY_BYTES} bytes"
                        )
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise _TryAgain(f"{self.host} cannot be reached: {error or 'no answer'}") from error
        except httpx.TimeoutException as error:
            self._count(body, size)
            raise _TryAgain(f"{self.host} did not answer within {limit:g} s") from error
        except UnusableReplyError:
            self._count(body, size)
            raise
        except httpx.HTTPError as error:
            self._count(body, size)
            raise _TryAgain(f"{self.host} broke off: {type(error).__name__}") from error
        self._count(body, size)
        self._check_status(response, bytes(content))
        try:
            return json.loads(bytes(content))
        except (ValueError, RecursionError) as error:
            raise UnusableReplyError(
                f"{self.host} answered with something that is no JSON"
            ) from error

    def _headers(self) -> dict[str, str]:
        name = self._settings.api_key_env
        if not name:
            return {}
        key = os.environ.get(name, "").strip()
        if not key:
            raise EndpointSetupError(f"the environment variable {name} holds no key")
        if not key.isascii() or not key.isprintable():
            raise EndpointSetupError(f"the environment variable {name} holds what cannot be a key")
        return {"Authorization": f"Bearer {key}"}

    def _count(self, body: Mapping[str, Any] | None, size: tuple[int, int]) -> None:
        if body is None:
            return
        with self._lock:
            self._sent.requests += 1
            self._sent.characters += size[0]
            self._sent.pictures += size[1]

    def _check_status(self, response: httpx.Response, content: bytes) -> None:
        status = response.status_code
        if status == 200:
            return
        what = f"{self.host} answered {status} {response.reason_phrase}{self._words(content)}"
        if response.is_redirect:
            raise EndpointSetupError(
                f"{self.host} points to another address ({status}); nothing is sent on"
            )
        if status in _PASSING:
            raise _TryAgain(what, _retry_after(response))
        if status in _SETUP:
            raise EndpointSetupError(what)
        raise RequestRefusedError(what)

    def _words(self, content: bytes) -> str:
        """Return what the server says about an error, without the key if it repeats that."""
        text = content.decode("utf-8", "replace")
        try:
            error = json.loads(text)["error"]
            text = str(error["message"] if isinstance(error, dict) else error)
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
        key = os.environ.get(self._settings.api_key_env, "").strip()
        if key:
            text = text.replace(key, "***")
        text = " ".join(text.split())
        return f": {text[:_DETAIL]}" if text and not text.startswith("<") else ""


class _TryAgain(Exception):
    """A try that failed and may be repeated."""

    def __init__(self, what: str, wait_s: float = 0.0) -> None:
        super().__init__(what, wait_s)
        self.what = what
        self.wait_s = wait_s


def is_this_machine(host: str) -> bool:
    """Tell whether a host's name or address can only mean this machine."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _retry_after(response: httpx.Response) -> float:
    """Return the seconds a server asks to wait; 0 where it names none, or a date."""
    try:
        return max(0.0, float(response.headers.get("retry-after", "0")))
    except ValueError:
        return 0.0


def _reply_in(value: Any, host: str) -> Reply:
    try:
        choice = value["choices"][0]
        content = choice["message"]["content"]
        reason = choice.get("finish_reason") or ""
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise UnusableReplyError(f"{host} answered with JSON that holds no answer") from error
    if not isinstance(content, str | None):
        raise UnusableReplyError(f"{host} answered with something that is no text")
    return Reply(content or "", str(reason))
