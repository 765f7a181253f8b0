"""Addresses that their person confirmed, the codes that are out, and claims on watched questions."""

import sqlalchemy as sa
from alembic import op

from storage.alembic.ddl import create, integers, moments, texts

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    create(
        "address_codes",
        texts("owner code_hash"),
        moments("expires_at"),
        integers("tries sent"),
        moments("since"),
        key="owner",
    )
    op.add_column("alert_settings", sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("watches", sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("watches", "claimed_until")
    op.drop_column("alert_settings", "confirmed_at")
    op.drop_table("address_codes")
