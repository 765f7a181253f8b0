"""Certificates of sources that have been given out, one an answer."""

from alembic import op

from storage.alembic.ddl import create, integers, moments, texts

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    create(
        "certificates",
        integers("message_id"),
        texts("content"),
        moments("made_at"),
        key="message_id",
        parents={"message_id": "messages.id"},
    )


def downgrade() -> None:
    op.drop_table("certificates")
