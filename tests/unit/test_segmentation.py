"""Where Spanish legal text may be cut."""

from itertools import pairwise

import pytest

from text.segmentation import sentences


def pieces(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Se aplicará el art. 48 de esta norma inventada.",
        "Véanse los arts. 12 y 13, apdo. 2, de la misma.",
        "La multa será de 1.250.000,00 euros como máximo.",
        "Según el núm. 3 de la lista.",
        "Lo firma D. José Pérez en Madrid.",
        "La empresa Ejemplo, S.L. Los socios responden.",
        "Convenio con EE.UU. Madrid no es parte.",
        "Se estará a la regla 2.ª Así se hará siempre.",
        "En el plazo del 1.º Mes de cada año.",
        "Publicado el 3 de mayo de 2020 en el diario.",
        "Tendrá efectos «cuando así conste. Nunca antes.» para todos.",
        "Artículo 38. Vacaciones inventadas.",
        "Artículo 48 bis. Otro permiso.",
        "Disposición adicional tercera. Un plazo.",
        "1. Primer apartado inventado.",
        "Dos. Segundo apartado inventado.",
    ],
)
def test_a_sentence_is_never_cut_inside_an_abbreviation_a_number_or_a_quotation(text: str) -> None:
    assert pieces(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Una frase. Otra frase.", ["Una frase.", "Otra frase."]),
        ("¿Puede hacerlo? Sí puede.", ["¿Puede hacerlo?", "Sí puede."]),
        ("Trabaja en el mar. La empresa paga.", ["Trabaja en el mar.", "La empresa paga."]),
        ("Dura tres días. 5 más si viaja.", ["Dura tres días.", "5 más si viaja."]),
        ("Línea sin punto\nOtra línea", ["Línea sin punto", "Otra línea"]),
        ("1. Apartado. Segunda frase.", ["1. Apartado.", "Segunda frase."]),
        ("Según el apdo. 2. Después se verá.", ["Según el apdo. 2.", "Después se verá."]),
    ],
)
def test_sentences_end_where_they_should(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected


@pytest.mark.parametrize("text", ["", "   \n\n ", "Sin punto", "Uno. Dos.\n\n  Tres. \u00a0Cuatro…  Cinco"])
def test_sentences_cover_the_text_and_leave_only_white_space_between(text: str) -> None:
    spans = sentences(text)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    rest = list(text)
    for span in spans:
        rest[span.start : span.end] = [" "] * (span.end - span.start)
    assert "".join(rest).strip() == ""
