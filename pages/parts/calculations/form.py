"""The form of the chosen calculator, made from what it takes."""

from collections.abc import Mapping

import streamlit as st
from pydantic.fields import FieldInfo

from calculations.catalogue import CALCULATORS, TIMES, Calculator, choices, fact_of, kind_of, label_of
from calculations.official_figures import NO_SEATS
from calculations.outcome import Outcome
from calculations.written_amounts import EARLIEST, LATEST
from casework.matters.case_facts import FactsSheet
from core.errors import InputError
from law.dates import parse
from pages.parts.common.case_facts import choose_matter, offer_to_keep_facts, show_taken
from pages.parts.common.html import note, show
from pages.parts.common.widgets import choose, choose_day, choose_seat
from service.members.member import Member
from text.textnorm import encodable

KEPT = "calculation-outcome"
LONGEST, SEVERAL = 60, 200
NO_MATTER = "Ningún expediente"
EXAMPLE = "22/01/2025, 28/04/2025"


def show_form(app: Member) -> Outcome | None:
    """Draw it; the latest result of the calculator that is chosen, or None. Raises as `calculate`."""
    names = {name: one.title for name, one in CALCULATORS.items()}
    calculator = CALCULATORS[choose(None, "Qué quiere calcular", names, "calculation")]
    show(note(calculator.purpose))
    fields = calculator.params.model_fields
    facts = {name: fact for name, field in fields.items() if (fact := fact_of(field))[0]}
    matter_id = choose_matter(app, "Tomar los hechos de", NO_MATTER, "calculation-matter") if facts else ""
    sheet = app.facts.sheet(matter_id) if matter_id else FactsSheet(facts=())
    if matter_id:
        show_taken(sheet, [fact for fact, _, _ in facts.values()])
    with st.form(f"form-{calculator.name}", border=False):
        values = _boxes(app, calculator, matter_id, _starts(sheet, facts) if matter_id else {})
        pressed = st.form_submit_button("Calcular", type="primary", icon=":material/calculate:")
    kept = st.session_state.setdefault(KEPT, {})
    if pressed:
        kept.pop(calculator.name, None)
        kept[calculator.name] = app.calculations.calculate(calculator.name, values)
    found: Outcome | None = kept.get(calculator.name)
    if matter_id and found:
        times = {name: unit or TIMES.get(str(values.get(per)), "") for name, (_, unit, per) in facts.items()}
        typed = {fact: (values[name], times[name]) for name, (fact, _, _) in facts.items()}
        offer_to_keep_facts(app, matter_id, sheet, typed)
    return found


def _starts(sheet: FactsSheet, facts: Mapping[str, tuple[str, str, str]]) -> dict[str, str]:
    """Values of the sheet by the field that they fill, and the choice of the time that an amount is for."""
    found: dict[str, str] = {}
    for name, (fact, unit, per) in facts.items():
        found[name] = sheet.sure(fact, sheet[fact].unit if per else unit)
        if per and found[name]:
            found[per] = next(choice for choice, time in TIMES.items() if time == sheet[fact].unit)
    return found


def _boxes(
    app: Member, calculator: Calculator, matter_id: str, starts: Mapping[str, str]
) -> dict[str, object]:
    """A box per field, two in a row; ticks under them."""
    fields = calculator.params.model_fields
    ticks = [name for name, field in fields.items() if kind_of(field) == "tick"]
    boxes = [name for name in fields if name not in ticks]
    values: dict[str, object] = {}
    for place in range(0, len(boxes), 2):
        for column, name in zip(
            st.columns(2, vertical_alignment="bottom"), boxes[place : place + 2], strict=False
        ):
            with column:
                key = _key(calculator.name, f"{name}{matter_id}")
                values[name] = _box(app, key, fields[name], starts.get(name, ""))
    for name in ticks:
        values[name] = st.checkbox(
            label_of(fields[name]), bool(fields[name].default), key=_key(calculator.name, name)
        )
    return values


def _box(app: Member, key: str, field: FieldInfo, start: str) -> object:
    label, kind = label_of(field), kind_of(field)
    if not field.is_required() and field.default is None and not label.endswith(")"):
        label = f"{label} (opcional)"
    if kind == "choice":
        return choose(None, label, choices(field), key, keep=False, start=start or str(field.default))
    if kind == "seat":
        return _seat(app, label, key, required=field.is_required())
    if kind == "day":
        return choose_day(None, label, parse(start), key, min_value=EARLIEST, max_value=LATEST)
    if kind == "days":
        return encodable(st.text_input(label, max_chars=SEVERAL, key=key, placeholder=EXAMPLE))
    default = "" if field.is_required() or field.default is None else str(field.default)
    return encodable(st.text_input(label, start or default, max_chars=LONGEST, key=key))


def _seat(app: Member, label: str, key: str, *, required: bool) -> str | None:
    seats = app.calculations.seats()
    if required and not seats:
        raise InputError(NO_SEATS)
    return choose_seat(label, seats, key)


def _key(calculator: str, name: str) -> str:
    return f"{calculator}-{name}"
