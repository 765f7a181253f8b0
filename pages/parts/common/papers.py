"""Documents of an expediente or of a conversation: uploaded, their state, handed out and removed."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from core.errors import ArticuladoError
from domain.matters import DocumentState, MatterDocument
from pages.parts.common.confirm import confirm, dialog
from pages.parts.common.detail import followed
from pages.parts.common.html import facts, note, show, titled, warning
from pages.parts.common.layout import tell
from pages.parts.common.listing import row
from pages.parts.common.page import attempt
from pages.parts.common.widgets import download, drop_uploads
from pages.parts.common.words import dotted, plural
from service.members.member import Member
from service.program.papers import MAX_BYTES

ACCEPTED = ["pdf", "eml", "docx", "odt", "txt", "md", "html", "xlsx", "png", "jpg", "jpeg"]
GENERATION, PROBLEMS = "paper-uploads", "paper-problems"
LOOK_SECONDS = 1.5
READING = {
    DocumentState.WAITING: ("Leyéndose…", "art-mid"),
    DocumentState.READ: ("Leído", "art-high"),
    DocumentState.FAILED: ("No se puede leer", "art-low"),
}

Listed = Callable[[str], list[MatterDocument]]
Upload = Callable[[str, str, bytes], MatterDocument]
"""Takes in a file: id of where it belongs, name, contents."""


def show_papers(app: Member, place: str, documents: Listed, upload: Upload) -> None:
    """The box for more documents, and those of a place.

    Args:
        place: id of an expediente or a conversation; `documents` and `upload` are the doors for it.
    """
    generation = st.session_state.setdefault(GENERATION, 0)
    key = f"paper-files-{place}-{generation}"
    st.file_uploader(
        "Subir documentos",
        type=ACCEPTED,
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 2**20,
        key=key,
        on_change=_upload,
        args=(upload, place, key),
    )
    show(warning(*st.session_state.pop(PROBLEMS, ())))
    waiting = partial(_waiting, place, documents)
    followed(waiting, LOOK_SECONDS, partial(_rows, app, place, documents))


def _upload(upload: Upload, place: str, key: str) -> None:
    """Take each file in by itself: one that is refused keeps no other from coming in."""
    problems: list[str] = []
    taken = 0
    for file in st.session_state[key]:
        try:
            upload(place, file.name, file.getvalue())
            taken += 1
        except ArticuladoError as error:
            problems.append(str(error))
    drop_uploads(st.session_state[key])
    st.session_state[PROBLEMS] = tuple(problems)
    # The box is drawn again, empty: what it held is in the list below it.
    st.session_state[GENERATION] += 1
    if taken:
        tell(f"{plural(taken, 'documento subido', 'documentos subidos')}.")


def _waiting(place: str, documents: Listed) -> bool:
    return any(one.state is DocumentState.WAITING for one in documents(place))


def _rows(app: Member, place: str, documents: Listed) -> None:
    with st.container(key="papers", gap="small"):
        for one in documents(place):
            _row(app, one)


def _row(app: Member, one: MatterDocument) -> None:
    size = plural(one.pages, "página", "páginas") if one.pages else ""
    told = facts([READING[one.state]], dotted(size, one.problem))
    with row(f"document-{one.id}", titled(f"{one.title} · {one.name}"), told):
        if st.button("Descargar…", key=f"get-{one.id}", icon=":material/download:", type="tertiary"):
            _hand_out(app, one)
        if st.button("Quitar…", key=f"remove-{one.id}", icon=":material/delete:", type="tertiary"):
            said = f"Se elimina «{one.name}» ({one.title}). "
            said += "Las respuestas que lo citan conservan esas frases."
            remove = (attempt, "Documento eliminado.", app.papers.remove, one.id)
            confirm("Quitar el documento", said, "Quitar", "remove", *remove)


@dialog("Descargar el documento", "download")
def _hand_out(app: Member, one: MatterDocument) -> None:
    document, content = app.papers.original(one.id)
    show(note(f"{document.title}, tal como se subió."))
    download("Descargar", content, document.name, "application/octet-stream", f"file-{one.id}")
