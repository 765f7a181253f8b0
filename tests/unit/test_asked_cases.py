"""Questions and references as they are read: each section of a file of cases by one function."""

from collections.abc import Callable, Mapping
from datetime import date

import pytest

from law import references
from law.holdings import Holdings
from law.labels import fold
from law.norm_names import NormCatalogue
from law.reference_reading import find_mentions
from lexicon.accents import accented
from lexicon.spelling import misspelled, respelled
from lexicon.territories import comunidad, territory
from lexicon.usual_names import known_norms
from models.chat import Turn
from rag.question.asked_day import time_scope
from rag.question.filters import filters
from rag.question.hiring_day import hired
from rag.question.matter import foreign, matter
from rag.question.question_form import clean, question_type
from rag.question.question_reading import understand
from rag.question.ranges import amounts, period
from rag.question.understanding import BOTH
from rag.stages.decompose import MAX_QUERIES
from tests.case_files import pairs, rows
from tests.factories import understood

TODAY = date(2026, 11, 28)
SATURDAY = date(2026, 11, 21)
BEFORE = "¿Cuántos días de vacaciones tengo?"
HISTORY = (Turn(role="user", text=BEFORE), Turn(role="assistant", text="Treinta."))
CATALOGUE = NormCatalogue(known_norms())
ET = "BOE-A-2015-11430"
LOADED = {ET, "BOE-A-2015-11724"}
KEEPS_TODAY = {
    "since": "hoy, desde",
    "right": "hoy, contado",
    "several": "hoy, de varios",
    "future": "hoy, futuro",
    "reforms": "hoy, reformas",
    BOTH: "hoy y",
}
FILTERS = {
    "collections": "solo",
    "preferred": "antes",
    "norm_ids": "solo de",
    "preferred_norms": "antes de",
}
BRANCHES = {"own": "", "other_branch": "fuera: ", "not_legal": "no es derecho: ", "unknown": ""}


def day(question: str) -> str:
    """The day whose law is asked for, or why it is that of today with the days that are named."""
    scope = time_scope(question, SATURDAY)
    if scope is None:
        return ""
    assert question[scope.start : scope.end].strip() == scope.text
    if scope.as_of:
        return f"{scope.as_of}"
    return " ".join([KEEPS_TODAY[scope.kind], *map(str, scope.days)])


def spelled(question: str) -> str:
    return respelled(question, misspelled(question))


def beginning(question: str) -> str:
    found = hired(question, time_scope(question, TODAY), TODAY)
    return f"{found}" if found else ""


def place(question: str) -> str:
    found = territory(question)
    return " · ".join(filter(None, [found.ccaa, found.municipality])) if found else ""


def subject(question: str) -> str:
    found = matter(question)
    assert found.branch != "other_branch" or (found.where and found.score >= 0.5)
    return BRANCHES[found.branch] + found.subject


def branch(question: str) -> str:
    return matter(question).branch


def abroad(question: str) -> str:
    found = matter(question)
    assert (found.branch == "other_branch") == bool(found.foreign)
    return found.foreign


def searches(question: str) -> str:
    found = understand(question, (), TODAY, Holdings()).queries
    assert len(found) <= MAX_QUERIES
    return " | ".join("entera" if one == question else one for one in found)


def followed(question: str) -> str:
    """With the question before it, or alone."""
    (asked,) = understand(question, HISTORY, TODAY, Holdings()).queries
    assert asked in (question, f"{BEFORE} {question}")
    return "sigue" if asked != question else "sola"


def person(question: str) -> str:
    return understand(question, (), TODAY, Holdings()).person


def stated(question: str) -> str:
    named = references.resolve(find_mentions(question), CATALOGUE)
    given = filters(question, named, LOADED)
    return "; ".join(f"{FILTERS[name]} {', '.join(value)}" for name, value in given if value)


def parts(question: str) -> str:
    return "; ".join(" ".join([one.label, *filter(None, one.path)]) for one in understood(question).parts)


def text_asked(question: str) -> str:
    return "texto" if understood(question).text_asked else ""


def days_between(text: str) -> str:
    found = period(fold(text))
    return "-".join(f"{one:%d/%m/%Y}" if one else "…" for one in (found.first, found.last)) if found else ""


def money(text: str) -> str:
    found = amounts(fold(text))
    return f"{found.low or '…'}-{found.high or '…'}" if found else ""


def targets(text: str, *inside: str) -> str:
    found = references.resolve(find_mentions(text), CATALOGUE, *inside)
    return "; ".join(" ".join(filter(None, [named(one.norm_id), one.label, one.apartado])) for one in found)


def named(norm_id: str | None) -> str:
    return next((norm.alias or norm.id for norm in known_norms() if norm.id == norm_id), "?")


def cited(text: str) -> str:
    """In the text of the Estatuto de los Trabajadores."""
    return targets(text, ET)


READ: Mapping[str, Mapping[str, Callable[[str], str]]] = {
    "asked_words": {
        "Cómo se escribe bien": clean,
        "Qué palabra se quiso escribir": spelled,
        "Los acentos que faltan": accented,
        "De qué clase es": question_type,
        "Qué se busca": searches,
        "Si sigue a la pregunta anterior": followed,
        "Qué filtros pide": stated,
        "De quién es": person,
        "Desde cuándo trabaja": beginning,
        "De qué país": foreign,
    },
    "asked_matters": {
        "De lo nuestro": subject,
        "De otra rama": subject,
        "De nada jurídico": subject,
        "De quién es lo que comparten": branch,
        "Derecho de otro país": abroad,
    },
    "asked_places": {
        "Comunidades": place,
        "Ciudades": place,
        "Palabras que también son otra cosa": place,
        "Departamentos": comunidad,
    },
    "ranges": {"Períodos": days_between, "Importes": money},
    "asked_texts": {"La parte": parts, "El texto": text_asked},
    "references": {"En una pregunta": targets, "En el texto del Estatuto de los Trabajadores": cited},
}


@pytest.mark.parametrize(
    ("read", "text", "expected"),
    [(READ[name][section], *pair) for name in READ for section, *pair in rows(name)],
)
def test_a_text_is_read_as_its_case_says(read: Callable[[str], str], text: str, expected: str) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(("question", "expected"), pairs("asked_days"))
def test_a_question_asks_for_the_law_of_a_day(question: str, expected: str) -> None:
    assert day(question) == expected


def test_nothing_is_read_in_an_empty_question() -> None:
    assert (matter("").branch, accented(""), comunidad("")) == ("unknown", "", "")
