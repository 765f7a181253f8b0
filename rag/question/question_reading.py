"""Understanding of a question: runs the pure modules of this package."""

import re
from collections.abc import Sequence
from datetime import date

from law.document_metadata import Records
from law.holdings import Holdings
from lexicon.calculators import calculator
from lexicon.people import person
from lexicon.territories import territory
from models.chat import Turn
from rag.question import question_form as asked
from rag.question.asked_agreements import meant
from rag.question.asked_day import time_scope
from rag.question.asked_decisions import decided
from rag.question.asked_documents import may_point, pointed
from rag.question.asked_parts import asked_parts, asks_text
from rag.question.consultation import read_turn
from rag.question.courtesies import reply
from rag.question.filters import filters
from rag.question.hiring_day import hired
from rag.question.matter import asking, matter
from rag.question.outside_corpus import missing
from rag.question.understanding import BOTH, Matter, QuestionType, TimeScope, Understanding

_QUESTIONS = re.compile(r"¿[^?¿]*\?")
MOST_OF_CASE = 2000
"""Characters of the text around a question that its search takes along."""
OF_A_DOCUMENT = Matter(branch="own", subject="document", label="un documento del corpus", score=1.0)


def understand(
    question: str,
    history: Sequence[Turn],
    today: date,
    holdings: Holdings,
    *,
    synonyms: Sequence[str] = (),
    background: str = "",
) -> Understanding:
    """Everything that a question says, read before any search.

    A follow-up is read together with the question it follows; its own date or place, if it names one, wins.
    A question that points to a document of the corpus is of our matter, even if its words are of another
    branch of law, and no norm counts as missing for it.

    Args:
        history: the conversation so far, oldest first.
        holdings: the norms that the question may name, and those of the corpus, whose metadata it may name.
        synonyms: keys of the dictionary that fired, kept for the record.
        background: the text that the question was taken from, for the date, the place and the agreement that
            the question itself does not name.
    """
    cleaned = asked.clean(question)
    history = [turn.model_copy(update={"text": read_turn(turn).last}) for turn in history]
    before = any(turn.role == "user" for turn in history)
    follow_up = before and asked.is_follow_up(cleaned)
    whole = asked.self_contained(cleaned, history) if follow_up else cleaned
    named = holdings.references(whole)
    parts = asked_parts(whole, named)
    decisions = decided(whole, holdings.decisions, today)
    points = pointed(whole, holdings.records if may_point(whole) else Records())
    points = decisions.points if decisions.points.where else points
    place = territory(cleaned) or (territory(whole) if follow_up else None) or territory(background)
    agreed = meant(whole, holdings.agreements, place)
    if background and not agreed.named:
        agreed = meant(background, holdings.agreements, place)
    ours = any(points.where.values()) or bool(agreed.named)
    time = time_scope(question, today) or (time_scope(whole, today) if follow_up else None)
    time = time or _event(background, today, whole)
    return Understanding(
        question=question,
        cleaned=cleaned,
        whole=whole,
        follow_up=follow_up,
        type=asked.question_type(cleaned),
        queries=_searches(whole, question, background, follow_up=follow_up),
        time=None if points.sure and points.dated else time,
        territory=place,
        matter=OF_A_DOCUMENT if ours else matter(whole),
        missing=() if ours else decisions.missing or missing(whole, named, holdings, place, time),
        agreements=agreed,
        filters=filters(whole, named, holdings.norms),
        pointed=points,
        decided=decisions,
        references=named,
        parts=parts,
        text_asked=asks_text(whole, named, parts),
        calculator=calculator(whole),
        synonyms=tuple(synonyms),
        hired=hired(whole, time, today) or hired(background, time, today),
        person=_person(whole, background, asked.question_type(cleaned)),
        courtesy=reply(cleaned, today),
    )


def _searches(whole: str, question: str, background: str, *, follow_up: bool) -> tuple[str, ...]:
    """The searches of a question; of one taken from a long text, one more with the case that it tells.

    By itself a question such as «¿es válida esa decisión?» finds nothing.
    """
    alone = asked.split_question(whole, follow_up=follow_up)
    case = asked.clean(background[:MOST_OF_CASE].replace(question, " "))
    return (*alone[: asked.MAX_QUERIES - 1], f"{case} {alone[0]}") if case else tuple(alone)


def _person(whole: str, background: str, kind: QuestionType) -> str:
    """Whom the question is of; nobody in a comparison, which is of both."""
    return "" if kind == "comparison" else person(whole, asking(whole)) or person(background, "")


def _event(background: str, today: date, asks: str) -> TimeScope | None:
    """The hecho causante that a story tells, if there is one; its other dates are of letters, of hire…

    What its questions name is theirs alone.
    """
    told = _QUESTIONS.sub(" ", background)
    found = time_scope(told, today, asks) if told.strip() else None
    return found if found and found.kind in ("event", "before", BOTH) else None
