"""Fields that lawyers look for in the papers of a case, and the words of each (`fields.toml`)."""

import re
from functools import lru_cache
from typing import Literal

from rag.errors import ConfigurationError
from rag.lexicon.data import read
from rag.text.textnorm import fold
from rag.types import Value

FILE = "fields.toml"
Kind = Literal["", "date", "money", "length"]


class PaperField(Value):
    """A thing that papers tell.

    Attributes:
        name: the ready question.
        asked: pattern of the questions about it; this and the next two over folded text.
        kind: what the answer must have.
        says: patterns of the sentences that tell it, the surest first.
        never: patterns of sentences that tell something else.
        lists: ready lists that offer it.
    """

    name: str
    asked: re.Pattern[str]
    kind: Kind = ""
    says: tuple[re.Pattern[str], ...]
    never: tuple[re.Pattern[str], ...] = ()
    lists: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def fields() -> tuple[PaperField, ...]:
    """All of the file, in its order. Raises ConfigurationError: it cannot be used."""
    try:
        return tuple(PaperField.model_validate(one) for one in read(FILE)["field"])
    except (KeyError, ValueError) as error:
        raise ConfigurationError(f"{FILE}: no se puede usar ({error}).") from error


def field_of(question: str) -> PaperField | None:
    """The first that the question is about, or None."""
    said = fold(question)
    return next((one for one in fields() if one.asked.search(said)), None)


def ready_lists() -> dict[str, tuple[str, ...]]:
    """Name of each ready list to its questions, in the order of the file."""
    names = dict.fromkeys(name for one in fields() for name in one.lists)
    return {name: tuple(one.name for one in fields() if name in one.lists) for name in names}
