"""A table that a text announces and does not have is told."""

import pytest

from law.provision_reading import read_provision
from law.tables import lacking


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Se aplica el siguiente cuadro de faros:\nA estos efectos se cuentan los meses.", ["un cuadro"]),
        ("con arreglo a la siguiente escala.\n2. (Suprimido)", ["una escala"]),
        ("según la tabla siguiente:\nPara ello se cuenta.\nPor la siguiente escala:\nLos plazos.", 2),
        ("con arreglo a la siguiente escala:\n| Meses | Días |\n| --- | --- |\n| 1 | 2 |", []),
        ("con arreglo a la siguiente escala:\na) De uno a dos faros, uno.", []),
        ("con arreglo a la siguiente escala:\n1.º Hasta cien faros, quince horas.", []),
        ("con arreglo a la siguiente tabla:\n2012 - 6,15%", []),
        ("con arreglo a la siguiente escala:\nDe 50 a 100 faros: 2 fareros.", []),
        ("con arreglo a la siguiente escala:\n– El primer año, la mitad.", []),
        ("en el plazo siguiente:\nSe cuentan los meses.", []),
        ("con arreglo a la siguiente escala:", []),
        ("| siguiente cuadro |\nTexto.", []),
    ],
)
def test_an_announcement_without_rows_or_a_list_after_it_lacks_its_table(
    text: str, found: list[str] | int
) -> None:
    told = lacking(read_provision(text))
    assert (len(told) if isinstance(found, int) else told) == found
