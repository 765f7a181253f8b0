"""`ask`: a verified answer with its citations and its trace."""

from datetime import date
from typing import Annotated

from pydantic import Field

from core.values import Value
from law.norms import dated
from rag.answers.provenance import Provenance, provenance
from rag.run.runs import MAX_QUESTION
from rag.shared.cited_answer import Answer, Citation, Part, Source
from rag.shared.trace import Trace

NEW = "new"
"""Value of `conversation` that asks for a new one."""


class AskRequest(Value):
    """A question, or a text with several.

    Attributes:
        as_of: the day whose law is asked for; None: the one that the question names, else today.
        agent: the model itself looks for the evidence («Modo investigación»).
        conversation: id of a conversation of the caller, or 'new'. None: a new one for an account; in
            personal mode, which has no accounts, the question and its answer are not kept.
    """

    question: Annotated[str, Field(max_length=4 * MAX_QUESTION)]
    as_of: date | None = None
    agent: bool = False
    conversation: str | None = None


class AnswerAlone(Value):
    """An answer; fields as in `rag.shared.cited_answer.Answer`. `conversation`: where it is kept, or ''."""

    answer: str
    citations: tuple[Citation, ...]
    sources: tuple[Source, ...]
    confidence: float
    because: str = ""
    refusal: bool
    notes: str | None
    mode: str
    as_of: date | None
    parts: tuple[Part, ...]
    conversation: str = ""
    provenance: Provenance


class AnswerDocument(AnswerAlone):
    """An answer with the trace of its stages."""

    trace: Trace


def answer_document(answer: Answer, trace: Trace, conversation: str = "") -> AnswerDocument:
    """The document of an answer and its trace; what is of no known day has no `valid_from`."""
    citations = tuple(
        one.model_copy(update={"valid_from": dated(one.valid_from)}) for one in answer.citations
    )
    sources = tuple(one.model_copy(update={"valid_from": dated(one.valid_from)}) for one in answer.sources)
    answer = answer.model_copy(update={"citations": citations, "sources": sources})
    return AnswerDocument(
        **{
            name: getattr(answer, name) for name in Answer.model_fields if name in AnswerDocument.model_fields
        },
        conversation=conversation,
        provenance=provenance(answer, trace),
        trace=trace,
    )
