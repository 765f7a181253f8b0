"""Notice: its length by cause, the first day of effect, and what is owed for the days not given."""

from datetime import timedelta
from typing import Literal

from pydantic import Field

from calculations.minimum_wage import salary_doubts
from calculations.official_figures import Facts
from calculations.outcome import Outcome, Ref, Step
from calculations.params import Params
from calculations.provisions_followed import TERM_NOTICE, et, home
from calculations.severance import DAILY, HOME_FROM, STATUTE_FROM, pay_of
from calculations.time_spans import check_order
from calculations.written_amounts import Count, Day, Money, day_in_words, euros, rounded, several, short
from core.errors import InputError

NAME, TITLE = "preaviso", "Preaviso"
NOT_OWED = (
    "La ley no fija un salario por los días que faltan en un traslado o una modificación: deje vacío el "
    "salario."
)
BY_AGREEMENT = (
    "La ley no dice qué se descuenta a quien dimite sin preaviso: depende del convenio o del contrato."
)
Cause = Literal[
    "objetivo", "temporal", "modificacion", "traslado", "hogar", "hogar_mas_de_un_ano", "dimision"
]
CAUSES: dict[str, str] = {
    "objetivo": "Despido objetivo (15 días)",
    "temporal": "Fin de contrato temporal de más de un año (15 días)",
    "modificacion": "Modificación sustancial individual (15 días)",
    "traslado": "Traslado (30 días)",
    "hogar": "Servicio del hogar, hasta un año de servicio (7 días)",
    "hogar_mas_de_un_ano": "Servicio del hogar, más de un año (20 días)",
    "dimision": "Dimisión (los días del convenio o la costumbre)",
}
RULES: dict[str, tuple[int, Ref]] = {
    "objetivo": (15, et("53", "1.c")),
    "temporal": (15, et("49", "1.c")),
    "modificacion": (15, et("41", "3")),
    "traslado": (30, et("40", "1")),
    "hogar": (7, home("11", "2")),
    "hogar_mas_de_un_ano": (20, home("11", "2")),
}
OWED: dict[str, tuple[Ref, ...]] = {
    "objetivo": (et("53", "4"),),
    "temporal": (TERM_NOTICE,),
    "hogar": (home("11", "2"),),
    "hogar_mas_de_un_ano": (home("11", "2"),),
    "dimision": (),
}
"""Where the salary of the days not given comes from, for the causes that have it."""


class NoticeParams(Params):
    """Data of the notice."""

    causa: Cause = Field(description="Causa", json_schema_extra={"labels": dict(CAUSES)})
    comunicacion: Day = Field(description="Día en que se comunica", json_schema_extra={"fact": "letter"})
    efectos: Day | None = Field(
        None, description="Día de efectos, si ya está fijado", json_schema_extra={"fact": "effects"}
    )
    dias: Count | None = Field(None, ge=1, le=365, description="Días del convenio, si es una dimisión")
    salario: Money | None = Field(
        None,
        description="Salario bruto anual, con pagas",
        json_schema_extra={"fact": "salary", "unit": "año"},
    )


def run(data: NoticeParams, facts: Facts) -> Outcome:
    """First day of effect and days missing. Raises InputError: the data contradict each other."""
    since = HOME_FROM if data.causa.startswith("hogar") else STATUTE_FROM
    if data.comunicacion < since:
        raise InputError(f"Solo se calculan desde el {short(since)}: antes regían otros preavisos.")
    if data.causa == "dimision":
        if data.dias is None:
            raise InputError(
                "Escriba los días de preaviso que fija su convenio: la ley no da un número (art. 49.1.d ET)."
            )
        days, ref = data.dias, et("49", "1.d")
    else:
        if data.dias is not None:
            raise InputError("Los días del convenio son solo para la dimisión: deje esa casilla vacía.")
        days, ref = RULES[data.causa]
    first = data.comunicacion + timedelta(days=days)
    steps = [
        Step(
            text=f"Preaviso mínimo de {several(days, 'día natural', 'días naturales')}, sin "
            "contar el de comunicación",
            formula=f"{short(data.comunicacion)} + {days} días",
            result=day_in_words(first),
            refs=(ref,),
        )
    ]
    headline = [("Primer día posible de efectos", day_in_words(first))]
    values = {"first": first, "days": days}
    if data.efectos is not None:
        check_order(data.comunicacion, data.efectos)
        given = (data.efectos - data.comunicacion).days
        missing = max(0, days - given)
        headline.append(("Días de preaviso que faltan", str(missing)))
        values["missing"] = missing
        steps.append(
            Step(
                text="Días que faltan",
                formula=f"{days} − {min(given, days)}",
                result=several(missing, "día", "días"),
                refs=(ref,),
            )
        )
        if data.salario is not None:
            if data.causa not in OWED:
                raise InputError(NOT_OWED)
            daily = pay_of(data.salario, "anual").daily
            owed = rounded(daily * missing)
            headline.append(("Salario de los días que faltan", euros(owed)))
            values["amount"] = owed
            formula = f"{several(missing, 'día', 'días')} × {euros(data.salario)} ÷ 365"
            steps.append(
                Step(
                    text="Salario de esos días",
                    formula=formula,
                    result=euros(owed),
                    refs=OWED[data.causa],
                )
            )
    return Outcome(
        name=NAME,
        title=f"{TITLE}: {CAUSES[data.causa].split(' (')[0].lower()}",
        headline=tuple(headline),
        steps=tuple(steps),
        assumptions=("Los días son naturales.", *((DAILY,) if "amount" in values else ())),
        warnings=(
            *(salary_doubts(data.salario, data.comunicacion, facts) if data.salario is not None else ()),
            "El convenio colectivo o el contrato pueden pedir un preaviso mayor.",
            *((BY_AGREEMENT,) if data.causa == "dimision" and "amount" in values else ()),
        ),
        values=values,
    )
