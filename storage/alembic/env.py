"""Alembic's environment: runs inside the transaction that storage.migrate has opened."""

from alembic import context

from storage.tables.declarative import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
