"""Terms: the twenty working days of dismissal, any term in working days, and the year of limitation."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from calculations import provisions_followed
from calculations.calendars import ONE, STRICT_CHRISTMAS, TYPED, WorkingDays
from calculations.official_figures import Facts
from calculations.outcome import Outcome, Ref, Step
from calculations.params import Params
from calculations.provisions_followed import et, lrjs
from calculations.time_spans import add_months
from calculations.written_amounts import Count, Day, Days, day_in_words, decimal, several, short
from core.errors import InputError

LAPSE, TERM, LIMITATION = "caducidad", "plazo", "prescripcion"
LAPSE_DAYS, CONCILIATION_DAYS = 20, 15
FIRST_WORKING = "No se cuentan los sábados, los domingos ni los festivos de {seat}{source}."
LISTED = ": los de la relación anual de la Dirección General de Trabajo ({lists}) y los locales que constan"
OUTSIDE = "fuera del plazo"
ONE_SEAT = "Los quince días hábiles de la conciliación se cuentan con los festivos de la misma sede."
AUGUST_COUNTS = (
    "Agosto y los días del 24 de diciembre al 6 de enero se cuentan: el artículo 43.4 LRJS los exceptúa."
)
EVE = (
    "El plazo pasa por el 24 o el 31 de diciembre, que se han contado como hábiles "
    "porque el artículo 103.1 LRJS "
    "no los excluye: es lo más prudente. Compruebe el artículo 182.1 LOPJ antes de apurar el plazo."
)
GRACE = (
    "El margen del día siguiente es para escritos que se presentan en el juzgado "
    "(art. 45.1 LRJS): no lo use para "
    "la papeleta de conciliación ni cuente con él de antemano."
)
NO_CONCILIATION = (
    "Este proceso está exceptuado de la conciliación previa (art. 64.1 LRJS): la papeleta no se ha tenido en "
    "cuenta. Solo suspende el plazo si ambas partes acuden voluntariamente (art. 64.3 LRJS)."
)
PAST = "El plazo se había agotado antes de presentar la papeleta ({day})."
UNFILED = "Último día para la papeleta de conciliación"
Kind = Literal["despido", "extincion_objetiva", "modificacion", "movilidad"]
KINDS: dict[str, str] = {
    "despido": "Despido disciplinario o fin de contrato",
    "extincion_objetiva": "Extinción por causas objetivas",
    "modificacion": "Modificación sustancial de condiciones",
    "movilidad": "Movilidad geográfica",
}
REFS = {
    "despido": (et("59", "3"), lrjs("103", "1")),
    "extincion_objetiva": (et("59", "3"), lrjs("121", "1"), lrjs("103", "1")),
    "modificacion": (et("59", "4"), lrjs("138", "1")),
    "movilidad": (et("59", "4"), lrjs("138", "1")),
}
WITHOUT_CONCILIATION = ("modificacion", "movilidad")
Seat = Annotated[
    str,
    Field(min_length=1, max_length=60, description="Sede del juzgado", json_schema_extra={"seat": True}),
]


MoreDays = Annotated[
    Days, Field(description="Otros días inhábiles de la sede", json_schema_extra={"days": True})
]


class LapseParams(Params):
    """Data of the twenty days of dismissal."""

    accion: Kind = Field("despido", description="Acción", json_schema_extra={"labels": dict(KINDS)})
    fecha: Day = Field(
        description="Fecha de efectos del despido, o de notificación de la medida",
        json_schema_extra={"fact": "effects"},
    )
    sede: Seat
    papeleta: Day | None = Field(None, description="Presentación de la papeleta de conciliación")
    acto: Day | None = Field(None, description="Acto de conciliación celebrado o intentado")
    inhabiles: MoreDays = None


class TermParams(Params):
    """Data of a term in working days."""

    fecha: Day = Field(description="Día de la notificación o del hecho")
    dias: Count = Field(ge=1, le=365, description="Días hábiles del plazo")
    sede: Seat
    inhabiles: MoreDays = None
    urgente: bool = Field(
        False, description="Proceso del artículo 43.4 LRJS (despido, vacaciones, tutela…): agosto se cuenta"
    )


class LimitationParams(Params):
    """Data of the year of limitation."""

    fecha: Day = Field(description="Día desde el que pudo ejercitarse la acción")
    accion: Literal["cantidad", "contrato"] = Field(
        "cantidad",
        description="Acción",
        json_schema_extra={
            "labels": {
                "cantidad": "Cantidades u obligaciones de tracto único (art. 59.2 ET)",
                "contrato": "Otras acciones del contrato terminado (art. 59.1 ET)",
            }
        },
    )
    papeleta: Day | None = Field(None, description="Presentación de la papeleta de conciliación")
    acto: Day | None = Field(None, description="Acto de conciliación celebrado o intentado")
    sede: str | None = Field(
        None,
        max_length=60,
        description="Sede, para los quince días de la conciliación",
        json_schema_extra={"seat": True},
    )
    inhabiles: MoreDays = None


def lapse(data: LapseParams, facts: Facts) -> Outcome:
    """Last day to claim, and the next one's margin. Raises InputError: dates contradict each other."""
    days = WorkingDays(facts.seat(data.sede, data.inhabiles))
    applies = data.accion not in WITHOUT_CONCILIATION
    filed = data.papeleta if applies else None
    _in_order(data.fecha, data.papeleta, data.acto, early=data.accion == "extincion_objetiva")
    refs = REFS[data.accion]
    steps = [_start(data.fecha, days, refs)]
    warnings = [GRACE] if applies or data.papeleta is None else [NO_CONCILIATION, GRACE]
    used, resumed = 0, data.fecha
    if filed is not None:
        used = len(days.between(data.fecha, filed - ONE))
        if used >= LAPSE_DAYS:
            warnings.insert(0, PAST.format(day=short(days.after(data.fecha, LAPSE_DAYS))))
        if filed > data.fecha:
            steps.append(_used(data.fecha, filed, used, days))
        last, step = _resumed(filed, data.acto, days)
        resumed = max(last, data.fecha)
        steps.append(step)
    left = max(0, LAPSE_DAYS - used)
    deadline = days.after(resumed, left) if left else days.after(data.fecha, LAPSE_DAYS)
    counted = resumed if left else data.fecha
    steps.append(_last(counted, deadline, left or LAPSE_DAYS, days, refs))
    grace = days.next(deadline)
    steps.append(_grace(deadline, grace))
    steps[:0] = _added(data.fecha, grace, days)
    if any((one.month, one.day) in ((12, 24), (12, 31)) for one in days.between(data.fecha, deadline)):
        warnings.append(EVE)
    return Outcome(
        name=LAPSE,
        title=f"Caducidad de la acción: {KINDS[data.accion].lower()}",
        headline=(
            (
                UNFILED if applies and filed is None else "Último día del plazo para la demanda",
                day_in_words(deadline),
            ),
            (
                "Demanda, si no exige conciliación" if applies and filed is None else "Demanda, a más tardar",
                f"{day_in_words(grace)}, hasta las 15:00",
            ),
        ),
        steps=tuple(steps),
        assumptions=(
            AUGUST_COUNTS,
            _first_working(data.fecha, grace, days),
            *((ONE_SEAT,) if filed else ()),
        ),
        warnings=(*days.seat.doubts(data.fecha, grace), *warnings),
        values={"deadline": deadline, "grace": grace, "used": used, "left": left},
    )


