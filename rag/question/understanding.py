"""Results of query understanding: frozen values. Offsets are those of the question as typed."""

from collections.abc import Mapping
from datetime import date
from typing import Final, Literal

from pydantic import Field

from core.values import Value
from law.norms import Reference
from lexicon.territories import Territory

Branch = Literal["own", "other_branch", "not_legal", "unknown"]
QuestionType = Literal[
    "article",
    "comparison",
    "amount",
    "duration",
    "requirements",
    "procedure",
    "who",
    "effects",
    "definition",
    "yes_no",
    "open",
]
BOTH: Final = "both"
"""Kind of a time whose law is asked for together with that of today."""


class TimeScope(Value):
    """The day whose law a question asks about.

    Attributes:
        as_of: None when the words name a time but choose no day («desde 2015», a future year).
        kind: 'day' | 'month' | 'year' | 'relative' | 'before' | 'event' (hecho causante), which give a day;
            'since' (also a date of hire or birth) | 'right' (of today, after something past) | BOTH
            | 'several' | 'future' | 'reforms', which give none.
        text: the words, as typed; `start` and `end` are their offsets.
        days: without `as_of`, the past days that the question may be about; `laws`: of kind 'reforms', the
            reform that each is the eve of, none when the one named is not known.
    """

    as_of: date | None
    text: str
    kind: str
    start: int
    end: int
    days: tuple[date, ...] = ()
    laws: tuple[str, ...] = ()


class Matter(Value):
    """Matter of a question: one of our subjects, another branch of law, nothing legal, or unknown.

    Attributes:
        subject: key of the lexicon ('labour', 'civil', 'weather'…), empty when nothing fired.
        label: the subject in Spanish; `where` says which norms treat it when it is another branch.
        score: weight of the winning side over that of both, plus one unit of doubt; 0 to 1.
        fired: the entries of the lexicon found in the question.
        foreign: the country, in Spanish, whose law the question asks about; empty for Spain.
    """

    branch: Branch = "unknown"
    subject: str = ""
    label: str = ""
    where: str = ""
    score: float = Field(default=0.0, ge=0.0, le=1.0)
    fired: tuple[str, ...] = ()
    foreign: str = ""


class Unloaded(Value):
    """A norm that is not loaded and seems to answer better than any that is.

    Attributes:
        margin: by how much the nearest loaded one is nearer to the question, a difference of cosines.
    """

    law: str
    norm_id: str
    margin: float


class Missing(Value):
    """A norm, benefit or ruling that the question names and the corpus lacks, and where to find it.

    `said`: a Spanish sentence that says so, if it is not the usual one.
    """

    what: str
    where: str
    text: str = ""
    said: str = ""


class Agreements(Value):
    """The collective agreements, by id, that a question is about, names, and those that it is not about."""

    about: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


class AskedPart(Value):
    """A provision that a question names, and the part of it that it asks about.

    Attributes:
        path: ('1', 'c') for «1.c)», with '' for an apartado that is left open; empty for the whole provision.
    """

    norm_id: str | None
    label: str
    path: tuple[str, ...] = ()


class Filters(Value):
    """Conditions that the question states explicitly; empty = none.

    `preferred`: collections, and `preferred_norms`, that are looked at first and leave no other out.
    """

    preferred: tuple[str, ...] = ()
    preferred_norms: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    norm_ids: tuple[str, ...] = ()


class Pointed(Value):
    """The documents that a question points to by their metadata (`rag.question.asked_documents`).

    Attributes:
        where: collection to the ids of its documents that meet every condition.
        conditions: the conditions on metadata that the question states, in Spanish; may be empty.
        sure: the question is about these documents and nothing else.
        flags, section_types: kinds of chunk to search in them.
        several: the question asks for documents, not for a fact of one.
        dated: a date in the question is one of the documents', not the day whose law it asks about.
    """

    where: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    conditions: tuple[str, ...] = ()
    sure: bool = False
    flags: tuple[str, ...] = ()
    section_types: tuple[str, ...] = ()
    several: bool = False
    dated: bool = False


class Decided(Value):
    """The rulings and criteria that a question names.

    Attributes:
        points: to those that are held.
        missing: those that are not.
        rest: the question without the words that only name them; empty if it names none.
        parts: section types of a ruling or a criterion that the question asks for, such as 'fallo'.
    """

    points: Pointed = Pointed()
    missing: tuple[Missing, ...] = ()
    rest: str = ""
    parts: tuple[str, ...] = ()


class Understanding(Value):
    """Everything read off a question before any search.

    Attributes:
        question: as typed; `cleaned` without chat spelling; `whole` self-contained (a follow-up together
            with the question it follows).
        queries: one to four searches; the first is the whole question unless it was several, the last tells
            the case too if the question was taken from a long text.
        references: those that `whole` makes; `parts` of the provisions among them, in their order.
        text_asked: the text of these parts is asked for.
        calculator: title of the calculator that does what is asked; may be empty.
        synonyms: keys of the dictionary found in it.
        hired: first day of the work that it tells of, the earliest that its words allow; None if unknown.
        person: whom it is of, one of `lexicon/people.toml`; empty for an employee like most.
        courtesy: the line that answers a courtesy, which asks nothing of the law; empty for any other.
    """

    question: str = ""
    cleaned: str = ""
    whole: str = ""
    follow_up: bool = False
    type: QuestionType = "open"
    queries: tuple[str, ...] = ()
    time: TimeScope | None = None
    territory: Territory | None = None
    matter: Matter = Matter()
    missing: tuple[Missing, ...] = ()
    agreements: Agreements = Agreements()
    filters: Filters = Filters()
    pointed: Pointed = Pointed()
    decided: Decided = Decided()
    references: tuple[Reference, ...] = ()
    parts: tuple[AskedPart, ...] = ()
    text_asked: bool = False
    calculator: str = ""
    synonyms: tuple[str, ...] = ()
    hired: date | None = None
    person: str = ""
    courtesy: str = ""
