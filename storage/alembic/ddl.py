"""Columns and tables as the migrations write them. Databases were made with this: it does not change."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine


def columns(kind: TypeEngine[Any], names: str, *, null: bool = False) -> list[sa.Column[Any]]:
    """A column of that type for each name, separated by spaces."""
    return [sa.Column(name, kind, nullable=null) for name in names.split()]


texts = partial(columns, sa.Text())
integers = partial(columns, sa.Integer())
booleans = partial(columns, sa.Boolean())
days = partial(columns, sa.Date())
moments = partial(columns, sa.DateTime(timezone=True))
blobs = partial(columns, sa.LargeBinary())


def create(
    table: str,
    *fields: Sequence[sa.Column[Any]],
    key: str,
    parents: Mapping[str, str] | None = None,
    gone: str = "CASCADE",
    **options: Any,
) -> None:
    """Make a table.

    Args:
        key: columns of the primary key, separated by spaces.
        parents: foreign keys: columns to 'table.column', each separated by spaces.
        gone: ON DELETE of the foreign keys.
    """
    references = [
        sa.ForeignKeyConstraint(
            mine.split(), theirs.split(), name=f"fk_{table}_{'_'.join(mine.split())}", ondelete=gone
        )
        for mine, theirs in (parents or {}).items()
    ]
    primary = sa.PrimaryKeyConstraint(*key.split(), name=f"pk_{table}")
    op.create_table(table, *chain.from_iterable(fields), *references, primary, **options)