def term(data: TermParams, facts: Facts) -> Outcome:
    """Last day of a term in working days. Raises InputError: nothing is known of its years."""
    days = WorkingDays(facts.seat(data.sede, data.inhabiles), recess=not data.urgente)
    if data.fecha < STRICT_CHRISTMAS and not data.urgente:
        note = (
            "Hasta el 23/12/2022 solo agosto era inhábil; desde entonces también del 24 "
            "de diciembre al 6 de enero."
        )
    else:
        note = (
            AUGUST_COUNTS
            if data.urgente
            else "Agosto y del 24 de diciembre al 6 de enero no se cuentan (art. 43.4)."
        )
    deadline = days.after(data.fecha, data.dias)
    grace = days.next(deadline)
    refs = (lrjs("43", "4"),)
    return Outcome(
        name=TERM,
        title=f"Plazo de {several(data.dias, 'día hábil', 'días hábiles')}",
        headline=(
            ("Último día del plazo", day_in_words(deadline)),
            ("Presentación en el juzgado, a más tardar", f"{day_in_words(grace)}, hasta las 15:00"),
        ),
        steps=(
            *_added(data.fecha, grace, days),
            _start(data.fecha, days, refs),
            _last(data.fecha, deadline, data.dias, days, refs),
            _grace(deadline, grace),
        ),
        assumptions=(note, _first_working(data.fecha, grace, days)),
        warnings=(*days.seat.doubts(data.fecha, grace), GRACE),
        values={"deadline": deadline, "grace": grace},
    )


