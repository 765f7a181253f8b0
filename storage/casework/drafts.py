"""Drafts of writs that are kept in an expediente: the values of their form."""

from collections.abc import Mapping
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import delete, func, select

from core.errors import InputError, NotFound
from domain.matters import KeptDraft
from storage.base.engine import Store, only
from storage.base.membership import member_of, open_matter
from storage.tables.matters import KeptDraftRow
from text.textnorm import visible

DRAFTS, CHARACTERS = 100, 200_000
NO_DRAFT = "No existe ese borrador."
FULL = f"Un expediente admite {DRAFTS} borradores: quite antes alguno."
TOO_LONG = "El borrador es demasiado largo para guardarlo: acórtelo."


class SqlDraftStore(Store):
    """Drafts by member of their expediente; membership is checked on every call.

    Raises (all methods): StorageError; NotFound when the draft or the expediente does not exist or is not
    open to the person (the two cannot be told apart from outside).
    """

    def keep(
        self,
        person: str,
        matter_id: str,
        template: str,
        values: Mapping[str, str],
        draft_id: str = "",
        *,
        seen: datetime | None = None,
    ) -> KeptDraft:
        """Keep a new draft, or the values of one that there is.

        Args:
            seen: when the draft that the person changes was kept. If somebody has kept or removed it since,
                these values become a draft of their own. None: whatever there is.

        Raises:
            InputError: too many, or too long.
        """
        now, told = datetime.now(UTC), {name: visible(value) for name, value in values.items()}
        if sum(map(len, (*told, *told.values()))) > CHARACTERS:
            raise InputError(TOO_LONG)
        of_it = select(KeptDraftRow).where(KeptDraftRow.matter_id == matter_id)
        with self._db.write() as session:
            open_matter(session, person, matter_id, lock=True).updated_at = now
            same = of_it.where(KeptDraftRow.id == draft_id, KeptDraftRow.template == template)
            row = session.scalar(same) if draft_id else None
            if row is None and draft_id and seen is None:
                raise NotFound(NO_DRAFT)
            if row is None or (seen is not None and row.updated_at != seen):
                if (session.scalar(select(func.count()).select_from(of_it.subquery())) or 0) >= DRAFTS:
                    raise InputError(FULL)
                row = KeptDraftRow(id=uuid4().hex, matter_id=matter_id, template=template, added_at=now)
                session.add(row)
            row.told, row.added_by, row.updated_at = told, person, now
            return row.as_value(KeptDraft)

    def drafts(self, person: str, matter_id: str) -> list[KeptDraft]:
        """Those of an expediente, the latest first."""
        query = select(KeptDraftRow).where(KeptDraftRow.matter_id == matter_id)
        with self._db.read() as session:
            open_matter(session, person, matter_id)
            rows = session.scalars(query.order_by(KeptDraftRow.updated_at.desc(), KeptDraftRow.id))
            return [row.as_value(KeptDraft) for row in rows]

    def draft(self, person: str, draft_id: str) -> KeptDraft:
        """A draft."""
        open_ = member_of(KeptDraftRow.matter_id.expression, person)
        with self._db.read() as session:
            query = select(KeptDraftRow).where(KeptDraftRow.id == draft_id, open_)
            return only(session, query, NO_DRAFT).as_value(KeptDraft)

    def remove(self, person: str, draft_id: str) -> None:
        """Remove a draft."""
        open_ = member_of(KeptDraftRow.matter_id.expression, person)
        with self._db.write() as session:
            only(session, select(KeptDraftRow).where(KeptDraftRow.id == draft_id, open_), NO_DRAFT)
            session.execute(delete(KeptDraftRow).where(KeptDraftRow.id == draft_id))
