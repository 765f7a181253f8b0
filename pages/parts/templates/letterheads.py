"""The templates that there are, an example to begin with, and the form that adds one."""

import streamlit as st

from core.errors import InputError
from pages.parts.common.html import note, show
from pages.parts.common.layout import section
from pages.parts.common.page import attempt
from pages.parts.common.render import label_text
from pages.parts.common.widgets import button, download
from service.contract.files import DOCX
from service.members.member import Member
from service.opinions.letterheads import example
from service.opinions.opinion import PartName
from service.opinions.placeholders import DAY, NEEDED, TITLE, WORDS
from service.opinions.template_check import MOST_BYTES, SUFFIX

INTRO = (
    "Un documento de Word del despacho, con su membrete y sus estilos, en el que se pone cada dictamen. "
    "Quien prepara un dictamen elige una de las plantillas que haya aquí, o ninguna."
)
NO_FILE = "Elija antes el archivo de la plantilla."
NONE = "Todavía no hay ninguna: los dictámenes salen con el formato de Articulado."
PARTS = " ".join(WORDS.format(name=name) for name in PartName)
INLINE = " ".join(WORDS.format(name=name) for name in (TITLE, DAY))
HELP = (
    f"Cada una de estas marcas va sola en un párrafo y se sustituye por esa parte: {PARTS}. Hace falta al "
    f"menos {WORDS.format(name=NEEDED)}; si faltan otras, van al final. En cualquier lugar, incluidos el "
    f"encabezado y el pie: {INLINE}. No se admiten macros ni enlaces a otros archivos."
)
ADDED = "letterheads-added"


def show_letterheads(app: Member) -> None:
    """All that there are, and how to add one."""
    section("Las que hay", INTRO)
    names = app.letterheads.names()
    if not names:
        show(note(NONE))
    for number, name in enumerate(names):
        left, middle, right = st.columns([4, 1.4, 1], vertical_alignment="center")
        left.text(name)
        with middle:
            content = app.letterheads.content(name)
            download("Descargar", content, f"{name}{SUFFIX}", DOCX, f"template-file-{number}")
        with right:
            button("Quitar", f"template-remove-{number}", "", attempt, "", app.letterheads.remove, name)
    section("Añadir una")
    st.text(HELP)
    download("Plantilla de ejemplo", example(), f"plantilla-de-ejemplo{SUFFIX}", DOCX, "template-example")
    file = st.file_uploader(
        "Archivo de la plantilla (.docx)", max_upload_size=MOST_BYTES // 1_000_000, key="template-upload"
    )
    if st.button("Añadir plantilla", type="primary", icon=":material/upload_file:", key="template-add"):
        if file is None:
            raise InputError(NO_FILE)
        with st.spinner("Examinando la plantilla…"):
            st.session_state[ADDED] = app.letterheads.add(file.name, file.getvalue())
        st.rerun()
    if added := st.session_state.pop(ADDED, ""):
        st.success(f"Plantilla «{label_text(added)}» guardada: ya se puede elegir al preparar un dictamen.")
