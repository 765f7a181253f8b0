"""The parts of the program that the documents of the contract are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

from pydantic import BaseModel, Field

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from casework.briefs.findings import CitationReport
    from casework.briefs.norm_library import Library
    from casework.briefs.ruling_state import Paper
    from core.profile import Profile
    from law.corpus_store import CorpusStore
    from law.norm_names import NormCatalogue
    from rag.shared.state import Services
    from rag.tools.tool_contract import Toolbox

Model = TypeVar("Model", bound=BaseModel)
LONGEST_NAME = 200
Name = Annotated[str, Field(max_length=LONGEST_NAME)]
"""An id or a name, as it stands in an address."""


class Held(Protocol):
    """The contents of the corpus."""

    def catalogue(self) -> NormCatalogue: ...

    def library(self) -> Library: ...


class Stores(Protocol):
    """Stores of the database."""

    @property
    def corpus(self) -> CorpusStore: ...


class Briefs(Protocol):
    """The check of briefs."""

    def report(
        self,
        text: str,
        day: date,
        today: date,
        revision: str,
        check: Callable[[], None],
        *,
        papers: Sequence[Paper] = (),
    ) -> CitationReport: ...


class Program(Protocol):
    """Database, index and tools, wired."""

    @property
    def database(self) -> Stores: ...

    @property
    def services(self) -> Services:
        """Raises IndexUnavailable."""
        ...

    @property
    def toolbox(self) -> Toolbox:
        """Raises IndexUnavailable."""
        ...

    @property
    def settings(self) -> Profile: ...

    @property
    def holdings(self) -> Held: ...

    @property
    def briefs(self) -> Briefs: ...


def dumped(document: BaseModel) -> dict[str, Any]:
    """A document as JSON writes it."""
    return document.model_dump(mode="json", by_alias=True)
