"""Alerts: events of the law, articles that answers cite, watches, news and digests.

What is stored already is brought along: the articles that answers cite, and the wordings that are not in
force yet, which will be told on their first day.
"""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from itertools import islice
from typing import Any

import sqlalchemy as sa
from alembic import op

from core.clock import SPAIN, today_in_spain
from storage.alembic.ddl import booleans, create, days, integers, moments, texts

revision = "0016"
down_revision = "0015"

INDEXES = {
    "law_events": ("norm_id block_id", "matched_at since"),
    "cited_articles": ("norm_id block_id",),
    "document_references": ("norm_id label",),
    "watches": ("norm_id", "matter_id", "message_id"),
    "news": ("event_id",),
    "question_news": ("event_id",),
}
TABLES = (
    "alert_settings",
    "digests",
    "question_news",
    "news",
    "watches",
    "document_references",
    "cited_articles",
    "law_events",
)
BATCH = 500
DOCUMENT = "expediente"
"""Collection of what an answer quotes of the person's own documents."""


def upgrade() -> None:
    create(
        "law_events",
        integers("id"),
        texts("norm_id law fate"),
        days("day"),
        days("on", null=True),
        texts("block_id cited label title"),
        days("before after", null=True),
        texts("amended_by", null=True),
        moments("since"),
        moments("matched_at", null=True),
        key="id",
        sqlite_autoincrement=True,
    )
    create(
        "cited_articles",
        integers("message_id ordinal"),
        texts("norm_id block_id"),
        days("valid_from", null=True),
        key="message_id ordinal",
        parents={"message_id": "messages.id"},
    )
    create(
        "document_references",
        texts("document_id norm_id label"),
        key="document_id norm_id label",
        parents={"document_id": "matter_documents.id"},
    )
    create(
        "watches",
        texts("id owner kind target norm_id label"),
        texts("matter_id", null=True),
        integers("message_id", null=True),
        texts("name"),
        booleans("paused"),
        moments("created_at"),
        texts("cited"),
        moments("asked_at", null=True),
        key="id",
        parents={"matter_id": "matters.id", "message_id": "messages.id"},
    )
    create(
        "news",
        texts("owner"),
        integers("event_id"),
        moments("read_at mailed_at posted_at", null=True),
        key="owner event_id",
        parents={"event_id": "law_events.id"},
    )
    create(
        "question_news",
        texts("watch_id"),
        integers("event_id"),
        texts("difference"),
        key="watch_id event_id",
        parents={"watch_id": "watches.id", "event_id": "law_events.id"},
    )
    create(
        "digests",
        texts("owner"),
        days("day"),
        texts("channel state"),
        integers("attempts"),
        moments("next_at"),
        texts("problem"),
        key="owner day channel",
    )
    create("alert_settings", texts("owner email"), booleans("by_mail"), key="owner")
    for table, indexes in INDEXES.items():
        for columns in indexes:
            op.create_index(f"ix_{table}_{columns.replace(' ', '_')}", table, columns.split())
    op.create_index("uq_watches_owner_kind_target", "watches", ["owner", "kind", "target"], unique=True)
    op.add_column(
        "matter_documents", sa.Column("referenced_with", sa.Text(), nullable=False, server_default="")
    )
    _fill(CITED, _cited())
    _fill(EVENTS, _coming())


def downgrade() -> None:
    op.drop_column("matter_documents", "referenced_with")
    for table in TABLES:
        op.drop_table(table)


CITED = sa.table(
    "cited_articles",
    *(sa.column(name) for name in ("message_id", "ordinal", "norm_id", "block_id")),
    sa.column("valid_from", sa.Date()),
)
EVENTS = sa.table(
    "law_events",
    *(
        sa.column(name)
        for name in ("norm_id", "law", "fate", "block_id", "cited", "label", "title", "amended_by")
    ),
    *(sa.column(name, sa.Date()) for name in ("day", "on", "before", "after")),
    sa.column("since", sa.DateTime(timezone=True)),
)


def _fill(table: sa.TableClause, rows: Iterator[dict[str, Any]]) -> None:
    while batch := list(islice(rows, BATCH)):
        op.get_bind().execute(sa.insert(table), batch)


def _cited() -> Iterator[dict[str, Any]]:
    """The wordings that each stored answer cites or names, once each."""
    messages = sa.table("messages", sa.column("id"), sa.column("answer"), sa.column("state"))
    last = 0
    while True:
        query = sa.select(messages.c.id, messages.c.answer).where(messages.c.id > last)
        query = (
            query.where(messages.c.answer.is_not(None), messages.c.state == "complete")
            .order_by(messages.c.id)
            .limit(BATCH)
        )
        found = op.get_bind().execute(query).all()
        if not found:
            return
        for message_id, body in found:
            for ordinal, one in enumerate(_wordings(body)):
                names = ("norm_id", "block_id", "valid_from")
                yield {"message_id": message_id, "ordinal": ordinal, **dict(zip(names, one, strict=True))}
        last = found[-1][0]


def _wordings(body: str) -> list[tuple[str, str, date | None]]:
    try:
        answer = json.loads(body)
        sources = [*answer.get("citations", ()), *answer.get("sources", ())]
        found = {
            (one["norm_id"], one["block_id"], _day(one.get("valid_from"))): None
            for one in sources
            if one.get("collection") != DOCUMENT and one.get("norm_id") and one.get("block_id")
        }
    except (ValueError, AttributeError, TypeError):
        # Another version of the program wrote it: no page can read its sources either.
        return []
    return list(found)


def _day(value: str | None) -> date | None:
    return date.fromisoformat(value) if value else None


def _coming() -> Iterator[dict[str, Any]]:
    """The wordings that begin after today and take the place of another."""
    today = today_in_spain()
    query = sa.text(
        "SELECT v.norm_id, n.alias, n.law, v.block_id, b.label, b.title, v.valid_from, v.amended_by, "
        "p.valid_from FROM block_versions v "
        "JOIN block_versions p ON p.norm_id = v.norm_id AND p.block_id = v.block_id "
        "AND p.number = v.number - 1 "
        "JOIN blocks b ON b.norm_id = v.norm_id AND b.id = v.block_id JOIN norms n ON n.id = v.norm_id "
        "WHERE v.valid_from > :today ORDER BY v.valid_from, v.norm_id, b.position"
    ).columns(
        *(sa.column(name) for name in ("norm_id", "alias", "law", "block_id", "label", "title")),
        sa.column("after", sa.Date()),
        sa.column("amended_by"),
        sa.column("before", sa.Date()),
    )
    for row in op.get_bind().execute(query, {"today": today}).all():
        yield {
            "norm_id": row.norm_id,
            "law": row.alias or row.law,
            "fate": "amended",
            "block_id": row.block_id,
            "cited": row.block_id,
            "label": row.label,
            "title": row.title or row.label or row.block_id,
            "amended_by": row.amended_by,
            "day": row.after,
            "on": row.after,
            "before": row.before,
            "after": row.after,
            "since": datetime.combine(row.after, time(), SPAIN).astimezone(UTC),
        }
