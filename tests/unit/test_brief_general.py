"""Back-references in any words, abbreviations that the brief gives, emphasis, numbers alone, scanned ones."""

import pytest

from casework.briefs.brief_reading import read_brief
from tests.brief_notation import CATALOGUE, TODAY, provisions_of, written

ET = "Rige el art. 55 ET. "
BACK = [
    (f"{ET}Lo dice el apartado 4 del precepto citado.", "ET 55; ET 55.4"),
    (f"{ET}Lo dicen los apartados 2, 3 y 5 del citado precepto.", "ET 55; ET 55.2; ET 55.3; ET 55.5"),
    (f"{ET}Lo dice el apartado tercero del reiterado artículo.", "ET 55; ET 55.3"),
    (f"{ET}Lo dice su ap. 4, párrafo tercero.", "ET 55; ET 55.4"),
    (f"{ET}Véase también (ídem, apdo. 2).", "ET 55; ET 55.2"),
    (f"{ET}Véase (art. cit., apdo. 3).", "ET 55; ET 55.3"),
    (f"{ET}Es el plazo del apartado 7.", "ET 55; ET 55.7"),
    (f"{ET}Cabe en la letra b bis).", "ET 55; ET 55.b bis"),
    (
        "Rigen los arts. 53.1 y 55.1 ET. Según el apartado cuarto de este último, procede.",
        "ET 53.1; ET 55.1; ET 55.4",
    ),
    (f"{ET}El art. 56 de la repetida Ley lo dice.", "ET 55; ET 56"),
    (f"{ET}El art. 56 de idéntico texto legal lo dice.", "ET 55; ET 56"),
    (f"{ET}El art. 56 del antes invocado cuerpo legal lo dice.", "ET 55; ET 56"),
    (f"{ET}El 56.1 de idéntica Ley lo dice.", "ET 55; ET 56.1"),
    (f"{ET}El 17 de esa misma norma lo dice.", "ET 55; ET 17"),
    ("El apartado 8 del reiterado artículo 55 ET no existe.", "ET 55.8"),
    ("la letra e) del artículo 207 LRJS, la infracción del art. 34.2 ET", "LRJS 207.e; ET 34.2"),
]
GIVEN = [
    (
        "El Real Decreto 1561/1995, de 21 de septiembre (en lo sucesivo, RDJE). El art. 8.1 RDJE.",
        "1561/1995 8.1",
    ),
    ("El Real Decreto 625/2014 (RDIT). Los arts. 2 y 7.1 RDIT.", "625/2014 2; 625/2014 7.1"),
    ("El RD 902/2020, de 13 de octubre, de igualdad retributiva («RDIR»). El art. 5 RDIR.", "902/2020 5"),
    ("El Real Decreto 453/2022; en adelante, RDHC. El art. 3 del RDHC.", "453/2022 3"),
]
WRITTEN = [
    ("**Al amparo del art. 193.b), LRJS**, se pide", "LRJS 193.b"),
    ("el art. 2.2.d) LOLS[1], y otro", "LOLS 2.2.d"),
    ("la del art. 7.5 *LISOS*.", "LISOS 7.5"),
    ("a tiempo parcial (12.4.c) ET) y el de", "ET 12.4.c"),
    ("(art. 84.2, letras a) y c), ET)", "ET 84.2.a; ET 84.2.c"),
    ("según el 1124 del Código Civil", "CC 1124"),
    ("lo manda el 65 de la LRJS", "LRJS 65"),
    (
        "El art. 3 de la Directiva 2003/88/CE. El art. 6 de la Directiva añade",
        "[Directiva 2003/88/CE] 3; [Directiva 2003/88/CE] 6",
    ),
    ("El art. 105.3 LRJS ni el 187.6 lo dicen", "LRJS 105.3; LRJS 187.6"),
]
SCANNED = [
    ("el art. 29.l del Estatuto de los Trabajadores", "ET 29.1"),
    ("los arts. 171 y l73.1 de la LGSS", "LGSS 171; LGSS 173.1"),
    ("El recargo es del 3O.1 LGSS", "LGSS 30.1"),
    ("el art. 6.l de la Ley lO/2O21", "LTD 6.1"),
    ("el 22.3 de la LIS0S", "LISOS 22.3"),
    ("la letra l) del art. 49.1 ET y el art. 49.1.l ET", "ET 49.1.l; ET 49.1.l"),
]
LEFT_OPEN = [
    "Rige el ET. El artículo 12.3 de aquella norma, sin que sepamos de cuál habla.",
    "Rige el ET. El artículo 9, sin que conste de qué ley.",
]
MEASURES = [
    "El minuto 37.7 y el código 35.2.",
    "La versión 35.2 del programa, km 35.4.",
    "De 48.4 a 50.1 euros; un 52.1 más.",
    "Total: 3.1 horas, 48.8 minutos.",
    "35.1. Antecedentes",
]


@pytest.mark.parametrize(("text", "expected"), [*BACK, *GIVEN, *WRITTEN, *SCANNED])
def test_a_citation_is_read_whatever_words_stand_around_it(text: str, expected: str) -> None:
    found = [one for one in read_brief(text, CATALOGUE, TODAY).provisions if one.label]
    assert "; ".join(map(written, found)) == expected


@pytest.mark.parametrize("text", LEFT_OPEN)
def test_what_the_brief_leaves_open_stays_open(text: str) -> None:
    (one,) = (one for one in read_brief(text, CATALOGUE, TODAY).provisions if one.label)
    assert one.norm_id is None


@pytest.mark.parametrize("text", MEASURES)
def test_a_number_behind_a_noun_is_no_article(text: str) -> None:
    assert provisions_of(f"{ET}{text}") == "ET 55"


def test_a_back_reference_in_one_breath_is_marked() -> None:
    near = read_brief(f"{ET}Ese precepto lo dice.", CATALOGUE, TODAY).provisions[-1]
    far = read_brief(f"{ET}\n\nEse precepto lo dice.", CATALOGUE, TODAY).provisions[-1]
    assert (near.again, far.again) == (True, False)


def test_words_between_marks_that_only_cite_are_no_quotation() -> None:
    assert (
        read_brief(
            "La referencia a «el artículo 9 del Real Decreto» no se entiende.", CATALOGUE, TODAY
        ).quotations
        == ()
    )
