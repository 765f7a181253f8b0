"""Persons give facts of a case."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
schema = "26244b4141bb67f5"


def upgrade() -> None:
    op.create_table(
        "given_facts",
        sa.Column("matter_id", sa.Text(), sa.ForeignKey("matters.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("key", sa.Text(), primary_key=True),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("given_by", sa.Text(), nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("given_facts")
