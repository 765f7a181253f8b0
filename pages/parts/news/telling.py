"""How a person is told besides the page, and for who administers the program why that fails."""

import streamlit as st

from core.clock import spanish_day
from domain.accounts import Permission
from pages.parts.common.html import note, problem, show, warning
from pages.parts.common.layout import tell
from pages.parts.common.page import attempt, errors_as_toasts
from pages.parts.common.widgets import button
from pages.parts.common.words import day
from service.members.member import Member

UNDER = (
    "Un correo al día como mucho, por la mañana, y solo si hay cambios que le afectan y no ha leído. Dice "
    "qué normas han cambiado."
)
CASE = "También nombra sus consultas y expedientes: así lo ha decidido quien administra Articulado."
SAVED = "Avisos guardados."
UNSENT = "Los avisos por correo del {day} no han salido: {reason} Se reintenta."
SENT = "Código enviado."
TO_CONFIRM = (
    "Falta confirmar que {email} es suya: escriba el código que se le envía allí. Hasta entonces no recibe "
    "avisos. El código vale una hora; si no llega, mire en el correo no deseado o pida otro."
)
CONFIRMED = "Dirección confirmada el {day}. Si la cambia, habrá que confirmar la nueva."


def show_telling(app: Member) -> None:
    """The form with the person's address."""
    chosen = app.watches.settings()
    show(note(UNDER), note(CASE) if app.watches.names_cases else note("No lleva nada de sus casos."))
    with st.form("telling", border=False):
        st.checkbox("Recibir un correo cuando haya novedades", chosen.by_mail, key="by-mail")
        st.text_input("Dirección de correo", chosen.email, max_chars=254, key="email")
        st.form_submit_button("Guardar", icon=":material/save:", on_click=_save, args=(app,))
    if chosen.confirmed_at is not None:
        show(note(CONFIRMED.format(day=day(spanish_day(chosen.confirmed_at)))))
    elif chosen.by_mail:
        _show_code(app, chosen.email)


def _show_code(app: Member, email: str) -> None:
    """The form with the code that was sent to the address."""
    show(warning(TO_CONFIRM.format(email=email)))
    with st.form("code", border=False, clear_on_submit=True):
        st.text_input("Código del correo", max_chars=40, key="address-code", autocomplete="one-time-code")
        icon = ":material/mark_email_read:"
        st.form_submit_button("Confirmar la dirección", icon=icon, on_click=_confirm, args=(app,))
    button("Enviar otro código", "send-code", "send", attempt, SENT, app.watches.send_code, type="tertiary")


def _confirm(app: Member) -> None:
    attempt("Dirección confirmada.", app.watches.confirm_address, st.session_state["address-code"])


def _save(app: Member) -> None:
    with errors_as_toasts():
        app.watches.set_settings(st.session_state["email"], by_mail=st.session_state["by-mail"])
        tell(SAVED)


def show_problem(app: Member) -> None:
    """To who administers the accounts: why mail does not leave; nothing to anybody else."""
    if app.may(Permission.ACCOUNTS) and (told := app.watches.delivery_problem()) is not None:
        show(problem(UNSENT.format(day=day(told.day), reason=told.reason)))
