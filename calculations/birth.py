"""Birth and care of a child: the weeks of one parent, their dates and the allowance."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from pydantic import Field

from calculations.minimum_wage import base_doubts
from calculations.official_figures import Facts
from calculations.outcome import Outcome, Ref, Step
from calculations.params import Params
from calculations.provisions_followed import et, lgss
from calculations.time_spans import add_months
from calculations.written_amounts import Count, Day, Money, euros, rounded, several, short
from core.errors import InputError

NAME, TITLE = "nacimiento", "Nacimiento y cuidado de menor"
EQUAL_FROM, BOTH_SHARES_FROM, LONGER_FROM = date(2021, 1, 1), date(2023, 6, 30), date(2025, 7, 31)
"""First days of: the same weeks for each parent; both shares for a single one; nineteen weeks."""
CARE_FROM = date(2024, 8, 2)
OLD, NEW, SINGLE = 16, 19, 32
COMPULSORY, CARE, SINGLE_CARE = 6, 2, 4
LONG_STAY, MOST_STAY = 7, 13 * 7
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
    if data.fecha < EQUAL_FROM:
        raise InputError(
            f"Solo se calculan hechos desde el {short(EQUAL_FROM)}: antes, cada progenitor tenía otras "
            "semanas."
        )
    if data.hospital and data.hecho == "adopcion":
        raise InputError("La hospitalización solo amplía el permiso por nacimiento: deje esos días en cero.")
    main = et("48", "4" if data.hecho == "nacimiento" else "5")
    longer = data.fecha >= LONGER_FROM
    basic = (SINGLE if data.unico else NEW) if longer else OLD
    shares = 2 if data.unico and data.fecha >= BOTH_SHARES_FROM else 1
    added = shares * (data.hijos - 1 + data.discapacidad)
    stay = min(data.hospital, MOST_STAY) if data.hospital > LONG_STAY else 0
    weeks = basic + added
    days = weeks * WEEK + stay
    steps = [
        Step(
            text=f"Semanas de una persona progenitora por un hecho del {short(data.fecha)}",
            result=f"{basic} semanas",
            refs=(main,),
        ),
        *_added(data, shares, added),
        *_stay(stay, main),
        *_parts(data.fecha, basic, longer, data.unico, main),
    ]
    headline = [("Semanas", f"{weeks} semanas" + (f" y {several(stay, 'día', 'días')}" if stay else ""))]
    values: dict[str, Decimal | date | int] = {"weeks": weeks, "days": days}
    if data.base is not None:
        amount = rounded(data.base * days)
        headline.append(("Subsidio", euros(amount)))
        values["amount"] = amount
        formula = f"{euros(data.base)} × {several(days, 'día', 'días')} × 100 %"
        steps.append(Step(text="Subsidio", formula=formula, result=euros(amount), refs=(lgss("179", "1"),)))
    return Outcome(
        name=NAME,
        title=TITLE,
        headline=tuple(headline),
        steps=tuple(steps),
        assumptions=("Se disfruta a jornada completa y no se anticipa antes del parto.",),
        warnings=(
            *(base_doubts(data.base, data.fecha, facts) if data.base is not None else ()),
            *_warnings(data, longer),
            "Compruebe los periodos mínimos de cotización (art. 178 LGSS).",
        ),
        values=values,
    )


def _added(data: BirthParams, shares: int, added: int) -> list[Step]:
    if not added:
        return []
    reasons = [f"{data.hijos - 1} por parto o adopción múltiple"] if data.hijos > 1 else []
    reasons += ["1 por discapacidad"] if data.discapacidad else []
    formula = " + ".join(reasons) + (", doble por ser una única persona" if shares == 2 else "")
    refs = (et("48", "6"),)
    return [Step(text="Semanas que se añaden", formula=formula, result=f"{added} semanas", refs=refs)]


def _stay(stay: int, main: Ref) -> list[Step]:
    if not stay:
        return []
    text = "Días de hospitalización que se añaden, por pasar de siete (trece semanas como máximo)"
    return [Step(text=text, result=several(stay, "día", "días"), refs=(main,))]


def _parts(start: date, basic: int, longer: bool, single: bool, main: Ref) -> list[Step]:
    """The compulsory weeks, those until the first birthday and, since 2025, those of care."""
    care = (SINGLE_CARE if single else CARE) if longer else 0
    compulsory_end = start + timedelta(days=COMPULSORY * WEEK - 1)
    steps = [
        Step(
            text="Seis semanas obligatorias, seguidas y a jornada completa",
            formula=f"del {short(start)} al {short(compulsory_end)}",
            refs=(main,),
        ),
        Step(
            text=f"{basic - COMPULSORY - care} semanas voluntarias, por semanas, dentro de los doce meses",
            formula=f"desde el {short(compulsory_end + timedelta(days=1))}",
            result=f"cumple doce meses el {short(add_months(start, YEAR))}",
            refs=(main,),
        ),
    ]
    if care:
        steps.append(
            Step(
                text=f"{care} semanas para el cuidado, hasta que cumpla ocho años",
                result="los ocho años se cuentan desde su nacimiento",
                refs=(main,),
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
    if CARE_FROM <= data.fecha < LONGER_FROM:
        told.append(
            "Por hechos desde el 02/08/2024, el Real Decreto-ley 9/2025 reconoce además las semanas de "
            "cuidado hasta los ocho años: no están incluidas; compruebe su régimen transitorio."
        )
    return told
