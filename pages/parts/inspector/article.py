"""The rank of one article in each list of a question, and its score beside that of the first."""

import streamlit as st

from pages.parts.common.html import note, show, table
from pages.parts.common.layout import section
from pages.parts.common.references import article_links
from pages.parts.common.words import FEATURES, number, plural
from rag.evaluation.article_standing import Standing, standing
from rag.evaluation.rankings import DEPTH, INDEXED, Inspection
from service.members.member import Member

LISTS = {
    "reranked": "Orden final",
    "dense": "Parecido del texto",
    "adapted": "Parecido como respuesta",
    "questions": "Pregunta afín",
    "sparse": "Palabras (BM25)",
    "aids": "Palabras afines",
    "fused": "Fusión",
}


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
