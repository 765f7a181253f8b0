"""Background jobs, where documents came from, leases, and which chunks have their vectors made."""

import sqlalchemy as sa
from alembic import op

from storage.alembic.ddl import booleans, create, integers, moments, texts

revision = "0003"
down_revision = "0002"

EMBEDDED, STATE = "ix_chunks_index_state_embedded_with", "ix_chunks_index_state"


def upgrade() -> None:
    op.add_column("chunks", sa.Column("embedded_with", sa.Text(), nullable=False, server_default=""))
    op.drop_index(STATE, "chunks")
    op.create_index(EMBEDDED, "chunks", ["index_state", "embedded_with"])
    create(
        "documents",
        texts("norm_id file_name content_hash format source"),
        integers("bytes"),
        texts("loaded_by"),
        moments("loaded_at"),
        texts("review overrides"),
        key="norm_id",
        parents={"norm_id": "norms.id"},
    )
    op.create_index("ix_documents_content_hash", "documents", ["content_hash"])
    create(
        "jobs",
        texts("id kind title state owner payload stage"),
        integers("done total"),
        texts("message outcomes"),
        integers("attempts"),
        texts("claim"),
        booleans("cancel_requested"),
        moments("created_at"),
        moments("started_at heartbeat_at finished_at", null=True),
        key="id",
    )
    op.create_index("ix_jobs_created_at", "jobs", ["created_at"])
    op.create_index("ix_jobs_state", "jobs", ["state"])
    create("leases", texts("name holder"), moments("until"), key="name")


def downgrade() -> None:
    op.drop_table("leases")
    op.drop_table("jobs")
    op.drop_table("documents")
    op.drop_index(EMBEDDED, "chunks")
    op.create_index(STATE, "chunks", ["index_state"])
    op.drop_column("chunks", "embedded_with")
