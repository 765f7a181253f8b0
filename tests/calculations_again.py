"""The calculations done a second time, in another way: fractions, days one by one, other libraries.

Shares no code with the program: `expected` gives the figures that the worked cases are checked against.
"""

from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from typing import Any

import holidays
import numpy as np
from dateutil.relativedelta import relativedelta

LOCAL = {
    "Madrid": "2022-05-16 2022-11-09 2023-05-15 2023-11-09 2024-05-15 2024-11-09 2025-05-15 2025-11-10 "
    "2026-05-15 2026-11-09",
    "Barcelona": "2022-09-24 2022-09-26 2023-06-05 2023-09-25 2024-05-20 2024-09-24 2025-06-09 2025-09-24 "
    "2026-05-25 2026-09-24",
    "Sevilla": "2022-05-04 2022-06-16 2023-04-26 2023-06-08 2024-04-17 2024-05-30 2025-05-07 2025-06-19 "
    "2026-04-22 2026-06-04",
    "Las Palmas de Gran Canaria": "2024-09-09 2025-09-08 2026-09-08",
    "Gáldar": "2024-09-09 2025-09-08 2026-09-08",
    "Santa Cruz de Tenerife": "2024-02-02 2025-02-03 2026-02-02",
    "Arrecife": "2024-09-16 2025-09-15 2026-09-15",
    "Puerto del Rosario": "2024-09-20 2025-09-19 2026-09-18",
}
"""Local holidays, typed by hand from the calendars that the cities and Canarias published."""
REGIONS = {
    "AN": "Sevilla Málaga Córdoba",
    "AR": "Zaragoza",
    "AS": "Oviedo",
    "CB": "Santander",
    "CE": "Ceuta",
    "CL": "Valladolid",
    "CM": "Toledo",
    "CN": "Las_Palmas_de_Gran_Canaria Gáldar Santa_Cruz_de_Tenerife Arrecife Puerto_del_Rosario",
    "CT": "Barcelona Girona",
    "EX": "Badajoz",
    "GA": "Vigo Santiago_de_Compostela",
    "IB": "Palma",
    "MC": "Murcia",
    "MD": "Madrid Móstoles",
    "ML": "Melilla",
    "NC": "Pamplona",
    "PV": "Bilbao Vitoria-Gasteiz",
    "RI": "Logroño",
    "VC": "Valencia",
}
REGION = {seat.replace("_", " "): code for code, seats in REGIONS.items() for seat in seats.split()}
WORKED = {"CE": {"2024-09-02"}}
"""Days that the library gives as holidays and the decree of the place does not."""
YEARS = range(2022, 2027)
WEEK = "1111100"


def day(text: str) -> date:
    return date.fromisoformat(text)


def cents(value: Fraction) -> str:
    """'1234.50': to the cent, halves away from zero."""
    sign, value = ("-" if value < 0 else ""), abs(value)
    whole = (value * 200 + 1) // 2
    return f"{sign}{whole // 100}.{whole % 100:02d}"


@cache
def official(code: str) -> frozenset[str]:
    """Days that the library gives of a comunidad."""
    found = set(map(str, holidays.country_holidays("ES", subdiv=code, years=YEARS)))
    return frozenset(found - WORKED.get(code, set()))


def place(given: dict[str, str]) -> str:
    """The seat and, after a plus sign, the days that are added to it."""
    return f"{given['sede']}+{given.get('inhabiles', '')}"


def closed(seat: str, recess: bool = False) -> list[str]:
    """Days that are no working days besides weekends."""
    seat, _, more = seat.partition("+")
    found = {*official(REGION[seat]), *LOCAL.get(seat, "").split(), *filter(None, more.split(", "))}
    if recess:
        for year in YEARS:
            found |= {f"{year}-08-{number:02d}" for number in range(1, 32)}
            found |= {f"{year}-12-{number}" for number in range(24, 32)}
            found |= {f"{year}-01-{number:02d}" for number in range(1, 7) if year > 2022}
    return sorted(found)


