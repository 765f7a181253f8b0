"""How Spanish lawyers write a citation, by genre: each form with the provisions that it cites."""

from datetime import date

import pytest

from casework.briefs.brief_reading import read_brief
from casework.briefs.typed_forms import typed, without_parts
from law.norm_names import NormCatalogue
from lexicon.usual_names import known_norms

TODAY = date(2031, 5, 5)
CATALOGUE = NormCatalogue(known_norms())
ET, LRJS, CE, LGSS = "BOE-A-2015-11430", "BOE-A-2011-15936", "BOE-A-1978-31229", "BOE-A-2015-11724"
LPRL, LISOS, LOI, LPL = "BOE-A-1995-24292", "BOE-A-2000-15060", "BOE-A-2007-6115", "BOE-A-1995-8758"
RD = "BOE-A-2014-7684"
Told = tuple[str | None, str | None, str | None, str | None]


def told(text: str) -> list[Told]:
    found = read_brief(text, CATALOGUE, TODAY).provisions
    assert all(text[one.start : one.end].split() == one.text.split() for one in found)
    return [(one.norm_id, one.label, one.apartado, one.letter) for one in found]


CLAIM = [
    ("la lactancia del 37-4 ET", [(ET, "37", "4", None)]),
    ("los arts. 54.1 y 54-2-d) del E.T y demás", [(ET, "54", "1", None), (ET, "54", "2", "d")]),
    ("el art.54.2.h) ET", [(ET, "54", "2", "h")]),
    ("dice el 65,1 LRJS que", [(LRJS, "65", "1", None)]),
    ("el art.59-3 E.T., que la empresa cita", [(ET, "59", "3", None)]),
    ("el art 59'3 ET", [(ET, "59", "3", None)]),
    ("el art. 59´3 del Estatuto", [(ET, "59", "3", None)]),
    ("(artícluo 55.1 ET)", [(ET, "55", "1", None)]),
    ("el aritculo 55 del ET", [(ET, "55", None, None)]),
    ("el art. 108 1 de la L.P.L", [(LPL, "108", "1", None)]),
    ("el art. 55-5 b) ET", [(ET, "55", "5", "b")]),
    ("el art, 50.1 ET", [(ET, "50", "1", None)]),
    ("el artº 50 ET", [(ET, "50", None, None)]),
    ("el art. núm. 50 ET", [(ET, "50", None, None)]),
    ("el art. 4.2, c) y d) ET", [(ET, "4", "2", "c"), (ET, "4", "2", "d")]),
    ("el art. 54.2 b), c) y d) ET", [(ET, "54", "2", "b"), (ET, "54", "2", "c"), (ET, "54", "2", "d")]),
    ("el art. 51.1 y 4 ET", [(ET, "51", "1", None), (ET, "51", "4", None)]),
    ("los apartados 1 y 3 del artículo 41 ET", [(ET, "41", "1", None), (ET, "41", "3", None)]),
    ("las letras b) y d) del art. 54.2 ET", [(ET, "54", "2", "b"), (ET, "54", "2", "d")]),
    ("ART. 41 DEL ESTATUTO DE LOS TRABAJADORES", [(ET, "41", None, None)]),
    ("ARTÍCULO 9 DE LA LEY 36/2011, DE 10 DE OCTUBRE", [(LRJS, "9", None, None)]),
    ("el artículo cincuenta y cinco del Estatuto de los Trabajadores", [(ET, "55", None, None)]),
    ("al amparo del 24.2 de la Constitución", [(CE, "24", "2", None)]),
    ("del 55.4 del Estatuto de los Trabajadores", [(ET, "55", "4", None)]),
    ("los arts. 14-18 LPRL", [(LPRL, "14", None, None)]),
    ("el art. 56 TRET", [(ET, "56", None, None)]),
    ("del art. 193 TRLGSS", [(LGSS, "193", None, None)]),
    ("el art. 52 c ET", [(ET, "52", None, "c")]),
]
APPEAL = [
    ("el art. 193 c) de la Ley de ritos laboral", [(LRJS, "193", None, "c")]),
    ("el artículo 97.2 de la ley rituaria laboral", [(LRJS, "97", "2", None)]),
    ("el art. 14 de la Norma Fundamental", [(CE, "14", None, None)]),
    ("el art. 4 del texto estatutario", [(ET, "4", None, None)]),
    (
        "Ley 36/2011, de 10 de octubre, reguladora de la jurisdicción social, art. 108",
        [(LRJS, "108", None, None)],
    ),
    ("Ley 36/2011, de 10 de octubre, en su artículo 108.2", [(LRJS, "108", "2", None)]),
    ("la LRJS (arts. 103 y 108)", [(LRJS, "103", None, None), (LRJS, "108", None, None)]),
    ("LO 3/2007, art. 5", [(LOI, "5", None, None)]),
    ("el art. 5 de la L. O. 3/2007", [(LOI, "5", None, None)]),
    ("el art. 5 de la Ley Org. 3/2007", [(LOI, "5", None, None)]),
    ("el art. 12.2 del RDLeg 2/2015", [(ET, "12", "2", None)]),
    ("el art. 12.2 del R.D. Leg. 2/2015", [(ET, "12", "2", None)]),
    ("el art. 12.2 del R.D.Legislativo 2/2015", [(ET, "12", "2", None)]),
    ("el art. 12.2 del RD Legislativo núm. 2/2015", [(ET, "12", "2", None)]),
    ("el art. 12.2 del R. Decreto Legislativo 2 / 2015", [(ET, "12", "2", None)]),
    ("el art. 2 del R. D. 625/2014", [(RD, "2", None, None)]),
    ("el art. 2 del Rdto. 625/2014", [(RD, "2", None, None)]),
    ("la D.T. 11.ª ET", [(ET, "dt 11", None, None)]),
    ("la DA 3ª ET", [(ET, "da 3", None, None)]),
    ("la D. Transitoria 11.ª ET", [(ET, "dt 11", None, None)]),
    ("la Disp. Ad. 3.ª ET", [(ET, "da 3", None, None)]),
    ("las DD.TT. 2.ª y 3.ª ET", [(ET, "dt 2", None, None), (ET, "dt 3", None, None)]),
    ("la disposición transitoria vigésima sexta de la LGSS", [(LGSS, "dt 26", None, None)]),
    ("la disposición final primera, apartado 2, del ET", [(ET, "df 1", "2", None)]),
    ("el art. 41.1, in fine, ET", [(ET, "41", "1", None)]),
    ("el art. 41.4, párr. 2º, ET", [(ET, "41", "4", None)]),
    ("el art. 41.4, último párrafo, del ET", [(ET, "41", "4", None)]),
    ("el art. 41, apdo. 4, del ET", [(ET, "41", "4", None)]),
    ("los arts. 49.1.k) y conc. del ET", [(ET, "49", "1", "k")]),
    ("los artículos 51 y sgtes. del ET", [(ET, "51", None, None)]),
    ("el art. 103 y ss. LRJS", [(LRJS, "103", None, None)]),
]
REPORT = [
    ("el art. 7.2 del Reglamento de la cosa aprobado por RD 625/2014", [(RD, "7", "2", None)]),
    ("los arts. 34 a 36 ET", [(ET, "34", None, None)]),
    ("vid. art. 41 (ET)", [(ET, "41", None, None)]),
    ("(cfr. arts. 8.12 y 40.1 LISOS)", [(LISOS, "8", "12", None), (LISOS, "40", "1", None)]),
    ("conforme al art.\n54.2 del Estatuto\nde los Trabajadores", [(ET, "54", "2", None)]),
    ("según el artículo 41 del\nEstatuto de los Trabajadores", [(ET, "41", None, None)]),
    ("Art. 40.2.b) T.R.L.I.S.O.S.", [(LISOS, "40", "2", "b")]),
    ("el art. 20 bis ET", [(ET, "20 bis", None, None)]),
    ("el art. 47.bis.1 ET", [(ET, "47 bis", "1", None)]),
    ("ET, arts. 41 y 50", [(ET, "41", None, None), (ET, "50", None, None)]),
    ("ET (art. 41.3)", [(ET, "41", "3", None)]),
    ("el art. 41 ET, apartado 4", [(ET, "41", "4", None)]),
    ("Art. 49 ET, apdo. 1 letra k)", [(ET, "49", "1", "k")]),
    ("el art. 37.3, letra b, del ET", [(ET, "37", "3", "b")]),
    ("la DF 5.ª, Ley 31/1995", [(LPRL, "df 5", None, None)]),
    ("LGSS, art. 169.1, a)", [(LGSS, "169", "1", "a")]),
    ("LGSS/2015, art. 210", [(LGSS, "210", None, None)]),
    ("ET de 1980, art. 15", [(None, "15", None, None)]),
    ("la Disp. Transit. 4ª del ET", [(ET, "dt 4", None, None)]),
    ("el art. 5 de la citada Ley 31/1995", [(LPRL, "5", None, None)]),
    ("el art. 51 de la citada norma estatutaria", [(ET, "51", None, None)]),
    ("Ley Orgánica 3/2007, de 22 de marzo, para la igualdad (art. 5)", [(LOI, "5", None, None)]),
]


