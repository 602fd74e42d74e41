"""Settings: defaults < YAML file < environment (``MICROTOME_``) < keyword arguments.

One frozen section per stage. A core gets a section or plain values, never the whole object, and
nothing here imports more than pydantic.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    YamlConfigSettingsSource,
)
from yaml import YAMLError

from microtome import MicrotomeError


class SettingsError(MicrotomeError):
    """The settings file is missing, or a key or value in it is wrong."""

    exit_code = 2


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ParsingSettings(_Section):
    """How bytes become a document."""

    passwords: tuple[str, ...] = Field((), description="tried in turn on protected files")
    ocr: bool = Field(True, description="recognise scanned pages with Tesseract")
    ocr_languages: tuple[str, ...] = Field(
        ("eng", "por"), description="Tesseract language codes, the likeliest first"
    )
    ocr_min_words: int = Field(
        50, ge=0, description="a page with fewer words and something drawn on it may be a scan"
    )
    ocr_dpi: int = Field(300, ge=72, le=1200, description="dots per inch of a page sent to OCR")
    ocr_timeout_s: float = Field(120.0, gt=0, description="seconds for one page's OCR")
    ocr_workers: int = Field(
        0, ge=0, description="pages recognised at a time on this machine; 0 is one per core"
    )
    tables: bool = Field(True, description="turn tables into row sentences")
    timeout_s: float = Field(600.0, gt=0, description="seconds for one document")
    workers: int = Field(0, ge=0, description="parsing processes; 0 is one per core")


_ONE_SIZE = frozenset({"sentences", "sentence_window", "recursive", "semantic"})
"""Strategies without levels."""


class SlicingSettings(_Section):
    """How text is cut. Sizes are in tokens of the encoder's tokenizer, finest first."""

    strategy: Literal[
        "snapped",
        "grid",
        "structure",
        "hierarchical",
        "sentences",
        "sentence_window",
        "recursive",
        "semantic",
    ] = Field("snapped", description="how cuts are chosen")
    sizes: tuple[int, ...] = Field(
        (64, 128, 256, 512), min_length=1, description="tokens per level; each divides the next"
    )
    origin: Literal["document", "page", "section", "article"] = Field(
        "document", description="where a grid starts counting"
    )
    shift: int = Field(0, ge=0, description="tokens by which a grid's origin is moved")
    percentile: float = Field(
        95.0, gt=0, lt=100, description="of a document's distances: semantic cuts above it"
    )
    context_share: float = Field(
        0.5, ge=0, le=0.5, description="most of a cell's size that its context may take"
    )

    @model_validator(mode="after")
    def _sizes_nest(self) -> SlicingSettings:
        if min(self.sizes) < 1 or any(b % a or b <= a for a, b in itertools.pairwise(self.sizes)):
            raise ValueError(
                f"sizes must be positive and each must divide the next larger, got {self.sizes}"
            )
        if self.strategy in _ONE_SIZE and len(self.sizes) > 1:
            raise ValueError(f"{self.strategy} cuts chunks of one size, got {self.sizes}")
        if self.shift >= self.sizes[0]:
            raise ValueError(f"shift must be below the finest size {self.sizes[0]}")
        return self


class RoutingSettings(_Section):
    """Which documents are cut otherwise, by their type."""

    patterns: dict[str, str] = Field(
        {}, description="file patterns (*/policies/*) to types; a type that a document states wins"
    )
    cuts: dict[str, SlicingSettings] = Field(
        {}, description="slicing of documents of a type (law: {strategy: structure})"
    )
    heading_levels: int = Field(
        2, ge=0, description="levels of headings that a hierarchical or structural cut needs"
    )


