"""Events of the law know the load that brought them; verdicts have conditions and can be withdrawn."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
schema = "44d25c84e5425659"


def upgrade() -> None:
    op.add_column("law_events", sa.Column("job_id", sa.Text(), nullable=False, server_default=""))
    op.add_column("judgments", sa.Column("wanted", sa.Text(), nullable=False, server_default="{}"))
    op.add_column("judgments", sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("law_events", "job_id")
    op.drop_column("judgments", "wanted")
    op.drop_column("judgments", "withdrawn_at")
