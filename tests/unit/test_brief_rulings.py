"""Rulings as briefs cite them: their pieces in any order, lists of them, and what is no ruling."""

import pytest

from casework.briefs.brief_reading import read_brief
from law.rulings import Ruling
from tests.brief_notation import CATALOGUE, TODAY


def written(one: Ruling) -> str:
    """'STS 12/2020 3-5-2020 rec 1/2019', what there is of it, and «!» if its form is impossible."""
    day = f"{one.day.day}-{one.day.month}-{one.day.year}" if one.day else ""
    appeal = f"rec {one.appeal}" if one.appeal else ""
    return " ".join(filter(None, (one.court, one.number, day, appeal, "!" if one.problem else "")))


def rulings_of(text: str) -> str:
    return "; ".join(written(one) for one in read_brief(text, CATALOGUE, TODAY).rulings)


PIECES = [
    ("STS, Sala 4ª, de 12 de marzo de 2020 (rec. 2145/2017)", "STS 12-3-2020 rec 2145/2017"),
    ("STS (Sala de lo Social, Sección 1ª) núm. 123/2020, de 3 de marzo", "STS 123/2020 3-3-2020"),
    ("STS 4ª 12-3-2020, rcud 2145/17", "STS 12-3-2020 rec 2145/17"),
    ("STS, Pleno, 456/2021, de 28 de abril (rcud. 1/2020)", "STS 456/2021 28-4-2021 rec 1/2020"),
    ("STS rec. 2145/2017, de 12 de marzo de 2020", "STS 12-3-2020 rec 2145/2017"),
    ("STS de 12 de marzo de 2020 (núm. 231/2020)", "STS 231/2020 12-3-2020"),
    ("STS 12-3-2020, 2145/2017,", "STS 12-3-2020 rec 2145/2017"),
    (
        "STSJ de Andalucía (Sevilla), Sala de lo Social, de 3 de mayo de 2018, rec. 12/2017",
        "STSJ 3-5-2018 rec 12/2017",
    ),
    ("STSJ Andalucía, sede de Sevilla, 871/2023, de 19 de octubre", "STSJ 871/2023 19-10-2023"),
    ("STSJ Madrid, Sección 2ª, núm. 45/2019, recurso de suplicación 1045/2018", "STSJ 45/2019 rec 1045/2018"),
    ("stsj galicia 45/2019", "STSJ 45/2019"),
    ("sts 1217/2022", "STS 1217/2022"),
    ("ATS de 12 de enero de 2021 (rcud 345/2020)", "ATS 12-1-2021 rec 345/2020"),
    ("SAN 1.118/2019", "SAN 1118/2019"),
    ("STJUE (Gran Sala) de 14 de mayo de 2019, asunto Deutsche Bank, C-55/18", "STJUE 14-5-2019 rec C-55/18"),
    ("SJS nº 3 de Sevilla 231/2022, de 14 de marzo", "SJS 231/2022 14-3-2022"),
    ("S.T.S. de 12 de marzo de 2020", "STS 12-3-2020"),
]
BY_NOUN = [
    ("La Sala lo explica en su sentencia 1188/2022, de 15 de diciembre", "Ssentencia 1188/2022 15-12-2022"),
    ("el Tribunal Supremo, en sentencia de 12 de marzo de 2020,", "Ssentencia 12-3-2020"),
    ("la sentencia de 12 de marzo de 2020 del Tribunal Supremo", "STS 12-3-2020"),
    ("sentencia n.º 44/2020, de 3 de febrero, del TSJ de Galicia", "STSJ 44/2020 3-2-2020"),
    ("la sentencia de la Sala Cuarta del Tribunal Supremo de 12 de marzo de 2020", "STS 12-3-2020"),
    ("el auto del Tribunal Constitucional 12/2020, de 3 de febrero", "ATC 12/2020 3-2-2020"),
    ("sentencia dictada por la Sala de lo Social del TSJ de Madrid en fecha 3/5/2020", "STSJ 3-5-2020"),
    ("TJUE 24-6-21, C-550/19", "STJUE rec C-550/19"),
    ("la del TSJ Madrid de 3 de mayo de 2019 (rec. 12/2019)", "STSJ 3-5-2019 rec 12/2019"),
    (
        "el Tribunal Supremo (sentencias de 3 de mayo de 2017 y 4 de junio de 2018)",
        "Ssentencias 3-5-2017; Ssentencias 4-6-2018",
    ),
]
LISTS = [
    (
        "SSTS 1163/2022, de 23 de noviembre, y 1322/2023, de 19 de diciembre",
        "STS 1163/2022 23-11-2022; STS 1322/2023 19-12-2023",
    ),
    ("SSTS 12/2020, 13/2020 y 14/2020", "STS 12/2020; STS 13/2020; STS 14/2020"),
    ("STS 12/2020, de 3 de marzo, 45/2021, de 4 de mayo", "STS 12/2020 3-3-2020; STS 45/2021 4-5-2021"),
    (
        "STS de 3 de mayo de 2017 (rec. 1/2016); 4 de junio de 2018 (rec. 2/2017)",
        "STS 3-5-2017 rec 1/2016; STS 4-6-2018 rec 2/2017",
    ),
    ("STS de 3 de mayo de 2017, y la de 4 de junio de 2018;", "STS 3-5-2017; STS 4-6-2018"),
    (
        "SSTS de 3-5-2017 (rec. 1/2016), 4-6-2018 (rec. 2/2017) y 5-7-2019 (rec. 3/2018)",
        "STS 3-5-2017 rec 1/2016; STS 4-6-2018 rec 2/2017; STS 5-7-2019 rec 3/2018",
    ),
    (
        "SSTC 12/2019, de 28 de enero; 125/2007, de 21 de mayo; y 41/2006, de 13 de febrero",
        "STC 12/2019 28-1-2019; STC 125/2007 21-5-2007; STC 41/2006 13-2-2006",
    ),
    ("STS 12/2020, así como 45/2021, de 4 de mayo", "STS 12/2020; STS 45/2021 4-5-2021"),
    (
        "SSTS de 3 de mayo de 2017, 4 de junio de 2018 y 5 de julio de 2019",
        "STS 3-5-2017; STS 4-6-2018; STS 5-7-2019",
    ),
]
NO_RULING = [
    "Autos 345/2023. Se presenta recurso.",
    "la sentencia de 11 de junio de 2024, notificada el día 19",
    "la sentencia del Juzgado de lo Social núm. 2 de Palencia, autos 388/2022, desestimó",
    "ante la Sala de lo Social del TSJ de Madrid, recurso de suplicación núm. 1045/2023",
    "el expediente 12/2020 y el acta 34/2021",
    "En San 12/2020 y en SAN SEBASTIÁN, 12 de mayo de 2020",
    "el TS lo ha dicho, y la AN también",
    "nuestros autos 12/2020 del Social 3",
    "la Ley 3/2012, de 6 de julio, y el RD 1483/2012, de 29 de octubre",
]


@pytest.mark.parametrize(("text", "expected"), [*PIECES, *BY_NOUN, *LISTS])
def test_a_ruling_is_read_with_its_pieces_in_any_order(text: str, expected: str) -> None:
    assert rulings_of(f"Véase {text}; es clara.") == expected


@pytest.mark.parametrize("text", NO_RULING)
def test_proceedings_and_dates_are_no_rulings(text: str) -> None:
    assert rulings_of(text) == ""


def test_a_year_that_contradicts_the_date_is_told_whatever_the_order() -> None:
    assert rulings_of("STS 123/2019, de 4 de mayo de 2020.") == "STS 123/2019 4-5-2020 !"
    assert rulings_of("STS de 31 de abril de 2020 (rec. 1/2019).") == "STS rec 1/2019 !"


def test_a_statute_behind_a_ruling_is_none_of_its_list() -> None:
    assert rulings_of("STS 12/2020, Ley 3/2012 y RD 4/2013.") == "STS 12/2020"
    assert rulings_of("STS de 3 de mayo de 2017 y 4 de junio de 2018 se firmó.") == "STS 3-5-2017"
