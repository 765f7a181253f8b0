"""Finiquito: the amounts still owed when a contract ends, with the compensation that the user gives."""

from calendar import isleap
from datetime import date
from decimal import Decimal
from typing import Literal

from pydantic import Field

from calculations.minimum_wage import salary_doubts
from calculations.official_figures import Facts
from calculations.outcome import Outcome, Step
from calculations.params import Params
from calculations.provisions_followed import TERM_NOTICE, et
from calculations.time_spans import add_months, check_order, days_between
from calculations.written_amounts import Count, Day, Money, decimal, euros, rounded, several, short
from core.errors import InputError

NAME, TITLE = "finiquito", "Finiquito"
MONTHS, YEAR = Decimal(12), Decimal(365)
ONE_YEAR, HALF_YEAR, SECOND_HALF = 12, 6, 7
FEWEST_HOLIDAYS = 30


class SettlementParams(Params):
    """Data of the settlement."""

    inicio: Day = Field(description="Inicio de la relación laboral", json_schema_extra={"fact": "start"})
    fin: Day = Field(description="Fin de la relación laboral", json_schema_extra={"fact": "effects"})
    salario: Money = Field(description="Salario bruto de un mes, sin pagas extraordinarias")
    paga: Money | None = Field(
        None, description="Importe de cada paga extraordinaria (vacío: un mes de salario)"
    )
    pagas: Literal["semestral", "anual", "prorrateadas"] = Field(
        "semestral",
        description="Las dos pagas se devengan",
        json_schema_extra={
            "labels": {
                "semestral": "por semestres (enero a junio, julio a diciembre)",
                "anual": "por años (julio a junio, enero a diciembre)",
                "prorrateadas": "cada mes: se cobran prorrateadas",
            }
        },
    )
    vacaciones: Count = Field(30, ge=0, le=365, description="Días naturales de vacaciones al año")
    disfrutadas: Count = Field(0, ge=0, le=365, description="Días naturales disfrutados este año")
    pendiente_mes: bool = Field(True, description="Falta por pagar el mes de la extinción")
    preaviso_empresa: Count = Field(0, ge=0, le=365, description="Días de preaviso que la empresa no dio")
    preaviso_trabajador: Count = Field(
        0, ge=0, le=365, description="Días de preaviso que el trabajador no dio"
    )
    indemnizacion: Money = Field(Decimal(0), description="Indemnización, si la hay")


def run(data: SettlementParams, facts: Facts) -> Outcome:
    """The settlement. Raises InputError: the data contradict each other or the salary is zero."""
    check_order(data.inicio, data.fin)
    if not data.salario:
        raise InputError("El salario no puede ser cero: escriba el salario bruto de un mes.")
    if data.preaviso_empresa and data.preaviso_trabajador:
        raise InputError("El preaviso lo incumple la empresa o el trabajador, no ambos: deje uno en cero.")
    extra = data.salario if data.paga is None else data.paga
    annual = data.salario * MONTHS + extra * 2
    daily = annual / YEAR
    warnings = [*salary_doubts(annual, data.fin, facts)]
    warnings.append("Son cantidades brutas: faltan las retenciones de IRPF y las cuotas de Seguridad Social.")
    rows: list[tuple[str, Decimal, Step]] = []
    if data.pendiente_mes:
        rows.append(("Salario del mes", *_month(data)))
    if data.pagas != "prorrateadas":
        names = ("junio", "diciembre")
        under_way = names if data.pagas == "anual" else names[data.fin.month >= SECOND_HALF :][:1]
        rows += [(f"Paga extraordinaria de {name}", *_extra(data, name, extra)) for name in under_way]
    rows.append(("Vacaciones no disfrutadas", *_holidays(data, daily, warnings)))
    if data.pagas == "prorrateadas" and data.pendiente_mes:
        rows.append(("Pagas prorrateadas del mes", *_spread(data, extra)))
    if data.preaviso_empresa or data.preaviso_trabajador:
        rows.append(("Preaviso", *_notice(data, daily)))
    if data.indemnizacion:
        step = Step(
            text="Indemnización que usted indica", result=euros(data.indemnizacion), refs=(et("49", "2"),)
        )
        rows.append(("Indemnización", data.indemnizacion, step))
    parts = [(label, rounded(amount)) for label, amount, _ in rows]
    total = sum((amount for _, amount in parts), Decimal(0))
    if total < 0:
        warnings.append("El descuento por preaviso supera lo que se debe: el saldo es a favor de la empresa.")
    values = {"total": total, "salario_diario": rounded(daily), **dict(parts)}
    if data.vacaciones < FEWEST_HOLIDAYS:
        warnings.append(
            "El artículo 38.1 ET no permite menos de treinta días naturales de vacaciones al año."
        )
    return Outcome(
        name=NAME,
        title=TITLE,
        headline=(*((label, euros(amount)) for label, amount in parts), ("Total bruto", euros(total))),
        steps=tuple(step for _, _, step in rows),
        assumptions=(
            "El mes se paga por los días naturales trabajados sobre los que tiene ese mes.",
            "Las pagas son dos, se devengan en los periodos elegidos y de las que "
            "están en curso no se ha cobrado "
            "nada; el convenio puede fijar otra cosa (art. 31 ET).",
            "El día de vacaciones y el de preaviso valen el salario anual, con pagas, "
            "entre 365. La ley no fija "
            "la fórmula: hay convenios que dividen el salario del mes entre 30.",
            "Las vacaciones se devengan por año natural.",
        ),
        warnings=tuple(warnings),
        values=values,
    )


