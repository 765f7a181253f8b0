"""The tables of the database: whoever imports one has them all, so that a schema is made whole."""

from storage.tables import (
    accounts,
    alerts,
    audit,
    conversations,
    document_tables,
    evaluations,
    jobs,
    matters,
    norms,
    reviews,
)

__all__ = [
    "accounts",
    "alerts",
    "audit",
    "conversations",
    "document_tables",
    "evaluations",
    "jobs",
    "matters",
    "norms",
    "reviews",
]
