"""Age of retirement: the first day on which it is reached, and the effect of going on or going early."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from pydantic import Field

from calculations.official_figures import Facts, Figure
from calculations.outcome import Outcome, Step
from calculations.params import Params
from calculations.time_spans import add_months, months_begun, whole_months
from calculations.written_amounts import Count, Day, day_in_words, decimal, several, short
from core.errors import InputError

NAME, TITLE = "jubilacion", "Edad ordinaria de jubilación"
CONTRIBUTED, AGE, LESS = (
    "jubilación: cotizado para los 65 años",
    "jubilación: edad",
    "jubilación: edad con más cotización",
)
DAY = timedelta(days=1)
HALF_YEAR = 6
MODES: dict[str, str] = {
    "ordinaria": "ordinaria, o después de la edad",
    "voluntaria": "anticipada por su voluntad (art. 208 LGSS)",
    "involuntaria": "anticipada por cese no imputable (art. 207 LGSS)",
}
NO_DAY = "Escriba el día en que se jubila: de él dependen los meses de anticipación."
TOO_SOON = (
    "El {day} aún no tiene la edad ordinaria, que alcanza el {reached}: elija una jubilación anticipada o "
    "escriba un día posterior."
)
BEFORE_CONTRIBUTIONS = (
    "El día en que se jubila no puede ser anterior al de sus cotizaciones: corrija una fecha."
)
FEW = "Para esa jubilación hacen falta {need} cotizados ({source}): ese día tendría {had}."
FAR = (
    "Se anticiparía {months} y el máximo son {most} meses antes de la edad ordinaria ({source}): el primer "
    "día posible es el {first}."
)
NOT_EARLY = "El {day} ya tiene la edad ordinaria: elija la jubilación ordinaria."
LUMP = (
    "En lugar del porcentaje puede elegirse un tanto alzado (art. 210.2.b LGSS), cuya fórmula es una "
    "imagen que el "
    "texto del BOE no trae: pida el cálculo al INSS antes de elegir, porque la elección no se cambia."
)
EXCLUDED = (
    "El complemento no se aplica a la jubilación parcial ni a la flexible, ni desde una situación "
    "asimilada al "
    "alta (art. 210.2 LGSS), y la pensión no pasa del límite del artículo 57 LGSS."
)
AS_IF = "La edad ordinaria es la que le habría correspondido de seguir cotizando hasta cumplirla ({source})."
SECOND_YEAR = (
    "Los periodos de más de seis meses solo suman tras el segundo año completo, a la letra de la ley."
)
WITHOUT_BREAK = "Se toma como cotizado sin interrupción el tiempo entre el {since} y el {until}."
OTHER_CONDITIONS = (
    "Compruebe los demás requisitos de la jubilación anticipada: pensión mayor que la mínima en la "
    "voluntaria; causa del cese y seis meses de inscripción en la involuntaria."
)


class RetirementParams(Params):
    """Data of the age of retirement."""

    nacimiento: Day = Field(description="Fecha de nacimiento")
    fecha: Day = Field(description="Día en que tiene cotizado lo siguiente")
    anos: Count = Field(ge=0, le=60, description="Años completos cotizados")
    meses: Count = Field(0, ge=0, le=11, description="Meses completos cotizados, además de los años")
    retiro: Day | None = Field(None, description="Día en que se jubila, si no es el primero posible")
    modalidad: Literal["ordinaria", "voluntaria", "involuntaria"] = Field(
        "ordinaria", description="Jubilación", json_schema_extra={"labels": dict(MODES)}
    )
    sigue: bool = Field(True, description="Seguirá cotizando sin interrupción desde ese día")


def run(data: RetirementParams, facts: Facts) -> Outcome:
    """The first day, and why. Raises InputError: the dates contradict each other or are before the scale."""
    contributed = data.anos * 12 + data.meses
    first = add_months(data.nacimiento, facts.figure(LESS, date.max).whole)
    _check(data, contributed, first, facts)
    early = data.modalidad != "ordinaria"
    ahead = data.model_copy(update={"sigue": data.sigue or early})
    day = first
    while not _reached(ahead, contributed, day, facts):
        day += DAY
    months = _had(ahead, contributed, day)
    need, age, less = (facts.figure(name, day) for name in (CONTRIBUTED, AGE, LESS))
    by_contributions = months >= need.amount
    required = less.whole if by_contributions else age.whole
    fewest = facts.figure("jubilación: cotización mínima", day)
    warnings = [f"Además hacen falta dos años cotizados dentro de los quince anteriores ({fewest.source})."]
    if not early:
        warnings.insert(
            0,
            "Es la edad ordinaria: no tiene en cuenta jubilaciones anticipadas, parciales "
            "ni por actividades penosas.",
        )
    if months < fewest.amount:
        warnings.insert(
            0,
            "Ese día no tendría los quince años cotizados que exige el artículo "
            f"205.1.b LGSS: tendría {_span(months)}.",
        )
    headline = [("Primer día con la edad ordinaria", day_in_words(day)), ("Edad exigida", _span(required))]
    values: dict[str, Decimal | date | int] = {
        "day": day,
        "age_months": required,
        "contributed_months": months,
    }
    steps = [
        Step(
            text="Cumple 65 años",
            formula=f"{short(data.nacimiento)} + 65 años",
            result=day_in_words(first),
        ),
        Step(
            text=f"Cotizado el {short(day)}, en años y meses completos",
            formula=f"{_span(contributed)} el {short(data.fecha)}"
            + (", y sigue cotizando" if ahead.sigue else ""),
            result=_span(months),
            refs=less.refs,
        ),
        Step(
            text=f"En {day.year} se exigen {_span(need.whole)} para jubilarse a los 65 años",
            formula=f"{_span(months)} {'≥' if by_contributions else '<'} {_span(need.whole)}",
            result=f"edad exigida: {_span(required)}",
            refs=need.refs,
        ),
        Step(
            text="Primer día en que la alcanza",
            formula=f"{short(data.nacimiento)} + {_span(required)}"
            if not by_contributions or day == first
            else "",
            result=day_in_words(day),
            refs=age.refs,
        ),
    ]
    assumptions = ["No cuenta la parte proporcional de las pagas extraordinarias (art. 205.1 LGSS)."]
    if data.fecha > day:
        assumptions.append(WITHOUT_BREAK.format(since=short(day), until=short(data.fecha)))
    if ahead.sigue:
        assumptions.append("Cada mes natural transcurrido desde esa fecha suma un mes cotizado.")
    if early:
        told, more = _early(data, facts, day, contributed)
        assumptions.append(AS_IF.format(source=more[-1].refs[0].said))
        warnings.append(OTHER_CONDITIONS)
    elif data.retiro is not None:
        if data.retiro < day:
            raise InputError(TOO_SOON.format(day=short(data.retiro), reached=short(day)))
        told, more = _late(data, facts, day, months)
        assumptions.append(SECOND_YEAR)
        warnings += [LUMP, EXCLUDED]
    else:
        told, more = None, []
    if told is not None:
        headline.append((told[0], f"{decimal(told[1])} %"))
        values["percentage"] = told[1]
    return Outcome(
        name=NAME,
        title=TITLE,
        headline=tuple(headline),
        steps=(*steps, *more),
        assumptions=tuple(assumptions),
        warnings=tuple(warnings),
        values=values,
    )


def _check(data: RetirementParams, contributed: int, first: date, facts: Facts) -> None:
    """Raises InputError: the dates contradict each other, or the law of the day is not known."""
    if data.fecha <= data.nacimiento:
        raise InputError(
            "La fecha de las cotizaciones debe ser posterior al nacimiento: corrija una de las dos."
        )
    if add_months(data.nacimiento, 14 * 12 + contributed) > data.fecha:
        raise InputError(
            "Son más años cotizados de los posibles para esa edad: revise las fechas o los años."
        )
    facts.figure(AGE, first)
    if data.retiro is None:
        if data.modalidad != "ordinaria":
            raise InputError(NO_DAY)
    elif data.retiro < data.fecha:
        raise InputError(BEFORE_CONTRIBUTIONS)


def _late(
    data: RetirementParams, facts: Facts, reached: date, contributed: int
) -> tuple[tuple[str, Decimal], list[Step]]:
    """The additional percentage for the years that somebody goes on after the age."""
    left = data.retiro or reached
    fewest = facts.figure("jubilación: cotización mínima", left).amount
    last = left if data.sigue else min(left, max(reached, data.fecha))
    served = last if contributed >= fewest else reached
    years, rest = divmod(whole_months(reached, served), 12)
    each = facts.figure("jubilación demorada: por año completo", left)
    rate = each.row(contributed)[0]
    total = rate * years
    steps = [
        Step(
            text=f"Años completos cotizados desde el {short(reached)} hasta el {short(left)}",
            formula=f"{several(years, 'año', 'años')} × {decimal(rate)} %",
            result=f"{decimal(total)} %",
            refs=each.refs,
        )
    ]
    half = facts.known("jubilación demorada: por más de medio año", left)
    beyond = add_months(reached, years * 12 + HALF_YEAR) < served
    if half and years >= 2 and beyond:
        more = several(rest, "mes completo", "meses completos")
        text = f"Periodo de más de seis meses tras el segundo año: {more}"
        steps.append(Step(text=text, result=f"{decimal(half.amount)} %", refs=half.refs))
        total += half.amount
    return ("Porcentaje adicional por la demora", total), steps


def _early(
    data: RetirementParams, facts: Facts, reached: date, contributed: int
) -> tuple[tuple[str, Decimal], list[Step]]:
    """The reduction for the months that somebody goes before the age, by the table of the loaded norm."""
    left = data.retiro or reached
    if left >= reached:
        raise InputError(NOT_EARLY.format(day=short(left)))
    had = _had(data, contributed, left)
    need, most = (
        facts.figure(f"jubilación {data.modalidad}: {what}", left)
        for what in ("cotización mínima", "anticipación")
    )
    if had < need.amount:
        raise InputError(FEW.format(need=_span(need.whole), source=need.source, had=_span(had)))
    months = months_begun(left, reached - DAY)
    if months > most.amount:
        earliest = short(add_months(reached, -most.whole))
        told = several(months, "mes", "meses")
        raise InputError(FAR.format(months=told, most=most.whole, source=most.source, first=earliest))
    table = facts.figure(f"jubilación {data.modalidad}: coeficientes", left)
    column = int(facts.figure("jubilación anticipada: tramos de cotización", left).row(had)[0])
    rate = _coefficient(table, months, column)
    steps = [
        Step(
            text=f"Meses o fracción de mes que faltan el {short(left)} para el {short(reached)}",
            result=several(months, "mes", "meses"),
            refs=most.refs,
        ),
        Step(
            text=f"Coeficiente del cuadro con {_span(had)} cotizados",
            result=f"{decimal(rate)} %",
            refs=table.refs,
        ),
    ]
    return ("Reducción de la pensión", rate), steps


def _coefficient(table: Figure, months: int, column: int) -> Decimal:
    row = next((row[1:] for row in table.rows if row[0] == months), ())
    if len(row) <= column:
        raise InputError(
            f"El cuadro del {table.source} que está cargado no da el coeficiente de "
            f"{several(months, 'mes', 'meses')}: consulte el artículo en el BOE."
        )
    return row[column]


def _had(data: RetirementParams, contributed: int, day: date) -> int:
    """Whole months of contributions on a day; before the one told of, as if without a break."""
    if day < data.fecha:
        return contributed - months_begun(day, data.fecha - DAY)
    return contributed + whole_months(data.fecha, day) if data.sigue else contributed


def _reached(data: RetirementParams, contributed: int, day: date, facts: Facts) -> bool:
    if _had(data, contributed, day) >= facts.figure(CONTRIBUTED, day).amount:
        return True
    return day >= add_months(data.nacimiento, facts.figure(AGE, day).whole)


def _span(months: int) -> str:
    years, rest = divmod(months, 12)
    told = f"{years} años" if years != 1 else "1 año"
    return told if not rest else f"{told} y {rest} {'mes' if rest == 1 else 'meses'}"
