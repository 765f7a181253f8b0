"""One document: passages, changes, references and data."""

import re
from functools import partial

import streamlit as st

from law import dates
from law.agreement_names import AFTERWARDS, LAST_DAY, term_over
from law.chunks import Chunk
from law.document_records import DocumentRecord
from law.norms import Block, Norm
from pages.parts.common.html import Html, badges, fields, note, show, show_fields, status, trail, warning
from pages.parts.common.law import law_html
from pages.parts.common.layout import back, heading, link, section
from pages.parts.common.listing import growing, paged, search_box
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.references import show_references
from pages.parts.common.render import label_text
from pages.parts.common.widgets import panel, tabs
from pages.parts.common.words import Names, day, plural, today
from pages.parts.normativa.actions import show_actions
from pages.parts.normativa.view import stored
from pages.parts.normativa.words import (
    aid_tags,
    block_name,
    fragment_tags,
    loaded_line,
    norm_line,
    norm_tags,
    size,
    span,
)
from service.members.member import Member
from text.links import official_url
from text.textnorm import fold_for_search

FIELDS = {
    "court": "Órgano judicial",
    "chamber": "Sala",
    "date": "Fecha",
    "ecli": "ECLI",
    "ponente": "Ponente",
    "recurso": "Recurso",
    "roj": "Roj",
    "cendoj": "Id Cendoj",
    "comunidad": "Comunidad autónoma",
    "sede": "Sede",
    "organo": "Órgano que lo emite",
    "replaces": "Deja sin efecto los criterios",
    "criterion_number": "Número de criterio",
    "state": "Estado del criterio",
    "issuer": "Emisor",
    "source_norm": "Resume",
    "codigo_convenio": "Código de convenio",
    "boletin": "Boletín",
    LAST_DAY: "Vigencia pactada hasta",
    AFTERWARDS: "Tras la vigencia pactada",
    "publicado_por": "Publicado por",
    "ambito_funcional": "Ámbito funcional",
    "ambito_territorial": "Ámbito territorial",
    "ambito_personal": "Ámbito personal",
    "ultima_modificacion": "Última modificación",
}
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
REFERRERS = 30
CHANGES = 100
PAGE_SIZE = 50


def show_document(app: Member, norm_id: str) -> None:
    """The view of one document. Raises NotFound."""
    norm = stored(app, norm_id)
    record = app.documents.get(norm_id)
    chunks = app.corpus.norm_chunks(norm_id)
    back("Todos los documentos", "back")
    heading(norm.title, norm_line(norm))
    show(badges(norm_tags(norm, today())))
    if record and record.review:
        show(warning(f"Por revisar: {record.review}"))
    if over := term_over(norm, today()):
        show(warning(over))
    show_actions(app, norm)
    views = {
        f"Pasajes ({len(chunks)})": lambda: show_fragments(app, norm, chunks),
        "Cambios": lambda: _show_changes(app, norm),
        "Remisiones": lambda: _show_references(app, norm, chunks),
        "Datos": lambda: _show_data(norm, record, chunks, app.names()),
    }
    tabs(views, "document-tab")


def _show_changes(app: Member, norm: Norm) -> None:
    """Articles with several wordings, the latest change first."""
    document = app.corpus.document(norm.id)
    blocks = [block for block in document.blocks if len(block.versions) > 1] if document else []
    if not blocks:
        show(note("Este documento tiene una sola redacción de cada artículo."))
        return
    blocks.sort(key=lambda block: block.versions[-1].valid_from, reverse=True)
    told = plural(len(blocks), "artículo con varias redacciones", "artículos con varias redacciones")
    show(note(f"{told}, el último cambio primero."))
    growing(blocks, CHANGES, f"changes-{norm.id}", partial(_change, norm), gap="xsmall")


def _change(norm: Norm, block: Block) -> None:
    before, after = block.versions[-2], block.versions[-1]
    label = f"{block.title or block_name(block)} — {day(after.valid_from)}"
    days = {"from": before.valid_from.isoformat(), "to": after.valid_from.isoformat()}
    link(label, doc=norm.id, block=block.id, **days)


