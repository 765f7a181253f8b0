"""Protocol: the documents that one question may use."""

from collections.abc import Sequence
from typing import Protocol

from rag.shared.hits import Hit
from rag.shared.notices import Notice


class Papers(Protocol):
    """Documents of an expediente and of a conversation, as the person who asks may see them.

    Attributes:
        notices: of those that cannot be used.
    """

    @property
    def notices(self) -> tuple[Notice, ...]: ...

    def search(self, texts: Sequence[str], vectors: Sequence[tuple[float, ...]], limit: int) -> list[Hit]:
        """The fragments nearest to some texts and vectors, best first; none once they are closed to them.

        Raises:
            IndexUnavailable, StorageError: they cannot be searched now.
        """
        ...
