"""The calculators: worked cases, limits and order, working days of five years, unusable data."""

import json
import tomllib
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculations import severance
from calculations.calendars import WorkingDays
from calculations.catalogue import CALCULATORS, calculate, markdown, read_data
from calculations.figure_files import read_facts
from calculations.official_figures import Facts
from core.errors import InputError
from service.config import ROOT
from tests.case_files import pairs
from tests.holidays_again import LOCAL, YEARS, closed, official, working_days
from tests.worked_cases import WORKED, steps_missing

FACTS = read_facts([ROOT / "data"])
CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "calculations.jsonl").read_text("utf-8").splitlines()
]
REFORM, FIXED_TERM_FROM, HOME_FROM = date(2012, 2, 12), date(2001, 3, 4), date(2022, 9, 9)
SEATS = ("Madrid", "Barcelona", "Sevilla")
HOLIDAYS = ROOT / "data" / "holidays"
DAYS = st.dates(date(1990, 1, 1), date(2026, 12, 31))
SALARIES = st.decimals(Decimal("1000"), Decimal("200000"), places=2)
EXAMPLES = settings(max_examples=150, deadline=None)


def severed(start: date, end: date, salary: Decimal, cause: str = "improcedente") -> Decimal:
    data = {"causa": cause, "inicio": start, "fin": end, "salario": salary}
    found = calculate("indemnizacion", data, FACTS).values["total"]
    assert isinstance(found, Decimal)
    return found


def changed_data(section: str) -> list[tuple[str, dict[str, str], str]]:
    """Name of the calculation, what changes in its usual data and what it has to say."""
    cases = [(text.partition(": "), told) for text, told in pairs("calculations", section)]
    return [
        (name, dict(one.split("=", 1) for one in given.split("; ") if one), told)
        for (name, _, given), told in cases
    ]


def lapsed(day: date, facts: Facts = FACTS, seat: str = "Madrid") -> date:
    found = calculate("caducidad", {"fecha": day, "sede": seat}, facts).values["deadline"]
    assert isinstance(found, date)
    return found


def test_there_are_two_hundred_worked_cases_of_every_calculator():
    assert len(CASES) >= 200
    assert {case["name"] for case in CASES} | {case.name for case in WORKED} == CALCULATORS.keys()
    assert sum(case["method"].startswith("a mano: ") for case in CASES) >= 50


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['name']}-{case['method'][:30]}")
def test_a_worked_case_comes_out_as_it_was_worked(case):
    found = calculate(case["name"], case["given"], FACTS).values
    assert {key: str(found[key]) for key in case["expected"]} == case["expected"]


@pytest.mark.parametrize("case", WORKED, ids=lambda case: case.title)
def test_a_case_worked_from_the_law_comes_out_step_by_step(case):
    try:
        outcome = calculate(case.name, case.given, FACTS)
    except InputError as refused:
        assert case.result in str(refused) and not case.steps
        return
    assert any(case.result in value for _, value in outcome.headline) or case.result in outcome.warnings[0]
    assert steps_missing(case, outcome) == []


@pytest.mark.parametrize(
    ("left", "years", "reduction"),
    [("2026-05-10", 38, "21 %"), ("2026-05-11", 40, "19 %"), ("2026-06-10", 41, "16,5 %")],
)
def test_the_reduction_of_an_early_pension_is_read_in_the_table_of_the_loaded_law(left, years, reduction):
    known = replace(
        FACTS, read_rows=lambda norm, block, day: ((24, 21, 19, 17, 13), (23, 17.6, 16.5, 15, 12))
    )
    data = {"nacimiento": "1963-05-10", "fecha": "2026-05-10", "anos": years, "retiro": left}
    outcome = calculate("jubilacion", data | {"modalidad": "voluntaria"}, known)
    assert outcome.headline[-1] == ("Reducción de la pensión", reduction)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("year", YEARS)
def test_working_days_of_five_years_agree_with_other_libraries(seat, year):
    days = WorkingDays(FACTS.seat(seat))
    every = [
        date(year, 1, 1) + timedelta(place) for place in range((date(year + 1, 1, 1) - date(year, 1, 1)).days)
    ]
    shut = set(closed(seat))
    differ = [day for day in every if days.counts(day) != (day.weekday() < 5 and str(day) not in shut)]
    assert differ == []
    first = date(year, 1, 1)
    assert len(days.between(first, every[-1])) == working_days(first, every[-1], seat)


