"""The catalogue of loaded documents as a Protocol."""

from typing import Protocol

from law.document_records import DocumentPage, DocumentRecord


class DocumentStore(Protocol):
    """Loader, date and origin of each norm; written by `CorpusWriter.save`, deleted with its norm.

    Raises (all methods): StorageError.
    """

    def get(self, norm_id: str) -> DocumentRecord | None: ...

    def revision(self) -> str:
        """A string that changes with the corpus and with every record, whichever process writes them."""
        ...

    def with_hash(self, content_hash: str) -> list[DocumentRecord]: ...

    def sources(self) -> set[str]:
        """Every kept source in use, including those that a job has replaced and can restore."""
        ...

    def is_used(self, source: str) -> bool:
        """True if `sources` has it."""
        ...

    def page(
        self,
        search: str = "",
        *,
        collection: str = "",
        state: str = "",
        sort: str = "title",
        offset: int = 0,
        limit: int = 50,
    ) -> DocumentPage:
        """The catalogue: rows whose title, names, number or file hold every word of `search`.

        Args:
            state: a status («Vigente», «Derogado»…), 'review' for those marked for review, or 'undated' for
                law without a day.
            sort: title | collection | rank | status | versions | fragments | loaded_at, with '-' in front
                for the reverse.

        Raises:
            ValueError: an unknown sort.
        """
        ...