def _month(data: SettlementParams) -> tuple[Decimal, Step]:
    first = max(data.inicio, data.fin.replace(day=1))
    worked = days_between(first, data.fin)
    length = days_between(data.fin.replace(day=1), add_months(data.fin.replace(day=1), 1)) - 1
    amount = data.salario * worked / length
    step = Step(
        text=f"Salario de los días trabajados en el mes, del {short(first)} al {short(data.fin)}",
        formula=f"{euros(data.salario)} × {worked} ÷ {length}",
        result=euros(amount),
        refs=(et("29", "1"),),
    )
    return amount, step


def _extra(data: SettlementParams, name: str, extra: Decimal) -> tuple[Decimal, Step]:
    months = HALF_YEAR if data.pagas == "semestral" else ONE_YEAR
    first = _accrual(data.fin, name, months)
    length = days_between(first, add_months(first, months)) - 1
    worked = days_between(max(first, data.inicio), data.fin)
    amount = extra * worked / length
    step = Step(
        text=f"Parte devengada de la paga de {name}, en el periodo que empieza el {short(first)}",
        formula=f"{euros(extra)} × {worked} ÷ {length}",
        result=euros(amount),
        refs=(et("31"),),
    )
    return amount, step


def _accrual(end: date, name: str, months: int) -> date:
    """First day of the accrual period of an extra payment that is under way on `end`."""
    later = end.month >= SECOND_HALF
    if name == "junio" and months == ONE_YEAR:
        return date(end.year if later else end.year - 1, SECOND_HALF, 1)
    return date(end.year, SECOND_HALF if months == HALF_YEAR and later else 1, 1)


def _spread(data: SettlementParams, extra: Decimal) -> tuple[Decimal, Step]:
    paid, step = _month(data)
    amount = extra * 2 / MONTHS * paid / data.salario
    formula = f"{euros(extra)} × 2 ÷ 12, en la proporción de los días trabajados en el mes"
    return amount, step.model_copy(
        update={
            "text": "Parte de las pagas prorrateadas en el mes",
            "formula": formula,
            "result": euros(amount),
            "refs": (et("31"),),
        }
    )


def _holidays(data: SettlementParams, daily: Decimal, warnings: list[str]) -> tuple[Decimal, Step]:
    first = max(data.inicio, date(data.fin.year, 1, 1))
    worked, length = days_between(first, data.fin), 365 + isleap(data.fin.year)
    earned = Decimal(data.vacaciones * worked) / length
    left = max(Decimal(0), earned - data.disfrutadas)
    if data.disfrutadas > earned:
        warnings.append(
            f"Se disfrutaron más vacaciones ({data.disfrutadas} días) que las "
            f"devengadas ({decimal(earned)}): no se "
            "descuentan aquí; compruebe si el convenio lo permite."
        )
    step = Step(
        text=f"Vacaciones devengadas en {data.fin.year} y no disfrutadas",
        formula=(
            f"{data.vacaciones} × {worked} ÷ {length} = {decimal(earned)} días; − "
            f"{data.disfrutadas} = {decimal(left)} "
            f"días; × {euros(daily)}"
        ),
        result=euros(left * daily),
        refs=(et("38", "1"),),
    )
    return left * daily, step


def _notice(data: SettlementParams, daily: Decimal) -> tuple[Decimal, Step]:
    owed = data.preaviso_empresa or data.preaviso_trabajador
    amount = daily * owed * (1 if data.preaviso_empresa else -1)
    step = Step(
        text="Preaviso que la empresa no dio"
        if amount > 0
        else "Descuento por el preaviso que el trabajador no dio",
        formula=f"{several(owed, 'día', 'días')} × {euros(daily)}",
        result=euros(amount),
        refs=(et("53", "4"), TERM_NOTICE) if amount > 0 else (et("49", "1.d"),),
    )
    return amount, step
