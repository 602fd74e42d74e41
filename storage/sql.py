"""Values in SQL filters, quoted in one place."""

from __future__ import annotations

from collections.abc import Iterable


def sql_literal(value: str) -> str:
    """Return ``value`` as an SQL string: apostrophes doubled, everything else as it is.

    Double quotes would make it an identifier; a backslash means nothing in DataFusion's SQL.
    """
    return "'" + value.replace("'", "''") + "'"


def is_in(column: str, values: Iterable[str]) -> str:
    """Return the filter ``column IN (…)``; of no values, a filter that matches nothing."""
    literals = ", ".join(map(sql_literal, values))
    return f"{column} IN ({literals})" if literals else "false"
