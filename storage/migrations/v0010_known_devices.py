"""Devices that an account knows, and what each person has been told of the audit log."""

import sqlalchemy as sa
from alembic import op

from storage.alembic.ddl import create, moments, texts

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    create(
        "known_devices",
        texts("token_hash account_id"),
        moments("seen_at"),
        key="token_hash",
        parents={"account_id": "accounts.id"},
    )
    op.create_index("ix_known_devices_account_id", "known_devices", ["account_id"])
    op.create_index("ix_attempts_at", "attempts", ["at"])
    op.add_column("accounts", sa.Column("told", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("accounts", "told")
    op.drop_index("ix_attempts_at", "attempts")
    op.drop_table("known_devices")
