"""The fragments of a document, one expander each; the text is drawn only while its expander is open."""

from functools import partial

import streamlit as st

from law.chunks import Chunk
from law.norms import Norm
from pages.parts.common.html import Html, badges, fields, show, status, trail
from pages.parts.common.law import law_html
from pages.parts.common.layout import link
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.references import show_references
from pages.parts.common.render import label_text
from pages.parts.common.widgets import pager, panel, part_of, search_box
from pages.parts.common.words import plural, today
from pages.parts.normativa.words import aid_tags, fragment_tags, span
from service.members.member import Member
from text.textnorm import fold_for_search

PAGE_SIZE = 50


def show_fragments(app: Member, norm: Norm, chunks: list[Chunk]) -> None:
    """The fragments that contain the words searched for, a page at a time."""
    left, right = st.columns((0.62, 0.38), vertical_alignment="bottom")
    what = "Artículo, título o palabras del texto"
    search = search_box(left, "Buscar en el documento", what, f"fragments-{norm.id}")
    past = right.checkbox("Incluir redacciones no vigentes", key=f"past-{norm.id}")
    words = fold_for_search(search).split()
    chosen = [c for c in chunks if (past or c.in_force_on(today())) and _matches(c, words)]
    show(status(plural(len(chosen), "pasaje", "pasajes")))
    key = f"fragments-page-{norm.id}"
    with st.container(key="fragments", gap="xsmall"):
        for chunk in part_of(chosen, PAGE_SIZE, key):
            st.fragment(_fragment)(app, chunk)
    pager(len(chosen), PAGE_SIZE, key)


def _matches(chunk: Chunk, words: list[str]) -> bool:
    text = fold_for_search(f"{chunk.section} {chunk.chapter} {chunk.text}") if words else ""
    return all(word in text for word in words)


@errors_as_sentences()
def _fragment(app: Member, chunk: Chunk) -> None:
    part = f" · parte {chunk.part} de {chunk.parts}" if chunk.parts > 1 else ""
    since = "" if chunk.in_force_on(today()) else f" · {span(chunk.valid_from, None)}"
    title = label_text(f"{chunk.section or chunk.name}{part}{since}")
    panel(title, f"fragment-{chunk.id}", partial(_show, app, chunk))


def _show(app: Member, chunk: Chunk) -> None:
    block = app.corpus.block(chunk.norm_id, chunk.block_id)
    tags = [*fragment_tags(chunk, today()), *aid_tags(block)]
    head = trail(chunk.chapter.split(" > ")) + badges(tags)
    show(head, law_html(chunk.text), _fields(chunk))
    show_references(app, [chunk.id], chunk.id)
    label, icon = "Historial y comparación del artículo", ":material/history:"
    link(label, icon=icon, doc=chunk.norm_id, block=chunk.block_id)


def _fields(chunk: Chunk) -> Html:
    return fields(
        ("Apartados", chunk.apartados),
        ("Página", str(chunk.page) if chunk.page is not None else ""),
        ("Tipo de sección", "" if chunk.section_type == "general" else chunk.section_type),
        ("Resumen", chunk.summary),
        ("Palabras clave", ", ".join(chunk.keywords)),
        ("Preguntas", " · ".join(chunk.questions)),
        ("Identificador", chunk.id),
    )
