"""Sentences of an answer held against the text that they cite."""

import pytest

from rag.answers.claims import doubts
from rag.text.quantities import quantities

LAW = (
    "Artículo 9. Permiso inventado.\n"
    "1. La persona trabajadora podrá solicitar un permiso inventado de quince días naturales por cada año.\n"
    "2. La empresa deberá contestar por escrito en el plazo de diez días hábiles desde la solicitud "
    "inventada.\n"
    "3. No se computarán como permiso inventado los días de viaje, y su duración no podrá exceder de dos "
    "meses.\n"
    "4. El sindicato inventado designará a sus delegados entre los afiliados con seis meses de antigüedad."
)


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("El permiso inventado es de veinte días naturales por cada año.", "«20 dias» no consta"),
        ("La empresa debe contestar por escrito en diez días naturales.", "«10 dias naturales» no consta"),
        ("Los días de viaje se computarán como permiso inventado.", "dice lo contrario"),
        ("La persona trabajadora debe solicitar el permiso inventado cada año.", "facultad y no un deber"),
        ("La empresa puede contestar por escrito a la solicitud inventada.", "deber y no una facultad"),
        (
            "El sindicato inventado designará a sus delegados entre los afiliados con nueve meses de "
            "antigüedad.",
            "el texto dice «seis» donde aquí se dice «nueve»",
        ),
        (
            "La empresa deberá contestar por escrito y motivada en el plazo de diez días hábiles desde la "
            "solicitud inventada.",
            "el texto no dice «y motivada»",
        ),
    ],
)
def test_a_sentence_that_says_something_else_is_accused_with_what_the_law_says(
    sentence: str, told: str
) -> None:
    assert told in "; ".join(doubts(sentence, [LAW]))


@pytest.mark.parametrize(
    "sentence",
    [
        "El permiso inventado es de 15 días naturales por cada año.",
        "Con sesenta días de permiso inventado, que son dos meses, se llega al límite.",
        "Con un mes y medio de permiso inventado no se rebasan los dos meses.",
        "La empresa tiene que contestar por escrito en 10 días hábiles.",
        "Los días de viaje no cuentan como permiso inventado.",
        "Si pide un mes de permiso, está dentro de los dos meses.",
        "Hay que ser afiliado desde hace medio año para ser delegado del sindicato inventado.",
        "El cálculo es 3 × 15 = 45 días.",
    ],
)
def test_a_paraphrase_a_case_and_a_calculation_are_not_accused(sentence: str) -> None:
    assert doubts(sentence, [LAW]) == []


def test_the_amounts_of_the_question_are_those_of_the_case() -> None:
    sentence = "Le corresponde la parte de quince días de permiso inventado por sus cuarenta días."
    assert doubts(sentence, [LAW])
    assert doubts(sentence, [LAW], ["He pedido cuarenta días de permiso"]) == []


def test_the_same_amount_in_other_words_is_the_same() -> None:
    six = {
        (one.kind, one.value)
        for text in ("medio año", "6 meses", "dos trimestres")
        for one in quantities(text)
    }
    assert six == {("months", 6.0)}
    assert [one.value for one in quantities("entre 40.001 y 500.000 euros")] == [40001.0, 500000.0]
    assert [one.days for one in quantities("diez días hábiles y diez días naturales")] == ["habil", "natural"]
