"""The questions of a long text, found by rules."""

from datetime import date

import pytest

from law.holdings import Holdings
from models.chat import Turn
from rag.question.consultation import questions, read_turn
from rag.question.question_reading import understand
from rag.stages.split import reads_as_several
from tests.case_files import pairs
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


@pytest.mark.parametrize(("text", "found"), pairs("consultations"))
def test_a_question_is_found_by_how_it_is_asked_and_not_by_its_mark(text: str, found: str) -> None:
    assert len(questions(text)) == int(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Necesitaría que me dijeras: ¿el despido es nulo?", "¿El despido es nulo?"),
        ("Mis dudas: ¿puede pedir la extinción del contrato?", "¿Puede pedir la extinción del contrato?"),
        (
            "Sobre el despido: ¿con cuánto preaviso se avisa?",
            "Sobre el despido: ¿con cuánto preaviso se avisa?",
        ),
    ],
)
def test_a_question_keeps_of_what_announces_it_only_the_words_of_law(text: str, found: str) -> None:
    assert texts(text) == [found]


def test_a_short_letter_is_answered_by_its_two_questions_and_a_line_of_two_at_once() -> None:
    two = "¿Con cuánta antelación se avisa del traslado? ¿Qué indemnización le corresponde si se marcha?"
    assert reads_as_several(f"Estimada Elena:\nTrasladan a nuestro cliente a Zaragoza.\n{two}\nUn abrazo")
    assert not reads_as_several(f"Trasladan a nuestro cliente a Zaragoza. {two}")


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
