"""Holidays of the seats from another library and typed by hand; shares no code with the program."""

from datetime import date, timedelta
from functools import cache

import holidays
import numpy as np

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


@cache
def official(code: str) -> frozenset[str]:
    """Days that the library gives of a comunidad."""
    found = set(map(str, holidays.country_holidays("ES", subdiv=code, years=YEARS)))
    return frozenset(found - WORKED.get(code, set()))


def closed(seat: str) -> list[str]:
    """Days that are no working days besides weekends."""
    return sorted({*official(REGION[seat]), *LOCAL.get(seat, "").split()})


def working_days(start: date, end: date, seat: str) -> int:
    """After one day, until another, which is included."""
    first, last = np.datetime64(start + timedelta(1)), np.datetime64(end + timedelta(1))
    return max(0, int(np.busday_count(first, last, weekmask=WEEK, holidays=closed(seat))))
