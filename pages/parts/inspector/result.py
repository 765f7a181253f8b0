"""Results of a tool, one card each: score, marked passages, metadata, neighbours, remisiones."""

import re
from datetime import date
from functools import partial
from html import unescape
from typing import NamedTuple

import streamlit as st

from law.chunks import Chunk
from pages.parts.common.html import EMPTY, Html, badges, each, html, join, note, show, show_fields
from pages.parts.common.law import law_html
from pages.parts.common.layout import link
from pages.parts.common.listing import paged
from pages.parts.common.references import show_references
from pages.parts.common.render import label_text
from pages.parts.common.widgets import download, panel
from pages.parts.common.words import COLLECTIONS, duration, number, plural, shortened, validity
from pages.parts.inspector.past import CONVERSATIONS, citing, title_of
from rag.tools.tool_calls import ResultItem, ToolOutcome
from rag.tools.tool_documents import Library
from rag.tools.tool_texts import render
from service.members.member import Member

PAGE_SIZE = 20
EXACT_SHOWN = 20_000
NEIGHBOUR = 200
SCORES = {"lexical_search": ("BM25", 1), "structure_search": ("BM25", 1), "semantic_search": ("Similitud", 4)}
TYPES = {"section_header": "rúbrica", "table": "tabla", "content": "contenido"}
WHOLE = ("structure", "plain")
_EM = re.compile(r"<(/?)em>")


class Bench(NamedTuple):
    """Sources of the results of a call: the corpus, and its documents on a day."""

    app: Member
    library: Library
    as_of: date


def show_outcome(bench: Bench, outcome: ToolOutcome) -> None:
    """The results of a call or its error, and the text of the contract."""
    if outcome.error:
        st.error(label_text(outcome.error), icon=":material/error:")
    elif outcome.result is not None:
        result = outcome.result
        limited = result.search_params.get("clamped", {})
        show_fields(
            ("Encontrados", f"{number(result.total_found)} en {duration(outcome.elapsed_ms)}"),
            ("Consulta expandida", result.expanded_query or ""),
            ("Modelo", str(result.search_params.get("embedding_model", ""))),
            (
                "Tamaño",
                f"{number(result.search_params['size'])} caracteres" if outcome.style in WHOLE else "",
            ),
            ("Limitado a", ", ".join(f"{name} = {value}" for name, value in limited.items())),
            ("Alternativa", "búsqueda léxica: el documento no tiene estructura" if outcome.fallback else ""),
        )
        _items(bench, outcome)
    label, icon = "Texto exacto que leería un modelo", ":material/code:"
    panel(label, "tool-exact", partial(_exact, outcome), icon=icon)


def _items(bench: Bench, outcome: ToolOutcome) -> None:
    items = outcome.result.results if outcome.result else ()
    kind = outcome.result.search_type if outcome.result else ""
    placed = list(enumerate(items, 1))
    paged(placed, PAGE_SIZE, f"found-{outcome.name}", partial(_card, bench, kind), gap="xsmall")


def _card(bench: Bench, kind: str, placed: tuple[int, ResultItem]) -> None:
    place, item = placed
    known = item.metadata
    name, decimals = SCORES.get(kind, ("Puntuación", 2))
    score = f"{name} {number(item.score, decimals)}" if item.score is not None else ""
    line = f"línea {number(known.line)}" if known.line is not None else ""
    tags = [(score, "art-high"), (line, ""), (TYPES.get(known.chunk_type, known.chunk_type), "")]
    with st.container(border=True, key=f"tool-item-{place}", gap="xsmall"):
        show(
            html("<strong>{}. {}</strong>", place, known.section_title),
            note(f"{known.law} · {item.chunk_id}"),
            badges(tags),
            highlights_html(item.highlights),
        )
        title = "Texto, metadatos, vecinos, citas y remisiones"
        panel(title, f"tool-open-{place}", partial(_details, bench, item, place))


def highlights_html(highlights: tuple[str, ...]) -> Html:
    """Passages with the matches marked; escapes in them are undone first, to be escaped once."""
    if not highlights:
        return EMPTY
    return html('<div class="art-law">{}</div>', each("<p>{}</p>", map(_passage, highlights)))


def _passage(passage: str) -> Html:
    # The split gives text, '' or '/', text…: text after an opening mark is marked.
    first, *rest = _EM.split(passage)
    pieces: list[str] = [unescape(first)]
    for closing, text in zip(rest[::2], rest[1::2], strict=True):
        plain = unescape(text)
        pieces.append(html("<mark>{}</mark>", plain) if plain and not closing else plain)
    return join(pieces)


def _details(bench: Bench, item: ResultItem, place: int) -> None:
    known = item.metadata
    show(law_html(item.content))
    chunk = next(iter(bench.app.corpus.chunks([known.chunk])), None) if known.chunk else None
    show_fields(
        ("Resumen", known.summary),
        ("Palabras clave", ", ".join(known.keywords)),
        ("Vigencia", validity(known.valid_from, known.valid_to)),
        ("Colección", COLLECTIONS.get(chunk.collection, chunk.collection) if chunk else ""),
        ("Contiene", ", ".join(chunk.flags) if chunk else ""),
        ("Tablas", "sí" if known.has_tables else ""),
        ("Documento", item.source_file),
        ("Identificador", known.chunk),
    )
    if chunk is None:
        link("Ver el documento", icon=":material/article:", doc=known.norm_id)
        return
    _neighbours(bench, chunk)
    show_fields(
        (
            f"Citado en (sus últimas {CONVERSATIONS} consultas)",
            " · ".join(map(title_of, citing(bench.app, chunk))),
        )
    )
    show(note("Remite a:"))
    if not show_references(bench.app, [chunk.id], f"tool-{place}"):
        show(note("Ningún artículo del corpus."))
    link(
        "Ver el artículo, su historial y sus cambios",
        icon=":material/history:",
        doc=chunk.norm_id,
        block=chunk.block_id,
    )


def _neighbours(bench: Bench, chunk: Chunk) -> None:
    """The fragments before and after this one in the document of that day."""
    chunks = bench.library.view(chunk.norm_id, bench.as_of).chunks
    at = next((n for n, one in enumerate(chunks) if one.id == chunk.id), None)
    if at is None:
        return
    near = (("Anterior", chunks[at - 1] if at else None), ("Siguiente", next(iter(chunks[at + 1 :]), None)))
    show_fields(*((name, _short(one)) for name, one in near if one))


def _short(chunk: Chunk) -> str:
    part = f" ({chunk.part} de {chunk.parts})" if chunk.parts > 1 else ""
    return f"{chunk.section}{part} — {shortened(chunk.text.removeprefix(chunk.section), NEIGHBOUR)}"


def _exact(outcome: ToolOutcome) -> None:
    """The text that a model would read, character by character."""
    text = render([outcome], "…")
    st.code(text[:EXACT_SHOWN], language=None, wrap_lines=True, height=420)
    if len(text) > EXACT_SHOWN:
        show(note(f"Se muestra el principio, de {plural(len(text), 'carácter', 'caracteres')}."))
    download("Descargar texto", text, f"articulado-{outcome.name}.txt", "text/plain", "tool-download")
