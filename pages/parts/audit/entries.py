"""The entries of the audit log: filters, pages, verification and export."""

from datetime import timedelta
from typing import Any

import streamlit as st

from domain.accounts import LOCAL_USER, Permission
from domain.audit import AuditAction
from pages.parts.audit.words import ACTIONS, row_of
from pages.parts.common.html import note, show, status, table, warning
from pages.parts.common.listing import period
from pages.parts.common.render import label_text
from pages.parts.common.widgets import button, choose, download
from pages.parts.common.words import plural
from service.members.member import Member
from service.oversight.audit_view import MOST

SIZE, JOBS = 100, 100
HEADERS = ("N.º", "Cuándo", "Quién", "Qué hizo", "Sobre qué", "Detalle")
ANYBODY = ""
HEAD = (
    "Anote esta cabeza fuera de este equipo: con ella se sabrá si se quitan entradas del final («python "
    "cli.py audit verify --head …»)."
)
PAGES, FILTERS, FILE = "audit-pages", "audit-filters", "audit-file"


def show_entries(app: Member) -> None:
    """Filters, one page of entries, and the buttons to verify and export."""
    where = _filters(app)
    if st.session_state.get(FILTERS) != where:
        st.session_state[FILTERS] = where
        st.session_state[PAGES] = []
        st.session_state.pop(FILE, None)
    # Each page ends at one of these entries; the last one is the page shown.
    before: list[int] = st.session_state[PAGES]
    keep = st.session_state.__setitem__
    found = app.audit.entries(**where, before=before[-1] if before else None, limit=SIZE + 1)
    shown = found[:SIZE]
    if not shown:
        show(status("Ninguna entrada cumple esos filtros."))
    else:
        show(status(f"{plural(len(shown), 'entrada', 'entradas')}, la más reciente primero."))
        names = _names(app)
        show(table(HEADERS, [row_of(entry, names) for entry in shown], numeric=(0,)))
    with st.container(horizontal=True, gap="small"):
        if before:
            button("Más recientes", "newer", "arrow_back", keep, PAGES, before[:-1])
        if len(found) > SIZE:
            button("Más antiguas", "older", "arrow_forward", keep, PAGES, [*before, shown[-1].number])
    _tools(app, where)


def _names(app: Member) -> dict[str, str]:
    """People, norms and, for who may load, jobs, by their ids; never a question or an expediente."""
    norms = {norm.id: norm.name for norm in app.corpus.norms()}
    jobs = {job.id: job.title for job in app.jobs.jobs(JOBS)} if app.may(Permission.LOAD) else {}
    return norms | jobs | dict(app.names())


def _filters(app: Member) -> dict[str, Any]:
    names = {account: label_text(name) for account, name in app.names().items()}
    people = {ANYBODY: "Cualquiera", LOCAL_USER: "Este equipo"} | names
    with st.container(key="audit-filters-row"):
        first, second, third = st.columns((1, 1.4, 1))
    who = choose(first, "Persona", people, "audit-who", keep=False)
    actions = second.multiselect(
        "Acciones",
        list(AuditAction),
        format_func=lambda one: ACTIONS[AuditAction(one)],
        key="audit-actions",
        placeholder="Todas",
    )
    since, until = period(third, "audit-days", keep=False)
    if since and not until:
        until = since + timedelta(days=1)
    return {"actor": who, "actions": tuple(map(AuditAction, actions)), "since": since, "until": until}


def _tools(app: Member, where: dict[str, Any]) -> None:
    with st.container(horizontal=True, gap="small"):
        verify = st.button("Verificar el registro", key="audit-verify", icon=":material/verified:")
        if st.button("Preparar CSV", key="audit-export", icon=":material/table:"):
            st.session_state[FILE] = app.audit.csv(**where)
        if FILE in st.session_state:
            kind = "text/csv; charset=utf-8"
            name = "articulado-registro.csv"
            download("Descargar CSV", st.session_state[FILE][0], name, kind, "audit-download")
    if FILE in st.session_state and st.session_state[FILE][1]:
        show(
            note(
                f"El archivo tiene las {MOST} entradas más recientes: acote las fechas, o expórtelo todo con "
                "«python cli.py audit export»."
            )
        )
    if verify:
        with st.spinner("Verificando…"):
            found = app.audit.verify()
        if found.problem:
            st.error(label_text(found.problem), icon=":material/gpp_bad:")
            return
        st.success(f"Íntegro: {plural(found.entries, 'entrada', 'entradas')}.", icon=":material/verified:")
        if found.unsigned:
            told = plural(found.unsigned, "entrada es anterior", "entradas son anteriores")
            show(warning(f"{told} a la clave (AUDIT_KEY): no están firmadas."))
        show(note(HEAD))
        st.code(found.head, language=None, wrap_lines=True)
