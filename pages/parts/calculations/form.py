"""The form of the chosen calculator, made from what it takes."""

import streamlit as st
from pydantic.fields import FieldInfo

from calculations.catalogue import CALCULATORS, Calculator, choices, kind_of, label_of
from calculations.official_figures import NO_SEATS
from calculations.outcome import Outcome
from calculations.written_amounts import EARLIEST, LATEST
from core.errors import InputError
from pages.parts.common.html import note, show
from pages.parts.common.widgets import choose, choose_day, choose_seat
from service.members.member import Member
from text.textnorm import encodable

KEPT = "calculation-outcome"
LONGEST, SEVERAL = 60, 200
EXAMPLE = "22/01/2025, 28/04/2025"


def show_form(app: Member) -> Outcome | None:
    """Draw it; the latest result of the calculator that is chosen, or None. Raises as `calculate`."""
    names = {name: one.title for name, one in CALCULATORS.items()}
    calculator = CALCULATORS[choose(None, "Qué quiere calcular", names, "calculation")]
    show(note(calculator.purpose))
    with st.form(f"form-{calculator.name}", border=False):
        values = _boxes(app, calculator)
        pressed = st.form_submit_button("Calcular", type="primary", icon=":material/calculate:")
    kept = st.session_state.setdefault(KEPT, {})
    if pressed:
        kept.pop(calculator.name, None)
        kept[calculator.name] = app.calculations.calculate(calculator.name, values)
    found: Outcome | None = kept.get(calculator.name)
    return found


def _boxes(app: Member, calculator: Calculator) -> dict[str, object]:
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
                values[name] = _box(app, calculator.name, name, fields[name])
    for name in ticks:
        values[name] = st.checkbox(
            label_of(fields[name]), bool(fields[name].default), key=_key(calculator.name, name)
        )
    return values


def _box(app: Member, calculator: str, name: str, field: FieldInfo) -> object:
    label, key, kind = label_of(field), _key(calculator, name), kind_of(field)
    if not field.is_required() and field.default is None and not label.endswith(")"):
        label = f"{label} (opcional)"
    if kind == "choice":
        words = choices(field)
        first = list(words).index(str(field.default)) if not field.is_required() else 0
        return st.selectbox(label, list(words), first, format_func=words.__getitem__, key=key)
    if kind == "seat":
        return _seat(app, label, key, required=field.is_required())
    if kind == "day":
        return choose_day(None, label, None, key, min_value=EARLIEST, max_value=LATEST)
    if kind == "days":
        return encodable(st.text_input(label, max_chars=SEVERAL, key=key, placeholder=EXAMPLE))
    default = "" if field.is_required() or field.default is None else str(field.default)
    return encodable(st.text_input(label, default, max_chars=LONGEST, key=key))


def _seat(app: Member, label: str, key: str, *, required: bool) -> str | None:
    seats = app.calculations.seats()
    if required and not seats:
        raise InputError(NO_SEATS)
    return choose_seat(label, seats, key)


def _key(calculator: str, name: str) -> str:
    return f"{calculator}-{name}"
