"""Spanish words of the review pages; pure functions."""

from collections.abc import Mapping

from domain.reviews import Feedback, Judgment, QueueEntry, QueueFilter, QueueSort, ReviewVerdict, Vote
from law.norms import Norm
from pages.parts.common.html import Tag
from pages.parts.common.words import article, band, day
from rag.answers.confidence import LEAST_HIGH, LEAST_MODERATE
from rag.evaluation.reviewed_cases import CorrectCitation, ReviewCase

VERDICTS = {
    ReviewVerdict.CORRECT: "Correcta",
    ReviewVerdict.INCOMPLETE: "Incompleta",
    ReviewVerdict.WRONG: "Incorrecta",
    ReviewVerdict.RETRIEVAL_MISS: "Fallo de búsqueda",
    ReviewVerdict.SYNTHESIS_ERROR: "Fallo de redacción",
    ReviewVerdict.CITATION_ERROR: "Fallo de citas",
}
MEANINGS = {
    ReviewVerdict.CORRECT: "Dice lo que dice la norma, o se abstiene con razón.",
    ReviewVerdict.INCOMPLETE: "Es cierta, pero le falta algo que hacía falta.",
    ReviewVerdict.WRONG: "Dice algo que la norma no dice, o se abstiene sin razón.",
    ReviewVerdict.RETRIEVAL_MISS: "El artículo que responde no llegó al contexto.",
    ReviewVerdict.SYNTHESIS_ERROR: "El artículo estaba en el contexto y se redactó mal.",
    ReviewVerdict.CITATION_ERROR: "La respuesta es buena, pero cita lo que no la apoya.",
}
GRADES = {2: "responde", 1: "ayuda"}
VOTES: dict[Vote, Tag] = {Vote.UP: ("voto positivo", "art-high"), Vote.DOWN: ("voto negativo", "art-low")}
SORTS = {QueueSort.NEWEST: "Las últimas primero", QueueSort.WORST: "Las peores primero"}

# Conditions on the queue of each choice of a filter.
ALL = "Todas"
VOTE_FILTERS: dict[str, dict[str, object]] = {
    ALL: {},
    "Voto negativo": {"vote": Vote.DOWN},
    "Voto positivo": {"vote": Vote.UP},
    "Con voto": {"voted": True},
    "Sin voto": {"voted": False},
}
ANSWER_FILTERS: dict[str, dict[str, object]] = {
    ALL: {},
    "Respondidas": {"refusal": False},
    "Sin respuesta": {"refusal": True},
    "Confianza baja": {"confidence": (0.0, LEAST_MODERATE)},
    "Confianza moderada": {"confidence": (LEAST_MODERATE, LEAST_HIGH)},
    "Confianza alta": {"confidence": (LEAST_HIGH, 2.0)},
}
REVIEW_FILTERS: dict[str, dict[str, object]] = {
    ALL: {},
    "Sin revisar": {"reviewed": False},
    "Revisadas": {"reviewed": True},
}


def queue_filter(*chosen: Mapping[str, object]) -> QueueFilter:
    """The choices of every filter, merged."""
    return QueueFilter.model_validate({name: value for one in chosen for name, value in one.items()})


def matter_name(label: str) -> str:
    """The name of a matter with a capital; '' in words."""
    return label[:1].upper() + label[1:] if label else "Sin materia reconocida"


def entry_tags(entry: QueueEntry) -> list[Tag]:
    """Answer, vote, matter and review of an entry, as labels."""
    tags = [answer_tag(entry.confidence, entry.refusal), *vote_tags(entry.feedback)]
    if entry.matter:
        tags.append((matter_name(entry.matter), ""))
    if entry.verdict is not None:
        tags.append((f"revisada: {VERDICTS[entry.verdict].lower()}", verdict_style(entry.verdict)))
    if entry.in_cases:
        tags.append(("caso de evaluación", ""))
    return tags


def answer_tag(confidence: float | None, refusal: bool) -> Tag:
    """'confianza alta', 'sin respuesta' or 'sin datos'."""
    if refusal or confidence is None:
        return ("sin respuesta" if refusal else "sin datos", "art-mid")
    word, style = band(confidence)
    return (f"confianza {word}", style)


def vote_tags(feedback: Feedback | None) -> list[Tag]:
    """The vote as a label; none without a vote."""
    return [VOTES[feedback.vote]] if feedback else []


def verdict_style(verdict: ReviewVerdict) -> str:
    """CSS class that colours a verdict."""
    if verdict is ReviewVerdict.CORRECT:
        return "art-high"
    return "art-mid" if verdict in (ReviewVerdict.INCOMPLETE, ReviewVerdict.CITATION_ERROR) else "art-low"


def verdict_line(judgment: Judgment) -> str:
    """'Incorrecta · debía rechazarse'."""
    return VERDICTS[judgment.verdict] + (" · debía rechazarse" if judgment.must_refuse else "")


def citation_line(citation: CorrectCitation, norms: dict[str, Norm]) -> str:
    """'ET · Artículo 38 (responde)'."""
    return f"{article(citation.norm, citation.article, norms)} ({GRADES[citation.grade]})"


def expected_line(case: ReviewCase, norms: dict[str, Norm]) -> str:
    """The expectation of a case: 'Se espera que encuentre ET · Artículo 38 (responde).'"""
    if not case.relevant:
        expected = "que se rechace"
    else:
        expected = "que encuentre " + ", ".join(citation_line(one, norms) for one in case.relevant)
    return f"Se espera {expected}" + (f", con la normativa a {day(case.as_of)}." if case.as_of else ".")
