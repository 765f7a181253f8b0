"""Spanish words of the review pages; pure functions."""

from collections.abc import Iterable, Mapping, Sequence

from domain.reviews import Feedback, Judgment, QueueEntry, QueueFilter, QueueSort, ReviewVerdict, Vote
from law.norms import Norm
from pages.parts.common.html import Tag
from pages.parts.common.words import Names, article, band, day, dotted, moment, number, owner_name, plural
from rag.answers.confidence import LEAST_HIGH, LEAST_MODERATE
from rag.evaluation.reviewed_cases import CorrectCitation, ReviewCase, Wanted

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
    **{name: {"verdict": verdict} for verdict, name in VERDICTS.items()},
}


def queue_filter(*chosen: Mapping[str, object]) -> QueueFilter:
    """The choices of every filter, merged."""
    return QueueFilter.model_validate({name: value for one in chosen for name, value in one.items()})


def counts_line(counts: Mapping[ReviewVerdict | None, int]) -> str:
    """'12 sin revisar · 3 correctas · 1 fallo de citas': the answers by the verdict that stands."""
    told = [f"{number(counts[None])} sin revisar"] if counts.get(None) else []
    for verdict, name in VERDICTS.items():
        if count := counts.get(verdict):
            one, blank, rest = name.lower().partition(" ")
            told.append(plural(count, f"{one}{blank}{rest}", f"{one}s{blank}{rest}"))
    return dotted(*told)


def matter_name(label: str) -> str:
    """The name of a matter with a capital; '' in words."""
    return label[:1].upper() + label[1:] if label else "Sin materia reconocida"


def entry_tags(entry: QueueEntry, names: Names) -> list[Tag]:
    """Answer, vote, matter, review and assignment of an entry, as labels."""
    tags = [answer_tag(entry.confidence, entry.refusal), *vote_tags(entry.feedback)]
    if entry.matter:
        tags.append((matter_name(entry.matter), ""))
    if entry.verdict is not None:
        tags.append((f"revisada: {VERDICTS[entry.verdict].lower()}", verdict_style(entry.verdict)))
    if entry.in_cases:
        tags.append(("caso de evaluación", ""))
    if entry.assigned:
        tags.append((f"asignada a {owner_name(entry.assigned, names)}", ""))
    return tags


COLUMNS = {
    "N.º": 10,
    "Pregunta": 60,
    "Fecha": 18,
    "Persona": 22,
    "Respuesta": 20,
    "Confianza": 12,
    "Materia": 24,
    "Voto": 16,
    "Comentario": 40,
    "Veredicto": 20,
    "Asignada a": 22,
    "Caso de evaluación": 12,
}
"""Columns of the exported queue, with the width of each in a spreadsheet."""


def row_of(entry: QueueEntry, names: Names) -> tuple[str, ...]:
    """An entry as a row under `COLUMNS`."""
    vote = entry.feedback
    return (
        str(entry.message_id),
        entry.question,
        moment(entry.asked_at),
        owner_name(entry.owner, names),
        answer_tag(entry.confidence, entry.refusal)[0],
        "" if entry.confidence is None else number(entry.confidence, 2),
        matter_name(entry.matter),
        VOTES[vote.vote][0] if vote else "",
        vote.comment if vote else "",
        VERDICTS[entry.verdict] if entry.verdict else "sin revisar",
        owner_name(entry.assigned, names) if entry.assigned else "",
        "sí" if entry.in_cases else "no",
    )


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
    gone = f" · retirado el {moment(judgment.withdrawn_at)}" if judgment.withdrawn_at else ""
    return VERDICTS[judgment.verdict] + (" · debía rechazarse" if judgment.must_refuse else "") + gone


def wanted_lines(wanted: Wanted, norms: dict[str, Norm]) -> list[str]:
    """The conditions of a verdict, a line each."""
    surplus = ", ".join(article(one.norm, one.article, norms) for one in wanted.surplus)
    told = {
        "Debe decir": quoted(wanted.facts),
        "No debe decir": quoted(wanted.forbidden),
        "Citas que sobran": surplus,
        "Respuesta directa": wanted.yes_no or "",
        "Normativa que debía aplicar": f"la del {day(wanted.day)}" if wanted.day else "",
    }
    return [f"{name}: {value}" for name, value in told.items() if value]


def citation_line(citation: CorrectCitation, norms: dict[str, Norm]) -> str:
    """'ET · Artículo 38 (responde)'."""
    return f"{article(citation.norm, citation.article, norms)} ({GRADES[citation.grade]})"


def expected_line(case: ReviewCase, norms: dict[str, Norm]) -> str:
    """The expectation of a case: 'Se espera que encuentre ET · Artículo 38 (responde).'"""
    verb, cites = "cite" if case.must_cite else "encuentre", (citation_line(c, norms) for c in case.relevant)
    expected = [
        (case.relevant, f"que {verb} {', '.join(cites)}"),
        (case.facts, f"que diga {quoted(one.fact for one in case.facts)}"),
        (case.forbidden, f"que no diga {quoted(case.forbidden)}"),
        (case.surplus, f"que no cite {', '.join(article(c.norm, c.article, norms) for c in case.surplus)}"),
        (case.yes_no, f"que responda «{case.yes_no}»"),
    ]
    told = "; ".join(text for given, text in expected if given) or "que se rechace"
    applied = case.expected_as_of or case.as_of
    if case.expected_as_of and not case.relevant and told == "que se rechace":
        told = "que responda"
    return f"Se espera {told}" + (f", con la normativa a {day(applied)}." if applied else ".")


def quoted(texts: Iterable[str]) -> str:
    """'«uno», «dos»'."""
    return ", ".join(f"«{text}»" for text in texts)


def failed_line(names: Sequence[str]) -> str:
    """The judged answer before its case, by the checks that it fails."""
    if not names:
        return "La respuesta juzgada pasa este caso."
    return f"La respuesta juzgada falla este caso: {', '.join(FAILED[name] for name in names)}."


FAILED = {
    "refusal": "responde, o se abstiene, cuando no debía",
    "facts": "no dice todo lo que debe decir",
    "forbidden": "dice lo que no debe decir",
    "surplus": "trae citas que sobran",
    "cited": "no cita el artículo que responde",
    "yes_no": "responde lo contrario",
    "as_of": "aplica la normativa de otro día",
}
