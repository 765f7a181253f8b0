"""Whom a question is of, and the note beside provisions that govern others."""

from datetime import date

import pytest

from law.holdings import Holdings
from lexicon.data_files import read_toml
from lexicon.people import of_others
from rag.question.question_reading import understand

WORKERS, SOCIAL, SELF_EMPLOYED = "BOE-A-2015-11430", "BOE-A-2015-11724", "BOE-A-2007-13409"
TODAY = date(2026, 6, 1)
QUOTE = "El descanso inventado es de nueve días."


def person(question: str, background: str = "") -> str:
    return understand(question, (), TODAY, Holdings(), background=background).person


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Soy autónomo, ¿cuántos días de vacaciones me corresponden?", "self_employed"),
        ("Trabajo como freelance, ¿qué permiso tengo si se muere mi padre?", "self_employed"),
        ("Como trabajadora por cuenta propia, ¿tengo pagas extra?", "self_employed"),
        ("¿Cuántas horas a la semana puede trabajar un autónomo?", "self_employed"),
        ("Soy TRADE: ¿me tienen que avisar con quince días?", "self_employed"),
        ("soy empleada de hogar, me pueden despedir sin motivo", "household"),
        ("Soy funcionaria interina, ¿qué me toca cuando me cesan?", "civil_servants"),
        ("¿Tienen los militares permiso por matrimonio?", "civil_servants"),
        ("Soy personal estatutario, ¿puedo pedir una excedencia?", "civil_servants"),
        ("Soy socia trabajadora de una cooperativa, ¿tengo indemnización?", "cooperatives"),
        ("Soy becario, ¿cuántos días de vacaciones tengo?", "scholars"),
        ("Tengo contrato de alta dirección y soy alto directivo, ¿qué preaviso doy?", "management"),
    ],
)
def test_a_question_says_whom_it_is_of(question: str, who: str) -> None:
    assert person(question) == who


@pytest.mark.parametrize(
    "question",
    [
        "Mi hermano es autónomo y me ha contratado: ¿cuántas vacaciones tengo?",
        "Me obligan a ser autónomo con su horario: ¿soy falso autónomo?",
        "¿Puede la empresa contratar a un autónomo para sustituir a huelguistas?",
        "Soy autónomo y tengo una empleada: ¿cuántos días de vacaciones le doy?",
        "Soy autónoma y quiero hacer nómina a mi hijo, ¿tendrá vacaciones?",
        "Trabajo para un autónomo, ¿me puede despedir estando de baja?",
        "Dejé de ser autónomo y ahora tengo contrato, ¿cuántos días por boda?",
        "Trabajo por cuenta ajena y además soy autónomo, ¿qué vacaciones tengo?",
        "El funcionario del SEPE me dijo que no: ¿qué plazo tengo para reclamar?",
        "¿Puedo trabajar como autónomo cobrando el paro?",
        "¿Qué diferencia hay entre las vacaciones de un autónomo y las de un empleado?",
        "¿El trabajo por cuenta propia es compatible con la excedencia?",
        "Tengo una empleada de hogar, ¿cuántas vacaciones tiene?",
        "¿Cuántos días de vacaciones me corresponden?",
    ],
)
def test_the_word_in_a_story_or_of_somebody_else_says_nothing(question: str) -> None:
    assert person(question) == ""


def test_the_text_behind_a_question_tells_who_asks() -> None:
    assert person("¿Puedo pedir una excedencia?", "Soy autónoma desde hace años.") == "self_employed"
    assert person("¿Puedo pedir una excedencia?", "Los autónomos tienen otras reglas.") == ""


def test_a_provision_is_of_others_unless_it_governs_that_person_too() -> None:
    assert of_others("self_employed", (WORKERS, "a38"))
    assert of_others("self_employed", (SOCIAL, "a269"))
    for mine in ((SELF_EMPLOYED, "a14"), (SOCIAL, "a330"), (WORKERS, "daprimera"), (WORKERS, "a1")):
        assert not of_others("self_employed", mine)
    assert not of_others("household", ("BOE-A-2011-17975", "a9"))
    assert of_others("household", (WORKERS, "a38"))
    assert not of_others("", (WORKERS, "a38"))


def test_every_note_is_a_sentence_that_says_where_the_law_of_that_person_is() -> None:
    for entry in read_toml("people.toml")["person"]:
        assert entry["note"].endswith(".") and "la pregunta es de" in entry["note"]
