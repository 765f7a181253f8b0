"""«Consumo»: the questions asked, and the use of the models with its cost."""

from collections.abc import Callable
from datetime import date, timedelta

import streamlit as st

from domain.accounts import Permission
from pages.parts.common.detail import opened
from pages.parts.common.html import note, show, status, table
from pages.parts.common.layout import heading
from pages.parts.common.widgets import named, segments
from pages.parts.common.words import day, number, owner_name, today
from service.members.member import Member
from service.oversight.usage import Prices, UsageLine, total

INTRO = "Cuánto se pregunta y, con modelo de lenguaje, cuántas llamadas y tokens se gastan y qué cuestan."
BY = {"user": "Persona", "model": "Modelo", "day": "Día"}
BY_ASKED = {key: name for key, name in BY.items() if key != "model"}
PERIODS = {"Hoy": 1, "7 días": 7, "30 días": 30, "Un año": 365}
COUNTS = ("Preguntas", "Llamadas", "Fallidas", "Tokens enviados", "Tokens recibidos", "Coste")
# Counts while no language model takes part.
ASKED = COUNTS[:1]
NO_MODEL = "Sin modelo de lenguaje no se gastan llamadas ni tokens."


def show_usage(app: Member) -> None:
    """A table by person, model or day, with its total; without a model, of the questions alone."""
    first, second = st.columns(2)
    period = segments(second, "Periodo", named(PERIODS), "usage-period", default="30 días")
    until = today()
    since = until - timedelta(days=PERIODS[period] - 1)
    # Only a language model writes: what was used before it was switched off is still told.
    used = app.mode == "model" or any(
        line.completion_tokens for line in app.audit.usage("model", since, until)
    )
    by = segments(first, "Por", BY if used else BY_ASKED, "usage-by")
    lines = app.audit.usage(by, since, until)
    if not lines:
        show(status("Sin uso en ese periodo."))
        return
    prices, names = app.audit.prices(), app.names()
    name_of: dict[str, Callable[[str], str]] = {
        "user": lambda key: owner_name(key, names),
        "model": lambda key: key,
        "day": lambda key: day(date.fromisoformat(key)),
    }
    counts = COUNTS if used else ASKED
    rows = [usage_row(line, name_of[by](line.key), prices.currency) for line in lines]
    rows.append(usage_row(total(lines), "Total", prices.currency))
    shown = [row[: len(counts) + 1] for row in rows]
    show(table((BY[by], *counts), shown, numeric=range(1, len(counts) + 1)))
    show(note(_note(prices) if used else NO_MODEL))


def _note(prices: Prices) -> str:
    if not prices.price:
        return (
            "Sin precios: escriba los de sus modelos en prices.toml para ver el coste. Los tokens de una "
            "llamada cortada, o de un servidor que no los dice, son una estimación."
        )
    checked = f", comprobados el {day(prices.checked)}" if prices.checked else ""
    source = f" ({prices.source})" if prices.source else ""
    return f"Coste según los precios de prices.toml{source}{checked}: es una estimación, no una factura."


def usage_row(line: UsageLine, name: str, currency: str) -> tuple[str, ...]:
    """Name, counts and cost of one line of use."""
    counts = (line.questions, line.calls, line.failures, line.prompt_tokens, line.completion_tokens)
    return (name, *(number(count) for count in counts), cost_of(line, currency))


def cost_of(line: UsageLine, currency: str) -> str:
    """'1,25 EUR', 'sin precio', or both when only part of it has a price."""
    told = f"{number(line.cost, 2)} {currency}".strip()
    if not line.unpriced:
        return told
    return f"{told} + sin precio" if line.cost else "sin precio"


with opened(Permission.AUDIT) as app:
    heading("Consumo", INTRO, wide=True)
    show_usage(app)
