"""Load documents: files, a folder or pasted text, with a preview of the changes."""

import streamlit as st

from loading.ingestion.load_request import UploadRequest
from loading.ingestion.uploads import MAX_FILE_BYTES
from pages.parts.common.html import note, show
from pages.parts.common.render import label_text
from pages.parts.common.widgets import choose, drop_uploads, named, segments
from pages.parts.normativa.form import START, Field, fields_of, show_fields
from pages.parts.normativa.preview import keep_preview, load_kept
from pages.parts.normativa.view import ACCEPTED, queued
from pages.parts.normativa.words import collection_name
from service.members.member import Member

FILES, FOLDER, TEXT = "Archivos", "Carpeta", "Texto pegado"
MAX_TEXT = 2_000_000
STATE, GENERATION = "upload-preview", "upload-generation"


def show_upload(app: Member) -> None:
    """The choice of source and collection, and its form."""
    generation = st.session_state.setdefault(GENERATION, 0)
    left, right = st.columns(2, vertical_alignment="bottom")
    way = segments(left, "Qué va a cargar", named((FILES, FOLDER, TEXT)), "upload-way")
    collections = {name: collection_name(name) for name in app.profile.collection_weights}
    collection = choose(right, "Colección", collections, "upload-collection")
    if way == TEXT:
        _show_text(app, collection, generation)
    else:
        _show_files(app, collection, way == FOLDER, generation)


def _show_files(app: Member, collection: str, folder: bool, generation: int) -> None:
    chosen = st.file_uploader(
        "Carpeta" if folder else "Documentos",
        type=ACCEPTED,
        accept_multiple_files="directory" if folder else True,
        max_upload_size=MAX_FILE_BYTES // (1024 * 1024),
        key=f"upload-{'folder' if folder else 'files'}-{generation}",
        help="También carpetas del BOE comprimidas en ZIP." if not folder else None,
    )
    fields = fields_of(collection)
    if len(chosen) != 1:
        fields = tuple(field for field in fields if field.shared)
    metadata = _metadata(fields, collection, generation)
    if not chosen:
        return
    asked = (collection, *sorted(metadata.items()), *(file.file_id for file in chosen))
    if st.button("Ver qué cambiará", type="primary", icon=":material/preview:", key="preview"):
        files = [(file.name, file.getvalue()) for file in chosen]
        keep_preview(app, STATE, asked, UploadRequest(files, collection, metadata))
    if load_kept(app, STATE, asked, "Cargar {}"):
        drop_uploads(chosen)
        _queued()


def _show_text(app: Member, collection: str, generation: int) -> None:
    norms = [norm for norm in app.corpus.norms() if norm.collection == collection]
    target = st.selectbox(
        "Dónde va",
        [None, *norms],
        format_func=lambda norm: label_text(norm.title) if norm else "Documento nuevo",
        key=f"paste-target-{generation}",
        help="En un documento que ya está, sustituyen a sus artículos o se añaden; los demás quedan.",
    )
    text = st.text_area(
        "Texto de uno o varios artículos",
        height=260,
        max_chars=MAX_TEXT,
        placeholder="Artículo 1. Objeto.\n1. …\n\nArtículo 2. …",
        key=f"paste-{generation}",
    )
    if target is None:
        metadata = _metadata(fields_of(collection), collection, generation, expanded=True)
    else:
        start = show_fields((START,), f"paste-start-{generation}")
        metadata = {"id": target.id, "title": target.title, **start}
    merge = target is not None
    asked = (collection, *sorted(metadata.items()), text)
    if st.button("Ver qué cambiará", type="primary", icon=":material/preview:", key="preview"):
        if not text.strip() or not metadata.get("title"):
            st.error("Escriba el título del documento y pegue su texto.", icon=":material/error:")
            return
        keep_preview(app, STATE, asked, UploadRequest.of_text(text, metadata, collection, merge=merge))
    if load_kept(app, STATE, asked, "Cargar el texto", merge=merge):
        _queued()


def _metadata(
    fields: tuple[Field, ...], collection: str, generation: int, *, expanded: bool = False
) -> dict[str, str]:
    with st.expander(
        "Datos del documento",
        expanded=expanded,
        icon=":material/edit_note:",
        key=f"metadata-{collection}-{generation}",
    ):
        if not expanded:
            show(note("Se leen del archivo: escriba solo los que quiera corregir."))
        return show_fields(fields, f"upload-{generation}-{collection}")


def _queued() -> None:
    st.session_state[GENERATION] += 1
    queued()
