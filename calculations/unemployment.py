"""Contributory unemployment benefit: its length and its amount."""

from datetime import date, timedelta
from decimal import Decimal

from pydantic import Field

from calculations.minimum_wage import WHOLE, salary_doubts
from calculations.official_figures import Facts
from calculations.outcome import Outcome, Ref, Step
from calculations.params import Params
from calculations.provisions_followed import lgss
from calculations.written_amounts import Count, Day, Money, decimal, euros, rounded, several, short
from core.errors import InputError

NAME, TITLE = "desempleo", "Prestación por desempleo"
FEWEST, STRIDE, FIRST, EACH, LONGEST = 360, 180, 120, 60, 720
HIGH_DAYS, MONTH, YEAR = 180, 30, 12
HIGH, LOW = Decimal("0.70"), Decimal("0.60")
SINCE = date(2023, 1, 1)
"""Rights born from then on have 60 % after day 180 from their start; earlier ones need their own rules."""
CAPS = (Decimal("1.75"), Decimal("2.00"), Decimal("2.25"))
FLOORS = (Decimal("0.80"), Decimal("1.07"))
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


def duration(contributed: int) -> int:
    """Days of benefit for those days of contributions, 0 if they are too few."""
    if contributed < FEWEST:
        return 0
    return min(LONGEST, FIRST + EACH * ((contributed - FEWEST) // STRIDE))


def run(data: UnemploymentParams, facts: Facts) -> Outcome:
    """Length and monthly amounts. Raises InputError: too old, or no IPREM is known for the day."""
    if data.fecha < SINCE:
        raise InputError(
            f"Solo se calculan derechos nacidos desde el {short(SINCE)}: antes, el "
            "tipo desde el día 181 era otro."
        )
    days = duration(data.cotizados)
    first = Step(
        text="Duración según los días cotizados",
        formula=f"{decimal(data.cotizados)} días cotizados en la escala",
        result=several(days, "día", "días"),
        refs=(lgss("269", "1"),),
    )
    if not days:
        return Outcome(
            name=NAME,
            title=TITLE,
            headline=(("Duración", "sin derecho a prestación contributiva"),),
            steps=(first,),
            warnings=(
                f"Hacen falta {FEWEST} días cotizados; compruebe si hay derecho al subsidio (art. 274 LGSS).",
            ),
            values={"days": 0},
        )
    if not data.bases:
        raise InputError("La suma de bases no puede ser cero: cópiela del certificado de empresa.")
    iprem, source = _iprem(data, facts)
    base = data.bases / HIGH_DAYS * MONTH
    share = data.jornada / 100
    cap = iprem * SIXTH * CAPS[min(data.hijos, 2)] * share
    floor = iprem * SIXTH * FLOORS[min(data.hijos, 1)] * share
    steps = [
        first,
        Step(
            text="Base reguladora de un mes de treinta días",
            formula=f"{euros(data.bases)} ÷ 180 × 30",
            result=euros(base),
            refs=(lgss("270", "1"),),
        ),
        Step(
            text=f"Cuantías máxima y mínima: IPREM más una sexta parte ({source})",
            formula=(
                f"{euros(iprem)} × 7 ÷ 6 × {decimal(CAPS[min(data.hijos, 2)] * 100)} % y "
                f"{decimal(FLOORS[min(data.hijos, 1)] * 100)} %"
                + (f" × {decimal(data.jornada)} %" if share != 1 else "")
            ),
            result=f"{euros(cap)} y {euros(floor)}",
            refs=(lgss("270", "3"),),
        ),
    ]
    early, step = _month(base, HIGH, cap, floor, "Cuantía mensual los primeros 180 días")
    steps.append(step)
    late, step = _month(base, LOW, cap, floor, "Cuantía mensual desde el día 181")
    total = early * min(days, HIGH_DAYS) / MONTH
    headline = [("Duración", several(days, "día", "días")), ("Al mes, los primeros 180 días", euros(early))]
    if days > HIGH_DAYS:
        steps.append(step)
        headline.append(("Al mes, desde el día 181", euros(late)))
        total += late * (days - HIGH_DAYS) / MONTH
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
            *salary_doubts(base * YEAR, data.fecha - timedelta(HIGH_DAYS), facts, data.jornada),
            "Solicítela en los quince días siguientes (art. 268.1 LGSS): después se pierden días.",
            "Son cantidades brutas: se descuentan la cotización del trabajador y, en su caso, el IRPF.",
        ),
        values={
            "days": days,
            "base": rounded(base),
            "early": rounded(early),
            "late": rounded(late),
            "cap": rounded(cap),
            "floor": rounded(floor),
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


def _month(base: Decimal, rate: Decimal, cap: Decimal, floor: Decimal, text: str) -> tuple[Decimal, Step]:
    amount = max(floor, min(cap, base * rate))
    told = "máxima" if base * rate > cap else "mínima" if base * rate < floor else ""
    refs: tuple[Ref, ...] = (lgss("270", "2"), *((lgss("270", "3"),) if told else ()))
    step = Step(
        text=text + (f" (se aplica la {told})" if told else ""),
        formula=f"{euros(base)} × {decimal(rate * 100)} % = {euros(base * rate)}",
        result=euros(amount),
        refs=refs,
    )
    return amount, step
