"""Events of the law know the load that brought them."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
schema = "4807ba091a7e860a"


def upgrade() -> None:
    op.add_column("law_events", sa.Column("job_id", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("law_events", "job_id")
