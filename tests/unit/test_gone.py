"""The part of a provision that a question asks about; it is told if it is «(Derogada)»."""

import pytest

from rag.answers.asked_text import emptied
from tests.factories import understood

TEXT = (
    "Artículo 52. Prueba.\nEl faro podrá apagarse:\na) Por avería.\nb) Por falta de aceite.\n"
    "d) (Derogada)\ne) Por otra causa."
)
NUMBERED = "Artículo 38. Prueba.\n1. El faro.\n2. (Suprimido)\n3. El farero."


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("¿qué dice el art. 52.d ET?", ["52 .d"]),
        ("faltas de asistencia art 52 d ET sigue vigente?", ["52 .d"]),
        ("¿sigue vigente el artículo 52.d) ET?", ["52 .d"]),
        ("¿y la letra d) del artículo 52 ET?", ["52 .d"]),
        ("El artículo 52 D) del Estatuto", ["52 .d"]),
        ("¿qué dice el art. 49.1.b ET?", ["49 1.b"]),
        ("Copia literal del artículo 12.1, letra b), párrafo tercero", ["12 1.b"]),
        ("art. 38.2 y 3 LGSS", ["38 2"]),
        ("según el art. 52 e indemnización", ["52 "]),
        ("arts. 55 y 56.2 ET", ["55 ", "56 2"]),
        ("plazo para recurrir", []),
    ],
)
def test_the_part_that_is_asked_about_is_read_with_its_provision(question: str, parts: list[str]) -> None:
    assert [f"{one.label} {'.'.join(one.path)}" for one in understood(question).parts] == parts


@pytest.mark.parametrize(
    ("question", "asked", "paragraph"),
    [
        ("dame el texto del artículo 12", True, None),
        ("Transcríbame el párrafo segundo del artículo 12", True, 1),
        ("último párrafo del artículo 12", False, -1),
        ("¿Qué plazo da el artículo 12.2?", False, None),
        ("¿Qué dice el artículo 49.1.b)?", True, None),
        ("art. 59.3", True, None),
        ("¿Qué dice el artículo 49?", True, None),
        ("artículo 38", True, None),
        ("¿Qué dice el artículo 48.4 de la lactancia?", False, None),
    ],
)
def test_a_text_and_a_paragraph_of_it_are_asked_for(
    question: str, asked: bool, paragraph: int | None
) -> None:
    read = understood(question)
    assert (read.text_asked, read.paragraph) == (asked, paragraph)


def test_a_letter_without_text_is_told() -> None:
    told = emptied(["", "d"], TEXT, "ET · Artículo 52")
    assert told == "ET · Artículo 52: su letra d) dice «(Derogada)» en el texto aplicado."


@pytest.mark.parametrize("mark", ["2. ", "2.", "2.- "])
def test_an_apartado_without_text_is_told_also_where_its_mark_is_glued_to_it(mark: str) -> None:
    told = emptied(["2"], NUMBERED.replace("2. ", mark), "LGSS · Artículo 38")
    assert "su apartado 2 dice «(Suprimido)»" in told


def test_a_letter_of_an_apartado_without_text_is_told() -> None:
    text = "Artículo 49. Prueba.\n1. Se apagará:\na) Por avería.\nb)(Derogada)\n2. Otra vez:\na) Por niebla."
    assert emptied(["1", "b"], text, "X") == "X: su letra b) dice «(Derogada)» en el texto aplicado."
    assert emptied(["2", "b"], text, "X") == ""


@pytest.mark.parametrize(
    ("path", "text"), [(["", "b"], TEXT), ([], TEXT), (["3"], NUMBERED), (["9"], NUMBERED)]
)
def test_parts_with_text_and_parts_that_are_not_there_are_not_told(path: list[str], text: str) -> None:
    assert emptied(path, text, "X") == ""
