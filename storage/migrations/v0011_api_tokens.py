"""Personal API tokens."""

from alembic import op

from storage.alembic.ddl import create, moments, texts

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    create(
        "api_tokens",
        texts("id token_hash account_id name scopes"),
        moments("created_at expires_at"),
        moments("seen_at", null=True),
        key="id",
        parents={"account_id": "accounts.id"},
    )
    op.create_index("ix_api_tokens_token_hash", "api_tokens", ["token_hash"], unique=True)
    op.create_index("ix_api_tokens_account_id", "api_tokens", ["account_id"])


def downgrade() -> None:
    op.drop_table("api_tokens")