def _show_references(app: Member, norm: Norm, chunks: list[Chunk]) -> None:
    """References of this document, and references to it."""
    outward = _outward(app, norm, chunks)
    section("Remite a")
    if not outward:
        show(note("No remite a otros documentos cargados."))
    for target, count in outward:
        link(f"{target.title} ({plural(count, 'artículo', 'artículos')})", doc=target.id)
    referrers, count = app.corpus.referrers(norm.id, REFERRERS)
    section("Remiten a este documento", _how_many(count))
    blocks = {
        (chunk.norm_id, chunk.block_id): chunk for chunk in app.corpus.chunks([r.chunk_id for r in referrers])
    }
    for (norm_id, block_id), chunk in blocks.items():
        link(f"{chunk.alias or chunk.law} · {chunk.section}", doc=norm_id, block=block_id)


def _how_many(count: int) -> str:
    if not count:
        return "Ningún otro documento cargado remite a este."
    text = plural(count, "pasaje de otros documentos", "pasajes de otros documentos")
    return text if count <= REFERRERS else f"{text}; se muestran los {REFERRERS} primeros."


def _outward(app: Member, norm: Norm, chunks: list[Chunk]) -> list[tuple[Norm, int]]:
    """Other documents that this one refers to, each with the number of articles referred to, most first."""
    found = app.corpus.referenced([chunk.id for chunk in chunks], today())
    targets = app.corpus.chunks(list({item for ids in found.values() for item in ids}))
    articles: dict[str, set[str]] = {}
    for chunk in targets:
        if chunk.norm_id != norm.id:
            articles.setdefault(chunk.norm_id, set()).add(chunk.block_id)
    norms = ((app.corpus.norm(norm_id), len(blocks)) for norm_id, blocks in articles.items())
    known = [(target, count) for target, count in norms if target is not None]
    return sorted(known, key=lambda pair: (-pair[1], pair[0].title))


def _written(value: str) -> str:
    found = dates.parse(value) if _ISO.fullmatch(value) else None
    return day(found) if found else value


def _show_data(norm: Norm, record: DocumentRecord | None, chunks: list[Chunk], names: Names) -> None:
    facts = {
        "Identificador": norm.id,
        "Título": norm.title,
        "Denominación": norm.law,
        "Siglas": ", ".join(name for name in (norm.alias, *norm.aliases) if name),
        "Colección y rango": norm_line(norm),
        "Número": norm.number,
        "Órgano emisor": norm.department,
        "Territorio": norm.territory,
        "Publicación": day(norm.published) if norm.published else "",
        "Entrada en vigor": day(norm.valid_from) if norm.valid_from else "",
        "Último día de vigencia": day(norm.repealed_on) if norm.repealed_on else "",
        "Estado": norm.status,
        **{FIELDS.get(name, name): _written(value) for name, value in norm.extra.items()},
        "Pasajes": str(len(chunks)),
        "Archivo": record.file_name if record else "",
        "Formato y tamaño": f"{record.format.upper()} · {size(record.bytes)}"
        if record and record.bytes
        else "",
        "Cargado": loaded_line(record, names).removeprefix("cargado ") if record else "",
        "Corregido a mano": ", ".join(record.overrides) if record else "",
    }
    show_fields(*facts.items())
    if not official_url(norm.url) and norm.url:
        st.text(f"Procedencia: {norm.url}")


def show_fragments(app: Member, norm: Norm, chunks: list[Chunk]) -> None:
    """The fragments that contain the words searched for, a page at a time."""
    left, right = st.columns((0.62, 0.38), vertical_alignment="bottom")
    what = "Artículo, título o palabras del texto"
    search = search_box(left, "Buscar en el documento", what, f"search-{norm.id}")
    past = right.checkbox("Incluir redacciones no vigentes", key=f"past-{norm.id}")
    words = fold_for_search(search).split()
    chosen = [c for c in chunks if (past or c.in_force_on(today())) and _matches(c, words)]
    show(status(plural(len(chosen), "pasaje", "pasajes")))
    drawn = partial(st.fragment(_fragment), app)
    paged(chosen, PAGE_SIZE, f"fragments-{norm.id}", drawn, gap="xsmall")


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
