"""Compensation for the end of a contract: dismissal, objective causes, fixed terms, the worker's will."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from pydantic import Field

from calculations import provisions_followed
from calculations.minimum_wage import WHOLE, salary_doubts
from calculations.official_figures import Facts
from calculations.outcome import Outcome, Ref, Step
from calculations.params import Params
from calculations.provisions_followed import et, home
from calculations.time_spans import check_order, days_between, months_begun
from calculations.written_amounts import Day, Money, decimal, euros, rounded, several, short
from core.errors import InputError

NAME, TITLE = "indemnizacion", "Indemnización por extinción"
REFORM = date(2012, 2, 12)
"""Day from which 33 days a year are due instead of 45 (DT 11.ª ET)."""
FIXED_TERM_FROM = date(2001, 3, 4)
SCALE = (
    (date(2015, 1, 1), 12),
    (date(2014, 1, 1), 11),
    (date(2013, 1, 1), 10),
    (date(2012, 1, 1), 9),
    (FIXED_TERM_FROM, 8),
)
"""First day on which a contract was signed, and its days a year (DT 8.ª ET)."""
HOME_FROM, HOME_SCALE_FROM = date(2022, 9, 9), date(2011, 11, 18)
STATUTE_FROM = date(2015, 11, 13)
YEAR, MONTHS = Decimal(365), Decimal(12)
OLD_DAYS, NEW_DAYS, OBJECTIVE_DAYS, HOME_DAYS = 45, 33, 20, 12
OLD_CAP_DAYS, OLD_CAP_MONTHS, NEW_CAP_MONTHS = 720, 42, 24

DAILY = (
    "El salario diario es el anual, con las pagas extraordinarias, dividido entre 365 (criterio "
    "jurisprudencial). En un año bisiesto puede defenderse dividir entre 366: el resultado sería algo menor."
)
MONTHLY = "Una mensualidad es la doceava parte del salario anual, con las pagas extraordinarias incluidas."
BEGUN = (
    "El mes comenzado se cuenta entero en cada periodo (criterio jurisprudencial sobre el "
    "prorrateo por meses)."
)
PROPORTIONAL = (
    "La ley manda pagar la parte proporcional y no prorratear por meses: se cuenta por días de servicio, "
    "con años de 365."
)
HOME_OLD = (
    f"El contrato es anterior al {short(HOME_SCALE_FROM)}: la DT 1.ª del RD 1620/2011 dejó fuera de los "
    "doce días el desistimiento de esos contratos; compruebe si alcanza a este caso."
)
OLDER = (
    f"El contrato terminó antes del {short(STATUTE_FROM)}: regía el texto de 1995; compruebe su redacción."
)
ALL_TIME = "Todo el tiempo entre las dos fechas se toma como tiempo de servicio."
REDUCED = (
    "Si la jornada está reducida por lactancia, guarda legal, cuidado de un familiar u otro supuesto de la "
    "DA 19.ª ET, cuenta el salario de la jornada sin reducir: márquelo y calcule de nuevo."
)
WITHIN_TERM = (
    "La DA 19.ª ET vale para las reducciones del artículo 37, apartados 4 (párrafo final), 5, 6 y 8 ET, y "
    "para los permisos de los artículos 48.4, 48.5 y 48 bis a tiempo parcial, mientras no haya pasado el "
    "plazo máximo legal de la reducción: compruébelo. El porcentaje es el de la jornada que se tenía antes "
    "de reducirla."
)
AS_WHOLE = (
    "El salario sin la reducción se toma en proporción a la jornada: compruebe los complementos que no lo "
    "son."
)
NO_REDUCTION = (
    "Si la jornada está reducida, escriba en «Jornada a la que corresponde el salario» el porcentaje que se "
    "trabaja, menor que 100; si el salario que ha escrito ya es el de la jornada completa, quite la marca "
    "de reducción."
)
HOME_REDUCED = (
    "La DA 19.ª ET habla de las indemnizaciones del Estatuto, y esta la fija el RD 1620/2011: es discutible "
    "que se aplique."
)
AGREEMENT = "Compruebe si el convenio colectivo o el contrato mejoran esta cantidad."

Cause = Literal[
    "improcedente",
    "incumplimiento",
    "objetivo",
    "colectivo",
    "traslado",
    "modificacion",
    "fin_temporal",
    "empleador",
    "hogar",
]
CAUSES: dict[str, str] = {
    "improcedente": "Despido improcedente",
    "incumplimiento": "Extinción por incumplimiento del empresario (art. 50 ET)",
    "objetivo": "Despido objetivo procedente",
    "colectivo": "Despido colectivo",
    "traslado": "Extinción por traslado (art. 40 ET)",
    "modificacion": "Extinción por modificación sustancial (art. 41 ET)",
    "fin_temporal": "Fin de contrato temporal",
    "empleador": "Muerte, jubilación o incapacidad del empresario",
    "hogar": "Extinción en el servicio del hogar familiar",
}
PERIODS: dict[str, str] = {"anual": "al año", "mensual": "al mes, en doce pagas", "diario": "al día"}


class SeveranceParams(Params):
    """Data of the compensation."""

    causa: Cause = Field(description="Causa", json_schema_extra={"labels": dict(CAUSES)})
    jornada: Money = Field(WHOLE, gt=0, le=100, description="Jornada a la que corresponde el salario, en %")
    inicio: Day = Field(description="Inicio de la relación laboral", json_schema_extra={"fact": "start"})
    fin: Day = Field(description="Fin de la relación laboral", json_schema_extra={"fact": "effects"})
    salario: Money = Field(
        description="Salario bruto, con las pagas extraordinarias",
        json_schema_extra={"fact": "salary", "per": "periodo"},
    )
    periodo: Literal["anual", "mensual", "diario"] = Field(
        "anual", description="El salario es", json_schema_extra={"labels": dict(PERIODS)}
    )
    reducida: bool = Field(
        False,
        description="La jornada está reducida por guarda legal u otro supuesto de la DA 19.ª ET",
    )


@dataclass(frozen=True)
class Pay:
    """Salary of a year, a month and a day, exact."""

    annual: Decimal

    @property
    def monthly(self) -> Decimal:
        return self.annual / MONTHS

    @property
    def daily(self) -> Decimal:
        return self.annual / YEAR


@dataclass(frozen=True)
class _Due:
    """The amount due: steps that lead to it, and assumptions."""

    amount: Decimal
    steps: Sequence[Step]
    assumptions: Sequence[str]
    warnings: Sequence[str] = ()


def pay_of(salary: Decimal, period: str) -> Pay:
    """The salary of a year from that of a period. Raises InputError: it is nothing."""
    if not salary:
        raise InputError("El salario no puede ser cero: escriba el salario bruto con las pagas incluidas.")
    times = {"anual": Decimal(1), "mensual": MONTHS, "diario": YEAR}[period]
    return Pay(salary * times)


def run(data: SeveranceParams, facts: Facts) -> Outcome:
    """The compensation. Raises InputError: the data contradict each other or the law has none."""
    check_order(data.inicio, data.fin)
    if data.reducida and data.jornada == WHOLE:
        raise InputError(NO_REDUCTION)
    paid = pay_of(data.salario, data.periodo)
    pay = Pay(paid.annual * WHOLE / data.jornada) if data.reducida else paid
    due = _due(data, pay)
    total = rounded(due.amount)
    return Outcome(
        name=NAME,
        title=f"{TITLE}: {CAUSES[data.causa].lower()}",
        headline=(("Indemnización", euros(total)),),
        steps=(*_salary_steps(data, paid, pay), *due.steps),
        assumptions=(*((AS_WHOLE,) if data.reducida else ()), *due.assumptions),
        warnings=(
            *salary_doubts(paid.annual, data.fin, facts, data.jornada),
            *_reduction_doubts(data),
            *due.warnings,
            *((OLDER,) if data.fin < STATUTE_FROM else ()),
            AGREEMENT,
        ),
        values={"total": total, "salario_diario": rounded(pay.daily)},
    )


def _reduction_doubts(data: SeveranceParams) -> list[str]:
    if not data.reducida:
        return [REDUCED] if data.jornada < WHOLE else []
    return [WITHIN_TERM, *((HOME_REDUCED,) if data.causa == "hogar" else ())]


def _salary_steps(data: SeveranceParams, paid: Pay, pay: Pay) -> list[Step]:
    times = {"anual": "", "mensual": " × 12", "diario": " × 365"}[data.periodo]
    annual = f"{euros(data.salario)}{times}"
    steps = []
    if data.reducida:
        steps.append(
            Step(
                text="Salario de un año sin la reducción de jornada",
                formula=f"{annual} ÷ {decimal(data.jornada)} %",
                result=euros(pay.annual),
                refs=(provisions_followed.REDUCED_HOURS,),
            )
        )
        annual = euros(pay.annual)
    if data.causa != "empleador":
        steps.append(
            Step(
                text="Salario diario, con las pagas extraordinarias",
                formula=f"{annual} ÷ 365",
                result=euros(pay.daily),
                refs=(et("26", "1"),),
            )
        )
    return steps


def _due(data: SeveranceParams, pay: Pay) -> _Due:
    start, end = data.inicio, data.fin
    if data.causa in ("improcedente", "incumplimiento"):
        basis = (et("50", "2"),) if data.causa == "incumplimiento" else ()
        return _unfair(start, end, pay, basis)
    if data.causa == "fin_temporal":
        return _fixed_term(start, end, pay)
    if data.causa == "hogar":
        return _household(start, end, pay)
    if data.causa == "empleador":
        step = Step(
            text="Un mes de salario, sea cual sea la antigüedad",
            formula=f"{euros(pay.annual)} ÷ 12",
            result=euros(pay.monthly),
            refs=(et("49", "1.g"),),
        )
        return _Due(pay.monthly, [step], [MONTHLY])
    refs, cap = {
        "objetivo": ((et("53", "1.b"),), 12),
        "colectivo": ((et("51", "4"), et("53", "1.b")), 12),
        "traslado": ((et("40", "1"),), 12),
        "modificacion": ((et("41", "3"),), 9),
    }[data.causa]
    warnings = []
    if data.causa == "modificacion":
        warnings.append(
            "El artículo 41.3 ET solo la concede en los supuestos de las letras a), b), c), d) y f) de su "
            "apartado 1, y a quien resulte perjudicado."
        )
    months = months_begun(start, end)
    earned, step = _by_months("Días de salario por el tiempo de servicio", OBJECTIVE_DAYS, months, pay, refs)
    amount, capped = _capped(earned, cap, pay, refs)
    return _Due(amount, [_service(start, end), step, capped], [DAILY, MONTHLY, BEGUN, ALL_TIME], warnings)


def _unfair(start: date, end: date, pay: Pay, basis: tuple[Ref, ...]) -> _Due:
    if start >= REFORM:
        refs = (*basis, et("56", "1"))
        months = months_begun(start, end)
        earned, step = _by_months("Días de salario por el tiempo de servicio", NEW_DAYS, months, pay, refs)
        amount, capped = _capped(earned, NEW_CAP_MONTHS, pay, refs)
        return _Due(amount, [_service(start, end), step, capped], [DAILY, MONTHLY, BEGUN, ALL_TIME])
    return _two_periods(start, end, pay, (*basis, provisions_followed.DISMISSAL_BEFORE_2012))


def _two_periods(start: date, end: date, pay: Pay, refs: tuple[Ref, ...]) -> _Due:
    """Both periods of DT 11.ª.2 ET, each by months begun, and its two limits."""
    first_end = min(end, REFORM - timedelta(days=1))
    first = months_begun(start, first_end)
    second = months_begun(REFORM, end) if end >= REFORM else 0
    old_days = OLD_DAYS * first / MONTHS
    new_days = NEW_DAYS * second / MONTHS
    _, old_step = _by_months(f"Hasta el {short(first_end)}: {_months(first)}", OLD_DAYS, first, pay, refs)
    steps = [_service(start, end), old_step]
    if second:
        label = f"Desde el {short(REFORM)}: {_months(second)}"
        steps.append(_by_months(label, NEW_DAYS, second, pay, refs)[1])
    limit = max(Decimal(OLD_CAP_DAYS), old_days)
    days = min(old_days + new_days, limit)
    why = (
        f"el periodo anterior al {short(REFORM)} ya suma {decimal(old_days)} días, más "
        f"de {OLD_CAP_DAYS}: ese es "
        "el máximo y el tiempo posterior no añade nada"
        if old_days > OLD_CAP_DAYS
        else f"no puede pasar de {OLD_CAP_DAYS} días de salario"
    )
    steps.append(
        Step(
            text=f"Límite de días: {why}",
            formula=f"mín({decimal(old_days + new_days)}; {decimal(limit)}) días × {euros(pay.annual)} ÷ 365",
            result=f"{decimal(days)} días; {euros(days * pay.daily)}",
            refs=refs,
        )
    )
    amount, capped = _capped(days * pay.daily, OLD_CAP_MONTHS, pay, refs)
    return _Due(amount, [*steps, capped], [DAILY, MONTHLY, BEGUN, ALL_TIME])


def _fixed_term(start: date, end: date, pay: Pay) -> _Due:
    per_year = next((days for first, days in SCALE if start >= first), None)
    if per_year is None:
        raise InputError(
            f"Los contratos celebrados antes del {short(FIXED_TERM_FROM)} no tienen indemnización por fin de "
            "contrato (DT 8.ª.2 ET): revise la fecha de inicio."
        )
    refs = (et("49", "1.c"), provisions_followed.FIXED_TERM_SCALE)
    amount, step = _by_days(per_year, start, end, pay, refs)
    warning = (
        "No se debe en los contratos formativos ni en los de sustitución (art. 49.1.c "
        "ET). Si hubo fraude en la "
        "contratación, la extinción puede ser un despido improcedente."
    )
    return _Due(amount, [_service(start, end), step], [DAILY, PROPORTIONAL, ALL_TIME], [warning])


def _household(start: date, end: date, pay: Pay) -> _Due:
    if end < HOME_FROM:
        raise InputError(
            f"En el servicio del hogar estas causas existen desde el {short(HOME_FROM)}: antes se extinguía "
            "por desistimiento, con otras reglas."
        )
    refs = (home("11", "2"),)
    earned, step = _by_days(HOME_DAYS, start, end, pay, refs)
    amount, capped = _capped(earned, 6, pay, refs)
    warnings = [] if start >= HOME_SCALE_FROM else [HOME_OLD]
    return _Due(
        amount, [_service(start, end), step, capped], [DAILY, MONTHLY, PROPORTIONAL, ALL_TIME], warnings
    )


def _service(start: date, end: date) -> Step:
    return Step(
        text="Tiempo de servicio",
        formula=f"del {short(start)} al {short(end)}, ambos incluidos",
        result=f"{several(days_between(start, end), 'día', 'días')}; {_months(months_begun(start, end))}",
    )


def _months(count: int) -> str:
    return several(count, "mes completo o comenzado", "meses completos o comenzados")


def _by_months(
    text: str, per_year: int, months: int, pay: Pay, refs: tuple[Ref, ...]
) -> tuple[Decimal, Step]:
    days = per_year * months / MONTHS
    formula = f"{per_year} días × {months} ÷ 12 = {decimal(days)} días; × {euros(pay.annual)} ÷ 365"
    return days * pay.daily, Step(text=text, formula=formula, result=euros(days * pay.daily), refs=refs)


def _by_days(per_year: int, start: date, end: date, pay: Pay, refs: tuple[Ref, ...]) -> tuple[Decimal, Step]:
    served = days_between(start, end)
    days = per_year * served / YEAR
    step = Step(
        text=f"{per_year} días de salario por año de servicio, en proporción a los días servidos",
        formula=f"{per_year} días × {decimal(served)} ÷ 365 = {decimal(days)} días; "
        f"× {euros(pay.annual)} ÷ 365",
        result=euros(days * pay.daily),
        refs=refs,
    )
    return days * pay.daily, step


def _capped(amount: Decimal, months: int, pay: Pay, refs: tuple[Ref, ...]) -> tuple[Decimal, Step]:
    cap = months * pay.monthly
    step = Step(
        text=f"Límite de {months} mensualidades" + (": se aplica" if amount > cap else ": no se alcanza"),
        formula=f"mín({euros(amount)}; {months} × {euros(pay.annual)} ÷ 12 = {euros(cap)})",
        result=euros(min(amount, cap)),
        refs=refs,
    )
    return min(amount, cap), step
