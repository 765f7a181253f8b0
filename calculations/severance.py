"""Compensation for the end of a contract: dismissal, objective causes, fixed terms, the worker's will."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from pydantic import Field

from calculations.minimum_wage import WHOLE, salary_doubts
from calculations.official_figures import Facts, Figure
from calculations.outcome import Outcome, Ref, Step, refs
from calculations.params import Params
from calculations.time_spans import Service, check_order, months_told
from calculations.written_amounts import Day, Money, Spans, decimal, euros, rounded, short
from core.errors import InputError

NAME, TITLE = "indemnizacion", "Indemnización por extinción"
HOME_SCALE_FROM, STATUTE_FROM = date(2011, 11, 18), date(2015, 11, 13)
YEAR, MONTHS = Decimal(365), Decimal(12)
BY_START = ("improcedente", "fin_temporal")
"""Causes whose figures are those of the day on which the contract began; of others, on which it ended."""
BY_DAYS = ("fin_temporal", "hogar", "alta_desistimiento", "alta_improcedente")
"""Causes whose law does not count a month begun as whole."""
NONE_DUE = ("fin_sustitucion", "fin_formativo")
FIGURES_OF = {"incumplimiento": "improcedente", "fin_produccion": "fin_temporal"}
"""Causes with the figures of another."""

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
    "La ley no manda prorratear por meses: se cuentan los años completos de servicio y, del último, los días "
    "entre 365."
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
NO_COMPENSATION = (
    "Ese contrato no tiene indemnización cuando acaba su tiempo: el artículo 49.1.c ET exceptúa los "
    "formativos y "
    "los de sustitución. Si el despido fue improcedente, elija esa causa."
)
PERHAPS_NONE = (
    "No se debe en los contratos formativos ni en los de sustitución (art. 49.1.c ET). Si hubo fraude en la "
    "contratación, la extinción puede ser un despido improcedente."
)
TOO_LONG = (
    "Dura más de {months} meses: salvo que el convenio sectorial lo amplíe hasta un año, quien trabaja "
    "sería fijo "
    "(arts. 15.2 y 15.4 ET) y el cese, un despido."
)
ONLY_SOME = (
    "El artículo 41.3 ET solo la concede en los supuestos de las letras a), b), c), d) y f) de su apartado "
    "1, y a "
    "quien resulte perjudicado."
)
AGREED = (
    "Es la indemnización a falta de pacto, sobre el salario en metálico: si el contrato de alta dirección "
    "fija otra, se debe esa (art. 11 RD 1382/1985)."
)
LEFT_OUT = (
    "Reste solo lo que no es servicio, como la excedencia voluntaria: cuentan la incapacidad temporal, la "
    "excedencia forzosa (art. 46.1 ET) y la de cuidado de hijos o familiares (art. 46.3 ET)."
)
OVERPAID = "Ya se han pagado {more} más de lo que sale: compruebe por qué antes de reclamar o devolver nada."

Cause = Literal[
    "improcedente",
    "incumplimiento",
    "objetivo",
    "colectivo",
    "traslado",
    "modificacion",
    "fin_temporal",
    "fin_produccion",
    "fin_sustitucion",
    "fin_formativo",
    "empleador",
    "hogar",
    "alta_desistimiento",
    "alta_improcedente",
]
CAUSES: dict[str, str] = {
    "improcedente": "Despido improcedente",
    "incumplimiento": "Extinción por incumplimiento del empresario (art. 50 ET)",
    "objetivo": "Despido objetivo procedente",
    "colectivo": "Despido colectivo",
    "traslado": "Extinción por traslado (art. 40 ET)",
    "modificacion": "Extinción por modificación sustancial (art. 41 ET)",
    "fin_temporal": "Fin de contrato temporal",
    "fin_produccion": "Fin de contrato por circunstancias de la producción",
    "fin_sustitucion": "Fin de contrato de sustitución o interinidad",
    "fin_formativo": "Fin de contrato formativo",
    "empleador": "Muerte, jubilación o incapacidad del empresario",
    "hogar": "Extinción en el servicio del hogar familiar",
    "alta_desistimiento": "Desistimiento del empresario en la alta dirección",
    "alta_improcedente": "Despido improcedente en la alta dirección",
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
    pagado: Money | None = Field(None, description="Indemnización ya pagada")
    no_cuenta: Spans = Field(
        None,
        description="Periodos que no cuentan como servicio (del 01/01/2016 al 31/12/2017)",
        json_schema_extra={"days": True},
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
    due = _due(data, pay, facts)
    total = rounded(due.amount)
    paid_before = data.pagado or Decimal(0)
    left = max(total - paid_before, Decimal(0))
    headline = [("Indemnización", euros(total))]
    warnings = list(due.warnings)
    if paid_before:
        headline.append(("Queda por pagar", euros(left)))
        if paid_before > total:
            warnings.insert(0, OVERPAID.format(more=euros(paid_before - total)))
    return Outcome(
        name=NAME,
        title=f"{TITLE}: {CAUSES[data.causa].lower()}",
        headline=tuple(headline),
        steps=(*_salary_steps(data, paid, pay), *due.steps, *_offset(data, total, left)),
        assumptions=(*((AS_WHOLE,) if data.reducida else ()), *due.assumptions),
        warnings=(
            *salary_doubts(paid.annual, data.fin, facts, data.jornada),
            *_reduction_doubts(data),
            *warnings,
            *((OLDER,) if data.fin < STATUTE_FROM else ()),
            AGREEMENT,
        ),
        values={"total": total, "salario_diario": rounded(pay.daily), "pendiente": left},
    )


def _offset(data: SeveranceParams, total: Decimal, left: Decimal) -> list[Step]:
    if not data.pagado:
        return []
    formula = f"{euros(total)} − {euros(data.pagado)}"
    basis = refs("art. 53.5.b ET") if data.causa == "improcedente" else ()
    return [Step(text="Menos lo que ya se pagó", formula=formula, result=euros(left), refs=basis)]


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
                refs=refs("DA 19.ª ET"),
            )
        )
        annual = euros(pay.annual)
    if data.causa != "empleador":
        steps.append(
            Step(
                text="Salario diario, con las pagas extraordinarias",
                formula=f"{annual} ÷ 365",
                result=euros(pay.daily),
                refs=refs("art. 26.1 ET"),
            )
        )
    return steps


def _due(data: SeveranceParams, pay: Pay, facts: Facts) -> _Due:
    """The amount by the régime of the cause and the day, whose figures and articles are data."""
    if data.causa == "empleador":
        month = facts.figure("empleador: tope en mensualidades", data.fin)
        text = "Un mes de salario, sea cual sea la antigüedad"
        formula = f"{euros(pay.annual)} ÷ 12"
        step = Step(text=text, formula=formula, result=euros(pay.monthly), refs=month.refs)
        return _Due(pay.monthly, [step], [MONTHLY])
    if data.causa in NONE_DUE:
        raise InputError(NO_COMPENSATION)
    service = Service(data.inicio, data.fin, data.no_cuenta or ())
    cause = FIGURES_OF.get(data.causa, data.causa)
    basis = refs("art. 50.2 ET") if data.causa == "incumplimiento" else ()
    name, day = f"{cause}: días por año", data.inicio if cause in BY_START else data.fin
    days, most = facts.figure(name, day), facts.known(f"{cause}: tope en días", day)
    cited = (*basis, *days.refs)
    if most is not None:
        spans = facts.between(name, data.inicio, data.fin)
        earned, steps = _by_spans(service, spans, most.amount, pay, cited)
    elif cause in BY_DAYS:
        earned, steps = _by_days(days, service, pay)
    else:
        text = "Días de salario por el tiempo de servicio"
        earned, steps = _by_months(text, days, service.months(), pay, cited)
    steps = [*service.steps(), *steps]
    cap = facts.known(f"{cause}: tope en mensualidades", day)
    if cap is not None:
        earned, step = _capped(earned, cap, pay, cited)
        steps.append(step)
    assumptions = [
        DAILY,
        *((MONTHLY,) if cap else ()),
        PROPORTIONAL if cause in BY_DAYS else BEGUN,
        *(() if data.no_cuenta else (ALL_TIME,)),
    ]
    return _Due(earned, steps, assumptions, _doubts(data, facts))


def _doubts(data: SeveranceParams, facts: Facts) -> list[str]:
    told = [LEFT_OUT] if data.no_cuenta else []
    if data.causa == "modificacion":
        told.append(ONLY_SOME)
    elif data.causa == "hogar" and data.inicio < HOME_SCALE_FROM:
        told.append(HOME_OLD)
    elif data.causa.startswith("alta_"):
        told.append(AGREED)
    elif data.causa == "fin_temporal":
        told.append(PERHAPS_NONE)
    elif data.causa == "fin_produccion":
        longest = facts.known("contrato por circunstancias de la producción: duración", data.inicio)
        if longest and Service(data.inicio, data.fin).months() > longest.amount:
            told.append(TOO_LONG.format(months=longest.whole))
    return told


def _by_spans(
    service: Service,
    spans: Sequence[tuple[date, date, Figure]],
    most: Decimal,
    pay: Pay,
    cited: tuple[Ref, ...],
) -> tuple[Decimal, list[Step]]:
    """Each period of DT 11.ª.2 ET by months begun, and its limit of days."""
    steps, earned = [], []
    for place, (first, last, figure) in enumerate(spans):
        months = service.months(first, last)
        label = f"Desde el {short(first)}" if place else f"Hasta el {short(last)}"
        earned.append(figure.amount * months / MONTHS)
        steps += _by_months(f"{label}: {months_told(months)}", figure, months, pay, cited)[1]
    limit = max(most, earned[0])
    days = min(sum(earned), limit)
    reform = short(spans[0][2].until + timedelta(days=1))
    why = (
        f"el periodo anterior al {reform} ya suma {decimal(earned[0])} días, más de {decimal(most)}: ese es "
        "el máximo y el tiempo posterior no añade nada"
        if earned[0] > most
        else f"no puede pasar de {decimal(most)} días de salario"
    )
    step = Step(
        text=f"Límite de días: {why}",
        formula=f"mín({decimal(sum(earned))}; {decimal(limit)}) días × {euros(pay.annual)} ÷ 365",
        result=f"{decimal(days)} días; {euros(days * pay.daily)}",
        refs=cited,
    )
    return days * pay.daily, [*steps, step]


def _by_months(
    text: str, figure: Figure, months: int, pay: Pay, cited: tuple[Ref, ...]
) -> tuple[Decimal, list[Step]]:
    days = figure.amount * months / MONTHS
    formula = f"{figure.whole} días × {months} ÷ 12 = {decimal(days)} días; × {euros(pay.annual)} ÷ 365"
    result = euros(days * pay.daily)
    return days * pay.daily, [Step(text=text, formula=formula, result=result, refs=cited)]


def _by_days(figure: Figure, service: Service, pay: Pay) -> tuple[Decimal, list[Step]]:
    years, rest = service.years()
    days = figure.amount * (years + rest / YEAR)
    time = " + ".join([*([decimal(years)] if years else []), *([f"{rest} ÷ 365"] if rest else [])])
    time = f"({time})" if years and rest else time
    step = Step(
        text=f"{figure.whole} días de salario por año de servicio, en proporción al tiempo servido",
        formula=f"{figure.whole} días × {time} = {decimal(days)} días; × {euros(pay.annual)} ÷ 365",
        result=euros(days * pay.daily),
        refs=figure.refs,
    )
    return days * pay.daily, [step]


def _capped(amount: Decimal, months: Figure, pay: Pay, cited: tuple[Ref, ...]) -> tuple[Decimal, Step]:
    cap = months.amount * pay.monthly
    step = Step(
        text=f"Límite de {months.whole} mensualidades"
        + (": se aplica" if amount > cap else ": no se alcanza"),
        formula=f"mín({euros(amount)}; {months.whole} × {euros(pay.annual)} ÷ 12 = {euros(cap)})",
        result=euros(min(amount, cap)),
        refs=cited,
    )
    return min(amount, cap), step
