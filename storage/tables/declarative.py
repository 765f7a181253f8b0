"""The base of every table, and the table of values of the whole database."""

from datetime import datetime
from typing import Any, TypeVar

from pydantic import BaseModel
from sqlalchemy import LargeBinary, MetaData
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from storage.tables.columns import CleanText, StringMap, StringTuple, UtcDateTime

V = TypeVar("V", bound=BaseModel)


class Base(DeclarativeBase):
    """A table goes into backups unless it is marked `info={"backup": False}` (`storage.backup`)."""

    metadata = MetaData(
        naming_convention={
            "pk": "pk_%(table_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012
        str: CleanText,
        datetime: UtcDateTime,
        tuple[str, ...]: StringTuple,
        dict[str, str]: StringMap,
        bytes: LargeBinary,
    }

    def as_value(self, kind: type[V], **read: Any) -> V:
        """The value with this row's fields; `read` are those that a column does not hold as they are."""
        names = kind.model_fields.keys() - read.keys()
        return kind(**{name: getattr(self, name) for name in names}, **read)


class MetaRow(Base):
    """A value of the database as a whole, such as the revision of the corpus."""

    __tablename__ = "meta"

    key: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]
