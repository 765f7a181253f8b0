"""Flags of each chunk: a deadline, an amount, a percentage…"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("chunks", sa.Column("flags", sa.Text(), nullable=False, server_default="[]"))


def downgrade() -> None:
    op.drop_column("chunks", "flags")
