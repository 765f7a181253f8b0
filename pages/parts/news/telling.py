"""How a person is told besides the page, and for who administers the program why that fails."""

import streamlit as st

from domain.accounts import Permission
from domain.alerts import Channel
from pages.parts.common.html import note, problem, show
from pages.parts.common.layout import tell
from pages.parts.common.page import errors_as_toasts
from pages.parts.common.words import day
from service.members.member import Member

CHANNELS = {Channel.MAIL: "Los avisos por correo", Channel.WEBHOOK: "Los avisos por webhook"}
UNDER = (
    "Un correo al día como mucho, por la mañana, y solo si hay cambios que le afectan y no ha leído. Dice "
    "qué normas han cambiado."
)
CASE = "También nombra sus consultas y expedientes: así lo ha decidido quien administra Articulado."
SAVED = "Avisos guardados."


def show_telling(app: Member) -> None:
    """The form with the person's address."""
    chosen = app.watches.settings()
    show(note(UNDER), note(CASE) if app.watches.names_cases else note("No lleva nada de sus casos."))
    with st.form("telling", border=False):
        st.checkbox("Recibir un correo cuando haya novedades", chosen.by_mail, key="by-mail")
        st.text_input("Dirección de correo", chosen.email, max_chars=254, key="email")
        st.form_submit_button("Guardar", icon=":material/save:", on_click=_save, args=(app,))


def _save(app: Member) -> None:
    with errors_as_toasts():
        app.watches.set_settings(st.session_state["email"], by_mail=st.session_state["by-mail"])
        tell(SAVED)


def show_problems(app: Member) -> None:
    """To who administers the accounts: what does not leave, and why; nothing to anybody else."""
    if app.may(Permission.ACCOUNTS):
        show(
            problem(
                *(
                    f"{CHANNELS[one.channel]} del {day(one.day)} no han salido: {one.reason} Se reintenta."
                    for one in app.watches.delivery_problems()
                )
            )
        )
