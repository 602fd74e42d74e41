"""Fixtures of the whole suite, and hypothesis profiles."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("dev", deadline=None, max_examples=50)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def samples() -> Path:
    """The project's own sample documents."""
    return ROOT / "tests" / "samples"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The evaluation material beside the checkout; tests that need it skip where it is absent."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the evaluation corpus (../shared) is not on this machine")
    return folder
