"""Evaluations: runs, the result of each case, and its trace."""

from alembic import op

from storage.alembic.ddl import blobs, create, integers, moments, texts

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    create(
        "evaluations",
        texts("id owner dataset dataset_hash"),
        integers("total done"),
        texts("state error facts"),
        texts("summary", null=True),
        moments("created_at updated_at"),
        moments("finished_at", null=True),
        key="id",
    )
    op.create_index("ix_evaluations_created_at", "evaluations", ["created_at"])
    op.create_index("ix_evaluations_state", "evaluations", ["state"])
    for name, body in (("evaluation_cases", texts("body")), ("evaluation_traces", blobs("body"))):
        create(
            name,
            texts("evaluation_id"),
            integers("position"),
            body,
            key="evaluation_id position",
            parents={"evaluation_id": "evaluations.id"},
        )


def downgrade() -> None:
    op.drop_table("evaluation_traces")
    op.drop_table("evaluation_cases")
    op.drop_table("evaluations")
