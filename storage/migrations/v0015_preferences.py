"""Preferences of people."""

from alembic import op

from storage.alembic.ddl import booleans, create, days, texts

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    create(
        "preferences",
        texts("owner theme length day"),
        days("fixed_day", null=True),
        booleans("shortcuts"),
        texts("notice"),
        booleans("toured"),
        key="owner",
    )


def downgrade() -> None:
    op.drop_table("preferences")