def working_day_after(start: date, number: int, seat: str, recess: bool = False) -> date:
    """By numpy: before a day that does not count one rolls back, and takes as many steps."""
    found = np.busday_offset(
        np.datetime64(start), number, roll="backward", weekmask=WEEK, holidays=closed(seat, recess)
    )
    return day(str(found))


def working_days(start: date, end: date, seat: str) -> int:
    """After one day, until another, which is included."""
    first, last = np.datetime64(start + timedelta(1)), np.datetime64(end + timedelta(1))
    return max(0, int(np.busday_count(first, last, weekmask=WEEK, holidays=closed(seat))))


def months(start: date, end: date) -> int:
    """One by one: those of which at least one day has come."""
    count = 0
    while start + relativedelta(months=count) <= end:
        count += 1
    return count


def served(start: date, end: date) -> int:
    return end.toordinal() - start.toordinal() + 1


def whole_years(start: date, end: date) -> Fraction:
    """Years that have passed whole, and the days of the last one as parts of 365."""
    span = relativedelta(end + timedelta(1), start)
    last = start + relativedelta(years=span.years)
    return span.years + Fraction(served(last, end), 365)


def indemnizacion(given: dict[str, str]) -> dict[str, str]:
    start, end, cause = day(given["inicio"]), day(given["fin"]), given["causa"]
    times = {"anual": 1, "mensual": 12, "diario": 365}[given.get("periodo", "anual")]
    annual = Fraction(given["salario"]) * times
    if given.get("reducida") == "true":
        annual *= 100 / Fraction(given["jornada"])
    a_day, a_month = annual / 365, annual / 12
    if cause in ("improcedente", "incumplimiento"):
        reform = date(2012, 2, 12)
        if start >= reform:
            due = min(Fraction(33, 12) * months(start, end) * a_day, 24 * a_month)
        else:
            old = Fraction(45, 12) * months(start, min(end, date(2012, 2, 11)))
            new = Fraction(33, 12) * (months(reform, end) if end >= reform else 0)
            days = old if old > 720 else min(old + new, Fraction(720))
            due = min(days * a_day, 42 * a_month)
    elif cause == "fin_temporal":
        year = start.year
        per_year = 8 if year < 2012 else {2012: 9, 2013: 10, 2014: 11}.get(year, 12)
        due = per_year * whole_years(start, end) * a_day
    elif cause == "hogar":
        due = min(12 * whole_years(start, end) * a_day, 6 * a_month)
    elif cause == "empleador":
        due = a_month
    else:
        cap = 9 if cause == "modificacion" else 12
        due = min(Fraction(20, 12) * months(start, end) * a_day, cap * a_month)
    return {"total": cents(due)}


def finiquito(given: dict[str, str]) -> dict[str, str]:
    start, end = day(given["inicio"]), day(given["fin"])
    salary = Fraction(given["salario"])
    extra = Fraction(given.get("paga", given["salario"]))
    how = given.get("pagas", "semestral")
    a_day = (12 * salary + 2 * extra) / 365
    parts: list[Fraction] = []
    span = [start + timedelta(place) for place in range(served(start, end))]

    def share(first: date, last: date) -> Fraction:
        return Fraction(sum(first <= one <= last for one in span), served(first, last))

    month_first = end.replace(day=1)
    month_last = month_first + relativedelta(months=1, days=-1)
    if given.get("pendiente_mes", "true") == "true":
        parts.append(salary * share(month_first, month_last))
        if how == "prorrateadas":
            parts.append(extra / 6 * share(month_first, month_last))
    half = date(end.year, 7, 1)
    if how == "semestral":
        first = half if end >= half else date(end.year, 1, 1)
        parts.append(extra * share(first, first + relativedelta(months=6, days=-1)))
    if how == "anual":
        first = half if end >= half else date(end.year - 1, 7, 1)
        parts.append(extra * share(first, first + relativedelta(years=1, days=-1)))
        parts.append(extra * share(date(end.year, 1, 1), date(end.year, 12, 31)))
    earned = int(given.get("vacaciones", 30)) * share(date(end.year, 1, 1), date(end.year, 12, 31))
    parts.append(max(Fraction(0), earned - int(given.get("disfrutadas", 0))) * a_day)
    parts.append(a_day * int(given.get("preaviso_empresa", 0)))
    parts.append(-a_day * int(given.get("preaviso_trabajador", 0)))
    parts.append(Fraction(given.get("indemnizacion", "0")))
    return {"total": cents(sum((Fraction(cents(part)) for part in parts), Fraction(0)))}