def limitation(data: LimitationParams, facts: Facts) -> Outcome:
    """Last day of the year of limitation, begun again after conciliation. Raises InputError as `lapse`."""
    refs = (et("59", "2" if data.accion == "cantidad" else "1"), provisions_followed.CIVIL_TERMS)
    _in_order(data.fecha, data.papeleta, data.acto)
    deadline = add_months(data.fecha, 12)
    steps = [_year("Un año de fecha a fecha, sin descontar inhábiles", data.fecha, deadline, refs)]
    warnings = [
        "No apure el último día: si es inhábil, no está claro que el plazo se prorrogue, porque es civil.",
        "Interrumpen también la reclamación extrajudicial y el reconocimiento de la deuda (art. 1973 CC).",
    ]
    if data.papeleta is not None:
        if data.papeleta > deadline:
            raise InputError(
                f"La papeleta ({short(data.papeleta)}) es posterior al fin del plazo "
                f"({short(deadline)}): la acción "
                "ya había prescrito salvo otra interrupción anterior; en ese caso, "
                "ponga su fecha como inicio."
            )
        if not data.sede:
            raise InputError(
                "Elija la sede: hace falta para contar los quince días hábiles de la conciliación."
            )
        days = WorkingDays(facts.seat(data.sede, data.inhabiles))
        again, step = _resumed(data.papeleta, data.acto, days, restarts=True)
        warnings[:0] = days.seat.doubts(data.papeleta, again)
        deadline = add_months(again, 12)
        steps += [
            *_added(data.papeleta, again, days),
            step,
            _year("El año empieza de nuevo", again, deadline, (lrjs("65", "1"), *refs)),
        ]
    return Outcome(
        name=LIMITATION,
        title="Prescripción de un año",
        headline=(("Último día del plazo", day_in_words(deadline)),),
        steps=tuple(steps),
        assumptions=(
            "El día inicial no se cuenta y el plazo termina el mismo día del año siguiente (art. 5.1 CC).",
        )
        + ((ONE_SEAT,) if data.papeleta else ()),
        warnings=tuple(warnings),
        values={"deadline": deadline},
    )


def _in_order(start: date, filed: date | None, held: date | None, early: bool = False) -> None:
    """Raises InputError. `early`: during the notice one may claim before the contract ends."""
    if held is not None and filed is None:
        raise InputError("Falta la fecha de la papeleta: escríbala, o quite la del acto de conciliación.")
    if filed is not None and filed < start and not early:
        raise InputError(
            f"La papeleta ({short(filed)}) no puede ser anterior al inicio del plazo "
            f"({short(start)}): corrija la fecha."
        )
    if filed is not None and held is not None and held < filed:
        raise InputError(
            f"El acto de conciliación ({short(held)}) no puede ser anterior a la papeleta ({short(filed)})."
        )


