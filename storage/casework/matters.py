"""Expedientes and their members."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import ColumnElement, delete, func, select

from core.errors import InputError, NotFound
from domain.matters import Matter
from storage.base.engine import Store, touched
from storage.base.membership import delete_matters, member_of, open_matter
from storage.chat.message_words import forget_words
from storage.tables.conversations import ConversationRow
from storage.tables.matters import MatterMemberRow, MatterRow
from text.textnorm import fold_for_search, visible

NAME, REFERENCE, NOTES, MEMBERS = 120, 80, 20_000, 50
PAGE_SIZE = 50
_ACCENTED = "áéíóúüñçàèòïÁÉÍÓÚÜÑÇÀÈÒÏ"
_PLAIN = 2 * "aeiouuncaeoi"
"""Neither database drops accents by itself, and SQLite's `lower` leaves accented capitals as they are."""
NOT_OWNER = "Solo quien creó el expediente puede hacer esto: pídaselo."
NO_NAME = "Escriba un nombre para el expediente."
KEEPS = "Quien creó el expediente no puede dejarlo: elimínelo si ya no hace falta."


def _open_with(person: str, words: str) -> list[ColumnElement[bool]]:
    """Conditions of an expediente that is open to the person and has the words."""
    written: ColumnElement[str] = func.lower(MatterRow.name + " " + MatterRow.reference)
    for letter, plain in zip(_ACCENTED, _PLAIN, strict=True):
        written = func.replace(written, letter, plain)
    found = (written.contains(word, autoescape=True) for word in fold_for_search(words).split())
    return [member_of(MatterRow.id.expression, person), *found]


class SqlMatterStore(Store):
    """Expedientes by member; membership is checked on every call.

    Raises (all methods): StorageError; NotFound when the expediente does not exist or is not open to the
    person (the two cannot be told apart from outside).
    """

    def create(self, person: str, name: str, reference: str = "") -> Matter:
        """Start an expediente, of which the person is the owner. Raises InputError: no name, or too long."""
        now = datetime.now(UTC)
        words = {"name": name_of(name, NO_NAME), "reference": _short(reference, REFERENCE, "La referencia")}
        row = MatterRow(id=uuid4().hex, owner=person, notes="", created_at=now, updated_at=now, **words)
        with self._db.write() as session:
            session.add(row)
            session.flush()
            session.add(MatterMemberRow(matter_id=row.id, account_id=person, added_at=now))
        return row.as_value(Matter)

    def matters(
        self, person: str, words: str = "", *, offset: int = 0, limit: int = PAGE_SIZE
    ) -> list[Matter]:
        """A page of those that are open to the person, the one with the latest activity first.

        Args:
            words: that the name or the reference has, whatever their accents.
        """
        query = select(MatterRow).where(*_open_with(person, words)).offset(offset).limit(limit)
        latest = query.order_by(MatterRow.updated_at.desc(), MatterRow.id)
        return [row.as_value(Matter) for row in self._db.scalars(latest)]

    def count(self, person: str, words: str = "") -> int:
        """The number of all of them."""
        return self._db.count(*_open_with(person, words), of=MatterRow)

    def matter(self, person: str, matter_id: str) -> Matter:
        with self._db.read() as session:
            return open_matter(session, person, matter_id).as_value(Matter)

    def change(
        self,
        person: str,
        matter_id: str,
        *,
        name: str | None = None,
        reference: str | None = None,
        notes: str | None = None,
    ) -> Matter:
        """Change what is given; any member may. Raises InputError: no name, or something too long."""
        with self._db.write() as session:
            row = open_matter(session, person, matter_id, lock=True)
            if name is not None:
                row.name = name_of(name, NO_NAME)
            if reference is not None:
                row.reference = _short(reference, REFERENCE, "La referencia")
            if notes is not None:
                row.notes = _within(visible(notes).strip(), NOTES, "Las notas")
            row.updated_at = datetime.now(UTC)
            return row.as_value(Matter)

    def members(self, person: str, matter_id: str) -> list[str]:
        """Account ids, the owner's first, then in the order in which they joined."""
        query = select(MatterMemberRow).where(MatterMemberRow.matter_id == matter_id)
        with self._db.read() as session:
            owner = open_matter(session, person, matter_id).owner
            rows = session.scalars(query.order_by(MatterMemberRow.added_at, MatterMemberRow.account_id))
            found = [row.account_id for row in rows]
        return sorted(found, key=lambda one: one != owner)

    def add_member(self, person: str, matter_id: str, account_id: str) -> None:
        """Open it to another person; only its owner may. Raises InputError: not the owner, or too many."""
        with self._db.write() as session:
            row = _owned(open_matter(session, person, matter_id, lock=True), person)
            query = select(MatterMemberRow.account_id).where(MatterMemberRow.matter_id == matter_id)
            known = session.scalars(query).all()
            if account_id in known:
                return
            if len(known) >= MEMBERS:
                raise InputError(f"Un expediente admite {MEMBERS} personas: quite antes alguna.")
            row.updated_at = now = datetime.now(UTC)
            session.add(MatterMemberRow(matter_id=matter_id, account_id=account_id, added_at=now))

    def remove_member(self, person: str, matter_id: str, account_id: str) -> list[str]:
        """Close it to a member: its owner may, and the member themselves.

        What they asked in it stays with the expediente, closed to them; it is deleted with it.

        Returns:
            The ids of their conversations in it.

        Raises:
            InputError: it is another's to decide, or the owner would leave.
        """
        with self._db.write() as session:
            row = open_matter(session, person, matter_id, lock=True)
            if person != account_id:
                _owned(row, person)
            if account_id == row.owner:
                raise InputError(KEEPS)
            gone = delete(MatterMemberRow).where(
                MatterMemberRow.matter_id == matter_id, MatterMemberRow.account_id == account_id
            )
            if not touched(session, gone):
                raise NotFound("Esa persona no está en el expediente.")
            asked = select(ConversationRow.id).where(
                ConversationRow.matter_id == matter_id, ConversationRow.owner == account_id
            )
            return list(session.scalars(asked))

    def conversations(self, person: str, matter_id: str) -> Sequence[tuple[str, str]]:
        """(owner, id) of every conversation in it, for what ends with it; only its owner may ask."""
        query = select(ConversationRow).where(ConversationRow.matter_id == matter_id)
        with self._db.read() as session:
            _owned(open_matter(session, person, matter_id), person)
            return [(row.owner, row.id) for row in session.scalars(query)]

    def delete(self, person: str, matter_id: str) -> None:
        """Delete it with its documents, their fragments, and every conversation in it; only its owner may.

        Raises:
            InputError: the person is not its owner.
        """
        with self._db.write() as session:
            _owned(open_matter(session, person, matter_id, lock=True), person)
            delete_matters(session, MatterRow.id == matter_id)
            forget_words(session)
        self._db.shrink_log()


def _owned(row: MatterRow, person: str) -> MatterRow:
    if row.owner != person:
        raise InputError(NOT_OWNER)
    return row


def name_of(text: str, missing: str) -> str:
    """The name as it is stored. Raises InputError: it is too long, or there is none, told by `missing`."""
    name = _short(text, NAME, "El nombre")
    if not name:
        raise InputError(missing)
    return name


def _short(text: str, most: int, what: str) -> str:
    return _within(" ".join(visible(text).split()), most, what)


def _within(text: str, most: int, what: str) -> str:
    if len(text) > most:
        raise InputError(f"{what} no puede pasar de {most} caracteres: abrevie.")
    return text
