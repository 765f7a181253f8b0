"""Versions of questions: what each follows, and the branch that a conversation shows."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("messages", sa.Column("follows", sa.Integer(), nullable=True))
    op.add_column("conversations", sa.Column("shown", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("conversations", "shown")
    op.drop_column("messages", "follows")