@pytest.mark.parametrize("file", sorted(HOLIDAYS.glob("es-*.toml")), ids=lambda file: file.stem)
def test_the_holidays_of_every_seat_are_those_of_the_library_and_its_local_ones(file):
    """A file is named after the ISO code of its comunidad."""
    seats = read_facts([ROOT / "data"]).seats
    of_file = [one for one in seats if one.region == tomllib.loads(file.read_text("utf-8"))["region"]]
    assert of_file
    for seat in of_file:
        shut = {*official(file.stem[3:].upper()), *LOCAL.get(seat.name, "").split()}
        found = {str(day) for days in seat.days.values() for day in days if day.weekday() < 6}
        assert found == {
            one for one in shut if int(one[:4]) in seat.days and date.fromisoformat(one).weekday() < 6
        }


def test_no_two_seats_share_a_name_and_every_comunidad_has_one():
    names = [key for seat in FACTS.seats for key in seat.keys]
    assert len(names) == len(set(names))
    assert len({seat.region for seat in FACTS.seats}) == 19
    assert len(FACTS.seats) >= 80


@pytest.mark.parametrize(("written", "seat"), pairs("calculations", "Sedes, como se escriban"))
def test_a_seat_is_known_by_its_names_in_any_spelling(written, seat):
    assert FACTS.seat(written).name == seat


@pytest.mark.parametrize(("name", "data", "told"), changed_data("Fiestas locales que faltan"))
def test_a_seat_without_its_local_days_says_so_beside_the_term(name, data, told):
    first = calculate(name, GOOD[name] | data, FACTS).warnings[0]
    assert told in first if told else "faltan fiestas locales" not in first


@pytest.mark.parametrize(("name", "data", "told"), changed_data("Días que se añaden"))
def test_the_days_that_a_person_adds_are_named_in_the_first_step(name, data, told):
    step = calculate(name, GOOD[name] | data, FACTS).steps[0]
    assert f"{step.text}: {step.result}" == told


@pytest.mark.parametrize(("name", "data", "told"), changed_data("Jornada reducida"))
def test_reduced_hours_name_the_provision_that_may_govern_them(name, data, told):
    outcome = calculate(name, GOOD[name] | data, FACTS)
    said = [*outcome.warnings, *(f"{step.text} ({step.refs[0].said})" for step in outcome.steps if step.refs)]
    assert any(told in one for one in said) if told else not any("DA 19" in one for one in said)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"fin": "2015-11-12"}, "regía el texto de 1995"),
        ({"causa": "hogar", "inicio": "2011-11-17", "fin": "2025-01-01"}, "DT 1.ª del RD 1620/2011"),
        ({"causa": "modificacion"}, "letras a), b), c), d) y f)"),
        ({"causa": "fin_temporal"}, "despido improcedente"),
    ],
)
def test_what_the_calculation_cannot_know_is_warned_of(data, told):
    outcome = calculate("indemnizacion", GOOD["indemnizacion"] | data, FACTS)
    assert any(told in one for one in outcome.warnings)
    usual = calculate("indemnizacion", GOOD["indemnizacion"], FACTS)
    assert not any(told in one for one in usual.warnings)


@pytest.mark.parametrize(("name", "data", "told"), changed_data("Importes que parecen de otro periodo"))
def test_an_amount_that_seems_to_be_of_another_period_is_the_first_warning(name, data, told):
    assert told in calculate(name, GOOD[name] | data, FACTS).warnings[0]


@pytest.mark.parametrize(("name", "data", "nothing"), changed_data("Importes que no dan que pensar"))
def test_the_least_that_the_law_pays_and_a_high_salary_raise_no_doubt(name, data, nothing):
    assert not any("SMI" in told for told in calculate(name, GOOD[name] | data, FACTS).warnings)


