"""Expedientes (matters) and their documents: values."""

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum

from core.values import Value
from domain.document_tables import PersonsTable


class Matter(Value):
    """A folder of one case, open to its owner and its members alone.

    Attributes:
        reference: how the client or the office names it; may be empty.
    """

    id: str
    owner: str
    name: str
    reference: str = ""
    notes: str = ""
    created_at: datetime
    updated_at: datetime


class DocumentState(StrEnum):
    """Life of a document; the values are stored."""

    WAITING = "waiting"
    READ = "read"
    FAILED = "failed"


class MatterDocument(Value):
    """A document of an expediente, or of one conversation.

    Attributes:
        matter_id: None for a document of a conversation outside every expediente.
        conversation_id: the conversation that alone may use it; None for all of the expediente.
        number: the one of its name, «Doc 1»; none is given twice.
        pages: 0 when its format has none.
        problem: why it could not be read, or what of it could not, in Spanish; empty if nothing.
    """

    id: str
    matter_id: str | None = None
    conversation_id: str | None = None
    number: int
    name: str
    content_hash: str
    bytes: int
    pages: int = 0
    state: DocumentState = DocumentState.WAITING
    problem: str = ""
    added_by: str
    added_at: datetime

    @property
    def title(self) -> str:
        """«Doc 1», as answers name it."""
        return f"Doc {self.number}"


class KeptTerm(Value):
    """A term that was counted.

    Attributes:
        matter: name of its expediente.
        day: its last one.
        told: lines of the calculation that it comes from.
    """

    id: str
    matter_id: str
    matter: str = ""
    title: str
    day: date
    told: str = ""
    added_by: str
    added_at: datetime


class KeptDraft(Value):
    """A draft of a writ: the name of its template and what was told of each field, as texts.

    Attributes:
        added_by: who kept what it tells now, at `updated_at`.
    """

    id: str
    matter_id: str
    template: str
    told: Mapping[str, str]
    added_by: str
    added_at: datetime
    updated_at: datetime


class GivenFact(Value):
    """A fact of the case that a person gave; without a value they say that it «no consta»."""

    key: str
    value: str
    unit: str = ""
    given_by: str
    given_at: datetime


class PersonsMatter(Value):
    """An expediente of which a person is the owner, with the names of its documents, its review tables, its
    terms, its drafts and the facts that persons gave, for their copy."""

    matter: Matter
    documents: tuple[MatterDocument, ...]
    tables: tuple[PersonsTable, ...] = ()
    terms: tuple[KeptTerm, ...] = ()
    drafts: tuple[KeptDraft, ...] = ()
    facts: tuple[GivenFact, ...] = ()
