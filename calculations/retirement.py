"""Ordinary age of retirement: the first day on which somebody has reached it."""

from datetime import date, timedelta

from pydantic import Field

from calculations import provisions_followed
from calculations.outcome import Outcome, Step
from calculations.params import Params
from calculations.provisions_followed import lgss
from calculations.time_spans import add_months
from calculations.written_amounts import Count, Day, day_in_words, short
from core.errors import InputError

NAME, TITLE = "jubilacion", "Edad ordinaria de jubilación"
EARLY = 65 * 12
SCALE: dict[int, tuple[int, int]] = {
    2013: (35 * 12 + 3, 65 * 12 + 1),
    2014: (35 * 12 + 6, 65 * 12 + 2),
    2015: (35 * 12 + 9, 65 * 12 + 3),
    2016: (36 * 12, 65 * 12 + 4),
    2017: (36 * 12 + 3, 65 * 12 + 5),
    2018: (36 * 12 + 6, 65 * 12 + 6),
    2019: (36 * 12 + 9, 65 * 12 + 8),
    2020: (37 * 12, 65 * 12 + 10),
    2021: (37 * 12 + 3, 66 * 12),
    2022: (37 * 12 + 6, 66 * 12 + 2),
    2023: (37 * 12 + 9, 66 * 12 + 4),
    2024: (38 * 12, 66 * 12 + 6),
    2025: (38 * 12 + 3, 66 * 12 + 8),
    2026: (38 * 12 + 3, 66 * 12 + 10),
    2027: (38 * 12 + 6, 67 * 12),
}
"""Year to (months of contributions for retiring at 65, age in months without them): DT 7.ª LGSS."""
FEWEST = 15 * 12
DAY = timedelta(days=1)


class RetirementParams(Params):
    """Data of the age of retirement."""

    nacimiento: Day = Field(description="Fecha de nacimiento")
    fecha: Day = Field(description="Día en que tiene cotizado lo siguiente")
    anos: Count = Field(ge=0, le=60, description="Años completos cotizados")
    meses: Count = Field(0, ge=0, le=11, description="Meses completos cotizados, además de los años")
    sigue: bool = Field(True, description="Seguirá cotizando sin interrupción desde ese día")


def required(year: int) -> tuple[int, int]:
    """(months of contributions for retiring at 65, age in months without them) in a year from 2013 on."""
    return SCALE[min(year, max(SCALE))]


def run(data: RetirementParams, _: object = None) -> Outcome:
    """The first day, and why. Raises InputError: the dates contradict each other or are before the scale."""
    if data.fecha <= data.nacimiento:
        raise InputError(
            "La fecha de las cotizaciones debe ser posterior al nacimiento: corrija una de las dos."
        )
    contributed = data.anos * 12 + data.meses
    if add_months(data.nacimiento, 14 * 12 + contributed) > data.fecha:
        raise InputError(
            "Son más años cotizados de los posibles para esa edad: revise las fechas o los años."
        )
    first = add_months(data.nacimiento, EARLY)
    if first.year < min(SCALE):
        raise InputError(
            f"Cumplió 65 años antes de {min(SCALE)}: su edad se rige por normas anteriores a esta escala."
        )
    if data.fecha > first:
        raise InputError(
            f"Cumplió 65 años el {short(first)}: escriba lo que tenía cotizado ese día o antes, no después."
        )
    day = first
    while not _reached(data, contributed, day):
        day += DAY
    months = _had(data, contributed, day)
    need, age = required(day.year)
    by_contributions = months >= need
    age = EARLY if by_contributions else age
    warnings = [
        "Es la edad ordinaria: no tiene en cuenta jubilaciones anticipadas, parciales "
        "ni por actividades penosas.",
        "Además hacen falta dos años cotizados dentro de los quince anteriores (art. 205.1.b LGSS).",
    ]
    if months < FEWEST:
        warnings.insert(
            0,
            "Ese día no tendría los quince años cotizados que exige el artículo "
            f"205.1.b LGSS: tendría {_span(months)}.",
        )
    return Outcome(
        name=NAME,
        title=TITLE,
        headline=(("Primer día con la edad ordinaria", day_in_words(day)), ("Edad exigida", _span(age))),
        steps=(
            Step(
                text="Cumple 65 años",
                formula=f"{short(data.nacimiento)} + 65 años",
                result=day_in_words(first),
            ),
            Step(
                text=f"Cotizado el {short(day)}, en años y meses completos",
                formula=f"{_span(contributed)} el {short(data.fecha)}"
                + (", y sigue cotizando" if data.sigue else ""),
                result=_span(months),
                refs=(lgss("205", "1.a"),),
            ),
            Step(
                text=f"En {day.year} se exigen {_span(need)} para jubilarse a los 65 años",
                formula=f"{_span(months)} {'≥' if by_contributions else '<'} {_span(need)}",
                result=f"edad exigida: {_span(age)}",
                refs=(lgss("205", "1.a"), provisions_followed.RETIREMENT_SCALE),
            ),
            Step(
                text="Primer día en que la alcanza",
                formula=f"{short(data.nacimiento)} + {_span(age)}" if age > EARLY or day == first else "",
                result=day_in_words(day),
                refs=(provisions_followed.RETIREMENT_SCALE,),
            ),
        ),
        assumptions=(
            "No cuenta la parte proporcional de las pagas extraordinarias (art. 205.1 LGSS).",
            *(("Cada mes natural transcurrido desde esa fecha suma un mes cotizado.",) if data.sigue else ()),
        ),
        warnings=tuple(warnings),
        values={"day": day, "age_months": age, "contributed_months": months},
    )


def _had(data: RetirementParams, contributed: int, day: date) -> int:
    """Whole months of contributions on a day."""
    if not data.sigue:
        return contributed
    passed = (day.year - data.fecha.year) * 12 + day.month - data.fecha.month
    passed -= add_months(data.fecha, passed) > day
    return contributed + passed


def _reached(data: RetirementParams, contributed: int, day: date) -> bool:
    need, age = required(day.year)
    return _had(data, contributed, day) >= need or day >= add_months(data.nacimiento, age)


def _span(months: int) -> str:
    years, rest = divmod(months, 12)
    told = f"{years} años" if years != 1 else "1 año"
    return told if not rest else f"{told} y {rest} {'mes' if rest == 1 else 'meses'}"
