"""People let programs in, which refresh their tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
schema = "ba3d879389395d8a"

TEXTS = ("resource", "redirect", "client", "next_hash", "challenge")


def upgrade() -> None:
    for name in TEXTS:
        op.add_column("api_tokens", sa.Column(name, sa.Text(), nullable=False, server_default=""))
    op.add_column("api_tokens", sa.Column("family", sa.Text(), nullable=True))
    op.add_column("api_tokens", sa.Column("until", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_api_tokens_family", "api_tokens", ["family"], unique=True)


def downgrade() -> None:
    op.drop_index("ix_api_tokens_family", "api_tokens")
    for name in (*TEXTS, "family", "until"):
        op.drop_column("api_tokens", name)