def _resumed(filed: date, held: str | None, seat: str) -> date:
    limit = working_day_after(filed, 15, seat)
    return min(limit, day(held)) if held else limit


def caducidad(given: dict[str, str]) -> dict[str, str]:
    start, seat = day(given["fecha"]), place(given)
    used, resumed = 0, start
    if "papeleta" in given and given.get("accion", "despido") in ("despido", "extincion_objetiva"):
        filed = day(given["papeleta"])
        used = working_days(start, filed - timedelta(1), seat)
        if used < 20:
            resumed = max(start, _resumed(filed, given.get("acto"), seat))
    deadline = working_day_after(resumed, 20 - used if used < 20 else 20, seat)
    return {"deadline": str(deadline), "grace": str(working_day_after(deadline, 1, seat))}


def plazo(given: dict[str, str]) -> dict[str, str]:
    recess = given.get("urgente", "false") != "true"
    start, number, seat = day(given["fecha"]), int(given["dias"]), place(given)
    deadline = working_day_after(start, number, seat, recess)
    return {"deadline": str(deadline), "grace": str(working_day_after(deadline, 1, seat, recess))}


def prescripcion(given: dict[str, str]) -> dict[str, str]:
    start = day(given["fecha"])
    if "papeleta" in given:
        start = _resumed(day(given["papeleta"]), given.get("acto"), place(given))
    return {"deadline": str(start + relativedelta(years=1))}


def preaviso(given: dict[str, str]) -> dict[str, str]:
    days = {
        "objetivo": 15,
        "temporal": 15,
        "modificacion": 15,
        "traslado": 30,
        "hogar": 7,
        "hogar_mas_de_un_ano": 20,
    }.get(given["causa"]) or int(given["dias"])
    told = day(given["comunicacion"])
    found = {"first": str(date.fromordinal(told.toordinal() + days))}
    if "efectos" in given:
        gap = day(given["efectos"]).toordinal() - told.toordinal()
        found["missing"] = str(max(0, days - gap))
        if "salario" in given:
            found["amount"] = cents(Fraction(given["salario"]) / 365 * max(0, days - gap))
    return found


LENGTHS = [(360, 120), (540, 180), (720, 240), (900, 300), (1080, 360), (1260, 420), (1440, 480)]
LENGTHS += [(1620, 540), (1800, 600), (1980, 660), (2160, 720)]
"""From so many days of contributions, so many of benefit: the table of art. 269.1 LGSS, row by row."""


def desempleo(given: dict[str, str]) -> dict[str, str]:
    days = max((length for least, length in LENGTHS if int(given["cotizados"]) >= least), default=0)
    if not days:
        return {"days": "0"}
    iprem = Fraction(given.get("iprem", "600")) * Fraction(7, 6) * Fraction(given.get("jornada", "100")) / 100
    children = int(given.get("hijos", 0))
    cap = iprem * {0: Fraction(175, 100), 1: Fraction(2)}.get(children, Fraction(225, 100))
    floor = iprem * (Fraction(107, 100) if children else Fraction(80, 100))
    a_day = Fraction(given["bases"]) / 180

    def paid(number: int) -> Fraction:
        wanted = a_day * (Fraction(7, 10) if number <= 180 else Fraction(6, 10))
        return sorted((floor / 30, wanted, cap / 30))[1]

    total = sum((paid(number) for number in range(1, days + 1)), Fraction(0))
    return {
        "days": str(days),
        "early": cents(paid(1) * 30),
        "late": cents(paid(181) * 30),
        "total": cents(total),
    }


