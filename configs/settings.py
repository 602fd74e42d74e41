"""Settings: defaults < YAML file < environment (``MICROTOME_``) < keyword arguments.

One frozen section per stage. A core gets a section or plain values, never the whole object, and
nothing here imports more than pydantic.
"""

from __future__ import annotations

import hashlib
import itertools
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
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
    tables: bool = Field(True, description="turn tables into row sentences")
    timeout_s: float = Field(600.0, gt=0, description="seconds for one document")
    workers: int = Field(0, ge=0, description="parsing processes; 0 is one per core")


class SlicingSettings(_Section):
    """How text is cut. Sizes are in tokens of the encoder's tokenizer, finest first."""

    strategy: Literal["grid", "snapped", "structure"] = Field(
        "snapped", description="how cuts are chosen"
    )
    sizes: tuple[int, ...] = Field(
        (64, 128, 256, 512), min_length=1, description="tokens per level; each divides the next"
    )
    origin: Literal["document", "page", "section", "article"] = Field(
        "document", description="where a grid starts counting"
    )
    shift: int = Field(0, ge=0, description="tokens by which a grid's origin is moved")
    context_share: float = Field(
        0.5, ge=0, le=0.5, description="most of a cell's size that its context may take"
    )

    @model_validator(mode="after")
    def _sizes_nest(self) -> SlicingSettings:
        if min(self.sizes) < 1 or any(b % a or b <= a for a, b in itertools.pairwise(self.sizes)):
            raise ValueError(
                f"sizes must be positive and each must divide the next larger, got {self.sizes}"
            )
        if self.shift >= self.sizes[0]:
            raise ValueError(f"shift must be below the finest size {self.sizes[0]}")
        return self


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


class SearchSettings(_Section):
    """How evidence is weighed. Weights run from the finest level to the coarsest."""

    budget: int = Field(1024, ge=1, description="tokens returned, context lines included")
    dense_weights: tuple[float, ...] = Field(
        (2.0, 1.0, 1.0, 0.5), description="weight of vectors per level"
    )
    lexical_weights: tuple[float, ...] = Field(
        (0.2, 0.4, 0.6, 0.8), description="weight of words per level"
    )
    neighbours: float = Field(
        0.1, ge=0, description="share of each neighbouring cell's evidence added to a cell"
    )
    trade_up: float = Field(
        0.5, ge=0, le=1, description="share of a parent already chosen that earns the whole parent"
    )


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
        env_prefix="MICROTOME_", env_nested_delimiter="__", frozen=True, extra="forbid"
    )

    parsing: ParsingSettings = ParsingSettings()
    slicing: SlicingSettings = SlicingSettings()
    encoder: EncoderSettings = EncoderSettings()
    search: SearchSettings = SearchSettings()
    run: RunSettings = RunSettings()

    @model_validator(mode="after")
    def _weights_match_levels(self) -> Settings:
        levels = len(self.slicing.sizes)
        for name in ("dense_weights", "lexical_weights"):
            if len(getattr(self.search, name)) != levels:
                raise ValueError(f"search.{name} needs one weight for each of {levels} sizes")
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


def section_sha256(section: BaseModel, exclude: frozenset[str] = frozenset()) -> str:
    """Return the SHA-256 of a section's JSON without the keys in ``exclude``, 64 hex digits."""
    return hashlib.sha256(section.model_dump_json(exclude=set(exclude)).encode("utf-8")).hexdigest()
