"""Legal references: finding them in texts and questions, and resolving them against a catalogue."""

from datetime import date, timedelta

import pytest

from law.mentions import find_mentions
from law.norm_names import NormCatalogue
from law.norms import Norm
from law.references import resolve
from lexicon.usual_names import known_norm, known_norms

ET, LGSS, LPRL, CE = "BOE-A-2015-11430", "BOE-A-2015-11724", "BOE-A-1995-24292", "BOE-A-1978-31229"
LETA, LISOS, LRJS, LOI, LPAC = (
    "BOE-A-2007-13409",
    "BOE-A-2000-15060",
    "BOE-A-2011-15936",
    "BOE-A-2007-6115",
    "BOE-A-2015-10565",
)
CATALOGUE = NormCatalogue(known_norms())
Target = tuple[str | None, str | None, str | None]


def asked(question: str) -> list[Target]:
    return [(r.norm_id, r.label, r.apartado) for r in resolve(find_mentions(question), CATALOGUE)]


def cited(text: str, **context: str | None) -> list[Target]:
    return [(r.norm_id, r.label, r.apartado) for r in resolve(find_mentions(text), CATALOGUE, ET, **context)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("qué dice el articulo 205 de la ley general de la seguridad social", (LGSS, "205", None)),
        ("art 48.4 et", (ET, "48", "4")),
        ("art.38 ET", (ET, "38", None)),
        ("48 bis ET", (ET, "48 bis", None)),
        ("disposicion adicional 3 LGSS", (LGSS, "da 3", None)),
        ("da 3 lgss", (LGSS, "da 3", None)),
        ("DA 3ª LGSS", (LGSS, "da 3", None)),
        ("D.A. tercera de la LGSS", (LGSS, "da 3", None)),
        ("art. 37.3.b) del ET", (ET, "37", "3")),
        ("articulo 14 ce", (CE, "14", None)),
        ("art 22 ley de prevencion", (LPRL, "22", None)),
        ("articulo 21.1 de la ley de autonomos", (LETA, "21", "1")),
        ("art 5 ley de huelga", ("BOE-A-1977-6061", "5", None)),
        ("art 8.1 rdl 5/2000", (LISOS, "8", "1")),
        ("artículo 15 del estatuto", (ET, "15", None)),
        ("anexo I del Real Decreto 1148/2011", ("BOE-A-2011-13119", "anexo I", None)),
        ("disposición transitoria cuarta, apartado 2, de la LGSS", (LGSS, "dt 4", "2")),
        ("artículo 5 de la ley 39/15", (LPAC, "5", None)),
        ("Ley 39/2015, de 1 de octubre", (LPAC, None, None)),
        ("texto refundido de la Ley del Estatuto de los Trabajadores", (ET, None, None)),
        ("artículo treinta y uno de la LRJS", (LRJS, "31", None)),
        ("el 35 lgt", ("BOE-A-2003-23186", "35", None)),
        ("el 14 de la lopd", ("BOE-A-2018-16673", "14", None)),
        ("el 49.1.b ET", (ET, "49", "1")),
    ],
)
def test_a_question_names_its_article_in_many_ways(question: str, expected: Target) -> None:
    assert asked(question) == [expected]


def test_an_article_without_a_norm_in_a_question_resolves_to_nothing() -> None:
    assert asked("¿qué dice el artículo 48?") == [(None, "48", None)]


@pytest.mark.parametrize(
    "question",
    ["en el Estatuto de los Trabajadores, ¿qué dice el artículo 38?", "ET artículo 38", "et, art 38 ET"],
)
def test_the_only_norm_of_a_question_is_that_of_its_articles(question: str) -> None:
    assert (ET, "38", None) in asked(question)


def test_with_two_norms_in_a_question_a_loose_article_has_none() -> None:
    assert (None, "38", None) in asked("Entre el ET y la LGSS, ¿dónde está el artículo 38?")


@pytest.mark.parametrize(
    "text",
    [
        "le da 3 días de permiso",
        "estuvo de baja 48 días y volvió",
        "la constitución de un aval",
        "el estatuto de autonomía de Asturias",
        "Directiva 2001/23/CE",
        "los artículos de oficina",
        "cobra 1.250 euros al mes",
    ],
)
def test_what_is_no_reference_is_not_found(text: str) -> None:
    assert asked(text) == []


def test_lists_and_ranges_give_one_reference_a_block() -> None:
    assert [t[1] for t in asked("arts. 49 a 52 y 55.2 del ET")] == ["49", "50", "51", "52", "55"]
    assert {t[0] for t in asked("artículos 262 y 263 de la Ley General de la Seguridad Social")} == {LGSS}


def test_a_range_takes_the_labels_that_the_norm_has() -> None:
    scope = CATALOGUE.with_labels(ET, ["47", "47 bis", "48", "48 bis", "49"])
    found = resolve(find_mentions("los artículos 47 a 49"), scope, ET)
    assert [r.label for r in found] == ["47", "47 bis", "48", "48 bis", "49"]


