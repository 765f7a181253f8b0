"""Temporary incapacity: who pays how much on which days."""

from datetime import timedelta
from decimal import Decimal
from typing import Literal, NamedTuple

from pydantic import Field

from calculations.minimum_wage import base_doubts
from calculations.official_figures import Facts, Figure
from calculations.outcome import Outcome, Step
from calculations.params import Params
from calculations.time_spans import check_order, days_between
from calculations.written_amounts import Day, Money, decimal, euros, rounded, several, short
from core.errors import InputError

NAME, TITLE = "incapacidad", "Subsidio por incapacidad temporal"
EMPLOYER, PUBLIC, NOBODY = "la empresa", "la entidad gestora o la mutua", "nadie"
PAYERS = (NOBODY, EMPLOYER, PUBLIC)
"""By the number that the data files give each."""
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
    parts = facts.figure(f"incapacidad {data.causa}", data.baja)
    longest = facts.figure("incapacidad: duración máxima", data.baja)
    ordinary = facts.figure("incapacidad: duración ordinaria", data.baja)
    length = days_between(data.baja, data.alta)
    warnings = [*base_doubts(data.base, data.baja, facts)]
    warnings.append("El convenio colectivo puede completar estas cantidades hasta el salario.")
    if length > longest.amount:
        warnings.insert(
            0,
            f"El subsidio termina a los {longest.whole} días ({longest.source}): los siguientes no se suman.",
        )
    elif length > ordinary.amount:
        warnings.insert(
            0,
            f"Pasados {ordinary.whole} días la baja sigue en prórroga, que controla el INSS (art. 170.2 "
            f"LGSS).",
        )
    if data.causa == "comun":
        warnings.append(
            "Por enfermedad común hacen falta 180 días cotizados en los cinco años "
            "anteriores (art. 172 LGSS)."
        )
    steps: list[Step] = []
    totals = dict.fromkeys(PAYERS, Decimal(0))
    ends = [int(row[0]) - 1 for row in parts.rows[1:]] + [longest.whole]
    for (first, rate, payer), last in zip(parts.rows, ends, strict=True):
        if first > length:
            break
        amount, step = _paid(
            data, facts, parts, _Part(int(first), min(last, length), rate, PAYERS[int(payer)])
        )
        steps.append(step)
        totals[PAYERS[int(payer)]] += amount
    total = totals[EMPLOYER] + totals[PUBLIC]
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


def _paid(data: SickLeaveParams, facts: Facts, parts: Figure, part: _Part) -> tuple[Decimal, Step]:
    number = part.last - part.first + 1
    salary = part.payer == EMPLOYER and part.rate == 100
    daily = data.base
    if salary:
        if data.salario is None:
            raise InputError(
                "Escriba también el salario diario: el día de la baja lo paga entero la empresa."
            )
        daily = data.salario
    amount = daily * part.rate / 100 * number
    span = f"Día {part.first}" if number == 1 else f"Días {part.first} a {part.last}"
    dates = short(data.baja + timedelta(days=part.first - 1))
    if number > 1:
        dates += f" a {short(data.baja + timedelta(days=part.last - 1))}"
    what = "salario íntegro" if salary else f"{decimal(part.rate)} % de la base"
    fixed = facts.known(f"subsidio del {decimal(part.rate)} %", data.baja)
    step = Step(
        text=f"{span} ({dates}): " + (f"paga {part.payer}" if part.rate else "sin subsidio"),
        formula=f"{euros(daily)} × {several(number, 'día', 'días')} × {decimal(part.rate)} % ({what})"
        if part.rate
        else "",
        result=euros(amount),
        refs=(*parts.refs, *(fixed.refs if fixed else ())),
    )
    return amount, step
