"""Kept terms: those of an expediente or of all, with their days left, and the calendar file."""

from collections.abc import Mapping
from datetime import UTC, date, datetime

import streamlit as st

from calculations.outcome import Outcome
from pages.parts.common.html import facts, note, show, titled
from pages.parts.common.listing import row
from pages.parts.common.page import attempt
from pages.parts.common.widgets import button, choose, download
from pages.parts.common.words import day, dotted, plural, today
from service.members.member import Member
from service.opinions.term_calendar import MEDIA, calendar

NONE = "No hay plazos guardados. Cuente uno en «Calcular» y guárdelo en el expediente."
SOON, NEAR = 3, 10
"""Days left from which a term is red, and amber."""
LAST = "deadline"
"""Name of the last day of a term among the values of a calculation."""


def show_terms(app: Member, matter_id: str = "") -> None:
    """The terms of an expediente; those of all that are open to the person if none is named."""
    found = app.terms.terms(matter_id)
    if not found:
        show(note(NONE))
        return
    for one in found:
        told = facts([left(one.day, today())], dotted(day(one.day), "" if matter_id else one.matter))
        with row(f"term-{one.id}", titled(one.title), told):
            gone = (attempt, "Plazo quitado.", app.terms.remove, one.id)
            button("Quitar el plazo", f"remove-term-{one.id}", "delete", *gone, type="tertiary")
    made, record = calendar(found, datetime.now(UTC)), (app.exported, "terms", matter_id)
    download("Llevar al calendario (.ics)", made, "plazos.ics", MEDIA, "terms-ics", record=record)


def left(last: date, now: date) -> tuple[str, str]:
    """The days left until the last one, and the CSS class of their colour."""
    days = (last - now).days
    if days < 0:
        return f"Venció hace {plural(-days, 'día', 'días')}", ""
    colour = "art-low" if days <= SOON else "art-mid" if days <= NEAR else "art-high"
    if not days:
        return "Vence hoy", colour
    return f"{'Queda' if days == 1 else 'Quedan'} {plural(days, 'día', 'días')}", colour


def offer_to_keep(app: Member, outcome: Outcome) -> None:
    """The box that keeps a counted term; nothing for an amount, or without an expediente."""
    last = outcome.values.get(LAST)
    matters = app.matters.matters() if app.may(app.terms.permission) and isinstance(last, date) else []
    if not matters or not isinstance(last, date):
        return
    names: Mapping[str, str] = {one.id: one.name for one in matters}
    with st.container(horizontal=True, vertical_alignment="bottom", key="keep-term"):
        chosen = choose(None, "Guardar el plazo en", names, "keep-term-in")
        told = "\n".join(f"{label}: {value}" for label, value in outcome.headline)
        kept = (attempt, "Plazo guardado.", app.terms.keep, chosen, outcome.title, last, told)
        button("Guardar", "keep-term-now", "event", *kept)
