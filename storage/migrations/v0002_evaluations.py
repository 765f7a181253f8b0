"""Evaluations: runs, the result of each case, and its trace."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "evaluations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("dataset", sa.Text(), nullable=False),
        sa.Column("dataset_hash", sa.Text(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_evaluations"),
    )
    op.create_index("ix_evaluations_created_at", "evaluations", ["created_at"])
    op.create_index("ix_evaluations_state", "evaluations", ["state"])
    for name, body in (("evaluation_cases", sa.Text()), ("evaluation_traces", sa.LargeBinary())):
        op.create_table(
            name,
            sa.Column("evaluation_id", sa.Text(), nullable=False),
            sa.Column("position", sa.Integer(), nullable=False),
            sa.Column("body", body, nullable=False),
            sa.ForeignKeyConstraint(
                ["evaluation_id"], ["evaluations.id"], name=f"fk_{name}_evaluation_id", ondelete="CASCADE"
            ),
            sa.PrimaryKeyConstraint("evaluation_id", "position", name=f"pk_{name}"),
        )


def downgrade() -> None:
    op.drop_table("evaluation_traces")
    op.drop_table("evaluation_cases")
    op.drop_table("evaluations")
