"""Use of the models and its cost."""

from collections.abc import Callable
from datetime import date, timedelta

import streamlit as st

from pages.parts.audit.words import usage_row
from pages.parts.common.html import note, show, status, table
from pages.parts.common.widgets import named, segments
from pages.parts.common.words import day, owner_name, today
from service.members.member import Member
from service.oversight.usage import Prices, total

BY = {"user": "Persona", "model": "Modelo", "day": "Día"}
PERIODS = {"Hoy": 1, "7 días": 7, "30 días": 30, "Un año": 365}
COUNTS = ("Preguntas", "Llamadas", "Fallidas", "Tokens enviados", "Tokens recibidos", "Coste")


def show_usage(app: Member) -> None:
    """A table by person, model or day, with its total."""
    first, second = st.columns(2)
    by = segments(first, "Por", BY, "usage-by")
    period = segments(second, "Periodo", named(PERIODS), "usage-period", default="30 días")
    until = today()
    lines = app.audit.usage(by, until - timedelta(days=PERIODS[period] - 1), until)
    if not lines:
        show(status("Sin uso en ese periodo."))
        return
    prices, names = app.audit.prices(), app.names()
    name_of: dict[str, Callable[[str], str]] = {
        "user": lambda key: owner_name(key, names),
        "model": lambda key: key,
        "day": lambda key: day(date.fromisoformat(key)),
    }
    rows = [usage_row(line, name_of[by](line.key), prices.currency) for line in lines]
    rows.append(usage_row(total(lines), "Total", prices.currency))
    show(table((BY[by], *COUNTS), rows, numeric=range(1, len(COUNTS) + 1)))
    show(note(_note(prices)))


def _note(prices: Prices) -> str:
    if not prices.price:
        return (
            "Sin precios: escriba los de sus modelos en prices.toml para ver el coste. Los tokens de una "
            "llamada cortada, o de un servidor que no los dice, son una estimación."
        )
    checked = f", comprobados el {day(prices.checked)}" if prices.checked else ""
    source = f" ({prices.source})" if prices.source else ""
    return f"Coste según los precios de prices.toml{source}{checked}: es una estimación, no una factura."
