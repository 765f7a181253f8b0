"""Norms that a brief calls by what is nearly their name, and articles of what is no norm."""

import pytest

from casework.briefs.brief_reading import read_brief
from casework.briefs.finding_names import is_private
from tests.brief_notation import CATALOGUE, TODAY, provisions_of

NOT_THAT = [
    ("el art. 4 de la Ley de Libertad Religiosa.", "[Ley de Libertad Religiosa] 4"),
    ("el art. 4 de la Ley de Jurisdicción Contencioso-administrativa.", "LOLS"),
    ("el art. 4 de la Ley de Sociedades de Capital.", "[Ley de Sociedades de Capital] 4"),
    ("el art. 4 de la Ley del Trabajo.", "[Ley del Trabajo] 4"),
    ("el art. 4 del Código de Comercio.", "[Código de Comercio] 4"),
    ("el art. 4 del Reglamento de la Seguridad Social.", "[Reglamento de la Seguridad Social] 4"),
]
PRIVATE = [
    "el art. 41 del convenio colectivo de empresa",
    "los arts. 14 a 17 del convenio sectorial",
    "el art. 3 de los Estatutos de la sociedad",
    "el art. 31 del reglamento interno",
    "el art. 7 del contrato de trabajo",
    "el art. 12 de la póliza",
    "el art. 5 del pliego",
    "el art. 8 del código de conducta",
    "el art. 25 del Convenio Colectivo del Sector",
    "el IV Convenio, denunciado en 2023 y cuyo art. 6 fija su vigencia",
    "el art. 9 del vigente convenio",
    "según el convenio, art. 32,",
    "en su convenio es el artículo 22",
    "el art. 4 del protocolo de acoso",
    "el art. 2 del plan de igualdad",
]


@pytest.mark.parametrize(("text", "expected"), NOT_THAT)
def test_words_that_go_on_or_fit_several_norms_are_no_name_of_one(text: str, expected: str) -> None:
    known = {"LOLS", "LRJS"} if expected == "LOLS" else set()
    assert not any(provisions_of(text).startswith(one) for one in known)
    assert known or provisions_of(text) == expected


@pytest.mark.parametrize("text", PRIVATE)
def test_an_article_of_what_the_parties_wrote_is_of_no_norm(text: str) -> None:
    found = [one for one in read_brief(f"Rige el ET. Y {text}.", CATALOGUE, TODAY).provisions if one.label]
    assert found and all(map(is_private, found))


@pytest.mark.parametrize(
    "text", ["el Convenio 158 de la OIT, art. 4", "el art. 4 del Estatuto de los Trabajadores"]
)
def test_a_convention_and_a_statute_are_norms(text: str) -> None:
    found = [one for one in read_brief(f"{text}.", CATALOGUE, TODAY).provisions if one.label]
    assert found and not any(map(is_private, found))
