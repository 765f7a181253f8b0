"""Votes on answers, reviewers' verdicts, who looked at what, cases of review; what the queue filters by."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from storage.alembic.ddl import booleans, create, integers, moments, texts

revision = "0005"
down_revision = "0004"

BATCH = 200


def upgrade() -> None:
    op.add_column("messages", sa.Column("confidence", sa.Double(), nullable=True))
    op.add_column("messages", sa.Column("refusal", sa.Boolean(), nullable=True))
    op.add_column("messages", sa.Column("matter", sa.Text(), nullable=False, server_default=""))
    _fill(op.get_bind())
    create(
        "feedback",
        integers("message_id"),
        texts("owner vote comment"),
        moments("updated_at"),
        key="message_id owner",
        parents={"message_id": "messages.id"},
    )
    create(
        "judgments",
        integers("id message_id"),
        texts("reviewer verdict citations"),
        booleans("must_refuse"),
        texts("notes"),
        moments("created_at"),
        key="id",
        parents={"message_id": "messages.id"},
        sqlite_autoincrement=True,
    )
    op.create_index("ix_judgments_message_id_id", "judgments", ["message_id", "id"])
    create(
        "review_views",
        integers("id"),
        texts("reviewer"),
        integers("message_id", null=True),
        moments("viewed_at"),
        key="id",
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_review_views_reviewer_message_id_viewed_at",
        "review_views",
        ["reviewer", "message_id", "viewed_at"],
    )
    op.create_index("ix_review_views_message_id", "review_views", ["message_id"])
    create(
        "review_cases",
        texts("id"),
        integers("message_id", null=True),
        texts("body made_by"),
        moments("created_at updated_at"),
        key="id",
        parents={"message_id": "messages.id"},
        gone="SET NULL",
    )
    op.create_index("ix_review_cases_message_id", "review_cases", ["message_id"])


def downgrade() -> None:
    for table in ("review_cases", "review_views", "judgments", "feedback"):
        op.drop_table(table)
    for column in ("matter", "refusal", "confidence"):
        op.drop_column("messages", column)


def _fill(connection: sa.Connection) -> None:
    """Read what the queue filters by off the answers and traces that are stored."""
    messages = sa.table(
        "messages",
        *map(sa.column, ("id", "answer", "confidence", "matter")),
        sa.column("refusal", sa.Boolean()),
    )
    traces = sa.table("traces", *map(sa.column, ("message_id", "body")))
    last = 0
    while True:
        rows = connection.execute(
            sa.select(messages.c.id, messages.c.answer, traces.c.body)
            .outerjoin_from(messages, traces, traces.c.message_id == messages.c.id)
            .where(messages.c.id > last, messages.c.answer.is_not(None))
            .order_by(messages.c.id)
            .limit(BATCH)
        ).all()
        if not rows:
            return
        for message_id, answer, trace in rows:
            found = _object(answer)
            connection.execute(
                sa.update(messages)
                .where(messages.c.id == message_id)
                .values(
                    confidence=_number(found.get("confidence")),
                    refusal=bool(found.get("refusal")),
                    matter=_matter(_object(trace)),
                )
            )
        last = rows[-1].id


def _object(body: str | None) -> dict[str, Any]:
    try:
        found = json.loads(body or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _matter(trace: dict[str, Any]) -> str:
    """The label of the matter; traces of older versions have none."""
    for stage in trace.get("stages") or ():
        if isinstance(stage, dict) and stage.get("name") == "understand":
            matter = (stage.get("understanding") or {}).get("matter") or {}
            return str(matter.get("label") or "")
    return ""
