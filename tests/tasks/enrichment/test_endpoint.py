"""One question, one answer: what is tried again, what is given up, and what never leaves."""

from __future__ import annotations

import pickle
import time
from typing import Any

import pytest

from configs.settings import EndpointSettings, EnrichmentSettings, Settings
from flows.cli import doctor
from tasks.enrichment.answers import Reply
from tasks.enrichment.endpoint import (
    Endpoint,
    EndpointError,
    EndpointSetupError,
    EndpointUnavailableError,
    UnusableReplyError,
)

BODY = {"model": "small", "messages": []}


def test_a_server_that_asks_for_a_long_pause_is_not_waited_for(model_server: Any) -> None:
    model_server.answers = [(429, {})]
    model_server.headers = {"Retry-After": "3600"}
    began = time.monotonic()
    with Endpoint(model_server.settings()) as endpoint, pytest.raises(EndpointUnavailableError):
        endpoint.ask(BODY, 10)
    assert time.monotonic() - began < 30
    assert len(model_server.requests) == 1


def test_a_short_pause_that_a_server_asks_for_is_kept(model_server: Any) -> None:
    model_server.answers = [(429, {}), (200, "yes")]
    model_server.headers = {"Retry-After": "0.3"}
    began = time.monotonic()
    with Endpoint(model_server.settings(), backoff_s=0.0) as endpoint:
        assert endpoint.ask(BODY, 10) == Reply("yes", "stop")
    assert time.monotonic() - began >= 0.3


def test_no_text_follows_a_redirect(model_server: Any) -> None:
    model_server.answers = [(307, {}), (200, "yes")]
    model_server.headers = {"Location": f"{model_server.url}/elsewhere"}
    with (
        Endpoint(model_server.settings()) as endpoint,
        pytest.raises(EndpointSetupError, match="another address"),
    ):
        endpoint.ask(BODY, 10)
    assert len(model_server.requests) == 1


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"[" * 200_000,
        b"\xff\xfe",
        b'"text"',
        b'{"choices": [{"message": {"content": 7}}]}',
        b" " * 3_000_000,
    ],
    ids=["nothing", "deep", "no UTF-8", "a string", "a number", "endless"],
)
def test_what_is_no_answer_is_said_to_be_none(model_server: Any, said: bytes) -> None:
    model_server.answers = [(200, said)]
    with Endpoint(model_server.settings()) as endpoint, pytest.raises(UnusableReplyError):
        endpoint.ask(BODY, 10)


def test_an_error_as_deep_json_is_an_error(model_server: Any) -> None:
    model_server.answers = [(500, b"[" * 200_000)]
    with (
        Endpoint(model_server.settings(attempts=1)) as endpoint,
        pytest.raises(EndpointUnavailableError),
    ):
        endpoint.ask(BODY, 10)


def test_after_a_wrong_key_nothing_more_is_sent(model_server: Any) -> None:
    model_server.answers = [(401, {})]
    with Endpoint(model_server.settings()) as endpoint:
        for _ in range(3):
            with pytest.raises(EndpointSetupError):
                endpoint.ask(BODY, 10)
    assert len(model_server.requests) == 1


def test_a_server_that_fails_three_times_in_a_row_is_given_up(model_server: Any) -> None:
    model_server.answers = [(500, {}), (200, "yes"), (500, {})]
    outcomes = []
    with Endpoint(model_server.settings(attempts=1)) as endpoint:
        for _ in range(7):
            try:
                outcomes.append(endpoint.ask(BODY, 10).content)
            except EndpointError as error:
                outcomes.append(error.message.partition(":")[0])
    assert outcomes[1] == "yes"
    assert outcomes[5:] == ["not asked, after this"] * 2
    assert len(model_server.requests) == 5


def test_a_variable_without_a_key_sends_nothing(
    model_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MODEL_KEY", raising=False)
    with (
        Endpoint(model_server.settings(api_key_env="MODEL_KEY")) as endpoint,
        pytest.raises(EndpointSetupError, match="MODEL_KEY"),
    ):
        endpoint.ask(BODY, 10)
    assert model_server.requests == []


def test_every_try_is_counted_and_one_without_connection_is_not(model_server: Any) -> None:
    model_server.answers = [(503, {}), (200, "yes")]
    with Endpoint(model_server.settings(), backoff_s=0.0) as endpoint:
        endpoint.ask(BODY, 10, pictures=1)
        (sent,) = endpoint.sent.values()
    assert sent == {"requests": 2, "characters": 20, "pictures": 2}
    nobody = EndpointSettings(base_url="http://127.0.0.1:9/v1", attempts=1)
    with Endpoint(nobody) as endpoint, pytest.raises(EndpointUnavailableError, match="reached"):
        endpoint.ask(BODY, 10)
    assert endpoint.sent == {}


def test_errors_cross_a_process_boundary_whole() -> None:
    error = pickle.loads(pickle.dumps(EndpointSetupError("what", "do this")))
    assert (str(error), error.remedy, error.transient) == ("what", "do this", True)


@pytest.mark.parametrize(
    "url", ["ftp://host/v1", "http://me:key@host/v1", "http://host/v1?key=1", "host/v1"]
)
def test_an_address_that_may_hold_a_key_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        EndpointSettings(base_url=url)


@pytest.mark.parametrize(("model", "ok"), [("", None), ("small", True), ("large", None)])
def test_doctor_says_where_text_goes_and_sends_none(
    model_server: Any, model: str, ok: bool | None
) -> None:
    settings = Settings(
        endpoint=model_server.settings(), enrichment=EnrichmentSettings(table_model=model)
    )
    check = doctor._language_model(settings)
    assert check.ok is ok
    assert ("127.0.0.1" in check.found) is bool(model)
    assert ("no text leaves" in check.found) is not bool(model)
    assert model_server.requests == []
