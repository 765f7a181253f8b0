"""Drafts of writs are kept in an expediente."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
schema = "1458376d592c1878"


def upgrade() -> None:
    op.create_table(
        "kept_drafts",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("matter_id", sa.Text(), sa.ForeignKey("matters.id", ondelete="CASCADE"), nullable=False),
        sa.Column("template", sa.Text(), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("added_by", sa.Text(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_kept_drafts_matter_id", "kept_drafts", ["matter_id"])


def downgrade() -> None:
    op.drop_table("kept_drafts")
