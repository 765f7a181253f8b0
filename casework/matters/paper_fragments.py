"""Fragments of the documents of expedientes, and where they may be searched for: values."""

from core.values import Value


class Scope(Value):
    """Documents that a search may see: those of one expediente, those of one conversation, or both.

    Raises:
        ValueError: it names neither: there is no search in everybody's documents.
    """

    matter: str = ""
    conversation: str = ""

    def model_post_init(self, _context: object) -> None:
        if not self.places:
            raise ValueError("a search in documents names an expediente or a conversation")

    @property
    def places(self) -> tuple[str, ...]:
        """The keys under which the index keeps the fragments that may be seen."""
        return tuple(place for place in (_place("m", self.matter), _place("c", self.conversation)) if place)


class Fragment(Value):
    """A stretch of a document's text.

    Attributes:
        number: from 1, in reading order.
        page: the one its first sentence begins on; None in a format without pages.
    """

    number: int
    page: int | None = None
    text: str


class FoundFragment(Value):
    """A fragment with its document: its id, its number («Doc 1») and its file's name."""

    document_id: str
    document_number: int
    name: str
    fragment: Fragment


def place_of(matter_id: str | None, conversation_id: str | None) -> str:
    """The key under which the index keeps the fragments of a document: the narrowest of the two."""
    return _place("c", conversation_id or "") or _place("m", matter_id or "")


def fragment_id(document_id: str, number: int) -> str:
    """Id of a fragment in the index; `document_of` reads it back."""
    return f"{document_id}/{number}"


def document_of(found: str) -> tuple[str, int]:
    """(document id, number) of a fragment's id."""
    document_id, _, number = found.partition("/")
    return document_id, int(number)


def _place(kind: str, key: str) -> str:
    return f"{kind}:{key}" if key else ""
