"""Identity of the enrichment that a document gets: part of its recipe."""

from __future__ import annotations

from configs.settings import EnrichmentSettings, section_sha256
from tasks.enrichment.checks import CHECKS_VERSION
from tasks.enrichment.pictures import PARSERS
from tasks.enrichment.prompts import PROMPT_VERSION

ENRICH_STAGE = "enrich"
"""Stage of its failures: each is of a part of a document, which is indexed without it."""


def enrichment_key(settings: EnrichmentSettings, parser: str) -> str | None:
    """Return what of the settings shapes the text of a parser's documents, None when nothing does.

    Args:
        settings: Names the models.
        parser: Name of the parser; only some flag pictures.
    """
    exclude = frozenset() if parser in PARSERS else frozenset({"picture_model"})
    if not settings.table_model and (exclude or not settings.picture_model):
        return None
    return f"{section_sha256(settings, exclude)}:{PROMPT_VERSION}:{CHECKS_VERSION}"
