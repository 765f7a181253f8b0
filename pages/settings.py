"""«Ajustes»: what a person chooses for themselves, in whatever browser they open."""

from datetime import date
from functools import partial
from typing import Any

import streamlit as st

from domain.accounts import Permission
from domain.preferences import DefaultDay, Notice, Preferences, Theme
from pages.parts.common.detail import opened
from pages.parts.common.html import html, note, show, table
from pages.parts.common.layout import heading, section
from pages.parts.common.page import attempt, forget_day
from pages.parts.common.widgets import button, choose_day, segments
from pages.parts.common.words import LENGTHS, OLDEST, YEARS_AHEAD, today
from service.members.member import Member

INTRO = "Se guardan al elegirlos y valen para usted en cualquier navegador."
THEMES = {Theme.SYSTEM: "El del sistema", Theme.LIGHT: "Claro", Theme.DARK: "Oscuro"}
DAYS = {
    DefaultDay.TODAY: "La de hoy",
    DefaultDay.ASK: "Preguntármela cada vez",
    DefaultDay.FIXED: "Un día fijo",
}
NOTICES = {
    Notice.PAGE: "En la página",
    Notice.TAB: "En la página y en la pestaña",
    Notice.NONE: "No avisar",
}
KEYS = (
    ("Ctrl + K (⌘ K en Mac)", "Abrir un artículo o buscar una norma por su nombre"),
    ("/", "Escribir una pregunta"),
    ("n", "Empezar una consulta nueva"),
    ("?", "Ver esta lista"),
)
ALWAYS = "En el artículo abierto al lado, ← y → pasan de una fuente a otra y Esc lo cierra, haya atajos o no."


def show_form(app: Member) -> None:
    """Every choice, as it is stored."""
    chosen = app.preferences.read()
    section("Tema", "Los colores de las páginas. Al elegir otro, la página se vuelve a cargar.")
    _choice(app, "Tema", THEMES, "theme", chosen.theme)
    section(
        "Extensión de las respuestas",
        "Vale para las preguntas siguientes. Breve: lo que contesta, con las excepciones y los plazos que lo "
        "cambian. Detallada: también los demás supuestos y pasajes que vienen al caso.",
    )
    _choice(app, "Extensión", LENGTHS, "length", chosen.length)
    _show_day(app, chosen)
    section("Avisos", "Cuando termina una respuesta que dejó en marcha y está en otra página o consulta.")
    _choice(app, "Avisar", NOTICES, "notice", chosen.notice)
    _show_keys(app, chosen)
    section("Primeros pasos", "La explicación de tres pasos que aparece en «Consultas» la primera vez.")
    again = partial(app.preferences.change, toured=False)
    told = "Los encontrará en «Consultas»."
    button("Volver a verlos", "tour-again", "replay", attempt, told, again, disabled=not chosen.toured)
    # Read by web/static/preferences.js, so that a choice counts in this page at once.
    show(
        html(
            '<div hidden class="art-preferences" data-theme="{}" data-shortcuts="{}" data-notice="{}"></div>',
            chosen.theme,
            str(chosen.shortcuts).lower(),
            chosen.notice,
        )
    )


def _choice(app: Member, label: str, words: dict[Any, str], name: str, stored: object) -> None:
    segments(
        None,
        label,
        words,
        f"chosen-{name}",
        default=stored,
        label_visibility="collapsed",
        on_change=_keep,
        args=(app, name),
    )


def _keep(app: Member, name: str) -> None:
    """Store what the widget of that name has."""
    attempt("Guardado.", partial(app.preferences.change, **{name: st.session_state[f"chosen-{name}"]}))


def _show_day(app: Member, chosen: Preferences) -> None:
    section(
        "Fecha de las consultas nuevas",
        "El día cuya normativa se aplica si la pregunta no dice otro; en cada consulta puede elegir otro.",
    )
    segments(
        None,
        "Fecha",
        DAYS,
        "chosen-day",
        default=chosen.day,
        label_visibility="collapsed",
        on_change=_keep_day,
        args=(app, chosen.fixed_day),
    )
    if st.session_state["chosen-day"] is not DefaultDay.FIXED:
        return
    limits: dict[str, date] = {"min_value": OLDEST, "max_value": today() + YEARS_AHEAD}
    choose_day(
        None,
        "Día fijo",
        chosen.fixed_day,
        "chosen-fixed_day",
        on_change=_keep_fixed_day,
        args=(app,),
        width=220,
        **limits,
    )
    if chosen.fixed_day is None:
        show(note("Elija el día; hasta entonces se aplica la normativa de hoy."))


def _keep_day(app: Member, fixed: date | None) -> None:
    """A fixed day counts once there is one."""
    if st.session_state["chosen-day"] is not DefaultDay.FIXED or fixed is not None:
        _keep(app, "day")
        forget_day()


def _keep_fixed_day(app: Member) -> None:
    changes = {"day": DefaultDay.FIXED, "fixed_day": st.session_state["chosen-fixed_day"]}
    attempt("Guardado.", partial(app.preferences.change, **changes))
    forget_day()


def _show_keys(app: Member, chosen: Preferences) -> None:
    section("Atajos de teclado")
    key = "chosen-shortcuts"
    st.toggle("Usar los atajos", chosen.shortcuts, key=key, on_change=_keep, args=(app, "shortcuts"))
    show(table(("Tecla", "Qué hace"), KEYS), note(ALWAYS))


with opened(Permission.ASK) as app:
    heading("Ajustes", INTRO)
    show_form(app)