@EXAMPLES
@given(DAYS, DAYS, SALARIES, st.sampled_from(sorted(severance.CAUSES)))
def test_more_service_never_gives_less(one, other, salary, cause):
    start, end = min(one, other), max(one, other)
    if cause.startswith("fin_") and (start < FIXED_TERM_FROM or cause in severance.NONE_DUE):
        return
    if cause == "hogar" and end < HOME_FROM:
        return
    assert severed(start, end, salary, cause) <= severed(start, end + timedelta(1), salary, cause)


@EXAMPLES
@given(DAYS, DAYS, SALARIES)
def test_more_service_before_never_gives_less_on_one_side_of_the_reform(one, other, salary):
    start, end = min(one, other), max(one, other)
    if start != REFORM:
        assert severed(start - timedelta(1), end, salary) >= severed(start, end, salary)


@EXAMPLES
@given(DAYS, DAYS, SALARIES, st.decimals(Decimal(0), Decimal(1000), places=2))
def test_more_salary_never_gives_less(one, other, salary, more):
    start, end = min(one, other), max(one, other)
    assert severed(start, end, salary) <= severed(start, end, salary + more)


@EXAMPLES
@given(DAYS, DAYS, SALARIES)
def test_no_compensation_passes_its_limits(one, other, salary):
    start, end = min(one, other), max(one, other)
    cent = Decimal("0.01")
    assert severed(start, end, salary) <= salary * 42 / 12 + cent
    assert severed(start, end, salary, "objetivo") <= salary + cent
    assert severed(start, end, salary, "modificacion") <= salary * 9 / 12 + cent
    if start >= REFORM:
        assert severed(start, end, salary) <= salary * 2 + cent


@EXAMPLES
@given(st.dates(date(1990, 1, 1), REFORM - timedelta(1)), SALARIES)
def test_the_day_of_the_reform_adds_at_most_one_month_begun(start, salary):
    before = severed(start, REFORM - timedelta(1), salary)
    after = severed(start, REFORM, salary)
    assert before <= after <= before + salary / 365 * 33 / 12 + Decimal("0.02")


@EXAMPLES
@given(st.dates(date(2022, 1, 1), date(2026, 9, 30)), st.dates(date(2022, 1, 1), date(2026, 12, 31)))
def test_a_holiday_never_shortens_a_term(start, holiday):
    seat = FACTS.seat("Madrid")
    years = {year: dict(days) for year, days in seat.days.items()}
    years[holiday.year][holiday] = "Otro festivo"
    more = replace(FACTS, seats=(replace(seat, days=years),))
    assert lapsed(start, more) >= lapsed(start)


@EXAMPLES
@given(st.dates(date(2022, 1, 1), date(2026, 9, 30)), st.sampled_from(SEATS))
def test_a_later_dismissal_never_ends_its_term_earlier(start, seat):
    assert lapsed(start, seat=seat) <= lapsed(start + timedelta(1), seat=seat)


@EXAMPLES
@given(st.dates(date(2022, 1, 1), date(2026, 6, 30)), st.integers(0, 27), st.integers(0, 60))
def test_a_claim_for_conciliation_never_shortens_the_term(start, filed_after, held_after):
    filed = start + timedelta(filed_after)
    data = {"fecha": start, "sede": "Sevilla", "papeleta": filed, "acto": filed + timedelta(held_after)}
    found = calculate("caducidad", data, FACTS)
    assert found.values["deadline"] >= lapsed(start, seat="Sevilla")


@pytest.mark.parametrize(("filed", "late"), [("2025-03-31", False), ("2025-04-01", True)])
def test_a_claim_for_conciliation_after_the_last_day_is_told(filed, late):
    outcome = calculate("caducidad", GOOD["caducidad"] | {"papeleta": filed}, FACTS)
    assert any("se había agotado" in told for told in outcome.warnings) == late


def test_the_eves_of_christmas_and_new_year_are_counted_and_told():
    outcome = calculate("caducidad", {"fecha": "2025-12-05", "sede": "Madrid"}, FACTS)
    assert any("24 o el 31 de diciembre" in told for told in outcome.warnings)
    before = calculate("caducidad", GOOD["caducidad"], FACTS)
    assert not any("24 o el 31 de diciembre" in told for told in before.warnings)


