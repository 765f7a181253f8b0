"""Facts of the case of an expediente that persons gave."""

from datetime import UTC, datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from domain.matters import GivenFact
from storage.base.engine import Store
from storage.base.membership import open_matter
from storage.tables.matters import GivenFactRow


class SqlFactStore(Store):
    """Facts by member of their expediente; membership is checked on every call.

    Raises (all methods): StorageError; NotFound when the expediente does not exist or is not open to the
    person (the two cannot be told apart from outside).
    """

    def given(self, person: str, matter_id: str) -> tuple[GivenFact, ...]:
        """Those of an expediente."""
        with self._db.read() as session:
            open_matter(session, person, matter_id)
            return facts_of(session, matter_id)

    def give(self, person: str, matter_id: str, key: str, value: str, unit: str = "") -> None:
        """Give one in the place of what was given before."""
        now = datetime.now(UTC)
        with self._db.write() as session:
            open_matter(session, person, matter_id, lock=True).updated_at = now
            told = {"value": value, "unit": unit, "given_by": person, "given_at": now}
            session.merge(GivenFactRow(matter_id=matter_id, key=key, **told))

    def take_back(self, person: str, matter_id: str, key: str) -> None:
        """Forget what was given, if anything was: papers count again."""
        with self._db.write() as session:
            open_matter(session, person, matter_id, lock=True).updated_at = datetime.now(UTC)
            gone = delete(GivenFactRow).where(GivenFactRow.matter_id == matter_id, GivenFactRow.key == key)
            session.execute(gone)


def facts_of(session: Session, matter_id: str) -> tuple[GivenFact, ...]:
    """The given facts of an expediente."""
    query = select(GivenFactRow).where(GivenFactRow.matter_id == matter_id).order_by(GivenFactRow.key)
    return tuple(row.as_value(GivenFact) for row in session.scalars(query))
