from __future__ import annotations

import importlib
import pickle
import pkgutil

import pytest

import flows
import parsers
import storage
import tasks
from microtome import MicrotomeError
from parsers.base import ParserError


def all_errors() -> list[type[MicrotomeError]]:
    for package in (parsers, storage, tasks, flows):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)

    def below(base: type[MicrotomeError]) -> list[type[MicrotomeError]]:
        return [base, *(e for sub in base.__subclasses__() for e in below(sub))]

    return sorted(set(below(MicrotomeError)), key=lambda e: e.__qualname__)


@pytest.mark.parametrize("error", all_errors(), ids=lambda e: e.__name__)
def test_errors_cross_a_process_boundary(error: type[MicrotomeError]) -> None:
    returned = pickle.loads(pickle.dumps(error("why")))
    assert type(returned) is error
    assert "why" in str(returned)


@pytest.mark.parametrize(
    "error", [e for e in all_errors() if issubclass(e, ParserError)], ids=lambda e: e.__name__
)
def test_every_parser_error_says_what_to_do(error: type[ParserError]) -> None:
    failure = error("what happened", page=3).as_failure("/a/file.pdf")
    assert failure.remedy
    assert failure.page == 3
    assert failure.error == error.__name__
