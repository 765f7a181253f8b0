"""Facts told by an answer, of those that a right one must tell.

A fact is told when one of its strings occurs in the answer's text or in a verified quotation, without regard
to case, accents and punctuation. A fact that was not told is put down to the stage that lost it.
"""

import re
from collections.abc import Collection, Iterable, Sequence

from rag.answers.aside import is_shown, without_aside
from rag.answers.confidence import LEAST_HIGH
from rag.evaluation.cases import Case, Fact
from rag.evaluation.metrics import Key
from rag.evaluation.results import AnswerTold, FactTold, Miss
from rag.shared.cited_answer import Answer
from rag.shared.notices import Kind, caps
from rag.shared.state import State
from text.textnorm import comparable_text

_SAYS = re.compile(r"\W*(s[ií]|no)\b", re.I)
_MARKED_NAME = re.compile(r"^\*\*[^*\n]+\*\*\s*")


def told(case: Case, state: State) -> AnswerTold:
    """Facts that a finished run told, and the quotations that carry one, other wordings, sí or no.

    Raises:
        ValueError: the run has no answer.
    """
    answer = state.answer
    if answer is None:
        raise ValueError("the run ended without an answer")
    said = _said(answer)
    quotes = said[1:]
    strings = [[comparable_text(text) for text in fact.strings] for fact in case.facts]
    shown, _ = without_aside(answer.answer)
    in_sight = [quote for quote in quotes if is_shown(quote, shown)]
    # A letter of a list is quoted after its announcement, which is a citation of its own.
    before, marker, _ = shown.partition("[C")
    opening = comparable_text(before) if marker else ""
    return AnswerTold(
        text=answer.answer,
        facts=tuple(
            FactTold(fact=fact.fact, told=is_told, miss=None if is_told else _miss(fact, state))
            for fact, is_told in zip(case.facts, facts_of(case, answer), strict=True)
        ),
        quotes=len(in_sight),
        carrying=sum(any(_holds([quote], some) for some in strings) for quote in in_sight),
        first=any(_holds([opening, *in_sight[:1]], some) for some in strings),
        forbidden=tuple(text for text in case.forbidden if _holds(said, [comparable_text(text)])),
        lacking=tuple(text for text in case.must_contain if not _holds(quotes, [comparable_text(text)])),
        astray=tuple(text for text in case.must_not_contain if _holds(quotes, [comparable_text(text)])),
        yes_no=None if answer.refusal else direct(answer.answer),
        opens=_holds([opening, *quotes[:1]], strings[0]) if case.yes_no and strings else None,
    )


def facts_of(case: Case, answer: Answer) -> list[bool]:
    """Of each fact of a case, True if an answer tells it."""
    said = _said(answer)
    return [_holds(said, [comparable_text(text) for text in fact.strings]) for fact in case.facts]


def _said(answer: Answer) -> list[str]:
    """The text of an answer and each of its checked quotations, to be compared."""
    quotes = (citation.quote for citation in answer.citations if citation.verified)
    return [comparable_text(text) for text in (answer.answer, *quotes)]


def answer_checks(case: Case, answer: Answer, cited: Collection[Key]) -> dict[str, bool]:
    """Checks of a stored answer, as far as it shows by itself that it meets a case.

    Args:
        cited: (norm, article) of what it cites or names, by the identifiers of labels.
    """
    said = _said(answer)
    checks = {"refusal": answer.refusal != case.answerable} | cited_checks(case, cited)
    if case.facts:
        checks["facts"] = all(facts_of(case, answer))
    if case.forbidden:
        checks["forbidden"] = not any(_holds(said, [comparable_text(text)]) for text in case.forbidden)
    if case.yes_no and (opening := direct(answer.answer)):
        checks["yes_no"] = opening == case.yes_no
    if case.expected_as_of:
        checks["as_of"] = answer.as_of == case.expected_as_of
    return checks


def cited_checks(case: Case, cited: Collection[Key]) -> dict[str, bool]:
    """Checks of what an answer cites: none too many, and an article that answers."""
    checks = {}
    if case.surplus:
        checks["surplus"] = not any((one.norm, one.article) in cited for one in case.surplus)
    if case.must_cite and case.relevant:
        best = max(one.grade for one in case.relevant)
        checks["cited"] = any((r.norm, r.article) in cited for r in case.relevant if r.grade == best)
    return checks


def warned(state: State) -> bool:
    """True for an answer, not a sure one, that says that it lacks the law of the day asked about."""
    time = state.understanding.time
    told_of = caps(state.notices)[Kind.DATE] < 1.0 or (time is not None and time.kind == "future")
    return told_of and state.answer is not None and state.answer.confidence < LEAST_HIGH


def direct(answer: str) -> str | None:
    """'sí' or 'no', if the answer opens with it; the bold name of a provision before it does not count."""
    found = _SAYS.match(_MARKED_NAME.sub("", answer))
    return None if found is None else "no" if found[1].lower() == "no" else "sí"


def _holds(texts: Iterable[str], strings: Sequence[str]) -> bool:
    return any(string in text for text in texts for string in strings)


def _miss(fact: Fact, state: State) -> Miss:
    """The stage that lost the fact."""
    literal = [comparable_text(text) for text in fact.any_of]
    if not _holds((comparable_text(hit.chunk.text) for hit in state.hits), literal):
        return Miss.RETRIEVAL
    if state.draft.refusal:
        return Miss.DECISION
    written = [state.draft.answer, *(citation.quote for citation in state.draft.citations)]
    if _holds(map(comparable_text, written), [comparable_text(text) for text in fact.strings]):
        return Miss.VERIFICATION
    return Miss.REASONING if state.answer and state.answer.mode == "model" else Miss.SENTENCE
