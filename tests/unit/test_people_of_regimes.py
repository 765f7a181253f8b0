"""Whom a question is of, and the note beside provisions that govern others."""

from datetime import date

from law.holdings import Holdings
from lexicon.data_files import read_toml
from lexicon.people import of_others
from rag.question.question_reading import understand

WORKERS, SOCIAL, SELF_EMPLOYED = "BOE-A-2015-11430", "BOE-A-2015-11724", "BOE-A-2007-13409"
TODAY = date(2026, 6, 1)


def person(question: str, background: str = "") -> str:
    return understand(question, (), TODAY, Holdings(), background=background).person


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