def test_a_range_never_gives_more_than_thirty_references() -> None:
    assert len(asked("artículos 1 a 400 del ET")) == 30


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("conforme al artículo 45", [(ET, "45", None)]),
        ("el artículo 41.2 de esta ley", [(ET, "41", "2")]),
        ("apartado 2 del artículo 48 bis", [(ET, "48 bis", "2")]),
        ("letra a) del apartado 3 del artículo 12", [(ET, "12", "3")]),
        (
            "el artículo 5 y la disposición adicional segunda de la LPRL",
            [(LPRL, "5", None), (LPRL, "da 2", None)],
        ),
        ("artículo 149.1.7.ª y 13.ª de la Constitución Española", [(CE, "149", "1")]),
        ("los artículos 37.3 y 4 y 38", [(ET, "37", "3"), (ET, "38", None)]),
        ("los artículos 34.1.a) y 2, 35.1 y 3 y 37", [(ET, "34", "1"), (ET, "35", "1"), (ET, "37", None)]),
        ("los artículos 4.1 y 12", [(ET, "4", "1"), (ET, "12", None)]),
        ("los artículos 8.1 y 5", [(ET, "8", "1"), (ET, "5", None)]),
        ("los artículos 24.1 y 2 y 14", [(ET, "24", "1"), (ET, "14", None)]),
        ("los artículos 40.2 y 14", [(ET, "40", "2"), (ET, "14", None)]),
        ("los artículos 34.1, 2, 3 y 5 y 35", [(ET, "34", "1"), (ET, "35", None)]),
        ("los artículos 11, 12, 47 y 47 bis", [(ET, n, None) for n in ("11", "12", "47", "47 bis")]),
        ("artículo 15 del Reglamento", [(None, "15", None)]),
        ("artículo 2 del Reglamento (UE) 2016/679", [(None, "2", None)]),
        ("artículo 9 de la Ley 77/1999, de 3 de mayo, del Estatuto de los Trabajadores", [(None, "9", None)]),
        ("disposiciones adicionales tercera y cuarta", [(ET, "da 3", None), (ET, "da 4", None)]),
        ("un plazo del artículo 59.3 de 20 días", [(ET, "59", "3")]),
        ("las medidas del 47 bis del texto refundido de la LPRL", [(LPRL, "47 bis", None)]),
        ("el artículo 77.1.o de la Ley 77/1999", [(None, "77", "1")]),
        ("a los 20 días de la comunicación", []),
        ("el artículo 59.\n3. Otro apartado", [(ET, "59", None)]),
    ],
)
def test_references_in_the_text_of_a_norm(text: str, expected: list[Target]) -> None:
    assert cited(text) == expected


def test_the_number_that_approved_a_text_decides_over_its_name() -> None:
    text = (
        "artículo 5 de la Ley General de la Seguridad Social, aprobada por el Real Decreto Legislativo 1/1994"
    )
    assert cited(text) == [("BOE-A-1994-14960", "5", None)]


def test_this_article_and_its_neighbours_are_those_of_the_block() -> None:
    text = "En este artículo, en el artículo anterior y en el artículo siguiente."
    context = {"block_label": "48", "previous": "47 bis", "next": "48 bis"}
    assert [t[1] for t in cited(text, **context)] == ["48", "47 bis", "48 bis"]
    assert cited(text) == []


def test_dicha_ley_is_the_last_law_named() -> None:
    assert cited("La Ley 36/2011 lo dice. El artículo 5 de dicha ley también.")[-1] == (LRJS, "5", None)
    assert cited("El artículo 5 de dicha ley.") == [(None, "5", None)]


@pytest.mark.parametrize(
    ("said", "target"),
    [
        ("dicha ley", LRJS),
        ("dicho real decreto", "BOE-A-2011-13119"),
        ("dicha norma", "BOE-A-2011-13119"),
        ("dicha ley orgánica", None),
    ],
)
def test_dicha_norm_is_the_last_one_of_its_rank(said: str, target: str | None) -> None:
    text = f"La Ley 36/2011 y el Real Decreto 1148/2011. El artículo 5 de {said}."
    assert cited(text)[-1] == (target, "5", None)


@pytest.mark.parametrize(
    ("text", "in_a_question", "in_a_norm"),
    [
        ("El ET lo dice", [ET], [ET]),
        ("el et lo dice", [], []),
        ("la loi dice", [], []),
        ("La LOI dice", [LOI], [LOI]),
        ("la lrjs dice", [LRJS], [LRJS]),
        ("según el Estatuto", [ET], [ET]),
        ("el estatuto lo dice", [ET], []),
        ("la constitución de un aval", [], []),
        ("la constitución lo dice", [CE], []),
        ("La Constitución lo dice", [CE], [CE]),
    ],
)
def test_a_norm_alone_is_named_by_a_word_that_is_a_name(text, in_a_question, in_a_norm) -> None:
    assert [norm for norm, _, _ in asked(text)] == in_a_question
    assert [norm for norm, _, _ in cited(text)] == in_a_norm


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "art. 4 de la LPRL, art. 5 de la LRJS, art. 6, art. 7 de la LOI",
            [(LPRL, "4", None), (LRJS, "5", None), (LOI, "6", None), (LOI, "7", None)],
        ),
        ("el artículo 5 y otra cosa y el artículo 6 de la LRJS", [(ET, "5", None), (LRJS, "6", None)]),
        ("el artículo 5 y los artículos de la LRJS", [(ET, "5", None), (LRJS, None, None)]),
        ("el artículo 3 y siguientes de la LRJS", [(LRJS, "3", None)]),
        ("el artículo 5(la ley) dice", [(ET, "5", None)]),
        ("el artículo 5 ley", [(ET, "5", None)]),
        ("artículo anterior de la LRJS", []),
        ("artículos 5 a dt 7 LGSS", [(LGSS, "5", None), (LGSS, "dt 7", None)]),
        ("disposiciones adicionales única a tercera", [(ET, "da única", None), (ET, "da 3", None)]),
        ("disposiciones adicionales 3 a 5 LGSS", [(LGSS, f"da {n}", None) for n in (3, 4, 5)]),
    ],
)
def test_articles_in_a_row_share_the_norm_that_follows_them_at_once(text, expected) -> None:
    assert cited(text) == expected


