"""Documents that are ticked in the list: change what they share, or delete them."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from core.errors import InputError, NotFound
from law.norms import Norm
from pages.parts.common.confirm import close, dialog, done, open_dialog, show_open
from pages.parts.common.html import Html, bullets, note, show, warning
from pages.parts.common.render import label_text
from pages.parts.common.widgets import button, choose
from pages.parts.common.words import plural
from pages.parts.normativa.form import TOGETHER, show_fields
from pages.parts.normativa.words import collection_name
from service.members.member import Member

CHOSEN, TOLD = "catalogue-chosen", "catalogue-told"
SAME = ""


def tick(norm: Norm) -> None:
    """The box of one document of the list; what is ticked stays so on other pages of it."""
    key = f"tick-{norm.id}"
    st.session_state.setdefault(key, norm.id in _chosen())
    st.checkbox(
        label_text(f"Seleccionar {norm.title}"),
        key=key,
        on_change=_toggle,
        args=(norm.id,),
        label_visibility="collapsed",
    )


def show_chosen(app: Member, listed: Sequence[Norm]) -> None:
    """The acts on what is ticked, and the open dialog.

    Args:
        listed: the documents of this page of the list.
    """
    show(warning(*st.session_state.pop(TOLD, ())))
    norms = [norm for norm in map(app.corpus.norm, _chosen()) if norm is not None]
    with st.container(horizontal=True, key="chosen-actions", gap="small", vertical_alignment="center"):
        if not norms:
            _listed_button(listed)
            return
        show(note(plural(len(norms), "documento seleccionado", "documentos seleccionados")))
        button("Modificar…", "chosen-edit", "edit", open_dialog, "edit", CHOSEN)
        button("Eliminar…", "chosen-delete", "delete", open_dialog, "delete", CHOSEN)
        _listed_button(listed)
        button("Quitar la selección", "chosen-none", "close", _choose, (), type="tertiary")
    show_open({"edit": partial(_edit, app, norms), "delete": partial(_delete, app, norms)}, CHOSEN)


def _listed_button(listed: Sequence[Norm]) -> None:
    ids = [norm.id for norm in listed]
    if _chosen().keys() >= set(ids):
        return
    button("Seleccionar esta página", "chosen-page", "select_all", _choose, ids, type="tertiary")


def _chosen() -> dict[str, None]:
    """Ids of what is ticked, in the order of ticking."""
    chosen: dict[str, None] = st.session_state.setdefault(CHOSEN, {})
    return chosen


def _toggle(norm_id: str) -> None:
    if norm_id in _chosen():
        del _chosen()[norm_id]
    else:
        _chosen()[norm_id] = None


def _choose(ids: Sequence[str]) -> None:
    """Tick these besides those that are; none of them unticks all."""
    st.session_state[CHOSEN] = {**_chosen(), **dict.fromkeys(ids)} if ids else {}
    for key in [key for key in st.session_state if str(key).startswith("tick-")]:
        st.session_state[key] = str(key).removeprefix("tick-") in _chosen()


@dialog("Modificar lo seleccionado", "edit", width="large", on_dismiss=close)
def _edit(app: Member, norms: Sequence[Norm]) -> None:
    show(note("Lo que escriba cambia en todos estos documentos; su texto no cambia."), _names(norms))
    with st.form("chosen-form", border=False):
        names = {SAME: "La de cada uno"} | {n: collection_name(n) for n in app.profile.collection_weights}
        collection = choose(None, "Colección", names, "chosen-collection", keep=False)
        changes = show_fields(TOGETHER, "chosen", unset="El de cada uno")
        label = f"Modificar {plural(len(norms), 'documento', 'documentos')}"
        saved = st.form_submit_button(label, type="primary", icon=":material/save:")
    if not saved:
        return
    changes |= {"collection": collection} if collection else {}
    if not changes:
        raise InputError("Escriba al menos un dato.")
    _each(norms, lambda norm: app.corrections.edit(norm.id, changes))


@dialog("Eliminar los documentos seleccionados", "delete", width="large", on_dismiss=close)
def _delete(app: Member, norms: Sequence[Norm]) -> None:
    told = (
        "Se borran su texto, todas sus redacciones, su índice y su archivo. Las respuestas que los citan "
        "conservan sus citas, pero dejan de poder comprobarse."
    )
    show(warning(told), _names(norms))
    label = f"Eliminar {plural(len(norms), 'documento', 'documentos')} definitivamente"
    if st.button(label, type="primary", key="chosen-confirm"):
        with st.spinner("Eliminando…"):
            gone = app.corrections.delete_all([norm.id for norm in norms])
        _done(plural(len(gone), "documento eliminado", "documentos eliminados"))


def _names(norms: Sequence[Norm]) -> Html:
    return bullets(norm.title for norm in norms)


def _each(norms: Sequence[Norm], change: Callable[[Norm], object]) -> None:
    """Change each; those that fail stay ticked, with the reason."""
    failed: dict[str, str] = {}
    bar = st.progress(0.0)
    for number, norm in enumerate(norms):
        bar.progress(number / len(norms), label_text(norm.title))
        try:
            change(norm)
        except (InputError, NotFound) as error:
            failed[norm.id] = f"{norm.title}: {error}"
    st.session_state[TOLD] = tuple(failed.values())
    _done(plural(len(norms) - len(failed), "documento modificado", "documentos modificados"), list(failed))


def _done(told: str, still: Sequence[str] = ()) -> None:
    """Close the dialog and tell; of what was ticked, `still` stays so."""
    _choose(())
    _choose(still)
    done(f"{told}.")
