"""`answers` and `opinion`: what an opinion can be made of, and how one is asked for."""

from typing import Annotated

from pydantic import Field

from core.values import Value
from service.opinions.formats import Format
from service.opinions.letterheads import LONGEST_NAME
from service.opinions.opinion import MOST

LONGEST_ID = 200


class AnswerEntry(Value):
    """A finished answer of a conversation, by the id of its message, with its question."""

    id: int
    question: str


class AnswersDocument(Value):
    """Parts that an opinion can be made of: answers, the earliest first, and the firm's templates of Word."""

    conversation: str
    answers: tuple[AnswerEntry, ...]
    letterheads: tuple[str, ...]


class OpinionRequest(Value):
    """An opinion of answers of one's own conversation.

    Attributes:
        answers: ids as in `AnswersDocument`; none: all of them.
        conclusions: ids of those that a person accepts, from which the conclusions are made.
        letterhead: name of a template of the firm, for Word alone; '' for none.
        draft: a model drafts antecedentes and conclusiones, which counts as a question.
    """

    conversation: Annotated[str, Field(max_length=LONGEST_ID)]
    answers: Annotated[tuple[int, ...], Field(max_length=MOST)] = ()
    conclusions: Annotated[tuple[int, ...], Field(max_length=MOST)] = ()
    format: Format = Format.WORD
    letterhead: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    draft: bool = False