def test_a_term_that_ends_in_the_year_after_the_last_one_known_is_never_told_too_late():
    given = {"fecha": "2026-12-10", "sede": "Madrid"}
    outcome = calculate("caducidad", given, FACTS)
    assert outcome.warnings[0].startswith("De 2027 solo se han descontado las fiestas nacionales")
    madrid = FACTS.seat("Madrid")
    epiphany = {date(2027, 1, 1): "Año Nuevo", date(2027, 1, 6): "Epifanía"}
    known = replace(madrid, days={**madrid.days, 2027: epiphany})
    assert known.doubts(date(2026, 12, 10), date(2027, 1, 15)) == ()
    later = WorkingDays(known).after(date(2026, 12, 10), 20)
    assert outcome.values["deadline"] == date(2027, 1, 11) < later == date(2027, 1, 12)


UNUSABLE = [
    *changed_data("Datos que no se admiten"),
    ("indemnizacion", {"salario": float("inf")}, "escriba un importe"),
    ("indemnizacion", {"salario": Decimal("1e400")}, "no se admiten más de 10.000.000"),
]
GOOD = {
    "indemnizacion": {
        "causa": "improcedente",
        "inicio": "2010-01-01",
        "fin": "2025-01-01",
        "salario": "30.000",
    },
    "finiquito": {"inicio": "2010-01-01", "fin": "2025-03-15", "salario": "2.000"},
    "caducidad": {"fecha": "2025-03-03", "sede": "Madrid"},
    "plazo": {"fecha": "2025-03-03", "dias": "5", "sede": "Madrid"},
    "prescripcion": {"fecha": "2024-06-01"},
    "preaviso": {"causa": "objetivo", "comunicacion": "2025-03-03"},
    "desempleo": {"fecha": "2025-03-03", "cotizados": "900", "bases": "9.000"},
    "jubilacion": {"nacimiento": "1962-05-05", "fecha": "2025-01-01", "anos": "30"},
    "nacimiento": {"fecha": "2025-09-01"},
    "interes": {"deuda": "1.000", "desde": "2025-01-01", "hasta": "2025-12-31"},
    "recargo": {"prestacion": "1.000"},
    "incapacidad": {"baja": "2025-03-03", "alta": "2025-04-30", "base": "60"},
}


@pytest.mark.parametrize(("name", "wrong", "told"), UNUSABLE)
def test_data_that_cannot_be_used_is_told_in_one_sentence(name, wrong, told):
    with pytest.raises(InputError, match=r"\.$") as failure:
        calculate(name, GOOD[name] | wrong, FACTS)
    assert told in str(failure.value)
    assert "\n" not in str(failure.value)


def test_every_calculation_cites_the_law_and_exports_all_it_says():
    for name, data in GOOD.items():
        outcome = calculate(name, data, FACTS)
        text = markdown(outcome)
        assert any(step.refs for step in outcome.steps), name
        said = [*(value for _, value in outcome.headline), *outcome.assumptions, *outcome.warnings]
        said += [ref.said for step in outcome.steps for ref in step.refs]
        assert [one for one in said if one not in text] == []


def test_an_unknown_calculation_names_those_there_are():
    with pytest.raises(InputError, match=r"No existe el cálculo «x»; los que hay son indemnizacion"):
        calculate("x", {}, FACTS)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("1.850,50", "1850.50"),
        ("1850.5", "1850.5"),
        ("30.000", "30000"),
        ("30000 €", "30000"),
        ("2,5", "2.5"),
    ],
)
def test_amounts_are_read_as_spanish_writes_them(written, read):
    assert (
        severed(date(2020, 1, 1), date(2020, 12, 31), Decimal(read))
        == calculate(
            "indemnizacion",
            GOOD["indemnizacion"] | {"inicio": "1/1/2020", "fin": "31-12-2020", "salario": written},
            FACTS,
        ).values["total"]
    )


@pytest.mark.parametrize("said", ["sí", "Si", "true", True])
def test_a_box_is_ticked_in_spanish_too(said: object) -> None:
    data = read_data(CALCULATORS["nacimiento"].params, GOOD["nacimiento"] | {"unico": said})
    assert data.model_dump()["unico"] is True
