"""Background jobs, where documents came from, leases, and which chunks have their vectors made."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

EMBEDDED, STATE = "ix_chunks_index_state_embedded_with", "ix_chunks_index_state"


def upgrade() -> None:
    op.add_column("chunks", sa.Column("embedded_with", sa.Text(), nullable=False, server_default=""))
    op.drop_index(STATE, "chunks")
    op.create_index(EMBEDDED, "chunks", ["index_state", "embedded_with"])
    op.create_table(
        "documents",
        sa.Column("norm_id", sa.Text(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("bytes", sa.Integer(), nullable=False),
        sa.Column("loaded_by", sa.Text(), nullable=False),
        sa.Column("loaded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("review", sa.Text(), nullable=False),
        sa.Column("overrides", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["norm_id"], ["norms.id"], name="fk_documents_norm_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("norm_id", name="pk_documents"),
    )
    op.create_index("ix_documents_content_hash", "documents", ["content_hash"])
    op.create_table(
        "jobs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("outcomes", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("claim", sa.Text(), nullable=False),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("heartbeat_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
    )
    op.create_index("ix_jobs_created_at", "jobs", ["created_at"])
    op.create_index("ix_jobs_state", "jobs", ["state"])
    op.create_table(
        "leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_leases"),
    )


def downgrade() -> None:
    op.drop_table("leases")
    op.drop_table("jobs")
    op.drop_table("documents")
    op.drop_index(EMBEDDED, "chunks")
    op.create_index(STATE, "chunks", ["index_state"])
    op.drop_column("chunks", "embedded_with")
