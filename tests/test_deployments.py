from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect.flows import load_flow_from_entrypoint

FILE = Path(__file__).parents[1] / "deployments" / "prefect.yaml"
CONTENT: dict[str, Any] = yaml.safe_load(FILE.read_text("utf-8"))


@pytest.mark.parametrize("deployment", CONTENT["deployments"], ids=lambda d: d["name"])
def test_entrypoint_loads_and_takes_its_parameters(deployment: dict[str, Any]) -> None:
    entrypoint = deployment["entrypoint"]
    assert ".py" not in entrypoint, "a path entrypoint imports the flow a second time"
    flow: Any = load_flow_from_entrypoint(entrypoint, use_placeholder_flow=False)
    given = deployment["parameters"]
    assert set(given) <= set(inspect.signature(flow.fn).parameters)
    assert flow.validate_parameters(given) == given


def test_pull_steps_are_written_out() -> None:
    assert CONTENT["pull"], "null would store the path of the checkout that deployed"


def test_passwords_are_no_parameters() -> None:
    text = FILE.read_text("utf-8")
    assert "password" not in text
