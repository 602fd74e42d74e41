"""SHA-256 of a model's files, remembered by size and time so that an unchanged run is cheap."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

_LEFT_OUT = (".md", ".h5", ".msgpack", ".ot", ".lock", ".png", ".onnx", ".gguf")
"""Never read by the torch back end: another copy of the weights, or prose."""


def model_files(folder: Path) -> list[Path]:
    """Return the files of a model folder that may decide its vectors, in order of name."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and path.suffix.lower() not in _LEFT_OUT
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def files_sha256(root: Path, files: Sequence[Path], cache: Path) -> str:
    """Return one SHA-256 over names and contents of ``files``, 64 hex digits.

    The answer is kept under ``cache`` with the size and the time of every file; while those stay
    the same the files are not read again (470 MB take about half a second, once).
    """
    stats = [(path.relative_to(root).as_posix(), path.stat()) for path in files]
    state = [[name, stat.st_size, stat.st_mtime_ns] for name, stat in stats]
    known = cache / "weights" / f"{hashlib.sha256(str(root.resolve()).encode()).hexdigest()}.json"
    try:
        kept = json.loads(known.read_text(encoding="utf-8"))
        if kept["files"] == state:
            return str(kept["sha256"])
    except (OSError, ValueError, KeyError, TypeError):
        pass  # none yet, or written by something else: read the files
    total = hashlib.sha256()
    for name, path in zip((name for name, _ in stats), files, strict=True):
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        total.update(f"{name}\0{content}\n".encode())
    digest = total.hexdigest()
    _remember(known, {"files": state, "sha256": digest})
    return digest


def _remember(path: Path, content: dict[str, object]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(content, file)
        Path(name).replace(path)
    except OSError:
        return  # a read-only or full cache costs time, not correctness
