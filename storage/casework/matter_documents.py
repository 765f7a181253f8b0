"""Documents of expedientes and conversations, and the fragments that they were read into."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, delete, func, insert, or_, select, update
from sqlalchemy.orm import Session

from casework.matters.paper_fragments import FoundFragment, Fragment, Scope, document_of, place_of
from core.errors import InputError
from domain.matters import DocumentState, MatterDocument
from storage.base.engine import Store, only, required, touched
from storage.base.membership import document_open_to, open_conversation, open_matter
from storage.tables.matters import MatterDocumentRow, MatterFragmentRow

DOCUMENTS = 300
NO_DOCUMENT = "No existe ese documento."
WORDS = "words"
"""Value of `indexed_with` while the index has the words of a document and no vectors."""


class SqlMatterDocumentStore(Store):
    """Documents; a call that names a person gets only what is open to them.

    Raises (all methods): StorageError; NotFound when something does not exist or is not open to the person
    (the two cannot be told apart from outside).
    """

    def add(self, person: str, document: MatterDocument) -> MatterDocument:
        """Store a document that is still to be read; its number is given here.

        Raises:
            InputError: the same file is there already, or there are too many.
        """
        with self._db.write() as session:
            matter_id = _place(session, person, document)
            beside = _beside(matter_id, document.conversation_id)
            # One of another member's conversation is theirs alone: that it is there is not told.
            usable = _usable(matter_id, document.conversation_id or "")
            same = select(MatterDocumentRow).where(
                usable, MatterDocumentRow.content_hash == document.content_hash
            )
            if (twin := session.scalar(same.limit(1))) is not None:
                told = twin.as_value(MatterDocument).title
                raise InputError(f"«{document.name}» ya está aquí: es {told} («{twin.name}»).")
            count, last = session.execute(
                select(func.count(MatterDocumentRow.id), func.max(MatterDocumentRow.number)).where(beside)
            ).one()
            if count >= DOCUMENTS:
                raise InputError(f"Aquí caben {DOCUMENTS} documentos: elimine antes alguno.")
            values = document.model_dump() | {"matter_id": matter_id, "number": (last or 0) + 1}
            row = MatterDocumentRow(indexed_with="", **values)
            session.add(row)
        return row.as_value(MatterDocument)

    def documents(self, person: str, matter_id: str) -> list[MatterDocument]:
        """Those of an expediente, by number, without those of single conversations."""
        of_it = MatterDocumentRow.matter_id == matter_id, MatterDocumentRow.conversation_id.is_(None)
        with self._db.read() as session:
            open_matter(session, person, matter_id)
            return _documents(session, *of_it)

    def of_conversation(self, person: str, conversation_id: str) -> list[MatterDocument]:
        """Those that one conversation alone may use, by number."""
        with self._db.read() as session:
            open_conversation(session, person, conversation_id)
            return _documents(session, MatterDocumentRow.conversation_id == conversation_id)

    def document(self, person: str, document_id: str) -> MatterDocument:
        with self._db.read() as session:
            return _open(session, person, document_id).as_value(MatterDocument)

    def remove(self, person: str, document_id: str) -> None:
        """Delete a document with its fragments."""
        with self._db.write() as session:
            _open(session, person, document_id)
            session.execute(delete(MatterDocumentRow).where(MatterDocumentRow.id == document_id))
        self._db.shrink_log()

    def fragment(self, person: str, document_id: str, number: int) -> Fragment:
        with self._db.read() as session:
            _open(session, person, document_id)
            row = required(session, MatterFragmentRow, (document_id, number), NO_DOCUMENT)
            return row.as_value(Fragment)

    def scope(self, person: str, conversation_id: str) -> Scope | None:
        """Documents that a question of a conversation may search; None when there is none."""
        with self._db.read() as session:
            row = open_conversation(session, person, conversation_id)
            of_it = _usable(row.matter_id, conversation_id)
            held = session.scalar(select(MatterDocumentRow.id).where(of_it).limit(1))
            return Scope(matter=row.matter_id or "", conversation=conversation_id) if held else None

    def usable(self, person: str, conversation_id: str) -> list[MatterDocument]:
        """The documents that a question of a conversation may use, by number."""
        with self._db.read() as session:
            row = open_conversation(session, person, conversation_id)
            return _documents(session, _usable(row.matter_id, conversation_id))

    def found(self, person: str, conversation_id: str, ids: Sequence[str]) -> list[FoundFragment]:
        """The fragments with these ids of the index, in that order, that the conversation may use now."""
        with self._db.read() as session:
            row = open_conversation(session, person, conversation_id)
            wanted = [document_of(one) for one in ids]
            query = (
                select(MatterFragmentRow, MatterDocumentRow)
                .join(MatterDocumentRow, MatterDocumentRow.id == MatterFragmentRow.document_id)
                .where(_usable(row.matter_id, conversation_id))
                .where(or_(*(_is(one) for one in wanted)))
            )
            rows = session.execute(query).all() if wanted else []
            known = {
                (document.id, fragment.number): FoundFragment(
                    document_id=document.id,
                    document_number=document.number,
                    name=document.name,
                    fragment=fragment.as_value(Fragment),
                )
                for fragment, document in rows
            }
        return [known[one] for one in wanted if one in known]

    # For the program itself: documents of every person

    def waiting(self) -> list[MatterDocument]:
        """Documents that are still to be read, the oldest first."""
        query = select(MatterDocumentRow).where(MatterDocumentRow.state == DocumentState.WAITING.value)
        rows = self._db.scalars(query.order_by(MatterDocumentRow.added_at, MatterDocumentRow.id))
        return [row.as_value(MatterDocument) for row in rows]

    def keep(self, document_id: str, fragments: Sequence[Fragment], pages: int, problem: str) -> bool:
        """Store what a document was read into; False if it has been deleted meanwhile."""
        read = update(MatterDocumentRow).where(MatterDocumentRow.id == document_id)
        read = read.values(state=DocumentState.READ.value, pages=pages, problem=problem, indexed_with="")
        with self._db.write() as session:
            if not touched(session, read):
                return False
            session.execute(delete(MatterFragmentRow).where(MatterFragmentRow.document_id == document_id))
            rows = [{"document_id": document_id, **one.model_dump()} for one in fragments]
            if rows:
                session.execute(insert(MatterFragmentRow), rows)
            return True

    def fail(self, document_id: str, problem: str) -> None:
        """Record why a document cannot be read."""
        failed = update(MatterDocumentRow).where(MatterDocumentRow.id == document_id)
        self._db.run(failed.values(state=DocumentState.FAILED.value, problem=problem))

    def unindexed(self, model: str) -> list[tuple[str, str]]:
        """(id, place in the index) of the documents of which it lacks the words or that model's vectors.

        Those without words come first.
        """
        with_words = MatterDocumentRow.indexed_with == WORDS
        query = select(MatterDocumentRow).where(
            MatterDocumentRow.state == DocumentState.READ.value,
            MatterDocumentRow.indexed_with.not_in((model or WORDS,)),
        )
        rows = self._db.scalars(query.order_by(with_words, MatterDocumentRow.added_at, MatterDocumentRow.id))
        return [(row.id, place_of(row.matter_id, row.conversation_id)) for row in rows]

    def mark_indexed(self, document_id: str, held: str) -> bool:
        """Record what the index holds of a document; False if the document is gone."""
        marked = update(MatterDocumentRow).where(MatterDocumentRow.id == document_id)
        return bool(self._db.run(marked.values(indexed_with=held)))

    def indexed_with(self, document_id: str) -> str:
        """State of a document in the index, see `MatterDocumentRow`; empty for one that is gone."""
        query = select(MatterDocumentRow.indexed_with).where(MatterDocumentRow.id == document_id)
        return next(iter(self._db.scalars(query)), "")

    def fragments(self, document_id: str) -> list[Fragment]:
        """Fragments that a document was read into, in reading order."""
        query = select(MatterFragmentRow).where(MatterFragmentRow.document_id == document_id)
        rows = self._db.scalars(query.order_by(MatterFragmentRow.number))
        return [row.as_value(Fragment) for row in rows]

    def fragment_counts(self) -> dict[str, int]:
        """Document id to the number of its fragments, of every document."""
        counted = func.count(MatterFragmentRow.number)
        query = select(MatterDocumentRow.id, counted).outerjoin(MatterFragmentRow)
        return {key: count for key, count in self._db.rows(query.group_by(MatterDocumentRow.id))}


def _place(session: Session, person: str, document: MatterDocument) -> str | None:
    """The expediente that a new document belongs to, itself or by its conversation; None for none."""
    if document.conversation_id is not None:
        matter_id = open_conversation(session, person, document.conversation_id).matter_id
    else:
        matter_id = document.matter_id or ""
    if matter_id is not None:
        open_matter(session, person, matter_id, lock=True).updated_at = document.added_at
    return matter_id


def _beside(matter_id: str | None, conversation_id: str | None) -> ColumnElement[bool]:
    """The documents among which a number is given once."""
    if matter_id is not None:
        return MatterDocumentRow.matter_id == matter_id
    return MatterDocumentRow.conversation_id == conversation_id


def _usable(matter_id: str | None, conversation_id: str) -> ColumnElement[bool]:
    """The documents that a question of a conversation may use."""
    own = MatterDocumentRow.conversation_id == conversation_id
    if matter_id is None:
        return own
    shared = and_(MatterDocumentRow.matter_id == matter_id, MatterDocumentRow.conversation_id.is_(None))
    return or_(own, shared)


def _is(one: tuple[str, int]) -> ColumnElement[bool]:
    return and_(MatterFragmentRow.document_id == one[0], MatterFragmentRow.number == one[1])


def _open(session: Session, person: str, document_id: str) -> MatterDocumentRow:
    query = select(MatterDocumentRow).where(MatterDocumentRow.id == document_id, document_open_to(person))
    return only(session, query, NO_DOCUMENT)


def _documents(session: Session, *where: ColumnElement[bool]) -> list[MatterDocument]:
    rows = session.scalars(select(MatterDocumentRow).where(*where).order_by(MatterDocumentRow.number))
    return [row.as_value(MatterDocument) for row in rows]
