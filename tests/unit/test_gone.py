"""The part of a provision that a question asks about; it is told if it is «(Derogada)»."""

import pytest

from rag.answers.asked_text import emptied

TEXT = (
    "Artículo 52. Prueba.\nEl faro podrá apagarse:\na) Por avería.\nb) Por falta de aceite.\n"
    "d) (Derogada)\ne) Por otra causa."
)
NUMBERED = "Artículo 38. Prueba.\n1. El faro.\n2. (Suprimido)\n3. El farero."


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
