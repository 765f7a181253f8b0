"""The opinion («dictamen»): put together from stored answers and, if there is one, a checked draft."""

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from typing import Literal

from core.errors import InputError
from core.values import Value
from law import dates
from loading.formats.encoding import clean, one_line
from rag.answers.joined_answers import answers_of
from rag.answers.provenance import provenance_told
from rag.question.consultation import told
from service.opinions.background import TOLD, Case, background
from service.opinions.content import Element, Heading, Style, line
from service.opinions.drafting import Draft
from service.opinions.grounds import Consulted, Grounds, Law, of_papers


class PartName(StrEnum):
    """The parts of an opinion in their order; the values name them in templates and in JSON."""

    BACKGROUND = "antecedentes"
    QUESTIONS = "cuestiones"
    GROUNDS = "fundamentos"
    CONCLUSIONS = "conclusiones"
    PROVENANCE = "procedencia"


TITLE = "Dictamen"
TITLES = {
    PartName.BACKGROUND: "Antecedentes",
    PartName.QUESTIONS: "Cuestiones",
    PartName.GROUNDS: "Fundamentos",
    PartName.CONCLUSIONS: "Conclusiones",
    PartName.PROVENANCE: "Procedencia del texto",
}
MOST = 200
"""Answers in one opinion."""
OF_DAY = "Derecho vigente a {day}."
NO_ANSWER = "Cuestión {number}. Sin respuesta verificada: la cuestión queda abierta."
NOT_ACCEPTED = "Cuestión {number}. Sin conclusión: nadie ha dado por buena su respuesta."
NOTHING = "No hay respuestas terminadas que llevar al dictamen: pregunte algo o elija otras respuestas."
TOO_MANY = "El dictamen admite {most} respuestas y se han elegido {count}: elija menos."
NOTHING_TO_SIGN = "Para firmar el dictamen, recoja en las conclusiones alguna respuesta."
UNSIGNED, SIGNED = "Borrador de {day}, sin firmar.", "Firmado por {name} el {day}."
REVIEWED = "Respuestas revisadas por {by}."
CERTIFIED = "Certificado de las fuentes consultadas, SHA-256 de su archivo: {sha}"
"""The line of every export that names a certificate."""
CLOSING = (
    "Compuesto por Articulado el {day} a partir de respuestas automáticas guardadas; no sustituye "
    "la lectura de la fuente oficial ni el criterio de quien lo firma."
)


class Part(Value):
    """A part of an opinion under a heading of the first level."""

    name: PartName
    title: str
    elements: tuple[Element, ...]


class Opinion(Value):
    """An opinion as its words, of which each format is made; `parts` are in their order.

    `state`: draft or signed by whom, and by whom all that it concludes was reviewed, each with its day.
    """

    format: Literal[2] = 2
    title: str
    state: str
    made_on: date
    parts: tuple[Part, ...]


def compose(
    consulted: Sequence[Consulted],
    law: Law,
    made_on: date,
    *,
    seals: Sequence[str] = (),
    draft: Draft | None = None,
    case: Case | None = None,
    signer: str = "",
) -> Opinion:
    """Antecedentes, Cuestiones, Fundamentos, Conclusiones and where the text is from.

    Args:
        seals: SHA-256 of the certificates of the answers.
        draft: what a model drafted of `asked_of` these; None: all is assembled.
        case: its expediente; None without one.
        signer: name of the person who signs it; '' for a draft.

    Raises:
        InputError: there is no answer, there are more than MOST, or it is signed without a conclusion.
    """
    if not consulted:
        raise InputError(NOTHING)
    if len(consulted) > MOST:
        raise InputError(TOO_MANY.format(most=MOST, count=len(consulted)))
    asked, said = asked_of(consulted), [told(one.question) for one in consulted]
    if signer and not any(one.accepted for one in asked):
        raise InputError(NOTHING_TO_SIGN)
    draft, grounds = draft or Draft(), Grounds(law)
    signed = [SIGNED.format(name=clean(signer), day=dates.spelled(made_on))] if signer else []
    state = signed or [UNSIGNED.format(day=dates.spelled(made_on))]
    reviews = dict.fromkeys(one.reviewed for one in asked if one.accepted)
    if reviews and all(reviews):
        state = [*state, REVIEWED.format(by="; ".join(reviews))]
    elements: dict[PartName, Sequence[Element]] = {
        PartName.BACKGROUND: background(
            draft.background or [TOLD.format(said=" ".join(one)) for one in said if one],
            [paper for one in asked for paper in of_papers(one.answer)],
            case,
            grounds,
        ),
        PartName.QUESTIONS: _questions(asked),
        PartName.GROUNDS: [
            element
            for number, one in enumerate(asked, start=1)
            for element in (_heading(number, one.question), *grounds.of(number, one.answer))
        ],
        PartName.CONCLUSIONS: [
            *(_conclusion(number, one, grounds, draft) for number, one in enumerate(asked, start=1)),
            *map(line, signed),
        ],
        PartName.PROVENANCE: [
            *map(line, dict.fromkeys(provenance_told(one.answer) for one in asked)),
            *map(line, draft.told),
            *(line(CERTIFIED.format(sha=seal)) for seal in seals),
            line(CLOSING.format(day=dates.spelled(made_on))),
        ],
    }
    parts = (Part(name=name, title=TITLES[name], elements=tuple(found)) for name, found in elements.items())
    return Opinion(title=TITLE, state=" ".join(state), made_on=made_on, parts=tuple(parts))


def asked_of(consulted: Sequence[Consulted]) -> list[Consulted]:
    """The questions of an opinion with their answers, in its order: each part of an answer is one."""
    found: list[Consulted] = []
    for one in consulted:
        questions = [part.question for part in one.answer.parts] or [one.question]
        for question, answer in zip(questions, answers_of(one.answer), strict=True):
            part = {"question": question, "answer": answer, "as_of": answer.as_of or one.as_of}
            found.append(one.model_copy(update=part))
    return found


def _questions(asked: Sequence[Consulted]) -> list[Element]:
    days = {one.as_of for one in asked}
    listed = [
        line(
            one_line(one.question)
            + (f" ({OF_DAY.format(day=dates.spelled(one.as_of))})" if len(days) > 1 else ""),
            Style.NUMBER,
        )
        for one in asked
    ]
    return [*listed, *(line(OF_DAY.format(day=dates.spelled(day))) for day in days if len(days) == 1)]


def _heading(number: int, question: str) -> Heading:
    """The question without what it tells."""
    asks = one_line(question)
    for said in told(question):
        asks = asks.replace(said, "")
    return Heading(text=clean(f"{number}. {one_line(asks)}"))


def _conclusion(number: int, one: Consulted, grounds: Grounds, draft: Draft) -> Element:
    if one.answer.refusal or not one.accepted:
        open_ = NO_ANSWER if one.answer.refusal else NOT_ACCEPTED
        return line(open_.format(number=number), Style.BULLET)
    return grounds.conclusion(number, one.answer, draft.conclusions.get(number, ""))
