"""Expedientes: members, documents and their fragments; a conversation may belong to one."""

import sqlalchemy as sa
from alembic import op

from storage.alembic.ddl import create, integers, moments, texts

revision = "0013"
down_revision = "0012"

INDEXES = {
    "matters": ("owner", "updated_at"),
    "matter_members": ("account_id",),
    "matter_documents": ("matter_id", "conversation_id", "state"),
    "conversations": ("matter_id",),
}


def upgrade() -> None:
    create("matters", texts("id owner name reference notes"), moments("created_at updated_at"), key="id")
    op.add_column("conversations", sa.Column("matter_id", sa.Text(), nullable=True))
    create(
        "matter_members",
        texts("matter_id account_id"),
        moments("added_at"),
        key="matter_id account_id",
        parents={"matter_id": "matters.id"},
    )
    create(
        "matter_documents",
        texts("id"),
        texts("matter_id conversation_id", null=True),
        integers("number"),
        texts("name content_hash"),
        integers("bytes pages"),
        texts("state problem indexed_with added_by"),
        moments("added_at"),
        key="id",
        parents={"matter_id": "matters.id", "conversation_id": "conversations.id"},
    )
    create(
        "matter_fragments",
        texts("document_id"),
        integers("number"),
        integers("page", null=True),
        texts("text"),
        key="document_id number",
        parents={"document_id": "matter_documents.id"},
    )
    for table, columns in INDEXES.items():
        for column in columns:
            op.create_index(f"ix_{table}_{column}", table, [column])


def downgrade() -> None:
    # Those of an expediente would be open to people who have lost it.
    op.execute(sa.text("DELETE FROM conversations WHERE matter_id IS NOT NULL"))
    op.drop_index("ix_conversations_matter_id", "conversations")
    op.drop_column("conversations", "matter_id")
    for table in ("matter_fragments", "matter_documents", "matter_members", "matters"):
        op.drop_table(table)
