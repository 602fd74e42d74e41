from __future__ import annotations

from pathlib import Path

import pytest

from configs.reference import as_yaml
from configs.settings import Settings, SettingsError, load_settings


def test_default_yaml_states_every_default() -> None:
    file = Path(__file__).parents[2] / "configs" / "default.yaml"
    assert file.read_text("utf-8") == as_yaml(Settings())
    assert load_settings(file).model_dump() == Settings().model_dump()


def test_environment_overrides_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text("search: {budget: 300}\nparsing: {passwords: [secret]}\n")
    assert load_settings(file).search.budget == 300
    monkeypatch.setenv("MICROTOME_SEARCH__BUDGET", "400")
    assert load_settings(file).search.budget == 400
    assert load_settings(file).parsing.passwords == ("secret",)


def test_passwords_are_never_printed() -> None:
    assert "secret" not in as_yaml(load_settings(None, parsing={"passwords": ["secret"]}))


@pytest.mark.parametrize(
    "content",
    [
        "slicing: {sizes: [64, 100]}",  # 100 is no multiple of 64
        "slicing: {sizes: [128, 64]}",
        "slicing: {sizes: [0]}",
        "slicing: {shift: 64}",
        "search: {dense_weights: [1]}",
        "parsing: {pasword: x}",
        "nonsense: 1",
        "parsing: [",
    ],
)
def test_a_wrong_setting_names_the_file_and_exits_2(tmp_path: Path, content: str) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text(content)
    with pytest.raises(SettingsError, match=r"settings\.yaml") as caught:
        load_settings(file)
    assert caught.value.exit_code == 2


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no settings file"):
        load_settings(tmp_path / "none.yaml")
