"""Contributory unemployment benefit: its length and its amount."""

from datetime import timedelta
from decimal import Decimal
from typing import NamedTuple

from pydantic import Field

from calculations.minimum_wage import WHOLE, salary_doubts
from calculations.official_figures import Facts, Figure
from calculations.outcome import Outcome, Step, refs
from calculations.params import Params
from calculations.written_amounts import Count, Day, Money, decimal, euros, rounded, several
from core.errors import InputError

NAME, TITLE = "desempleo", "Prestación por desempleo"
BASE_DAYS, MONTH, YEAR = 180, 30, 12
SIXTH = Decimal(7) / Decimal(6)


class UnemploymentParams(Params):
    """Data of the benefit."""

    fecha: Day = Field(description="Nacimiento del derecho")
    cotizados: Count = Field(
        ge=0, le=2192, description="Días cotizados por desempleo en los seis años anteriores"
    )
    bases: Money = Field(description="Suma de las bases de los últimos 180 días, sin horas extraordinarias")
    hijos: Count = Field(0, ge=0, le=20, description="Hijos a cargo")
    jornada: Money = Field(WHOLE, gt=0, le=100, description="Jornada media de esos 180 días, en %")
    iprem: Money | None = Field(None, description="IPREM mensual de ese día (vacío: el de los datos)")


class _Limit(NamedTuple):
    figure: Figure
    rate: Decimal
    amount: Decimal


def run(data: UnemploymentParams, facts: Facts) -> Outcome:
    """Length and monthly amounts. Raises InputError: too old, or no IPREM is known for the day."""
    low = facts.figure("desempleo: segundo tipo", data.fecha)
    scale = facts.figure("desempleo: duración", data.fecha)
    days = int(scale.row(data.cotizados)[0]) if scale.row(data.cotizados) else 0
    first = Step(
        text="Duración según los días cotizados",
        formula=f"{decimal(data.cotizados)} días cotizados en la escala",
        result=several(days, "día", "días"),
        refs=scale.refs,
    )
    if not days:
        return Outcome(
            name=NAME,
            title=TITLE,
            headline=(("Duración", "sin derecho a prestación contributiva"),),
            steps=(first,),
            warnings=(
                f"Hacen falta {decimal(scale.rows[0][0])} días cotizados; compruebe si hay derecho al "
                f"subsidio (art. 274 LGSS).",
            ),
            values={"days": 0},
        )
    if not data.bases:
        raise InputError("La suma de bases no puede ser cero: cópiela del certificado de empresa.")
    iprem, source = _iprem(data, facts)
    high = facts.figure("desempleo: primer tipo", data.fecha)
    first_days = facts.figure("desempleo: días con el primer tipo", data.fecha).whole
    base = data.bases / BASE_DAYS * MONTH
    share = data.jornada / 100
    cap, floor = (
        _Limit(one, one.row(data.hijos)[0], iprem * SIXTH * one.row(data.hijos)[0] / 100 * share)
        for one in (facts.figure(f"desempleo: cuantía {name}", data.fecha) for name in ("máxima", "mínima"))
    )
    steps = [
        first,
        Step(
            text="Base reguladora de un mes de treinta días",
            formula=f"{euros(data.bases)} ÷ 180 × 30",
            result=euros(base),
            refs=refs("art. 270.1 LGSS"),
        ),
        Step(
            text=f"Cuantías máxima y mínima: IPREM más una sexta parte ({source})",
            formula=(
                f"{euros(iprem)} × 7 ÷ 6 × {decimal(cap.rate)} % y {decimal(floor.rate)} %"
                + (f" × {decimal(data.jornada)} %" if share != 1 else "")
            ),
            result=f"{euros(cap.amount)} y {euros(floor.amount)}",
            refs=cap.figure.refs,
        ),
    ]
    early, step = _month(base, high, cap, floor, f"Cuantía mensual los primeros {first_days} días")
    steps.append(step)
    late, step = _month(base, low, cap, floor, f"Cuantía mensual desde el día {first_days + 1}")
    total = early * min(days, first_days) / MONTH
    headline = [
        ("Duración", several(days, "día", "días")),
        (f"Al mes, los primeros {first_days} días", euros(early)),
    ]
    if days > first_days:
        steps.append(step)
        headline.append((f"Al mes, desde el día {first_days + 1}", euros(late)))
        total += late * (days - first_days) / MONTH
    headline.append(("Total bruto si se agota", euros(total)))
    return Outcome(
        name=NAME,
        title=TITLE,
        headline=tuple(headline),
        steps=tuple(steps),
        assumptions=(
            "El mes es de treinta días.",
            "Los días cotizados no se han usado para otra prestación (art. 269.2).",
        ),
        warnings=(
            *salary_doubts(base * YEAR, data.fecha - timedelta(BASE_DAYS), facts, data.jornada),
            "Solicítela en los quince días siguientes (art. 268.1 LGSS): después se pierden días.",
            "Son cantidades brutas: se descuentan la cotización del trabajador y, en su caso, el IRPF.",
        ),
        values={
            "days": days,
            "base": rounded(base),
            "early": rounded(early),
            "late": rounded(late),
            "cap": rounded(cap.amount),
            "floor": rounded(floor.amount),
            "total": rounded(total),
        },
    )


def _iprem(data: UnemploymentParams, facts: Facts) -> tuple[Decimal, str]:
    if data.iprem is not None:
        if not data.iprem:
            raise InputError(
                "El IPREM no puede ser cero: escriba el mensual de doce pagas, o deje la casilla vacía."
            )
        return data.iprem, "importe que usted indica"
    figure = facts.figure("IPREM mensual", data.fecha)
    return figure.amount, figure.source


def _month(base: Decimal, figure: Figure, cap: _Limit, floor: _Limit, text: str) -> tuple[Decimal, Step]:
    earned = base * figure.share
    amount = max(floor.amount, min(cap.amount, earned))
    told, limit = ("máxima", cap) if earned > cap.amount else ("mínima", floor)
    bound = amount != earned
    step = Step(
        text=text + (f" (se aplica la {told})" if bound else ""),
        formula=f"{euros(base)} × {decimal(figure.amount)} % = {euros(earned)}",
        result=euros(amount),
        refs=(*figure.refs, *(limit.figure.refs if bound else ())),
    )
    return amount, step
