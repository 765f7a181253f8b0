"""Terms that were counted and are kept in an expediente."""

from datetime import UTC, date, datetime
from uuid import uuid4

from sqlalchemy import delete, func, select

from core.errors import InputError
from domain.matters import KeptTerm
from storage.base.engine import Store, only
from storage.base.membership import member_of, open_matter
from storage.tables.matters import KeptTermRow, MatterRow
from text.textnorm import visible

TITLE, TOLD, TERMS = 200, 4000, 200
NO_TERM = "No existe ese plazo."
TWICE = "Ese plazo ya está en el expediente."
FULL = f"Un expediente admite {TERMS} plazos: quite antes alguno."


class SqlTermStore(Store):
    """Terms by member of their expediente; membership is checked on every call.

    Raises (all methods): StorageError; NotFound when the term or the expediente does not exist or is not open
    to the person (the two cannot be told apart from outside).
    """

    def keep(self, person: str, matter_id: str, title: str, day: date, told: str = "") -> KeptTerm:
        """Keep a term. Raises InputError: it is there already, or there are too many."""
        now, title = datetime.now(UTC), " ".join(visible(title).split())[:TITLE]
        with self._db.write() as session:
            matter = open_matter(session, person, matter_id, lock=True)
            of_it = select(KeptTermRow).where(KeptTermRow.matter_id == matter_id)
            if session.scalar(of_it.where(KeptTermRow.title == title, KeptTermRow.day == day)):
                raise InputError(TWICE)
            if (session.scalar(select(func.count()).select_from(of_it.subquery())) or 0) >= TERMS:
                raise InputError(FULL)
            matter.updated_at = now
            facts = {"title": title, "day": day, "told": visible(told)[:TOLD]}
            row = KeptTermRow(id=uuid4().hex, matter_id=matter_id, added_by=person, added_at=now, **facts)
            session.add(row)
            return row.as_value(KeptTerm, matter=matter.name)

    def terms(self, person: str, matter_id: str = "") -> list[KeptTerm]:
        """Those of an expediente, or of all that are open to the person, the earliest first."""
        query = select(KeptTermRow, MatterRow.name).join(MatterRow, MatterRow.id == KeptTermRow.matter_id)
        query = query.where(member_of(MatterRow.id.expression, person))
        with self._db.read() as session:
            if matter_id:
                open_matter(session, person, matter_id)
                query = query.where(MatterRow.id == matter_id)
            found = session.execute(query.order_by(KeptTermRow.day, KeptTermRow.added_at, KeptTermRow.id))
            return [row.as_value(KeptTerm, matter=name) for row, name in found]

    def remove(self, person: str, term_id: str) -> None:
        """Remove a term."""
        open_ = member_of(KeptTermRow.matter_id.expression, person)
        with self._db.write() as session:
            only(session, select(KeptTermRow).where(KeptTermRow.id == term_id, open_), NO_TERM)
            session.execute(delete(KeptTermRow).where(KeptTermRow.id == term_id))
