"""Papers of a case, the fields that lawyers look for in them, and the words of each (`fields.toml`)."""

import re
from functools import lru_cache
from typing import Literal, TypeVar

from core.errors import ConfigurationError
from core.values import Value
from lexicon.data_files import read_toml
from text.textnorm import fold_for_search

FILE = "fields.toml"
NEVER = re.compile("(?!)")
Kind = Literal["", "date", "money", "length", "person"]
Entry = TypeVar("Entry", bound=Value)


class PaperField(Value):
    """A fact to find in papers. All patterns match folded text.

    Attributes:
        name: the ready question.
        asked: pattern of the questions about it.
        kind: what the answer must contain; '' for anything.
        says: patterns of the sentences that state it, the surest first.
        never: patterns of sentences that state something else.
        lists: ready lists that offer it.
        decides: pattern of the questions about the law that hang on it.
        fact: key of the fact of a case that it is; '' for none. What follows is for facts.
        told: name of the fact, if it is not that of the question.
        gives: patterns around the value, the surest first; see `casework.matters.facts_reading`.
        papers: letters that end or change the contract, all papers but those, or all.
        of, not_of: patterns of such a letter, and of papers that are none.
        latest: the latest paper counts, not what most of them say.
    """

    name: str
    asked: re.Pattern[str] = NEVER
    kind: Kind = ""
    says: tuple[re.Pattern[str], ...] = ()
    never: tuple[re.Pattern[str], ...] = ()
    lists: tuple[str, ...] = ()
    decides: re.Pattern[str] | None = None
    fact: str = ""
    told: str = ""
    gives: tuple[str, ...] = ()
    of: re.Pattern[str] | None = None
    not_of: re.Pattern[str] | None = None
    papers: Literal["letters", "others", "all"] = "all"
    latest: bool = False


class PaperKind(Value):
    """A kind of paper. All patterns match folded text.

    Attributes:
        called: pattern of its name in a question.
        reads: pattern of its text, or of the name of its file.
        of_law: laws speak of it too: «del contrato» points to none in particular.
    """

    name: str
    called: re.Pattern[str]
    reads: re.Pattern[str]
    of_law: bool = False


@lru_cache(maxsize=1)
def fields() -> tuple[PaperField, ...]:
    """The fields of the file, in its order. Raises ConfigurationError: the file is damaged."""
    return _read("field", PaperField)


@lru_cache(maxsize=1)
def kinds() -> tuple[PaperKind, ...]:
    """The kinds of papers of the file, in its order. Raises ConfigurationError: the file is damaged."""
    return _read("paper", PaperKind)


def _read(name: str, entry: type[Entry]) -> tuple[Entry, ...]:
    try:
        return tuple(entry.model_validate(one) for one in read_toml(FILE)[name])
    except (KeyError, ValueError) as error:
        raise ConfigurationError(f"{FILE}: no se puede usar ({error}).") from error


FACTS = (
    *("employer", "employer_id", "worker", "worker_id", "start", "letter", "effects"),
    *("salary", "category", "hours", "seat", "agreement", "resolution"),
)
"""Keys of the facts of a case, in the order of its sheet."""


def facts() -> list[PaperField]:
    """The fields that are facts of a case, in the order of its sheet."""
    known = {one.fact: one for one in fields()}
    return [known[key] for key in FACTS]


def field_of(question: str) -> PaperField | None:
    """The first field that the question is about, or None."""
    said = fold_for_search(question)
    return next((one for one in fields() if one.asked.search(said)), None)


def decisive(question: str) -> list[PaperField]:
    """The fields that a question about the law hangs on."""
    said = fold_for_search(question)
    return [one for one in fields() if one.decides and one.decides.search(said)]


def ready_lists() -> dict[str, tuple[str, ...]]:
    """The questions of each ready list, by its name, in the order of the file."""
    names = dict.fromkeys(name for one in fields() for name in one.lists)
    return {name: tuple(one.name for one in fields() if name in one.lists) for name in names}
