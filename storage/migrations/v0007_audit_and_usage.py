"""The audit log with the triggers that guard it, and what models were used for whom."""

import sqlalchemy as sa
from alembic import op

from storage.alembic.ddl import create, days, integers, moments, texts

revision = "0007"
down_revision = "0006"

SQLITE = (
    """
    CREATE TRIGGER audit_insert BEFORE INSERT ON audit
    WHEN NEW.number <= (SELECT MAX(number) FROM audit)
      OR NEW.number > (SELECT MAX(number) FROM audit) + 1
    BEGIN SELECT RAISE(ABORT, 'the audit log grows at its end only'); END
    """,
    """
    CREATE TRIGGER audit_update BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log cannot be changed'); END
    """,
    """
    CREATE TRIGGER audit_delete BEFORE DELETE ON audit
    WHEN OLD.number > COALESCE(
        (SELECT MAX(CAST(json_extract(detail, '$.through') AS INTEGER)) FROM audit
         WHERE action = 'expired' AND target = 'audit'), 0)
    BEGIN SELECT RAISE(ABORT, 'the audit log cannot be cut but from its start, and telling so'); END
    """,
)
POSTGRESQL = (
    """
    CREATE FUNCTION audit_guard() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE bound bigint;
    BEGIN
        IF TG_OP = 'INSERT' THEN
            EXECUTE format('SELECT max(number) FROM %I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO bound;
            IF bound IS NULL OR NEW.number = bound + 1 THEN RETURN NEW; END IF;
        ELSIF TG_OP = 'DELETE' THEN
            EXECUTE format('SELECT max((detail::json->>''through'')::bigint) FROM %I.%I '
                'WHERE action = ''expired'' AND target = ''audit''', TG_TABLE_SCHEMA, TG_TABLE_NAME)
                INTO bound;
            IF OLD.number <= bound THEN RETURN OLD; END IF;
        END IF;
        RAISE EXCEPTION 'the audit log only grows at its end, or is cut at its start telling so';
    END $$
    """,
    """
    CREATE TRIGGER audit_rows BEFORE INSERT OR UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION audit_guard()
    """,
    "CREATE TRIGGER audit_all BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_guard()",
)


def upgrade() -> None:
    create(
        "audit",
        [sa.Column("number", sa.Integer(), autoincrement=False, nullable=False)],
        moments("at"),
        texts("actor action target detail previous hash"),
        key="number",
    )
    op.create_index("ix_audit_actor_number", "audit", ["actor", "number"])
    op.create_index("ix_audit_action_number", "audit", ["action", "number"])
    op.create_index("ix_audit_at", "audit", ["at"])
    create(
        "usage",
        texts("owner"),
        days("day"),
        texts("role model"),
        integers("questions calls failures prompt_tokens completion_tokens"),
        key="owner day role model",
    )
    op.create_index("ix_usage_day", "usage", ["day"])
    for statement in POSTGRESQL if op.get_bind().dialect.name == "postgresql" else SQLITE:
        op.execute(sa.text(statement))


def downgrade() -> None:
    op.drop_table("usage")
    op.drop_table("audit")
    if op.get_bind().dialect.name == "postgresql":
        op.execute(sa.text("DROP FUNCTION audit_guard"))
