"""«¿Por qué salió esto?»: the rankings of a question side by side, their features, and one article."""

import asyncio
from collections.abc import Sequence

import streamlit as st

from core.errors import InputError
from pages.parts.answer.candidates import features_table
from pages.parts.answer.debug import trace_panel
from pages.parts.common import words
from pages.parts.common.html import EMPTY, Html, html, note, show, show_fields, table
from pages.parts.common.layout import section
from pages.parts.common.references import article_links
from pages.parts.common.words import FEATURES, day, number, plural, today
from pages.parts.inspector.view import settings
from rag.evaluation.article_standing import Standing, standing
from rag.evaluation.rankings import DEPTH, INDEXED, SHOWN, Inspection, Place, inspect
from rag.shared.trace import RerankRecord, SearchRecord, UnderstandRecord
from service.members.member import Member

LONGEST = 1000
KEPT = "why-inspection"
LISTS = {
    "reranked": "Orden final",
    "dense": "Parecido del texto",
    "adapted": "Parecido como respuesta",
    "questions": "Pregunta afín",
    "sparse": "Palabras (BM25)",
    "aids": "Palabras afines",
    "fused": "Fusión",
}
COLUMNS = LISTS | {"dense": "Parecido"}


def show_why(app: Member) -> None:
    """A form for a question, and the inspection of the last one."""
    with st.form("why", border=False):
        question = st.text_input(
            "Pregunta",
            placeholder="¿Cuántos días de vacaciones tengo?",
            max_chars=LONGEST,
            key="why-question",
            persist_state="session",
        )
        as_of, options = settings("why")
        asked = st.form_submit_button("Analizar", type="primary", icon=":material/manage_search:")
    if asked:
        if not question.strip():
            raise InputError("Escriba una pregunta.")
        with st.spinner("Buscando…"):
            done = asyncio.run(inspect(question.strip(), app.services, options, as_of=as_of, today=today()))
        st.session_state[KEPT] = done
    found: Inspection | None = st.session_state.get(KEPT)
    if found is None:
        show(note("Se hace la búsqueda por reglas, sin pedir nada a un modelo de redacción."))
        return
    show_inspection(app, found)


def show_inspection(app: Member, found: Inspection) -> None:
    """Understanding, rankings, features, links and trace of an inspected question."""
    candidates = plural(len(found.state.candidates), "fragmento candidato", "fragmentos candidatos")
    kept = plural(len(found.kept), "artículo conservado", "artículos conservados")
    section(f"«{found.question}»", f"{candidates}, {kept}")
    _understood(found)
    section(
        "Las listas, lado a lado",
        f"Los {SHOWN} primeros artículos de cada una. El número en un recuadro es el lugar final de "
        "cada artículo conservado.",
    )
    show(rankings_html(found))
    record = found.trace.stage("rerank")
    if isinstance(record, RerankRecord):
        features_table(record.kept)
        if record.strategy == "none":
            show(note("Sin reordenar no hay rasgos que comparar: quedan en el orden de la fusión."))
    first = (found.chunks.get(place.chunk_id) for place in found.rankings["reranked"][: len(found.kept)])
    article_links((chunk for chunk in first if chunk), "why-links")
    show_article(app, found)
    trace_panel(app, "Traza completa", "why-trace", "inspector", lambda: found.trace)


def _understood(found: Inspection) -> None:
    """The reading of the question, and its effects on the search."""
    read, search = found.trace.stage("understand"), found.trace.stage("search")
    if not isinstance(read, UnderstandRecord) or not isinstance(search, SearchRecord):
        return
    what = read.understanding
    place = what.territory
    added = dict.fromkeys(term for one in search.searches for term in one.lexical)
    named = dict.fromkeys(name for one in search.searches for name in one.references)
    widened = any(one.widened for one in search.searches)
    show_fields(
        ("Normativa vigente el", f"{day(read.as_of)} ({words.AS_OF_FROM[read.as_of_from]})"),
        ("Tipo de pregunta", words.QUESTION_TYPES[what.type]),
        ("Materia", what.matter.label),
        ("Territorio", f"{', '.join(place.names)} ({number(place.confidence, 1)})" if place else ""),
        ("Subconsultas", " · ".join(one.query for one in search.searches)),
        ("Sinónimos añadidos", ", ".join(added)),
        ("Artículos citados", ", ".join(named)),
        ("Búsqueda", f"{words.SEARCH_MODES[search.mode]}, {words.SEARCH_STRATEGIES[search.strategy]}"),
        ("Condiciones aplicadas", " · ".join(search.filters) or "solo la fecha"),
        ("Se quitaron", "nada las cumplía: se buscó sin ellas" if widened else ""),
        ("Aviso", search.fallback),
    )