@pytest.mark.parametrize(("text", "expected"), [*CLAIM, *APPEAL, *REPORT])
def test_a_form_of_briefs_appeals_and_reports_is_read(text: str, expected: list[Told]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Del art. 55.1 ET se sigue el 55.4 del mismo cuerpo legal.", (ET, "55", "4", None)),
        ("El art. 55.1 ET y los arts. 54.2.b) y d) del mismo.", (ET, "54", "2", "d")),
        ("El art. 97 LRJS. Infringe el art. 108 de aquella Ley.", (LRJS, "108", None, None)),
        ("El art. 97 LRJS. El depósito del art. 229.1.a) de igual Ley.", (LRJS, "229", "1", "a")),
        (
            "El art. 8 LISOS y el art. 3 LPRL. El art. 13.10 del citado Texto Refundido.",
            (LISOS, "13", "10", None),
        ),
        ("El art. 41 ET. El art. 50 del precitado texto legal.", (ET, "50", None, None)),
        ("El art. 2 RD 625/2014 y el art. 8 ET. El art. 6 del mismo R.D.", (RD, "6", None, None)),
        ("El art. 5 RDLeg 2/2015. El art. 6 del citado Real Decreto Legislativo.", (ET, "6", None, None)),
        ("El art. 41 ET. El precitado artículo añade.", (ET, "41", None, None)),
        ("El art. 41 ET. El apartado segundo del mismo añade.", (ET, "41", "2", None)),
        ("El art. 41.1 ET es claro. Y el apartado 5, en lo que importa, también.", (ET, "41", "5", None)),
        ("El art. 41 ET; ibídem, apartado 3.", (ET, "41", "3", None)),
        ("El art. 41 ET. El apartado tercero regula.", (ET, "41", "3", None)),
        ("El art. 41 del E. T. y el 50.1.a) del mismo.", (ET, "50", "1", "a")),
        ("El art. 41 ET y el art. 50, ibídem.", (ET, "50", None, None)),
        ("El art. 5 ET y el art. 7 de la Directiva 2003/88/CE. El art. 5.2 del ET.", (ET, "5", "2", None)),
        ("El art. 25 del Convenio del Vidrio y el art. 30 del mismo texto.", (None, "30", None, None)),
    ],
)
def test_a_citation_that_refers_back_takes_the_norm_that_it_means(text: str, last: Told) -> None:
    assert told(text)[-1] == last


def test_a_reglamento_is_no_law_that_was_named_before() -> None:
    *_, one = read_brief(
        "El art. 16 LGSS rige. Téngase en cuenta el art. 7 del Reglamento.", CATALOGUE, TODAY
    ).provisions
    assert (one.norm_id, one.label, one.choices) == (None, "7", ())


@pytest.mark.parametrize(
    "text",
    [
        "Percibe 1.512,40 € y 59,3 horas, del 3-6-2019 al 12'5 por ciento.",
        "Folios 88-131; L4-L5; c/ Carmen 31 1º A; 4391; I.T. del 14-2-2023.",
        "alrededor 30 personas, apartado 4 de la carta, D. Adolfo 2.",
    ],
)
def test_numbers_that_are_of_no_article_stay_as_they_are(text: str) -> None:
    assert typed(text, CATALOGUE) == text
    assert told(text) == []


@pytest.mark.parametrize("text", [text for text, _ in [*CLAIM, *APPEAL, *REPORT]])
def test_the_usual_form_is_as_long_as_what_was_typed(text: str) -> None:
    assert len(without_parts(typed(text, CATALOGUE))) == len(text)
