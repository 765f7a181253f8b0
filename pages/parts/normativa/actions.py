"""Actions on a document: edit its data, load a new version, write its search aids, delete it."""

from functools import partial

import streamlit as st

from domain.accounts import Permission
from law.norms import Norm
from loading.boe.boe_client import is_boe
from loading.ingestion.load_request import UploadRequest
from pages.parts.common.confirm import close, confirm, dialog, done, open_dialog, show_open
from pages.parts.common.html import Html, bullets, html, note, show, warning
from pages.parts.common.layout import go, official_link, tell
from pages.parts.common.page import errors_as_toasts
from pages.parts.common.render import plain_html
from pages.parts.common.watching import watch_norm
from pages.parts.common.widgets import button
from pages.parts.common.words import plural
from pages.parts.normativa.aids import show_aids
from pages.parts.normativa.form import fields_of, show_fields, values_of
from pages.parts.normativa.preview import keep_preview, load_kept
from pages.parts.normativa.view import ACCEPTED, queued
from service.members.member import Member

REFERRERS = 8
REPLACEMENT = "document-replacement"


def show_actions(app: Member, norm: Norm) -> None:
    """Buttons for the actions that the reader may take, the official source, and the open dialog."""
    with st.container(horizontal=True, key="document-actions", gap="small"):
        if app.may(Permission.LOAD):
            _show_changing(app, norm)
        if app.may(Permission.ASK):
            watch_norm(app, norm.id)
        official_link(norm.url)
    if app.may(Permission.LOAD):
        dialogs = {"edit": _edit, "replace": _replace, "aids": _aids}
        show_open({name: partial(draw, app, norm) for name, draw in dialogs.items()}, norm.id)


def _show_changing(app: Member, norm: Norm) -> None:
    button("Modificar", "edit", "edit", open_dialog, "edit", norm.id)
    if is_boe(norm) and st.button("Actualizar desde el BOE", key="update", icon=":material/sync:"):
        app.boe_update([norm.id])
        queued()
    button("Nueva versión", "replace", "upload_file", open_dialog, "replace", norm.id)
    button("Ayudas de búsqueda", "aids", "manage_search", open_dialog, "aids", norm.id)
    if st.button("Eliminar…", key="delete", icon=":material/delete:"):
        gone = _told_before_deleting(app, norm)
        yes = "Eliminar definitivamente"
        confirm("Eliminar el documento", gone, yes, "delete", _delete, app, norm.id, width="medium")


@dialog("Modificar los datos", "edit", width="large", on_dismiss=close)
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
    done("Datos guardados." if changes else "No había nada que guardar.")


@dialog("Nueva versión", "upload_file", width="large", on_dismiss=close)
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
        queued()


@dialog("Ayudas de búsqueda", "manage_search", width="medium", on_dismiss=close)
def _aids(app: Member, norm: Norm) -> None:
    show_aids(app, norm)


def _told_before_deleting(app: Member, norm: Norm) -> Html:
    """The document, what goes with it, and the documents that refer to it."""
    gone = plain_html(norm.title) + html(
        "<p>Se borran su texto, todas sus redacciones, su índice y su archivo. Las respuestas que lo citan "
        "conservan sus citas, pero dejan de poder comprobarse.</p>"
    )
    referrers, count = app.corpus.referrers(norm.id, REFERRERS)
    if not count:
        return gone + note("Ningún otro documento cargado remite a este.")
    told = plural(count, "pasaje de otro documento remite", "pasajes de otros documentos remiten")
    names = dict.fromkeys(f"{referrer.law} · {referrer.section}" for referrer in referrers)
    listed = bullets([*names, *(["…"] if count > len(referrers) else [])])
    return gone + warning(f"{told} a este: esas remisiones quedarán sin destino.") + listed


def _delete(app: Member, norm_id: str) -> None:
    with errors_as_toasts():
        report = app.corrections.delete(norm_id)
        told = plural(report.fragments, "pasaje", "pasajes")
        tell(f"Eliminado: {report.title} ({told}).")
        go()
