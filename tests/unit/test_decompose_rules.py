"""Decomposition without a model, and the reading of a model's output (S0.10-S0.16)."""

from datetime import date

import pytest

from law.holdings import Holdings
from models.chat import Turn
from rag.question.question_form import own_question, self_contained, split_question
from rag.question.question_reading import understand
from rag.stages.decompose import MAX_QUERY, parse_queries

VACATIONS = "¿Cuántos días de vacaciones tengo?"


def by_rules(question: str, history: tuple[Turn, ...]) -> list[str]:
    """The searches that the rule version makes of a question."""
    return list(understand(question, history, date(2026, 6, 1), Holdings()).queries)


def talk(*texts: str) -> tuple[Turn, ...]:
    """Questions and answers in turn."""
    return tuple(Turn(role=("user", "assistant")[i % 2], text=text) for i, text in enumerate(texts))


def test_a_follow_up_goes_with_the_last_question_not_with_an_answer_or_an_older_one() -> None:
    history = talk("¿Cuánto dura la baja?", "Un año.", VACATIONS, "Treinta.")
    assert by_rules("¿Y si no me las dan?", history) == [f"{VACATIONS} ¿Y si no me las dan?"]


@pytest.mark.parametrize("history", [(), talk("")[:1], (Turn(role="assistant", text="Hola."),)])
def test_without_a_previous_question_a_follow_up_stands_alone(history: tuple[Turn, ...]) -> None:
    assert by_rules("¿Y si no me las dan?", history) == ["¿Y si no me las dan?"]


def test_a_follow_up_that_compares_is_split_too() -> None:
    question = "¿Y qué diferencia hay entre el nulo y el improcedente?"
    assert by_rules(question, talk("¿Qué despidos hay?", "Tres.")) == [
        f"¿Qué despidos hay? {question}",
        "el nulo",
        "el improcedente",
    ]


def test_a_follow_up_of_two_questions_stays_one_search() -> None:
    searches = by_rules("¿Y cuándo? ¿Y dónde?", talk(VACATIONS, "Treinta."))
    assert searches == [f"{VACATIONS} ¿Y cuándo? ¿Y dónde?"]


def test_a_chain_of_follow_ups_goes_back_to_the_question_that_stood_alone() -> None:
    history = [
        Turn(role="user", text="¿Qué es el paro?"),
        Turn(role="assistant", text="…"),
        Turn(role="user", text="¿Cuántos días de vacaciones tengo?"),
        Turn(role="assistant", text="…"),
        Turn(role="user", text="¿Y si estoy de baja?"),
        Turn(role="assistant", text="…"),
    ]
    whole = self_contained("¿Y cuánto dura?", history)
    assert whole == "¿Cuántos días de vacaciones tengo? ¿Y si estoy de baja? ¿Y cuánto dura?"


def test_white_space_says_nothing_however_long() -> None:
    assert split_question(f"  ¿Cuánto dura{' ' * 20_000}la huelga?  ") == ["¿Cuánto dura la huelga?"]


@pytest.mark.parametrize(
    ("whole", "asked"),
    [
        (
            "¿Qué ingresos hacen falta para ser TRADE y cuántas vacaciones tiene?",
            ["Qué ingresos hacen falta para ser TRADE", "cuántas vacaciones tiene"],
        ),
        ("Me despiden por carta. ¿Es válido? ¿Y cuánto me pagan?", ["Y cuánto me pagan"]),
        ("diferencia entre excedencia forzosa y voluntaria", ["excedencia forzosa", "voluntaria"]),
    ],
)
def test_a_part_of_a_question_is_answered_for_its_own_words(whole: str, asked: list[str]) -> None:
    first, *others = split_question(whole)
    assert own_question(first, whole) == first
    assert [own_question(search, whole) for search in others] == asked


# What a model returns


@pytest.mark.parametrize(
    ("output", "queries"),
    [
        ('["vacaciones anuales artículo 38 ET"]', ["vacaciones anuales artículo 38 ET"]),
        ('```json\n["uno", "dos"]\n```', ["uno", "dos"]),
        ('Claro:\n["uno", "dos"]\nEspero que ayude.', ["uno", "dos"]),
        ('["1", "2", "3", "4", "5", "6"]', ["1", "2", "3", "4"]),
        ('["uno", "uno", " uno ", "dos"]', ["uno", "dos"]),
        ('Puedo buscar ["ejemplo"] o no.\n["uno", "dos"]', ["uno", "dos"]),
        ("['uno', 'dos']", ["uno", "dos"]),
        ('{"busquedas": ["uno", "dos"]}', ["uno", "dos"]),
        ('["uno", 2, null, "", "  ", ["tres"]]', ["uno"]),
    ],
)
def test_an_array_of_texts_is_read_without_repeats_four_at_most(output: str, queries: list[str]) -> None:
    assert parse_queries(output, VACATIONS) == (queries, "")


@pytest.mark.parametrize(
    ("output", "query"),
    [
        ("vacaciones anuales", "vacaciones anuales"),
        ("```\nvacaciones anuales\n```", "vacaciones anuales"),
        ('["vacaciones anuales", ', '["vacaciones anuales",'),
    ],
)
def test_output_that_is_no_array_is_searched_as_it_is_and_told(output: str, query: str) -> None:
    queries, fallback = parse_queries(output, VACATIONS)
    assert queries == [query]
    assert "no era un array" in fallback


@pytest.mark.parametrize(
    "output",
    [
        "",
        "   ",
        "[]",
        '[""]',
        "[1, 2]",
        "```\n```",
        "Lo siento, no puedo ayudarle con eso.",
        "I'm sorry, but as an AI I am not able to help you with the vacaciones of this or that company.",
    ],
)
def test_output_without_a_search_leaves_the_question_and_is_told(output: str) -> None:
    queries, fallback = parse_queries(output, VACATIONS)
    assert queries == []
    assert "ninguna búsqueda" in fallback


def test_a_search_has_a_longest_length() -> None:
    assert parse_queries(f'["{"a" * 5000}"]', VACATIONS)[0] == ["a" * MAX_QUERY]
    assert parse_queries("vacaciones " * 500, VACATIONS)[0] == [("vacaciones " * 500)[:MAX_QUERY]]
