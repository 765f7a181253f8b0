"""Papers of a case, the fields that lawyers look for in them, and the words of each (`paper_fields.toml`)."""

import re
from functools import lru_cache
from typing import Literal, TypeVar

from core.errors import ConfigurationError
from core.values import Value
from lexicon.data_files import read_toml
from text.textnorm import fold_for_search

FILE = "paper_fields.toml"
MOST_WORDS = 9
"""Words of a label, at most."""
NEVER = re.compile("(?!)")
Kind = Literal["", "date", "money", "length", "person"]
ValueKind = Literal["", "date", "money", "amount", "hours", "person", "firm"]
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
        kind_of: kind of its values if they are known by their form; '' for words.
        label: pattern of the labels of a party in a form.
        gives: patterns of a value of words, the surest first: of its label if it begins with «^», else
            around it (`casework.matters.fact_values`).
        before, after: patterns of the words that stand before a value of that form, or right after it.
        contract: more words that stand before it, in contracts alone.
        total: words before an amount of a payslip.
        papers: letters that end or change the contract, all papers but those, or all.
        of, not_of: patterns of such a letter, and of papers that are none.
        spoken: words of such a letter, which is to somebody.
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
    kind_of: ValueKind = ""
    label: re.Pattern[str] = NEVER
    gives: tuple[str, ...] = ()
    before: re.Pattern[str] = NEVER
    after: re.Pattern[str] = NEVER
    contract: re.Pattern[str] = NEVER
    total: re.Pattern[str] = NEVER
    of: re.Pattern[str] | None = None
    not_of: re.Pattern[str] | None = None
    spoken: re.Pattern[str] | None = None
    papers: Literal["letters", "others", "all"] = "all"
    latest: bool = False


class OtherValue(Value):
    """Words before and right after values of a kind that are no fact of the case. They match folded text."""

    of: ValueKind
    before: re.Pattern[str] = NEVER
    after: re.Pattern[str] = NEVER


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


@lru_cache(maxsize=1)
def others() -> dict[str, OtherValue]:
    """Values that are no facts, by their kind. Raises ConfigurationError: the file is damaged."""
    return {one.of: one for one in _read("other", OtherValue)}


@lru_cache(maxsize=1)
def _label_words() -> frozenset[str]:
    return frozenset(read_toml(FILE)["labels"]["words"].split())


def is_label(folded: str) -> bool:
    """True for the name of a box or column of a form: all its words are such words."""
    words = re.sub(r"[^\w.]| \.+ ", " ", folded).strip(" .").split()
    return 0 < len(words) <= MOST_WORDS and all(is_label_word(one) for one in words)


def is_label_word(folded: str) -> bool:
    """True for a word of such names."""
    return not _label_words().isdisjoint((folded, folded.rstrip(".")))


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


@lru_cache(maxsize=1)
def facts() -> tuple[PaperField, ...]:
    """The fields that are facts of a case, in the order of its sheet."""
    known = {one.fact: one for one in fields()}
    return tuple(known[key] for key in FACTS)


def field_of_fact(fact: str) -> PaperField:
    """The field that is this fact of a case."""
    return facts()[FACTS.index(fact)]


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
