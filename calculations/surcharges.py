"""Percentages that the law adds to an amount: interest for late wages, and the surcharge on benefits."""

from datetime import date
from decimal import Decimal

from pydantic import Field

from calculations.official_figures import Facts
from calculations.outcome import Outcome, Step
from calculations.params import Params
from calculations.time_spans import check_order, days_between
from calculations.written_amounts import Day, Money, decimal, euros, rounded, several, short
from core.errors import InputError

INTEREST, INTEREST_TITLE = "interes", "Interés por mora en el salario"
SURCHARGE, SURCHARGE_TITLE = "recargo", "Recargo de prestaciones"
YEAR = Decimal(365)
NOTHING = "El importe no puede ser cero: escriba la cantidad sobre la que se calcula."
OUT_OF_RANGE = (
    "El recargo es de entre el {least} y el {most} % ({source}), según la gravedad de la falta: corrija el "
    "porcentaje, o déjelo vacío para ver los dos extremos."
)


class InterestParams(Params):
    """Data of the interest."""

    deuda: Money = Field(description="Salario que se debe")
    desde: Day = Field(description="Día en que debió pagarse")
    hasta: Day = Field(description="Día hasta el que se cuenta")


class SurchargeParams(Params):
    """Data of the surcharge."""

    prestacion: Money = Field(description="Importe de la prestación, de un mes o de todo el periodo")
    porcentaje: Money | None = Field(None, description="Recargo que se impone, en %")


def interest(data: InterestParams, facts: Facts) -> Outcome:
    """The interest for the days of delay. Raises InputError: the dates contradict each other."""
    check_order(data.desde, data.hasta)
    if not data.deuda:
        raise InputError(NOTHING)
    rate = facts.figure("interés por mora", data.desde)
    days = days_between(data.desde, data.hasta) - 1
    amount = rounded(data.deuda * rate.share * days / YEAR)
    steps = (
        Step(
            text="Días de mora, sin contar el del pago debido",
            formula=f"del {short(data.desde)} al {short(data.hasta)}",
            result=several(days, "día", "días"),
            refs=rate.refs,
        ),
        Step(
            text=f"Interés del {rate.whole} % de lo adeudado",
            formula=f"{euros(data.deuda)} × {rate.whole} % × {decimal(days)} ÷ 365",
            result=euros(amount),
            refs=rate.refs,
        ),
    )
    return Outcome(
        name=INTEREST,
        title=INTEREST_TITLE,
        headline=(("Interés", euros(amount)), ("Con la deuda", euros(data.deuda + amount))),
        steps=steps,
        assumptions=(
            "El diez por ciento es anual y simple, y se debe por días, con años de 365 (criterio "
            "jurisprudencial).",
        ),
        warnings=(
            "Vale para el salario; lo que no lo es, como la indemnización, devenga el interés legal del "
            "dinero (arts. 1101 y 1108 CC).",
        ),
        values={"days": days, "amount": amount, "total": data.deuda + amount},
    )


def surcharge(data: SurchargeParams, facts: Facts) -> Outcome:
    """The surcharge, or its least and most. Raises InputError: the law does not admit the percentage."""
    if not data.prestacion:
        raise InputError(NOTHING)
    least, most = (facts.figure(f"recargo: {what}", date.max) for what in ("mínimo", "máximo"))
    if data.porcentaje is not None and not least.amount <= data.porcentaje <= most.amount:
        raise InputError(OUT_OF_RANGE.format(least=least.whole, most=most.whole, source=least.source))
    wanted = [data.porcentaje] if data.porcentaje is not None else [least.amount, most.amount]
    found = [(one, rounded(data.prestacion * one / 100)) for one in wanted]
    steps = [
        Step(
            text=f"Aumento del {decimal(rate)} % de la prestación",
            formula=f"{euros(data.prestacion)} × {decimal(rate)} %",
            result=euros(amount),
            refs=least.refs,
        )
        for rate, amount in found
    ]
    return Outcome(
        name=SURCHARGE,
        title=SURCHARGE_TITLE,
        headline=tuple((f"Recargo del {decimal(rate)} %", euros(amount)) for rate, amount in found),
        steps=tuple(steps),
        warnings=(
            "Lo paga la empresa infractora, que no puede asegurarlo (art. 164.2 LGSS), y es compatible con "
            "otras responsabilidades (art. 164.3 LGSS).",
        ),
        values={"least": found[0][1], "most": found[-1][1]},
    )
