"""Column types that keep both databases alike: clean text, tuples of strings, aware UTC times."""

import json
import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticSerializationError
from sqlalchemy import ColumnElement, DateTime, Dialect, Text, or_
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.types import TypeDecorator

from core.clock import SKEW
from text.textnorm import encodable

V = TypeVar("V", bound=BaseModel)
NUL = "\\u0000"
"""As JSON writes it."""

log = logging.getLogger(__name__)


def clean(value: Any) -> Any:
    """`value` without what PostgreSQL refuses: NUL characters and lone surrogates, at any depth.

    Models become mappings of what JSON can hold.
    """
    if isinstance(value, BaseModel):
        return clean(value.model_dump(mode="json"))
    if isinstance(value, str):
        return encodable(str(value))
    if isinstance(value, (tuple, list)):
        return tuple(clean(item) for item in value)
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    return value


def silent(
    column: InstrumentedAttribute[datetime] | InstrumentedAttribute[datetime | None],
    now: datetime,
    seconds: float,
) -> ColumnElement[bool]:
    """`core.clock.silent` as a condition."""
    return or_(column <= now - timedelta(seconds=seconds), column > now + SKEW)


def to_json(value: Any) -> str:
    """JSON of a value or model whose texts are fit for both databases (see `clean`)."""
    if isinstance(value, BaseModel):
        # The quick way keeps the NUL, and refuses the lone surrogates, that a model may send.
        with suppress(PydanticSerializationError):
            if NUL not in (body := value.model_dump_json()):
                return body
    return json.dumps(clean(value), ensure_ascii=False)


def from_json(kind: type[V], body: str | bytes | None, where: str) -> V | None:
    """The stored value without fields that this version lacks; None when there is none, or it cannot be read.

    What cannot be read stays in the table.

    Args:
        where: what it belongs to, for the log.
    """
    if body is None:
        return None
    try:
        return kind.model_validate_json(body, extra="ignore")
    except ValidationError:
        log.warning("the %s of %s was written by another version", kind.__name__, where)
        return None


class CleanText(TypeDecorator[str]):
    """Text of any length, cleaned on its way in."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return cast("str | None", clean(value))


class StringTuple(TypeDecorator[tuple[str, ...]]):
    """A tuple of strings as a JSON array."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:
        return None if value is None else to_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...] | None:
        return None if value is None else tuple(json.loads(value)) if value != "[]" else ()


class StringMap(TypeDecorator[dict[str, str]]):
    """A string-to-string mapping as a JSON object."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: dict[str, str] | None, dialect: Dialect) -> str | None:
        return None if value is None else to_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> dict[str, str] | None:
        return None if value is None else dict(json.loads(value))


class UtcDateTime(TypeDecorator[datetime]):
    """An aware time, kept in UTC; SQLite has no time zones, so they are put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive time cannot be stored: give it a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
