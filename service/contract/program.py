"""The parts of the program that the documents of the contract are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from core.errors import InputError
from text.refused_values import problem

if TYPE_CHECKING:
    from core.profile import Profile
    from law.corpus_store import CorpusStore
    from law.norm_names import NormCatalogue
    from rag.shared.state import Services
    from rag.tools.tool_contract import Toolbox
    from work.briefs.norm_library import Library

Model = TypeVar("Model", bound=BaseModel)


class Held(Protocol):
    """The contents of the corpus."""

    def catalogue(self) -> NormCatalogue: ...

    def library(self) -> Library: ...


class Stores(Protocol):
    """Stores of the database."""

    @property
    def corpus(self) -> CorpusStore: ...


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


def dumped(document: BaseModel) -> dict[str, Any]:
    """A document as JSON writes it."""
    return document.model_dump(mode="json", by_alias=True)


def request(model: type[Model], **values: Any) -> Model:
    """A request of these values; undecodable bytes of a console's argument become '?'.

    Raises:
        InputError: one of them cannot be used; the sentence names it.
    """
    try:
        return model.model_validate({name: _decodable(value) for name, value in values.items()})
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        raise InputError(f"No se puede usar: {problem(name, first)}.") from None


def _decodable(value: Any) -> Any:
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
