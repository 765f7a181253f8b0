"""Actions on a document: edit its data, load a new version, write its search aids, delete it."""

import streamlit as st

from domain.accounts import Permission
from law.norms import Norm
from loading.boe.boe_client import is_boe
from loading.ingestion.load_request import UploadRequest
from pages.parts.common.html import bullets, html, note, show, warning
from pages.parts.common.layout import go, official_link, tell
from pages.parts.common.render import plain_html
from pages.parts.common.watching import watch_norm
from pages.parts.common.widgets import button, dialog
from pages.parts.common.words import plural
from pages.parts.normativa.aids import show_aids
from pages.parts.normativa.form import fields_of, show_fields, values_of
from pages.parts.normativa.preview import keep_preview, load_kept
from pages.parts.normativa.view import ACCEPTED, queued
from service.members.member import Member

REFERRERS = 8
DIALOG, REPLACEMENT = "document-dialog", "document-replacement"


def show_actions(app: Member, norm: Norm) -> None:
    """Buttons for the actions that the reader may take, the official source, and the open dialog."""
    with st.container(horizontal=True, key="document-actions", gap="small"):
        if app.may(Permission.LOAD):
            _show_changing(app, norm)
        if app.may(Permission.ASK):
            watch_norm(app, norm.id)
        official_link(norm.url)
    opened, norm_id = st.session_state.get(DIALOG, ("", ""))
    if norm_id == norm.id and app.may(Permission.LOAD):
        {"edit": _edit, "replace": _replace, "aids": _aids, "delete": _delete}[opened](app, norm)


def _show_changing(app: Member, norm: Norm) -> None:
    button("Modificar", "edit", "edit", _open, "edit", norm.id)
    if is_boe(norm) and st.button("Actualizar desde el BOE", key="update", icon=":material/sync:"):
        app.boe_update([norm.id])
        _queued()
    button("Nueva versión", "replace", "upload_file", _open, "replace", norm.id)
    button("Ayudas de búsqueda", "aids", "manage_search", _open, "aids", norm.id)
    button("Eliminar…", "delete", "delete", _open, "delete", norm.id)


def _open(name: str, norm_id: str) -> None:
    """Store the open dialog in the session rather than in a button press: it survives a rerun."""
    st.session_state[DIALOG] = (name, norm_id)


def _close() -> None:
    st.session_state.pop(DIALOG, None)


@dialog("Modificar los datos", "edit", width="large", on_dismiss=_close)
def _edit(app: Member, norm: Norm) -> None:
    show(note("Lo que corrija se conserva cuando el documento se actualice. El texto no cambia."))
    before = values_of(norm)
    with st.form("edit-form", border=False):
        written = show_fields(fields_of(norm.collection), f"edit-{norm.id}", before)
        saved = st.form_submit_button("Guardar", type="primary", icon=":material/save:")
    if not saved:
        return
    changes = {key: text for key, text in written.items() if text != before.get(key, "")}
    if changes:
        app.corrections.edit(norm.id, changes)
    tell("Datos guardados." if changes else "No había nada que guardar.")
    _close()
    st.rerun()


@dialog("Nueva versión", "upload_file", width="large", on_dismiss=_close)
def _replace(app: Member, norm: Norm) -> None:
    told = (
        "El documento sigue en servicio hasta que la nueva versión esté completa. Si es una redacción nueva, "
        "la guardada se conserva para las fechas en que regía."
    )
    show(html('<div class="art-note">{}<p>{}</p></div>', plain_html(norm.title), told))
    chosen = st.file_uploader("Documento", type=ACCEPTED, key=f"replace-{norm.id}")
    if chosen is None:
        return
    asked = (norm.id, chosen.file_id)
    if st.session_state.get(REPLACEMENT, (None,))[0] != asked:
        files = [(chosen.name, chosen.getvalue())]
        keep_preview(app, REPLACEMENT, asked, UploadRequest(files, norm.collection, {"id": norm.id}))
    if load_kept(app, REPLACEMENT, asked, "Cargar la nueva versión"):
        _queued()


@dialog("Ayudas de búsqueda", "manage_search", width="medium", on_dismiss=_close)
def _aids(app: Member, norm: Norm) -> None:
    show_aids(app, norm, _close)


@dialog("Eliminar el documento", "delete", width="medium", on_dismiss=_close)
def _delete(app: Member, norm: Norm) -> None:
    gone = (
        "<p>Se borran su texto, todas sus redacciones, su índice y su archivo. Las respuestas que lo citan "
        "conservan sus citas, pero dejan de poder comprobarse.</p>"
    )
    show(plain_html(norm.title), html(gone))
    referrers, count = app.corpus.referrers(norm.id, REFERRERS)
    if count:
        told = plural(count, "pasaje de otro documento remite", "pasajes de otros documentos remiten")
        show(warning(f"{told} a este: esas remisiones quedarán sin destino."))
        names = dict.fromkeys(f"{referrer.law} · {referrer.section}" for referrer in referrers)
        show(bullets([*names, *(["…"] if count > len(referrers) else [])]))
    else:
        show(note("Ningún otro documento cargado remite a este."))
    cancel, confirm = st.columns(2)
    if cancel.button("Cancelar", key="keep", width="stretch"):
        _close()
        st.rerun()
    if confirm.button("Eliminar definitivamente", type="primary", key="confirm-delete", width="stretch"):
        report = app.corrections.delete(norm.id)
        told = plural(report.fragments, "pasaje", "pasajes")
        tell(f"Eliminado: {report.title} ({told}).")
        _close()
        go()
        st.rerun()


def _queued() -> None:
    _close()
    queued()
