"""One document: fragments, changes, references and data."""

import re

import streamlit as st

from law import dates
from law.agreement_names import AFTERWARDS, LAST_DAY, term_over
from law.chunks import Chunk
from law.document_records import DocumentRecord
from law.norms import Block, Norm
from pages.parts.common.html import badges, note, show, show_fields, warning
from pages.parts.common.layout import back, heading, link, section
from pages.parts.common.widgets import show_more, tabs
from pages.parts.common.words import Names, day, plural, today
from pages.parts.normativa.actions import show_actions
from pages.parts.normativa.fragments import show_fragments
from pages.parts.normativa.view import stored
from pages.parts.normativa.words import block_name, loaded_line, norm_line, norm_tags, size
from service.members.member import Member
from text.links import official_url

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
    key = f"changes-{norm.id}"
    shown = blocks[: st.session_state.get(key, CHANGES)]
    with st.container(key="changes", gap="xsmall"):
        for block in shown:
            _change(norm, block)
    if len(blocks) > len(shown):
        show_more("Ver todos", "more-changes", key, len(blocks))


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
