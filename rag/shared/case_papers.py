"""Protocol: the documents that one question may use."""

from collections.abc import Sequence
from typing import Protocol

from rag.shared.hits import Hit


class Papers(Protocol):
    """Documents of an expediente and of a conversation, as the person who asks may see them.

    Attributes:
        remarks: Spanish sentences about those that cannot be used, for the notes of the answer.
    """

    @property
    def remarks(self) -> tuple[str, ...]: ...

    def search(self, texts: Sequence[str], vectors: Sequence[tuple[float, ...]], limit: int) -> list[Hit]:
        """The fragments nearest to some texts and vectors, best first; none once they are closed to them.

        Raises:
            IndexUnavailable, StorageError: they cannot be searched now.
        """
        ...
