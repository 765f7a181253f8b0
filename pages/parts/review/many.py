"""Several answers of the queue at once: verdicts, assignment, and the queue as a file."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.errors import InputError, NotFound
from domain.accounts import Permission
from domain.reviews import MAX_NOTES, QueueEntry, QueueFilter, QueueSort, ReviewVerdict
from pages.parts.common.confirm import dialog
from pages.parts.common.html import note, show
from pages.parts.common.layout import tell
from pages.parts.common.page import attempt, errors_as_toasts
from pages.parts.common.widgets import Place, button, choose, download, segments
from pages.parts.common.words import owner_name, plural
from pages.parts.review.words import COLUMNS, VERDICTS, row_of
from service.members.member import Member
from service.oversight.audit_view import MOST

MANY, VERDICT, NOTES, PERSON = "queue-many", "many-verdict", "many-notes", "many-person"
NOBODY = ""
SAVED = "Se ha guardado en {}."
LEFT = " En {} no, y siguen marcadas: {}"
FORMATS = {"csv": "CSV", "xlsx": "Excel (XLSX)"}
KINDS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def mark_of(entry: QueueEntry) -> str:
    """Key of the box that marks an entry."""
    return f"mark-{entry.message_id}"


def show_tools(app: Member, entries: Sequence[QueueEntry], where: QueueFilter, sort: QueueSort) -> bool:
    """The buttons over the queue; True while its entries can be marked."""
    with st.container(horizontal=True, vertical_alignment="center", key="queue-tools"):
        many = st.toggle("Marcar varias", key=MANY)
        if entries and st.button("Exportar la cola…", key="queue-export", icon=":material/download:"):
            _hand_out(app, where, sort)
    if many and entries:
        with st.container(border=True, key="queue-bulk"):
            _show_bulk(app, entries)
    return many


def _show_bulk(app: Member, entries: Sequence[QueueEntry]) -> None:
    chosen = [one for one in entries if st.session_state.get(mark_of(one))]
    with st.container(horizontal=True, vertical_alignment="center"):
        show(note(plural(len(chosen), "marcada en esta página", "marcadas en esta página")))
        for label, key, value in (
            ("Marcar todas", "mark-all", True),
            ("Quitar las marcas", "mark-none", False),
        ):
            button(label, key, "", _mark, entries, value, type="tertiary")
    st.pills("Veredicto para las marcadas", list(VERDICTS), format_func=VERDICTS.__getitem__, key=VERDICT)
    st.text_input("Notas (opcional)", key=NOTES, max_chars=MAX_NOTES, placeholder="Qué falla y por qué.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ready = bool(chosen) and st.session_state.get(VERDICT) is not None
        button("Guardar veredicto", "many-judge", "", _judge, app, chosen, type="primary", disabled=not ready)
        if app.shared:
            choose(None, "Asignar a", assignees(app), PERSON, keep=False)
            button("Asignar", "many-assign", "", _assign, app, chosen, disabled=not chosen)


def _mark(entries: Sequence[QueueEntry], value: bool) -> None:
    for one in entries:
        st.session_state[mark_of(one)] = value


def _judge(app: Member, chosen: Sequence[QueueEntry]) -> None:
    state = st.session_state
    verdict, notes = ReviewVerdict(state[VERDICT]), state[NOTES]
    _each(chosen, lambda one: app.reviews.judge(one.message_id, verdict, notes=notes, seen=one.judgment))
    state[VERDICT], state[NOTES] = None, ""


def _assign(app: Member, chosen: Sequence[QueueEntry]) -> None:
    person = st.session_state[PERSON]
    _each(chosen, lambda one: app.reviews.assign(one.message_id, person))


def _each(chosen: Sequence[QueueEntry], act: Callable[[QueueEntry], object]) -> None:
    """Do it to each by the door of one answer; those that it refuses stay marked, and the page says why."""
    refused: list[str] = []
    with errors_as_toasts():
        for one in chosen:
            try:
                act(one)
            except (InputError, NotFound) as error:
                refused.append(str(error))
            else:
                st.session_state[mark_of(one)] = False
    if done := len(chosen) - len(refused):
        told = SAVED.format(plural(done, "respuesta", "respuestas"))
    else:
        told = "No se ha guardado nada."
    if refused:
        told += LEFT.format(len(refused), refused[0])
    tell(told, "error" if refused else "check_circle")


def assignees(app: Member, now: str = NOBODY) -> dict[str, str]:
    """People whom the person may give an answer to, by their id, and the one who has it `now`."""
    own, names = app.identity.id, app.names()
    people = app.reviews.reviewers() if app.may(Permission.ACCOUNTS) else [own]
    others = {one: owner_name(one, names) for one in (*people, now) if one not in (NOBODY, own)}
    return {NOBODY: "Nadie", own: f"{owner_name(own, names)} (usted)"} | others


def show_assigned(app: Member, at: Place, message_id: int, now: str) -> None:
    """A box with the person who has an answer to review, which gives it to another."""
    key = f"assigned-{message_id}"

    def give() -> None:
        person = st.session_state[key]
        attempt("Asignación guardada.", app.reviews.assign, message_id, person)

    if st.session_state.get(key) != now:
        st.session_state[key] = now
    choose(at, "Asignada a", assignees(app, now), key, keep=False, on_change=give, width=260)


@dialog("Exportar la cola", "download")
def _hand_out(app: Member, where: QueueFilter, sort: QueueSort) -> None:
    show(note("Las respuestas de la cola tal como está filtrada y ordenada, una por fila."))
    kind = segments(None, "Formato", FORMATS, "queue-format")
    with st.spinner("Preparando el archivo…"):
        found, names = app.reviews.queue(where, sort, 0, MOST), app.names()
        rows = [row_of(entry, names) for entry in found.entries]
        data = _file(kind, rows)
    if found.total > MOST:
        show(note(f"El archivo tiene las {MOST} primeras: acote los filtros para las demás."))
    label = f"Descargar ({plural(len(rows), 'respuesta', 'respuestas')})"
    record = (app.exported, "queue", kind)
    download(label, data, f"articulado-revision.{kind}", KINDS[kind], "queue-file", record=record)


def _file(kind: str, rows: Sequence[Sequence[str]]) -> bytes:
    # The office library is read when a file is asked for.
    from service.opinions.sheets import csv_file, sheet_file

    if kind == "csv":
        return csv_file(list(COLUMNS), rows)
    return sheet_file("Revisión", list(COLUMNS), rows, list(COLUMNS.values()))
