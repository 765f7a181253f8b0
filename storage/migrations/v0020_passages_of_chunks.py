"""Model that has embedded the passages of each chunk."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("chunks", sa.Column("passages_with", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("chunks", "passages_with")
