"""Make the rows of one table equal to the wanted ones, touching only those that differ."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, delete, insert, inspect, select, tuple_, update
from sqlalchemy.orm import Session

from storage.tables.columns import clean
from storage.tables.declarative import Base

Key = tuple[Any, ...]
Row = dict[str, Any]
T = TypeVar("T")
BATCH = 500
"""Values in one IN (…): far below the limits of both databases."""


@dataclass
class TableDiff:
    """Changes to one table; keys are primary keys in the order of the table's columns."""

    row: type[Base]
    inserts: dict[Key, dict[str, Any]] = field(default_factory=dict)
    updates: dict[Key, dict[str, Any]] = field(default_factory=dict)
    deletes: list[Key] = field(default_factory=list)
    unchanged: int = 0

    def delete(self, session: Session) -> None:
        columns = [getattr(self.row, name) for name in key_names(self.row)]
        for batch in batches(self.deletes):
            session.execute(
                delete(self.row).where(tuple_(*columns).in_(batch)),
                execution_options={"synchronize_session": False},
            )

    def write(self, session: Session) -> None:
        if self.updates:
            session.execute(update(self.row), list(self.updates.values()))
        if self.inserts:
            session.execute(insert(self.row), list(self.inserts.values()))


def compare(
    session: Session,
    row: type[Base],
    scope: ColumnElement[bool],
    wanted: Iterable[Mapping[str, Any]],
    on_change: Callable[[Row | None, Row], Row] = lambda stored, new: {},
) -> TableDiff:
    """Compare the rows in `scope` with `wanted`, column by column.

    Args:
        scope: the condition that delimits the rows to replace.
        wanted: full rows, all with the same columns; columns left out are not compared.
        on_change: values that a row takes besides, given it as it is stored (None when it is new) and as
            it is wanted.

    Raises:
        KeyError: two wanted rows have the same primary key; its argument is the key.
    """
    keys = key_names(row)
    target: dict[Key, dict[str, Any]] = {}
    for item in wanted:
        values = clean(dict(item))
        key = tuple(values[name] for name in keys)
        if key in target:
            raise KeyError(key)
        target[key] = values
    names = list(next(iter(target.values()), dict.fromkeys(keys)))
    diff = TableDiff(row)
    for found in session.execute(select(*(getattr(row, name) for name in names)).where(scope)):
        stored = dict(zip(names, found, strict=True))
        key = tuple(stored[name] for name in keys)
        new = target.pop(key, None)
        if new is None:
            diff.deletes.append(key)
        elif new == stored:
            diff.unchanged += 1
        else:
            diff.updates[key] = {**new, **on_change(stored, new)}
    diff.inserts = {key: {**new, **on_change(None, new)} for key, new in target.items()}
    return diff


def key_names(row: type[Base]) -> list[str]:
    """Names of the primary key, in the order of the columns."""
    return [column.name for column in inspect(row).primary_key]


def batches(items: Iterable[T], size: int = BATCH) -> Iterable[Sequence[T]]:
    """The items in lists of `size` at most."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
