"""Accounts, their login sessions, and failed attempts to sign in."""

from alembic import op

from storage.alembic.ddl import booleans, create, integers, moments, texts

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    create(
        "accounts",
        texts("id username name roles"),
        booleans("active"),
        texts("subject", null=True),
        texts("password_hash"),
        booleans("must_change"),
        texts("familiar"),
        moments("created_at"),
        moments("last_login", null=True),
        key="id",
    )
    op.create_index("ix_accounts_username", "accounts", ["username"], unique=True)
    op.create_index("ix_accounts_subject", "accounts", ["subject"], unique=True)
    create(
        "login_sessions",
        texts("id token_hash account_id"),
        moments("created_at seen_at expires_at"),
        texts("address agent"),
        key="id",
        parents={"account_id": "accounts.id"},
    )
    op.create_index("ix_login_sessions_token_hash", "login_sessions", ["token_hash"], unique=True)
    op.create_index("ix_login_sessions_account_id", "login_sessions", ["account_id"])
    create("attempts", integers("id"), texts("key"), moments("at"), key="id")
    op.create_index("ix_attempts_key_at", "attempts", ["key", "at"])


def downgrade() -> None:
    for table in ("attempts", "login_sessions", "accounts"):
        op.drop_table(table)
