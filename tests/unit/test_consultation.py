"""The questions of a long text, found by rules."""

from datetime import date

import pytest

from law.holdings import Holdings
from models.chat import Turn
from rag.question.consultation import questions, read_turn
from rag.question.question_reading import understand
from tests.growth import assert_linear

EMAIL = """De: Marta Ruiz
Asunto: consultas de un cliente

Buenos días, ¿qué tal las vacaciones?

Mi clienta trabaja de interna en casa de una familia desde 2019 y la quieren despedir. Le escribo porque me
gustaría saber qué indemnización le corresponde y con cuánto preaviso la tienen que avisar.

Otras dudas:
1) Si puede cobrar el paro.
2) Qué pasa con las vacaciones que no ha disfrutado.
3) La casa está a nombre de la abuela. ¿Quién es entonces el empleador?

Lo leí dos veces: «¿usted se cree que esto es normal?».

Un saludo
"""


def texts(text: str) -> list[str]:
    return [one.text for one in questions(text)]


def test_direct_indirect_and_listed_questions_are_found_in_their_order() -> None:
    found = texts(EMAIL)
    assert [one.split()[0] for one in found] == ["Qué", "Con", "Si", "Qué", "¿Quién"]
    assert "indemnización" in found[0]
    assert found[1] == "Con cuánto preaviso la tienen que avisar"
    assert found[2] == "Si puede cobrar el paro"


@pytest.mark.parametrize(
    "text",
    [
        "¿Qué tal las vacaciones?",
        "Me despidieron ayer. ¿Usted se cree que hay derecho?",
        "El jefe del despacho me dijo «¿y para qué quieres un contrato?» y se fue.",
        "Le dije que sí (¿o prefiere usted otro contrato?) y colgó.",
        "¿Cuándo podemos vernos para hablar del despido?",
    ],
)
def test_courtesies_and_the_questions_of_others_are_no_questions(text: str) -> None:
    assert texts(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("No tenemos claro si un trabajador a tiempo parcial puede hacer horas extra.", 1),
        ("Pregunta el señor Ripoll, para los del turno, si puede negarse al reconocimiento médico.", 1),
        ("Confírmenos si hay que pagar el despido y en qué plazo se reclama.", 2),
        ("Quiere saber cuánto cobra de paro y también si pierde la pensión de viudedad.", 2),
        ("Entonces me tienen que avisar del despido con quince días de antelación, ¿verdad?", 1),
        ("¿Cuántas vacaciones tengo? Vuelvo a preguntar. ¿Cuántas vacaciones tengo?", 1),
        ("Fui con mi cuñado al despacho y me firmaron el contrato.", 0),
        ("Al volver preguntó al jefe cuándo podría coger las vacaciones.", 0),
        ("Te escribo a ver si me puedes echar un cable con lo del despido.", 0),
        ("Pregunto cuándo puede coger las vacaciones.", 1),
    ],
)
def test_a_question_is_found_by_how_it_is_asked(text: str, found: int) -> None:
    assert len(questions(text)) == found


def test_what_an_answered_mail_quotes_counts_only_if_the_rest_asks_nothing() -> None:
    quoted = "> ¿Cuántos días de vacaciones tengo?"
    assert texts(f"¿Cuánto dura el paro?\n{quoted}") == ["¿Cuánto dura el paro?"]
    assert texts(f"Te lo reenvío.\n{quoted}") == ["¿Cuántos días de vacaciones tengo?"]


def test_a_question_that_says_little_takes_the_sentence_before_it() -> None:
    asked = questions("Tengo un contrato temporal de tres meses. ¿Hay preaviso?")[0]
    assert asked.whole == "Tengo un contrato temporal de tres meses. ¿Hay preaviso?"


def test_a_question_of_a_list_has_the_story_around_it_and_not_the_other_clients_of_the_list() -> None:
    found = questions(EMAIL)
    assert "interna" in found[2].around
    assert "vacaciones que no ha disfrutado" not in found[2].around


def turn(text: str) -> Turn:
    return read_turn(Turn(role="user", text=text))


def test_a_follow_up_of_a_long_text_follows_its_last_question() -> None:
    long = f"{EMAIL}\n{'Esto es lo que ha pasado en la empresa. ' * 40}"
    assert turn(long).last.endswith("¿Quién es entonces el empleador?")
    assert turn("¿Y cuánto dura?").last == "¿Y cuánto dura?"


def test_a_model_that_decomposes_the_next_question_sees_what_a_long_text_asked() -> None:
    long = f"{EMAIL}\n{'Esto es lo que ha pasado en la empresa. ' * 40}"
    assert turn(long).gist.startswith("Qué indemnización")
    assert turn(EMAIL).gist == EMAIL


@pytest.mark.parametrize("piece", ["?", "¿a? ", "si ", "quiero saber si y cuánto ", "«( ", "1) ", "> ¿no? "])
def test_the_time_grows_with_the_length_of_the_text(piece: str) -> None:
    assert_linear(lambda size: questions(piece * size), 4000)


def test_a_question_of_a_long_text_is_searched_alone_and_with_its_case() -> None:
    story = "La contrata de limpieza cambió de empresa y la nueva no quiso quedarse con ella."
    question = "¿Es válida esa decisión?"
    asked = understand(question, [], date(2026, 11, 29), Holdings(), background=f"{story} {question}")
    assert asked.queries == (question, f"{story} {question}")
    assert understand(question, [], date(2026, 11, 29), Holdings()).queries == (question,)
