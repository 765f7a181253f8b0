"""Birth and care of a child: the weeks of one parent, their dates and the allowance."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from pydantic import Field

from calculations.minimum_wage import base_doubts
from calculations.official_figures import Facts, Figure
from calculations.outcome import Outcome, Step
from calculations.params import Params
from calculations.time_spans import add_months
from calculations.written_amounts import Count, Day, Money, euros, rounded, several, short
from core.errors import InputError

NAME, TITLE = "nacimiento", "Nacimiento y cuidado de menor"
CARE_FROM = date(2024, 8, 2)
WEEK, YEAR = 7, 12


class BirthParams(Params):
    """Data of the leave."""

    hecho: Literal["nacimiento", "adopcion"] = Field(
        "nacimiento",
        description="Hecho",
        json_schema_extra={
            "labels": {"nacimiento": "Nacimiento", "adopcion": "Adopción, guarda o acogimiento"}
        },
    )
    fecha: Day = Field(description="Fecha del parto, o de la resolución de adopción, guarda o acogimiento")
    hijos: Count = Field(1, ge=1, le=10, description="Hijos o menores")
    hospital: Count = Field(0, ge=0, le=1000, description="Días de hospitalización del recién nacido")
    base: Money | None = Field(None, description="Base reguladora diaria")
    discapacidad: bool = Field(False, description="El hijo o menor tiene discapacidad")
    unico: bool = Field(False, description="Hay una única persona progenitora")


def run(data: BirthParams, facts: Facts) -> Outcome:
    """Weeks, dates and allowance of one parent. Raises InputError: before 2021, or unfit data."""
    alone = " de una única persona" if data.unico else ""

    def known(name: str) -> Figure | None:
        return facts.known(f"{data.hecho}: {name}", data.fecha)

    basic = facts.figure(f"{data.hecho}: semanas{alone}", data.fecha)
    if data.hospital and data.hecho == "adopcion":
        raise InputError("La hospitalización solo amplía el permiso por nacimiento: deje esos días en cero.")
    care = known(f"semanas de cuidado{alone}")
    more = facts.figure("ampliaciones de una única persona", data.fecha)
    shares = more.whole if data.unico else 1
    added = shares * (data.hijos - 1 + data.discapacidad)
    short_stay, longest = (
        known("hospitalización que no amplía"),
        known("ampliación máxima por hospitalización"),
    )
    stay = 0
    if short_stay and longest and data.hospital > short_stay.amount:
        stay = min(data.hospital, longest.whole * WEEK)
    weeks = basic.whole + added
    days = weeks * WEEK + stay
    compulsory = facts.figure(f"{data.hecho}: semanas obligatorias", data.fecha)
    steps = [
        Step(
            text=f"Semanas de una persona progenitora por un hecho del {short(data.fecha)}",
            result=f"{basic.whole} semanas",
            refs=basic.refs,
        ),
        *_added(data, shares, added, more),
        *_stay(stay, basic),
        *_parts(data.fecha, basic, compulsory, care),
    ]
    headline = [("Semanas", f"{weeks} semanas" + (f" y {several(stay, 'día', 'días')}" if stay else ""))]
    values: dict[str, Decimal | date | int] = {"weeks": weeks, "days": days}
    if data.base is not None:
        rate = facts.figure("nacimiento: subsidio", data.fecha)
        amount = rounded(data.base * days * rate.share)
        headline.append(("Subsidio", euros(amount)))
        values["amount"] = amount
        formula = f"{euros(data.base)} × {several(days, 'día', 'días')} × {rate.whole} %"
        steps.append(Step(text="Subsidio", formula=formula, result=euros(amount), refs=rate.refs))
    return Outcome(
        name=NAME,
        title=TITLE,
        headline=tuple(headline),
        steps=tuple(steps),
        assumptions=("Se disfruta a jornada completa y no se anticipa antes del parto.",),
        warnings=(
            *(base_doubts(data.base, data.fecha, facts) if data.base is not None else ()),
            *_warnings(data, longer=care is not None),
            "Compruebe los periodos mínimos de cotización (art. 178 LGSS).",
        ),
        values=values,
    )


def _added(data: BirthParams, shares: int, added: int, figure: Figure) -> list[Step]:
    if not added:
        return []
    reasons = [f"{data.hijos - 1} por parto o adopción múltiple"] if data.hijos > 1 else []
    reasons += ["1 por discapacidad"] if data.discapacidad else []
    formula = " + ".join(reasons) + (", doble por ser una única persona" if shares == 2 else "")
    result = f"{added} semanas"
    return [Step(text="Semanas que se añaden", formula=formula, result=result, refs=figure.refs)]


def _stay(stay: int, basic: Figure) -> list[Step]:
    if not stay:
        return []
    text = "Días de hospitalización que se añaden, por pasar de siete (trece semanas como máximo)"
    return [Step(text=text, result=several(stay, "día", "días"), refs=basic.refs)]


def _parts(start: date, basic: Figure, compulsory: Figure, care: Figure | None) -> list[Step]:
    """The compulsory weeks, those until the first birthday and, since 2025, those of care."""
    free = basic.whole - compulsory.whole - (care.whole if care else 0)
    compulsory_end = start + timedelta(days=compulsory.whole * WEEK - 1)
    steps = [
        Step(
            text=f"{compulsory.whole} semanas obligatorias, seguidas y a jornada completa",
            formula=f"del {short(start)} al {short(compulsory_end)}",
            refs=basic.refs,
        ),
        Step(
            text=f"{free} semanas voluntarias, por semanas, dentro de los doce meses",
            formula=f"desde el {short(compulsory_end + timedelta(days=1))}",
            result=f"cumple doce meses el {short(add_months(start, YEAR))}",
            refs=basic.refs,
        ),
    ]
    if care:
        steps.append(
            Step(
                text=f"{care.whole} semanas para el cuidado, hasta que cumpla ocho años",
                result="los ocho años se cuentan desde su nacimiento",
                refs=basic.refs,
            )
        )
    return steps


def _warnings(data: BirthParams, longer: bool) -> list[str]:
    told = []
    if data.unico and not longer:
        told.append(
            "La STC 140/2024, de 6 de noviembre, permite a las familias monoparentales sumar semanas del "
            "otro progenitor: no están incluidas; compruebe si alcanza a este caso."
        )
    if data.fecha >= CARE_FROM and not longer:
        told.append(
            "Por hechos desde el 02/08/2024, el Real Decreto-ley 9/2025 reconoce además las semanas de "
            "cuidado hasta los ocho años: no están incluidas; compruebe su régimen transitorio."
        )
    return told
