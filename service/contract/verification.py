"""`verify`: the quotations of a stored answer, checked again against the corpus."""

from datetime import date
from functools import cache

from pydantic import ConfigDict

from core.values import Value
from rag.answers.recheck import Recheck, false_marks, recheck
from rag.shared.cited_answer import Answer, Citation, Part, Source
from service.contract.program import Program


class StoredAnswer(Value):
    """An answer as `ask` gave it; other fields of the document are ignored."""

    model_config = ConfigDict(extra="ignore")

    answer: str
    citations: tuple[Citation, ...] = ()
    sources: tuple[Source, ...] = ()
    parts: tuple[Part, ...] = ()


class VerifiedCitation(Value):
    """A quotation and what the check gives; `wording_sha256` as the answer names it, '' if it does not."""

    marker: str
    quote: str
    source: str
    norm_id: str
    block_id: str
    article: str
    valid_from: date | None
    outcome: Recheck
    wording_sha256: str
    found_sha256: str


class VerificationDocument(Value):
    """`verified`: there are quotations, all are as they were, and nothing else stands between marks."""

    verified: bool
    false_marks: tuple[str, ...]
    citations: tuple[VerifiedCitation, ...]


_OF_CITATION = VerifiedCitation.model_fields.keys() & Citation.model_fields.keys()


def verify(program: Program, stored: StoredAnswer) -> VerificationDocument:
    """Check each quotation of the answer again in the wording that it names."""
    answer = Answer(**{name: getattr(stored, name) for name in StoredAnswer.model_fields})
    block = cache(program.database.corpus.block)
    done = recheck(answer.citations, block)
    false = false_marks(answer, block)
    return VerificationDocument(
        verified=bool(done) and not false and all(one.outcome is Recheck.SAME for one in done),
        false_marks=tuple(false),
        citations=tuple(
            VerifiedCitation(
                outcome=one.outcome,
                found_sha256=one.found_sha256,
                **{name: getattr(one.citation, name) for name in _OF_CITATION},
            )
            for one in done
        ),
    )
