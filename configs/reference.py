"""Settings as commented YAML: what `microtome settings` prints and `default.yaml` holds."""

from __future__ import annotations

import json

from pydantic import BaseModel

from configs.settings import Settings

_HEADER = """\
# Every setting with its default. Copy what you change into a file of your own and pass it with
# --config; environment variables such as MICROTOME_SEARCH__BUDGET=2000 override the file.
"""


def as_yaml(settings: Settings) -> str:
    """Return ``settings`` as YAML, each key under a comment that says what it is.

    Passwords are not written: each is shown as ``"***"``.
    """
    lines = [_HEADER.rstrip()]
    for name in Settings.model_fields:
        section: BaseModel = getattr(settings, name)
        summary = (type(section).__doc__ or "").split("\n")[0]
        lines += ["", f"# {summary}", f"{name}:"]
        for key, field in type(section).model_fields.items():
            value = json.loads(section.model_dump_json(include={key}))[key]
            if key == "passwords":
                value = ["***" for _ in value]
            lines.append(f"  {key}: {json.dumps(value)}  # {field.description}")
    return "\n".join(lines) + "\n"
