"""Temporary incapacity: who pays how much on which days."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Literal, NamedTuple

from pydantic import Field

from calculations import provisions_followed
from calculations.minimum_wage import base_doubts
from calculations.official_figures import Facts
from calculations.outcome import Outcome, Ref, Step
from calculations.params import Params
from calculations.provisions_followed import lgss
from calculations.time_spans import check_order, days_between
from calculations.written_amounts import Day, Money, decimal, euros, rounded, several, short
from core.errors import InputError

NAME, TITLE = "incapacidad", "Subsidio por incapacidad temporal"
EMPLOYER, PUBLIC, NOBODY = "la empresa", "la entidad gestora o la mutua", "nadie"
ONE_YEAR, LONGEST = 365, 545
SPECIAL_FROM, DONATION_FROM = date(2023, 6, 1), date(2024, 12, 22)
NOTHING, SIXTY, SEVENTY_FIVE, WHOLE = Decimal(0), Decimal("0.60"), Decimal("0.75"), Decimal(1)
Cause = Literal["comun", "profesional", "menstruacion", "embarazo", "donacion"]
CAUSES: dict[str, str] = {
    "comun": "Enfermedad común o accidente no laboral",
    "profesional": "Accidente de trabajo o enfermedad profesional",
    "menstruacion": "Menstruación incapacitante secundaria",
    "embarazo": "Interrupción del embarazo, o gestación desde la semana 39",
    "donacion": "Donación de órganos o tejidos",
}


class _Part(NamedTuple):
    """Days of a leave, from the first to the last, paid alike; the first day of effect is 1."""

    first: int
    last: int
    rate: Decimal
    payer: str
    refs: tuple[Ref, ...]
    salary: bool = False


_START = (lgss("173", "1"),)
PARTS: dict[str, tuple[_Part, ...]] = {
    "comun": (
        _Part(1, 3, NOTHING, NOBODY, _START),
        _Part(4, 15, SIXTY, EMPLOYER, (*_START, provisions_followed.SUBSIDY_60)),
        _Part(16, 20, SIXTY, PUBLIC, (*_START, provisions_followed.SUBSIDY_60)),
        _Part(21, LONGEST, SEVENTY_FIVE, PUBLIC, (lgss("171"), provisions_followed.SUBSIDY_75)),
    ),
    "profesional": (
        _Part(1, 1, WHOLE, EMPLOYER, _START, salary=True),
        _Part(2, LONGEST, SEVENTY_FIVE, PUBLIC, (*_START, provisions_followed.SUBSIDY_75)),
    ),
    "menstruacion": (
        _Part(1, 20, SIXTY, PUBLIC, (*_START, provisions_followed.SUBSIDY_60)),
        _Part(21, LONGEST, SEVENTY_FIVE, PUBLIC, (lgss("171"), provisions_followed.SUBSIDY_75)),
    ),
    "embarazo": (
        _Part(1, 1, WHOLE, EMPLOYER, _START, salary=True),
        _Part(2, 20, SIXTY, PUBLIC, (*_START, provisions_followed.SUBSIDY_60)),
        _Part(21, LONGEST, SEVENTY_FIVE, PUBLIC, (lgss("171"), provisions_followed.SUBSIDY_75)),
    ),
    "donacion": (_Part(1, LONGEST, WHOLE, PUBLIC, (lgss("171"), *_START)),),
}
SINCE: dict[str, date] = {"menstruacion": SPECIAL_FROM, "embarazo": SPECIAL_FROM, "donacion": DONATION_FROM}


class SickLeaveParams(Params):
    """Data of the leave."""

    causa: Cause = Field("comun", description="Causa", json_schema_extra={"labels": dict(CAUSES)})
    baja: Day = Field(description="Día de la baja")
    alta: Day = Field(description="Último día de la baja")
    base: Money = Field(gt=0, description="Base reguladora diaria")
    salario: Money | None = Field(
        None, description="Salario diario (para el día de la baja que paga la empresa)"
    )


def run(data: SickLeaveParams, facts: Facts) -> Outcome:
    """The amounts of each part. Raises InputError: the dates contradict each other or precede the law."""
    check_order(data.baja, data.alta)
    since = SINCE.get(data.causa)
    if since is not None and data.baja < since:
        raise InputError(
            f"Esa situación especial existe desde el {short(since)}: revise la fecha o la causa."
        )
    length = days_between(data.baja, data.alta)
    warnings = [*base_doubts(data.base, data.baja, facts)]
    warnings.append("El convenio colectivo puede completar estas cantidades hasta el salario.")
    if length > LONGEST:
        warnings.insert(
            0, f"El subsidio termina a los {LONGEST} días (art. 174.1 LGSS): los siguientes no se suman."
        )
    elif length > ONE_YEAR:
        warnings.insert(
            0, f"Pasados {ONE_YEAR} días la baja sigue en prórroga, que controla el INSS (art. 170.2 LGSS)."
        )
    if data.causa == "comun":
        warnings.append(
            "Por enfermedad común hacen falta 180 días cotizados en los cinco años "
            "anteriores (art. 172 LGSS)."
        )
    steps: list[Step] = []
    totals = {EMPLOYER: NOTHING, PUBLIC: NOTHING}
    for part in PARTS[data.causa]:
        if part.first > length:
            continue
        last = min(part.last, length)
        amount, step = _paid(part, last, data)
        steps.append(step)
        if part.payer in totals:
            totals[part.payer] += amount
    total = sum(totals.values(), NOTHING)
    return Outcome(
        name=NAME,
        title=f"{TITLE}: {CAUSES[data.causa].lower()}",
        headline=(
            ("Duración", several(length, "día", "días")),
            ("A cargo de la empresa", euros(totals[EMPLOYER])),
            ("A cargo de la entidad gestora o la mutua", euros(totals[PUBLIC])),
            ("Total bruto", euros(total)),
        ),
        steps=tuple(steps),
        assumptions=(
            "La baja es un solo proceso, sin recaídas.",
            "Los porcentajes del 60 y el 75 % no están en la LGSS, sino en sus normas "
            "de desarrollo, aún vigentes.",
        ),
        warnings=tuple(warnings),
        values={
            "days": length,
            "employer": rounded(totals[EMPLOYER]),
            "public": rounded(totals[PUBLIC]),
            "total": rounded(total),
        },
    )


def _paid(part: _Part, last: int, data: SickLeaveParams) -> tuple[Decimal, Step]:
    number = last - part.first + 1
    daily = data.base
    if part.salary:
        if data.salario is None:
            raise InputError(
                "Escriba también el salario diario: el día de la baja lo paga entero la empresa."
            )
        daily = data.salario
    amount = daily * part.rate * number
    span = f"Día {part.first}" if number == 1 else f"Días {part.first} a {last}"
    dates = short(data.baja + timedelta(days=part.first - 1))
    if number > 1:
        dates += f" a {short(data.baja + timedelta(days=last - 1))}"
    what = "salario íntegro" if part.salary else f"{decimal(part.rate * 100)} % de la base"
    step = Step(
        text=f"{span} ({dates}): " + (f"paga {part.payer}" if part.rate else "sin subsidio"),
        formula=f"{euros(daily)} × {several(number, 'día', 'días')} × {decimal(part.rate * 100)} % ({what})"
        if part.rate
        else "",
        result=euros(amount),
        refs=part.refs,
    )
    return amount, step