def rankings_html(found: Inspection) -> Html:
    """One column per ranking; articles that were kept show their final place in each."""
    longest = max(len(found.rankings[name]) for name in COLUMNS)
    rows = (
        (position + 1, *(_cell(found, found.rankings[name][position : position + 1]) for name in COLUMNS))
        for position in range(min(SHOWN, longest))
    )
    return table(("Lugar", *COLUMNS.values()), rows, numeric=(0,))


def _cell(found: Inspection, places: Sequence[Place]) -> Html:
    """The article at a place of a ranking; empty past its end."""
    if not places:
        return EMPTY
    chunk = found.chunks.get(places[0].chunk_id)
    label, section_name = (chunk.name, chunk.section) if chunk else (places[0].chunk_id, "")
    if places[0].article not in found.kept:
        return html('<span title="{}">{}</span>', section_name, label)
    final = found.kept.index(places[0].article) + 1
    mark = '<span class="art-chip" role="note" aria-label="lugar final {0}">{0}</span> '
    return html('<span title="{}">{}<strong>{}</strong></span>', section_name, html(mark, final), label)


def show_article(app: Member, found: Inspection) -> None:
    """A field for an article and, once it is filled in, the standing of that article."""
    section(
        "¿Y este artículo?", "Escriba uno como «art. 48 ET» para saber dónde quedó en cada lista y por qué."
    )
    text = st.text_input(
        "Artículo",
        placeholder="art. 48 ET",
        max_chars=200,
        key="why-article",
        persist_state="session",
        label_visibility="collapsed",
    )
    if not text.strip():
        return
    stood = standing(found, text.strip(), app.services)
    show(note(f"{stood.chunk.law} · {stood.chunk.section}"))
    show(note(explanation(found, stood)))
    ranks = [(LISTS[name], _rank(name, rank)) for name, rank in stood.ranks.items()]
    show(table(("Lista", "Lugar"), ranks, numeric=(1,)))
    article_links([stood.chunk], "why-article-link")
    _gaps(stood)


def explanation(found: Inspection, stood: Standing) -> str:
    """The reason why an article was kept or not, in a sentence or two."""
    total = plural(len(found.rankings["fused"]), "artículo candidato", "artículos candidatos")
    if stood.named:
        return "La pregunta lo cita expresamente: va delante de lo encontrado, sea cual sea su puntuación."
    if stood.kept:
        return f"Se conservó, en el lugar {stood.would_be} de {total}."
    if stood.candidate:
        return f"Era candidato, pero quedó en el lugar {stood.would_be} de {total}: no se conservó."
    lists = [LISTS[name].lower() for name in INDEXED if stood.ranks[name]]
    if lists:
        why = f"Está en la lista de {', '.join(lists)}, pero demasiado abajo para ser de los {total}."
    else:
        why = f"No está entre los {DEPTH} primeros fragmentos de ninguna lista."
    if found.filters:
        why += f" Las condiciones de la pregunta pueden haberlo apartado: {'; '.join(found.filters)}."
    return f"{why} De haber sido candidato, la heurística lo habría puesto en el lugar {stood.would_be}."


def _rank(name: str, rank: int | None) -> str:
    if rank is not None:
        return f"{rank}.º"
    return f"más allá de {DEPTH}" if name in INDEXED else "no llegó"


def _gaps(stood: Standing) -> None:
    if stood.best is None or not stood.features:
        return
    if stood.best.id == stood.chunk.id:
        show(note("Es el primero de los encontrados."))
        return
    rows = [
        (FEATURES.get(name, name), number(own, 2), number(best, 2), _signed(own - best))
        for name, own, best in stood.gaps
        if round(own - best, 2)
    ]
    own, best = sum(stood.features.values()), sum(stood.best_features.values())
    rows.append(("Total", number(own, 2), number(best, 2), _signed(own - best)))
    section("Frente al primero", f"Lo que aportó cada rasgo, comparado con {stood.best.name}.")
    show(table(("Rasgo", "Este", "El primero", "Diferencia"), rows, numeric=(1, 2, 3)))


def _signed(value: float) -> str:
    return f"{'−' if value < 0 else '+'}{number(abs(value), 2)}"