def test_a_range_with_one_end_outside_the_norm_is_counted() -> None:
    scope = CATALOGUE.with_labels(ET, ["47", "47 bis", "48", "49", "50"])
    found = resolve(find_mentions("los artículos 47 a 49"), scope, ET)
    assert [r.label for r in found] == ["47", "47 bis", "48", "49"]
    beyond = resolve(find_mentions("los artículos 49 a 51 de esta ley"), scope, ET)
    assert [r.label for r in beyond] == ["49", "50", "51"]


def test_the_numbering_of_a_norm_counts_from_its_first_day() -> None:
    lgss = known_norm(LGSS)
    assert lgss is not None
    first = date.fromisoformat(lgss.extra["numbered_since"])
    for written, target in ((first, LGSS), (first - timedelta(days=1), None)):
        found = resolve(
            find_mentions("artículo 135 de la Ley General de la Seguridad Social"),
            CATALOGUE,
            "N",
            written=written,
        )
        assert found[0].norm_id == target


def test_headings_and_quoted_amendments_are_no_references_to_the_norm_itself() -> None:
    assert cited("Artículo 48. Permiso.\n1. Según el artículo 45.") == [(ET, "45", None)]
    assert cited("queda así: «Lo del artículo 12» y el artículo 13") == [(None, "12", None), (ET, "13", None)]


def test_an_article_that_the_norm_does_not_have_is_of_another() -> None:
    scope = CATALOGUE.with_labels(ET, ["1", "2"])
    assert [r.norm_id for r in resolve(find_mentions("los artículos 2 y 310"), scope, ET)] == [ET, None]


def test_a_name_that_two_norms_share_resolves_to_neither() -> None:
    twins = [
        Norm(id=i, title=i, law="Ley del Faro", rank="Ley", number=n)
        for i, n in (("A", "1/2001"), ("B", "2/2002"))
    ]
    catalogue = NormCatalogue(twins)
    assert [r.norm_id for r in resolve(find_mentions("artículo 3 de la Ley del Faro"), catalogue)] == [None]
    assert [
        r.norm_id for r in resolve(find_mentions("artículo 3 de la Ley 2/2002, del Faro"), catalogue)
    ] == ["B"]


def test_the_title_of_a_norm_is_one_of_its_names() -> None:
    norm = Norm(
        id="X",
        title="Ley 4/2031, de 5 de mayo, de Faros y Balizas Inventados",
        law="Ley 4/2031",
        rank="Ley",
        number="4/2031",
    )
    assert [
        r.norm_id
        for r in resolve(
            find_mentions("art. 2 de la ley de faros y balizas inventados"), NormCatalogue([norm])
        )
    ] == ["X"]


def test_a_text_older_than_the_numbering_of_a_norm_does_not_mean_it_by_its_name() -> None:
    def resolved(text: str, written: date) -> str | None:
        return resolve(find_mentions(text), CATALOGUE, "N", written=written)[0].norm_id

    assert resolved("artículo 135 de la Ley General de la Seguridad Social", date(2009, 3, 21)) is None
    assert resolved("artículo 135 de la Ley General de la Seguridad Social", date(2016, 1, 1)) == LGSS
    assert resolved("artículo 15 del Estatuto de los Trabajadores", date(2009, 3, 21)) == ET


def test_offsets_are_those_of_the_text() -> None:
    text = "Según los apartados 1 y 2 del artículo 48 del ET, y el artículo 9 de la LGSS."
    for reference in resolve(find_mentions(text), CATALOGUE, LPRL):
        assert text[reference.start : reference.end] == reference.text
    assert resolve(find_mentions(text), CATALOGUE)[0].text == "apartados 1 y 2 del artículo 48 del ET"


def test_well_known_norms_have_one_entry_each_and_no_name_fits_two() -> None:
    norms = known_norms()
    assert len({norm.id for norm in norms}) == len(norms) >= 68
    names = [name.lower() for norm in norms for name in {norm.law, norm.alias, *norm.aliases} if name]
    assert len(names) == len(set(names))
    estatuto = known_norm(ET)
    assert estatuto is not None and estatuto.alias == "ET"