class EndpointSettings(_Section):
    """Where language models answer. Nothing is sent unless another section names a model."""

    base_url: str = Field(
        "http://localhost:11434/v1",
        description="an OpenAI-compatible API; the default is where Ollama listens",
    )
    api_key_env: str = Field(
        "",
        pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$",  # a key written here by mistake mostly is none
        description="name of the environment variable that holds the key; empty sends none",
    )
    timeout_s: float = Field(120.0, gt=0, description="seconds for one answer")
    attempts: int = Field(
        3, ge=1, le=10, description="tries of one request; only what may pass is tried again"
    )
    concurrency: int = Field(2, ge=1, le=32, description="requests at the same time")

    @field_validator("base_url")
    @classmethod
    def _is_plain_url(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
            raise ValueError("base_url must begin with http:// or https:// and name a host")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError(
                "base_url must hold no user, password or query: settings are shown and stored; "
                "put the key into an environment variable and name that in api_key_env"
            )
        return value.rstrip("/")


class EnrichmentSettings(_Section):
    """What language models add to documents. Off: text is only sent to a model that is named."""

    table_model: str = Field("", description="model that summarises irregular tables; empty is off")
    picture_model: str = Field(
        "", description="multimodal model for pictures of slides with few words; empty is off"
    )
    max_answer_tokens: int = Field(300, ge=16, description="tokens of one answer")
    max_input_characters: int = Field(
        12_000, ge=200, description="characters of one request; a longer table is sent in parts"
    )
    max_per_document: int = Field(
        100, ge=1, description="requests for one document; what is over is a failure"
    )
    seed: int = Field(0, ge=0, description="sent with each request, at temperature 0")


class EncoderSettings(_Section):
    """Which model embeds, and how."""

    ref: str = Field(
        "packaged:multilingual-e5-small",
        description="packaged:NAME, a sentence-transformers folder, or a hub id",
    )
    device: str = Field("auto", description="auto, cpu, cuda or cuda:N")
    batch_tokens: int = Field(8192, ge=64, description="tokens per batch, padding included")
    cache_dir: str = Field(
        "", description="folder for built models; empty is ~/.cache/microtome or XDG_CACHE_HOME"
    )


_DENSE_WEIGHTS = (2.0, 1.0, 1.0, 0.5)
_LEXICAL_WEIGHTS = (0.2, 0.4, 0.6, 0.8)
"""Found on the public chunking benchmark: benchmarks/fused_search.md."""


class SearchSettings(_Section):
    """How evidence is weighed. Weights run from the finest level to the coarsest."""

    budget: int = Field(1024, ge=1, description="tokens returned, context lines included")
    dense_weights: tuple[float, ...] = Field(
        _DENSE_WEIGHTS, description="weight of vectors per level; the default fits any number"
    )
    lexical_weights: tuple[float, ...] = Field(
        _LEXICAL_WEIGHTS, description="weight of words per level; the default fits any number"
    )
    neighbours: float = Field(
        0.1, ge=0, description="share of each neighbouring cell's evidence added to a cell"
    )
    trade_up: float = Field(
        0.5, ge=0, le=1, description="share of a parent already chosen that earns the whole parent"
    )

    def weights(self, levels: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the dense and the lexical weights of an index of so many levels.

        The defaults were found for four levels. For another number they are taken as points of a
        line from fine to coarse, at the middle of as many equal parts.

        Raises:
            ValueError: Weights were chosen for another number of levels.
        """
        dense, lexical = self.dense_weights, self.lexical_weights
        if dense == _DENSE_WEIGHTS:
            dense = _spread(dense, levels)
        if lexical == _LEXICAL_WEIGHTS:
            lexical = _spread(lexical, levels)
        for name, weights in (("dense_weights", dense), ("lexical_weights", lexical)):
            if len(weights) != levels:
                raise ValueError(
                    f"search.{name} needs one weight for each of {levels} levels, got {weights}"
                )
        return dense, lexical


class RunSettings(_Section):
    """How a run is carried out."""

    batch_documents: int = Field(100, ge=1, description="documents per batch (one task run)")
    batch_bytes: int = Field(64_000_000, ge=1, description="bytes per batch")
    commit_chunks: int = Field(10_000, ge=1, description="chunks per commit, whole documents only")
    lease_s: float = Field(60.0, gt=0, description="seconds to wait for another committer")
    fail_above: float = Field(
        1.0, ge=0, le=1, description="share of failed documents above which a run fails"
    )
    max_file_bytes: int = Field(
        1_000_000_000, ge=1, description="a larger file is a failure, not a surprise"
    )


class Settings(BaseSettings):
    """Everything a run reads from outside; built once at the edge and passed down."""

    model_config = SettingsConfigDict(
        env_prefix="MICROTOME_", env_nested_delimiter="__", frozen=True, extra="forbid",
        hide_input_in_errors=True,  # the value may be a password
    )  # fmt: skip

    parsing: ParsingSettings = ParsingSettings()
    slicing: SlicingSettings = SlicingSettings()
    routing: RoutingSettings = RoutingSettings()
    endpoint: EndpointSettings = EndpointSettings()
    enrichment: EnrichmentSettings = EnrichmentSettings()
    encoder: EncoderSettings = EncoderSettings()
    search: SearchSettings = SearchSettings()
    run: RunSettings = RunSettings()

    @model_validator(mode="after")
    def _weights_match_levels(self) -> Settings:
        cuts = (self.slicing, *self.routing.cuts.values())
        self.search.weights(max(len(cut.sizes) for cut in cuts))
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Put the YAML file beneath the environment."""
        return init_settings, env_settings, YamlConfigSettingsSource(settings_cls)


def load_settings(path: Path | None = None, **sections: Any) -> Settings:
    """Read settings, from ``path`` when given; ``sections`` override both file and environment.

    Raises:
        SettingsError: ``path`` is no file (pydantic-settings alone would pass over that), or a
            key is unknown, or a value is out of range.
    """
    if path is not None and not path.is_file():
        raise SettingsError(f"no settings file {path}")

    class FromFile(Settings):
        model_config = SettingsConfigDict(yaml_file=path)

    try:
        return FromFile(**sections)
    except (ValidationError, YAMLError) as error:
        raise SettingsError(f"settings {path or '(environment)'}: {error}") from error


def _spread(weights: tuple[float, ...], levels: int) -> tuple[float, ...]:
    """Return ``levels`` points of the line through ``weights``; themselves for as many."""
    spread = []
    for level in range(levels):
        at = (level + 0.5) * len(weights) / levels - 0.5
        low = min(max(math.floor(at), 0), len(weights) - 2)
        share = min(max(at - low, 0.0), 1.0)
        spread.append(weights[low] * (1 - share) + weights[low + 1] * share)
    return tuple(spread)


def section_sha256(section: BaseModel, exclude: frozenset[str] = frozenset()) -> str:
    """Return the SHA-256 of a section's JSON without the keys in ``exclude``, 64 hex digits."""
    return hashlib.sha256(section.model_dump_json(exclude=set(exclude)).encode("utf-8")).hexdigest()