AGES = """2013 35-3 65-1|2014 35-6 65-2|2015 35-9 65-3|2016 36-0 65-4|2017 36-3 65-5
|2018 36-6 65-6|2019 36-9 65-8|2020 37-0 65-10|2021 37-3 66-0|2022 37-6 66-2
|2023 37-9 66-4|2024 38-0 66-6|2025 38-3 66-8|2026 38-3 66-10|2027 38-6 67-0"""
"""Year, contributions for 65, age without them: the table of DT 7.ª LGSS, typed again."""


def _table(year: int) -> tuple[relativedelta, int]:
    for row in AGES.replace("\n", "").split("|"):
        known, need, age = row.split()
        if int(known) == min(year, 2027):
            years, rest = map(int, age.split("-"))
            needed = [int(part) for part in need.split("-")]
            return relativedelta(years=years, months=rest), needed[0] * 12 + needed[1]
    raise KeyError(year)


def jubilacion(given: dict[str, str]) -> dict[str, str]:
    """The earliest of what each year offers, by age and by contributions, instead of a walk day by day."""
    born, told = day(given["nacimiento"]), day(given["fecha"])
    had = int(given["anos"]) * 12 + int(given.get("meses", 0))
    at_65 = born + relativedelta(years=65)
    offers: list[date] = []
    for year in range(at_65.year, at_65.year + 4):
        age, need = _table(year)
        ways = [born + age]
        if had >= need:
            ways.append(at_65)
        elif given.get("sigue", "true") == "true":
            ways.append(max(at_65, told + relativedelta(months=need - had)))
        starts = (max(one, date(year, 1, 1)) for one in ways)
        offers += [one for one in starts if one.year == year]
    return {"day": str(min(offers))}


def incapacidad(given: dict[str, str]) -> dict[str, str]:
    """Day by day."""
    length = served(day(given["baja"]), day(given["alta"]))
    base, salary = Fraction(given["base"]), Fraction(given.get("salario", "0"))
    employer = public = Fraction(0)
    for number in range(1, min(length, 545) + 1):
        later = base * (Fraction(60, 100) if number <= 20 else Fraction(75, 100))
        match given.get("causa", "comun"):
            case "comun":
                employer += later if 4 <= number <= 15 else 0
                public += later if number >= 16 else 0
            case "profesional":
                employer += salary if number == 1 else 0
                public += base * Fraction(75, 100) if number > 1 else 0
            case "menstruacion":
                public += later
            case "embarazo":
                employer += salary if number == 1 else 0
                public += later if number > 1 else 0
            case _:
                public += base
    return {"employer": cents(employer), "public": cents(public), "total": cents(employer + public)}


def nacimiento(given: dict[str, str]) -> dict[str, str]:
    """Week by week, as the apartados list them."""
    start, single = day(given["fecha"]), given.get("unico") == "true"
    since_july = [6, 22, 4] if single else [6, 11, 2]
    listed = [6, 10] if start < date(2025, 7, 31) else since_july
    for _ in range(int(given.get("hijos", 1)) - 1 + (given.get("discapacidad") == "true")):
        listed += [1, 1] if single and start >= date(2023, 6, 30) else [1]
    stay = int(given.get("hospital", 0))
    stay = 0 if stay <= 7 else stay if stay < 91 else 91
    days = sum(listed) * 7 + stay
    found = {"weeks": str(sum(listed)), "days": str(days)}
    if "base" in given:
        found["amount"] = cents(Fraction(given["base"]) * days)
    return found


def expected(name: str, given: dict[str, str]) -> dict[str, str]:
    """The figures of a calculation, as texts: '1234.50', '2025-01-31', '20'."""
    found: dict[str, str] = globals()[name](given)
    return found


def as_texts(values: dict[str, Any]) -> dict[str, str]:
    """The program's figures in the same form."""
    return {key: str(value) for key, value in values.items()}
