"""Backups of the schema before all migrations: their rows and columns that have no place now.

Questions were watched, and asked again by the program; digests went to a webhook too.
"""

from collections.abc import Mapping
from typing import Any

REVISION, NEXT = "0020", "0021"
"""Of such a backup, and the one that its rows are fitted to."""
REVISIONS = frozenset(f"{number:04}" for number in range(1, 21))
"""Of databases that this program does not open."""
TABLES = frozenset({"question_news"})
COLUMNS: Mapping[str, frozenset[str]] = {
    "watches": frozenset({"message_id", "cited", "asked_at", "claimed_until"}),
    "news": frozenset({"posted_at"}),
    "digests": frozenset({"channel"}),
}
ROWS = {"watches": ("kind", "question"), "digests": ("channel", "webhook")}
"""Column and value of the rows that have no place."""


def fitted(table: str, row: Mapping[str, Any]) -> dict[str, Any] | None:
    """A row as its table takes it now; None for one that has no place."""
    column, value = ROWS.get(table, ("", None))
    if column and row[column] == value:
        return None
    return {name: held for name, held in row.items() if name not in COLUMNS.get(table, ())}