def _first_working(since: date, until: date, days: WorkingDays) -> str:
    lists = days.seat.source(since, until)
    return FIRST_WORKING.format(seat=days.seat.name, source=LISTED.format(lists=lists) if lists else "")


def _added(since: date, until: date, days: WorkingDays) -> Iterable[Step]:
    """The days that the person adds, those that change nothing with the reason."""
    told, plain = [], WorkingDays(days.seat.closed_too(()), days.recess)
    for day in sorted(days.seat.typed):
        why = plain.why_not(day) if since < day <= until else OUTSIDE
        told.append(f"{short(day)} ({why}: no cambia el plazo)" if why else short(day))
    if told:
        yield Step(text=f"Otros días inhábiles de {days.seat.name} que usted indica", result="; ".join(told))


def _start(day: date, days: WorkingDays, refs: tuple[Ref, ...]) -> Step:
    return Step(
        text=f"El día {short(day)} no se cuenta; el primero es el siguiente hábil en {days.seat.name}",
        result=day_in_words(days.next(day)),
        refs=refs,
    )


def _used(start: date, filed: date, used: int, days: WorkingDays) -> Step:
    before = filed - ONE
    span = f"hábiles del {short(start + ONE)} al {short(before)}{_without(start, before, days)}"
    return Step(
        text=f"Días consumidos antes de la papeleta del {short(filed)}, que suspende el "
        "plazo desde ese mismo día",
        formula=span if before > start else "",
        result=several(used, "día hábil", "días hábiles"),
        refs=(lrjs("65", "1"),),
    )


def _resumed(filed: date, held: date | None, days: WorkingDays, restarts: bool = False) -> tuple[date, Step]:
    """(the last day on which nothing is counted, the step that says why)."""
    limit = days.after(filed, CONCILIATION_DAYS)
    verb = "empieza de nuevo" if restarts else "se reanuda"
    if held is not None and held <= limit:
        last, why = held, f"El cómputo {verb} al día siguiente de intentada la conciliación"
    else:
        last = limit
        why = f"El cómputo {verb} pasados quince días hábiles desde la papeleta sin acto celebrado"
    step = Step(
        text=why,
        formula=f"15 hábiles tras el {short(filed)}: {short(limit)}"
        if last == limit
        else f"acto el {short(last)}",
        result=f"desde el {short(last + ONE)}",
        refs=(lrjs("65", "1"),),
    )
    return last, step


def _last(start: date, deadline: date, number: int, days: WorkingDays, refs: tuple[Ref, ...]) -> Step:
    since = short(start + ONE)
    return Step(
        text=f"Último día: el hábil número {decimal(number)} de los que quedan, desde el {since}",
        formula=f"sin sábados ni domingos{_without(start, deadline, days)}",
        result=day_in_words(deadline),
        refs=refs,
    )


def _without(start: date, end: date, days: WorkingDays) -> str:
    reasons: dict[tuple[str, date | int], list[date]] = {}
    for day, why in days.skipped(start, end):
        reasons.setdefault((why, day if why == TYPED else day.year), []).append(day)
    told = [
        f"{short(found[0])} ({why})" if len(found) == 1 else f"{short(found[0])} a {short(found[-1])} ({why})"
        for (why, _), found in reasons.items()
    ]
    return f"; no se cuentan: {', '.join(told)}" if told else ""


def _grace(deadline: date, grace: date) -> Step:
    return Step(
        text=f"Los escritos se admiten hasta las 15:00 del hábil siguiente al {short(deadline)}",
        result=day_in_words(grace),
        refs=(lrjs("45", "1"), provisions_followed.PROCEDURE),
    )


def _year(text: str, start: date, deadline: date, refs: tuple[Ref, ...]) -> Step:
    return Step(text=text, formula=f"{short(start)} + 1 año", result=day_in_words(deadline), refs=refs)
