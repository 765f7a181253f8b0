"""Terms are kept in an expediente."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
schema = "fee31647505fc943"


def upgrade() -> None:
    op.create_table(
        "kept_terms",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("matter_id", sa.Text(), sa.ForeignKey("matters.id", ondelete="CASCADE"), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("added_by", sa.Text(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_kept_terms_matter_id", "kept_terms", ["matter_id"])


def downgrade() -> None:
    op.drop_table("kept_terms")
