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


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real sentence-transformers folder with a tiny random BERT: quick, and no stand-in.

    Its vectors mean nothing, but they are deterministic and differ with the text.
    """
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("tiny-encoder")
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(vocab_size=400, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator([Path(__file__).read_text("utf-8")], trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    torch.manual_seed(0)
    bert = BertModel(
        BertConfig(
            vocab_size=400,
            hidden_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=512,
        )
    )
    bert.save_pretrained(folder / "base")
    PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=512,
    ).save_pretrained(folder / "base")
    model = SentenceTransformer(
        modules=[
            modules.Transformer(str(folder / "base"), max_seq_length=512),
            modules.Pooling(32, pooling_mode="mean"),
            modules.Normalize(),
        ],
        device="cpu",
    )
    model.save(str(folder / "model"))
    return folder / "model"
