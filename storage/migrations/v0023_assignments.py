"""Answers under review are assigned to people, who choose whether traces are shown."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
schema = "7a1c773d10fb87c9"


def upgrade() -> None:
    op.create_table(
        "assignments",
        sa.Column("message_id", sa.Integer(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("assigned_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"],
            ["messages.id"],
            name=op.f("fk_assignments_message_id_messages"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("message_id", name=op.f("pk_assignments")),
    )
    op.create_index(op.f("ix_assignments_person"), "assignments", ["person"])
    op.add_column("preferences", sa.Column("detail", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("preferences", "detail")
    op.drop_table("assignments")
