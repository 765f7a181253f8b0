"""The rules that hold a sentence of an answer, one table a kind, over an invented law."""

import pytest

from rag.answers.claims import doubts

LAW = (
    "Artículo 9. Permiso inventado.\n"
    "1. El permiso inventado será voluntario y su duración no podrá exceder de cuarenta horas semanales.\n"
    "2. Las peticiones leves prescribirán a los diez días; las graves, a los veinte días.\n"
    "3. La empresa deberá pagar los gastos del viaje inventado, que serán inembargables.\n"
    "4. El empresario podrá optar entre la readmisión del viajero y el abono de una prima inventada.\n"
    "5. Quien viaje tendrá derecho a la prima inventada, con una antelación mínima de treinta días.\n"
    "6. La reducción será de un octavo de la jornada hasta el segundo grado, y se pide antes del 3 de mayo."
)


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("El permiso inventado no pasa de cuarenta y ocho horas.", "«48 horas» no consta"),
        ("El permiso inventado no pasa de nueve (9) horas.", "«9 horas» no consta"),
        ("Las peticiones graves prescriben a los dos meses.", "«2 meses» no consta"),
        ("Las peticiones graves prescriben a los treinta y cinco días.", "«35 dias» no consta"),
        ("Las peticiones leves prescriben a los veinte días.", "«20 dias» va con otras palabras"),
        ("El permiso inventado dura al menos cuarenta horas semanales.", "de otro modo"),
        ("El permiso inventado no excede de cuarenta horas mensuales.", "de otro modo"),
        ("La reducción es de un cuarto de la jornada.", "«un cuarto» no consta"),
        ("La reducción alcanza al tercer grado.", "«tercer grado» no consta"),
        ("La reducción se pide antes del 13 de mayo.", "«13 de mayo» no consta"),
        ("Quien viaja no tiene derecho a la prima inventada.", "dice lo contrario"),
        ("Quien viaja carece de derecho a la prima inventada.", "dice lo contrario"),
        ("Los gastos del viaje inventado pueden ser embargables.", "dice lo contrario"),
        ("El permiso inventado es obligatorio.", "dice lo contrario"),
        ("Es facultativo para la empresa pagar los gastos del viaje inventado.", "deber y no una facultad"),
        ("El trabajador podrá optar entre la readmisión y la prima inventada.", "se refiere a la empresa"),
        ("La empresa **no** debe pagar los gastos del viaje inventado.", "dice lo contrario"),
    ],
)
def test_a_plain_lie_is_told(sentence: str, told: str) -> None:
    assert told in "; ".join(doubts(sentence, [LAW]))


@pytest.mark.parametrize(
    ("sentence", "given"),
    [
        ("Las peticiones leves prescriben a los diez días y las graves a los veinte.", ""),
        ("Con doce días trabajados no se pierde la prima inventada.", ""),
        ("Si han pasado quince días, la petición leve ha prescrito.", ""),
        ("Sus cincuenta horas superan en diez horas el máximo de cuarenta horas.", "Hago 50 horas"),
        ("Con 1.600 horas al año, un octavo son 200 horas.", "Tengo 1.600 horas al año"),
        ("El permiso inventado dura como máximo cuarenta horas a la semana.", ""),
        ("La empresa tiene que pagar los gastos del viaje inventado.", ""),
        ("Los gastos del viaje inventado no son embargables.", ""),
        ("La reducción es de la octava parte hasta el segundo grado: un octavo.", ""),
        ("Quien viaja tiene derecho a la prima inventada si avisa treinta días antes.", ""),
        ("El permiso inventado no es obligatorio.", ""),
        ("La elección es de la empresa, que puede optar por la readmisión.", ""),
    ],
)
def test_an_honest_sentence_is_not(sentence: str, given: str) -> None:
    assert doubts(sentence, [LAW], [given]) == []
