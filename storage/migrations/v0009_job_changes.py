"""Documents that each job has replaced, so that a load can be undone."""

from alembic import op

from storage.alembic.ddl import blobs, create, texts

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    create(
        "job_changes",
        texts("job_id norm_id source after"),
        blobs("before", null=True),
        key="job_id norm_id",
        parents={"job_id": "jobs.id"},
    )
    op.create_index("ix_job_changes_norm_id", "job_changes", ["norm_id"])


def downgrade() -> None:
    op.drop_table("job_changes")
