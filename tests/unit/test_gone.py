"""A letter or an apartado that the question names and that is «(Derogada)» is told."""

import pytest

from rag.answers.asked_text import emptied

TEXT = (
    "Artículo 52. Prueba.\nEl faro podrá apagarse:\na) Por avería.\nb) Por falta de aceite.\n"
    "d) (Derogada)\ne) Por otra causa."
)
NUMBERED = "Artículo 38. Prueba.\n1. El faro.\n2. (Suprimido)\n3. El farero."


@pytest.mark.parametrize(
    "question",
    [
        "¿qué dice el art. 52.d ET?",
        "faltas de asistencia art 52 d ET sigue vigente?",
        "¿sigue vigente el artículo 52.d) ET?",
        "¿y la letra d) del artículo 52 ET?",
        "El artículo 52 D) del Estatuto",
    ],
)
def test_a_letter_without_text_is_told(question: str) -> None:
    told = emptied(question, "52", None, TEXT, "ET · Artículo 52")
    assert told == "ET · Artículo 52: su letra d) dice «(Derogada)» en el texto aplicado."


@pytest.mark.parametrize("mark", ["2. ", "2.", "2.- "])
def test_an_apartado_without_text_is_told_also_where_its_mark_is_glued_to_it(mark: str) -> None:
    text = NUMBERED.replace("2. ", mark)
    told = emptied("art. 38.2 LGSS", "38", "2", text, "LGSS · Artículo 38")
    assert "su apartado 2 dice «(Suprimido)»" in told


def test_a_letter_of_an_apartado_without_text_is_told() -> None:
    text = "Artículo 49. Prueba.\n1. Se apagará:\na) Por avería.\nb)(Derogada)\n2. Otra vez:\na) Por niebla."
    told = emptied("¿qué dice el 49.1.b ET?", "49", "1", text, "X")
    assert told == "X: su letra b) dice «(Derogada)» en el texto aplicado."
    assert emptied("¿qué dice el 49.2.b ET?", "49", "2", text, "X") == ""


@pytest.mark.parametrize(
    ("question", "label", "apartado", "text"),
    [
        ("¿qué dice el art. 52.b ET?", "52", None, TEXT),
        ("según el art. 52 e indemnización", "52", None, TEXT),
        ("art. 52 ET", "52", None, TEXT),
        ("art. 38.3 LGSS", "38", "3", NUMBERED),
        ("art. 38.9 LGSS", "38", "9", NUMBERED),
    ],
)
def test_parts_with_text_and_parts_that_are_not_named_are_not_told(
    question: str, label: str, apartado: str | None, text: str
) -> None:
    assert emptied(question, label, apartado, text, "X") == ""
