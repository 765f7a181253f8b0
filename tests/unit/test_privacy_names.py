"""Names as people announce them: a sentence, and the names in it that are masked."""

import pytest

from masking.found import find


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in find(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("mi supervisora Sheila me cambia los turnos", ["Sheila"]),
        ("El chófer de reparto, Vicenç, dice que no", ["Vicenç"]),
        ("un vecino mío, Anselmo, dice que sí", ["Anselmo"]),
        ("Mi defendido, Costel, apellido Munteanu, no entiende", ["Costel", "Munteanu"]),
        ("El Sr. Bermúdez y la Sra. Amenedo llegaron a un acuerdo", ["Bermúdez", "Amenedo"]),
        ("Demandante: O. Achterberg-Vidal", ["O. Achterberg-Vidal"]),
        ("Cliente: Li Na. ¿tiene cotizado suficiente?", ["Li Na"]),
        ("hermano de mustapha aït lahcen, que está fuera", ["mustapha aït lahcen"]),
        ("la señora montserrat vilaseca i roig reducción de jornada", ["montserrat vilaseca i roig"]),
        ("la trabajadora es sabela", ["sabela"]),
        ("Atte., Idoia Mtz. de Lizarduy, Dpto. Personas", ["Idoia Mtz. de Lizarduy"]),
        ("[10:22] Silvia Ruiz: te han echado??\n[10:23] Omar: si", ["Silvia Ruiz", "Omar"]),
        ("mi pareja se llama yeray y está en paro", ["yeray"]),
        ("Soy Oumaima, tengo 22 años", ["Oumaima"]),
        ("soy autónomo y mi jefa quiere sancionarme", []),
        ("el trabajador es fijo y la empleada es indefinida", []),
        ("alias comercial, apellidos y nombre del trabajador", []),
        ("[C1] Fuente: la web", []),
    ],
)
def test_an_announced_name_is_masked_whole(text: str, names: list[str]) -> None:
    assert found(text) == names
