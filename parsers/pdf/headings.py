"""Which paragraphs are headings, and how deep. Standard library only.

The outline says so where there is one; else the font does: larger than the body's, or a short
bold paragraph. Depth comes from the outline, from a number ("2.1"), or from the rank of the size.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from parsers.pdf.layout import OutlineEntry, Run, ZoneKind
from parsers.pdf.paragraphs import Paragraph

_LARGER = 1.12
"""Font size over the body's from which a short paragraph is a heading (a guess)."""
_MAX_CHARS = 200
_MAX_BOLD_CHARS = 120
_MAX_LINES = 4
_DEEPEST = 6
_DEPTH = re.compile(r"^(?:§\s*)?(\d{1,3}(?:\.\d{1,3})*)\.?\s+\S")
_NOT_ALNUM = re.compile(r"[\W_]+")
_PREFIX = 16
"""Letters by which a heading may be longer than its bookmark ("Chapter 3." before the words)."""


def body_size_of(runs: Iterable[Run]) -> float:
    """Return the font size of most of the text in points, 10 where there is none."""
    weights: Counter[float] = Counter()
    for run in runs:
        weights[round(run.size, 1)] += len(run.text.strip())
    return weights.most_common(1)[0][0] if weights else 10.0


class HeadingJudge:
    """Tells headings from text on the fonts and the outline of one document.

    Args:
        runs: All runs of the document.
        outline: Its bookmarks.
    """

    def __init__(self, runs: Sequence[Run], outline: Sequence[OutlineEntry]) -> None:
        self.body_size = body_size_of(runs)
        sizes = {round(r.size, 0) for r in runs if r.size >= _LARGER * self.body_size}
        self._rank = {size: i + 1 for i, size in enumerate(sorted(sizes, reverse=True))}
        self._outline: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for entry in outline:
            self._outline[entry.page].append((_folded(entry.title), entry.level))

    def level_of(self, paragraph: Paragraph) -> int | None:
        """Return the level of a heading (1 the highest), None for anything else."""
        text = paragraph.text
        if (
            paragraph.table is not None
            or paragraph.zone is not ZoneKind.BODY
            or len(paragraph.lines) > _MAX_LINES
            or len(text) > _MAX_CHARS
            or not any(c.isalpha() for c in text)
            or text[0] in "*†‡+=<>|"
        ):
            return None
        bookmarked = self._bookmark_level(paragraph)
        if bookmarked is not None:
            return bookmarked
        if paragraph.is_caption:
            return None
        size = paragraph.size
        numbered = _DEPTH.match(text)
        if size >= _LARGER * self.body_size and sum(c.isalpha() for c in text) > 1:
            return min(_DEEPEST, self._rank.get(round(size, 0), len(self._rank)) or 1)
        if (
            paragraph.bold
            and size >= 0.95 * self.body_size
            and len(text) <= _MAX_BOLD_CHARS
            and len(paragraph.lines) <= 2
            and (text[:1].isupper() or numbered is not None)
            and text[-1] not in ".,;:"
        ):
            depth = numbered.group(1).count(".") if numbered else 0
            return min(_DEEPEST, len(self._rank) + 1 + depth)
        return None

    def _bookmark_level(self, paragraph: Paragraph) -> int | None:
        """Return the level of the bookmark that says most of the paragraph's words."""
        folded = _folded(paragraph.text)
        fitting = [
            (len(title), level)
            for title, level in self._outline.get(paragraph.page, ())
            if _same_words(folded, title)
        ]
        return min(_DEEPEST, max(1, max(fitting)[1])) if fitting else None


def _same_words(heading: str, title: str) -> bool:
    """Tell whether one is the other, or its end ("Chapter 3." may stand before the words)."""
    long, short = (heading, title) if len(heading) >= len(title) else (title, heading)
    return long == short or (
        len(short) >= 4 and long.endswith(short) and len(long) - len(short) <= _PREFIX
    )


def _folded(text: str) -> str:
    return _NOT_ALNUM.sub("", text.casefold())
