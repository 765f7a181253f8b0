"""Fields that lawyers look for in the papers of a case, and the words of each (`fields.toml`)."""

import re
from functools import lru_cache
from typing import Literal

from core.errors import ConfigurationError
from core.values import Value
from lexicon.data_files import read_toml
from text.textnorm import fold_for_search

FILE = "fields.toml"
Kind = Literal["", "date", "money", "length"]


class PaperField(Value):
    """A fact to find in papers. All patterns match folded text.

    Attributes:
        name: the ready question.
        asked: pattern of the questions about it.
        kind: what the answer must contain; '' for anything.
        says: patterns of the sentences that state it, the surest first.
        never: patterns of sentences that state something else.
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
    """The fields of the file, in its order. Raises ConfigurationError: the file is damaged."""
    try:
        return tuple(PaperField.model_validate(one) for one in read_toml(FILE)["field"])
    except (KeyError, ValueError) as error:
        raise ConfigurationError(f"{FILE}: no se puede usar ({error}).") from error


def field_of(question: str) -> PaperField | None:
    """The first field that the question is about, or None."""
    said = fold_for_search(question)
    return next((one for one in fields() if one.asked.search(said)), None)


def ready_lists() -> dict[str, tuple[str, ...]]:
    """The questions of each ready list, by its name, in the order of the file."""
    names = dict.fromkeys(name for one in fields() for name in one.lists)
    return {name: tuple(one.name for one in fields() if name in one.lists) for name in names}
